#pragma once
// The friction impulses of vanishing compliance by brute force: Coulomb's law on W + e R, whose solution is
// followed from soft contacts to hard ones on the entries of W (other code than the program's
// solver in factors), and the limit e -> 0 by extrapolation.

#include "touchstone/solve/problem.h"

namespace touchstone::oracles {

/// R has one entry per row; the problem has no free contacts. Right to about 1e-7 where the limit is smooth.
/// Throws std::runtime_error where a level is not solved.
VectorX vanishing_compliance(const FrictionProblem& problem, const VectorX& R);

}  // namespace touchstone::oracles
