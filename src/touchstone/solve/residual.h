#pragma once
// The one error measure per class of problem; it is computed apart from every solver and decides alone
// whether an answer counts as solved. Formulas and sources: docs/solvers.md.

#include "touchstone/solve/problem.h"

namespace touchstone {

/// |min(z, Mz+q)|_inf / (1 + |q|_inf); rows that are equations count with |w_i|.
double residual(const Lcp& problem, const VectorX& z);
double residual(const Mlcp& problem, const VectorX& z);

/// |r - proj_K(r - rho (u + mu |u_t| e_n))| / |q|: the natural map, per contact with rho = 1 as FCLIB has it.
double residual(const FrictionProblem& problem, const VectorX& r);
/// z is (v, r).
double residual(const GlobalFrictionProblem& problem, const VectorX& z);
/// The largest violation of the four KKT conditions, relative to the data; z is (x, y).
double residual(const Qp& problem, const VectorX& z);

double residual(const Problem& problem, const VectorX& z);

}  // namespace touchstone
