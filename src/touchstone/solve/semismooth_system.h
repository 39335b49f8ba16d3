#pragma once
// The linear system of one Newton step of semismooth_newton.h.

#include "touchstone/solve/friction_contact.h"
#include "touchstone/solve/friction_iterate.h"

namespace touchstone {

/// Every contact's own answer to the others' impulses, S(r).
template <int D>
struct LocalAnswers {
  std::vector<ContactAnswer<D>> contact;
  std::vector<ContactVector<D>> velocity;  ///< of that answer

  explicit LocalAnswers(int contacts) : contact(contacts), velocity(contacts) {}
  /// Solves them all. Returns the distance |S(r) - r| in the norm whose square is an energy.
  double solve(const FrictionBlocks<D>& blocks, const VectorX& r);
};

template <int D>
class SemismoothSystem {
 public:
  explicit SemismoothSystem(const FrictionBlocks<D>& blocks);

  /// The step dr from r for the linearisation at `answers`, W's diagonal lifted by the share `lift`. False
  /// when the system cannot be solved.
  bool solve(const LocalAnswers<D>& answers, const VectorX& r, double lift, VectorX& dr);

 private:
  /// Row i of the system:  G dr_i + L (W dr)_i = right-hand side.
  struct Law {
    ContactMatrix<D> G, L;
  };
  Law law_at(const ContactAnswer<D>& answer, const ContactVector<D>& velocity, int contact) const;
  void choose_active(const LocalAnswers<D>& answers, const VectorX& r, VectorX& dr);
  void fill_right_side(const LocalAnswers<D>& answers, const VectorX& r, const VectorX& dr);
  bool solve_dense(double lift);
  bool solve_sparse(double lift);
  ContactMatrix<D> diagonal_block(int a, double lift) const;

  const FrictionBlocks<D>& blocks_;
  std::vector<int> number_;  ///< of a contact among the active ones; -1: open
  std::vector<int> active_;
  std::vector<Law> law_;  ///< of the active ones
  VectorX right_, step_;
};

}  // namespace touchstone
