#pragma once
// What the tests of the model `plane` share: exact runs, and the staggered stack.

#include <gtest/gtest.h>

#include <string>

#include "support/random_worlds.h"
#include "support/watched_run.h"
#include "touchstone/geometry/shapes.h"

namespace touchstone::support {

inline constexpr double kTolerance = 1e-9;  // [m] the setting's default
inline constexpr double kRoundOff = 1e-12;  // of energies and momenta
inline StepSettings steps_of(double h) {
  StepSettings settings;
  settings.h = h;
  return settings;
}

inline void expect_exact(const Watched& seen, const std::string& what) {
  EXPECT_EQ(seen.refused, 0) << what << "\n" << seen.message;
  EXPECT_LE(seen.divided, 0.01 * seen.steps) << what;
  EXPECT_GE(seen.least_gap, -kTolerance) << what;
  EXPECT_LE(seen.identity_error, kRoundOff) << what;
  EXPECT_LE(seen.gained, kRoundOff) << what;
  EXPECT_LE(seen.momentum_error, kRoundOff) << what;
}

/// The frictionless staggered stack of ten, at which other engines fail.
inline constexpr double kStagger[] = {0, .062, -.081, .037, -.054, .093, -.018, .071, -.096, .024};

template <int D>
World<D> staggered_stack(const Shape<D>& box) {
  World<D> world;
  world.gravity = -9.81 * Vec<D>::Unit(D - 1);
  for (int i = 0; i < 10; ++i) {
    Vec<D> at = Vec<D>::Zero();
    at[0] = kStagger[i], at[D - 1] = 0.5 + i;
    touchstone::add_body<D>(world, "box" + std::to_string(i), box, {Mat<D>::Identity(), at},
                            i == 0 ? BodyKind::fixed : BodyKind::dynamic);
  }
  return world;
}

}  // namespace touchstone::support
