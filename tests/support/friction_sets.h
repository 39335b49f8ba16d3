#pragma once
// Friction problems to try a solver on, in global form, in the plane and in space. Each has a solution, since
// no contact moves by itself (w = 0): bodies at rest break no law.
//
//   random   contacts of any direction between random bodies and the ground, some of them twice
//   heavy    the same, with masses over six decades
//   stack    one stack of boxes on the ground, contacts at the corners: twice as many rows as the bodies can
//   feel wall     four boxes a layer, side by side: contacts below and beside
//
// Gravity acts for a hundredth of a second; `hit` adds blows on some of the bodies.

#include <string>
#include <vector>

#include "touchstone/math/random.h"
#include "touchstone/solve/problem.h"

namespace touchstone::support {

const std::vector<std::string>& friction_classes();

struct FrictionSet {
  std::string name = "random";
  int dimension = 3;
  int bodies = 1;
  bool hit = true;
  double mu = -1;  ///< of every contact; negative: now none, now little, now much, now mixed
};
GlobalFrictionProblem make_friction(const FrictionSet& set, Random& random);

/// W = H^T M^-1 H, q = w + H^T M^-1 f, by full matrices.
FrictionProblem local_form(const GlobalFrictionProblem& problem);

}  // namespace touchstone::support
