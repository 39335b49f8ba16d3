#pragma once
// The parts of each problem by name, said once for every format of our own. An archive is called with each
// name and part: it reads the part or writes it.

#include <string>
#include <string_view>

#include "touchstone/problems/problem_file.h"
#include "touchstone/solve/problem.h"

namespace touchstone {

[[noreturn]] inline void refuse(const std::string& field, const std::string& expected) {
  throw ProblemFileError(field + ": expected " + expected);
}

template <class Archive>
void visit_fields(Archive& archive, Lcp& problem) {
  archive("M", problem.M);
  archive("q", problem.q);
}

template <class Archive>
void visit_fields(Archive& archive, Mlcp& problem) {
  archive("M", problem.M);
  archive("q", problem.q);
  archive("free", problem.free);
}

template <class Archive>
void visit_fields(Archive& archive, FrictionProblem& problem) {
  archive("dimension", problem.dimension);
  archive("W", problem.W);
  archive("q", problem.q);
  archive("mu", problem.mu);
}

template <class Archive>
void visit_fields(Archive& archive, GlobalFrictionProblem& problem) {
  archive("dimension", problem.dimension);
  archive("M", problem.M);
  archive("H", problem.H);
  archive("f", problem.f);
  archive("w", problem.w);
  archive("mu", problem.mu);
}

template <class Archive>
void visit_fields(Archive& archive, Qp& problem) {
  archive("P", problem.P);
  archive("c", problem.c);
  archive("A", problem.A);
  archive("b", problem.b);
  archive("equality", problem.equality);
}

/// An empty problem of that kind, as kind_of() names them; throws ProblemFileError for another name.
Problem empty_problem(std::string_view kind);

}  // namespace touchstone
