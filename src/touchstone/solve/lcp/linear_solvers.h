#pragma once
// The solvers of Lcp and Mlcp. Each ends and says what it reached; none decides whether that is a solution.

#include "touchstone/solve/linear/masked_system.h"
#include "touchstone/solve/linear_problem.h"

namespace touchstone {

// These take problems without free rows; reduced() makes one of any Mlcp.
Candidate lemke(const LinearProblem& problem, const SolveSettings& settings);
Candidate projected_gauss_seidel(const LinearProblem& problem, const SolveSettings& settings);
/// Kept for the experiments of the thesis, which compares it; no chain of `auto` uses it.
Candidate successive_over_relaxation(const LinearProblem& problem, const SolveSettings& settings);
/// Kept for the experiments of the thesis, which compares it; no chain of `auto` uses it.
Candidate projected_jacobi(const LinearProblem& problem, const SolveSettings& settings);
Candidate fixed_point(const LinearProblem& problem, const SolveSettings& settings);
/// Of symmetric matrices; for others it returns the start.
Candidate proximal_newton(const LinearProblem& problem, const SolveSettings& settings);
/// With a system of the problem's matrix that is there already: it knows an order of elimination.
Candidate proximal_newton(const LinearProblem& problem, const SolveSettings& settings, MaskedSystem& system);
Candidate least_distance(const LinearProblem& problem, const SolveSettings& settings);

// These take free rows as they are.
Candidate interior_point(const LinearProblem& problem, const SolveSettings& settings);
Candidate fischer_newton(const LinearProblem& problem, const SolveSettings& settings);
/// Kept for the experiments of the thesis, which compares it; in the chain of small problems it stands last
/// but one.
Candidate minmap_newton(const LinearProblem& problem, const SolveSettings& settings);
Candidate proximal_pivoting(const LinearProblem& problem, const SolveSettings& settings);
Candidate enumeration(const LinearProblem& problem, const SolveSettings& settings);
Candidate path(const LinearProblem& problem, const SolveSettings& settings);

using LinearSolver = Candidate (*)(const LinearProblem&, const SolveSettings&);
/// Eliminates the free rows, lets the solver treat the rest, and returns to the z of the problem.
Candidate reduced(LinearSolver solver, const LinearProblem& problem, const SolveSettings& settings);

}  // namespace touchstone
