#pragma once
// Friction problems in global form as problems in the factors of their matrix.

#include "touchstone/solve/problem.h"

namespace touchstone::support {

/// Of support::make_friction(): bodies of 3 or 6 unknowns, contacts of at most two of them; all contacts
/// yield alike.
FrictionProblem cone_form(const GlobalFrictionProblem& problem);

/// The same problem with its contacts in another order, and the two bodies of each exchanged in the factors.
FrictionProblem reordered(const FrictionProblem& problem, const std::vector<int>& order);

}  // namespace touchstone::support
