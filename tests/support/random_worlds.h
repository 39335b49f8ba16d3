#pragma once
// Worlds by seed, for properties that must hold in every step of any world.

#include <memory>

#include "touchstone/math/random.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

struct RandomWorldSettings {
  bool floor = true;    ///< a fixed half-space below; without it there is no gravity either
  bool joints = false;  ///< some neighbours are jointed
  FrictionLaw friction = FrictionLaw::none;
  double bounce = 0;
  Restitution restitution = Restitution::newton;
  bool scripted = false;  ///< one more body moves to and fro by a script
};

template <int D>
World<D> random_world(std::uint64_t seed, const RandomWorldSettings& settings);

/// One to three convex bodies that fall, turning, onto a fixed table: some over its edge. mu = 0: no
/// friction.
template <int D>
World<D> random_drop(std::uint64_t seed, double mu, FrictionLaw law = FrictionLaw::linear);

/// `count` convex bodies that fall, turning, between four (in the plane two) fixed walls.
template <int D>
World<D> random_pile(std::uint64_t seed, double mu, int count);

/// A body of uniform density 1 with one part. Where the name is taken it gets a mark more; a scripted one
/// stays where it is until it gets its script.
template <int D>
int add_body(World<D>& world, const std::string& name, const Shape<D>& shape, const Pose<D>& X_WB,
             BodyKind kind = BodyKind::dynamic);

}  // namespace touchstone
