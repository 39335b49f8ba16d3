#include "random_worlds.h"

#include <cmath>

#include "touchstone/stepping/build_world.h"

namespace touchstone {
namespace {

template <int D>
Shape<D> random_shape(Random& random) {
  switch (random.index(3)) {
    case 0: {
      Vec<D> sides;
      for (int i = 0; i < D; ++i) sides[i] = random.uniform(0.3, 1);
      return make_box<D>(sides);
    }
    case 1:
      return scaled<D>(make_random_hull<D>(8, random.bits()), Vec<D>::Constant(random.uniform(0.3, 0.6)));
    default:
      return Sphere<D>{random.uniform(0.2, 0.5)};
  }
}

template <int D>
Twist<D> random_twist(Random& random, double speed) {
  Twist<D> V;
  for (int i = 0; i < kDof<D>; ++i) V[i] = random.uniform(-speed, speed);
  return V;
}

/// Neighbours in the row are held together by a joint whose frame lies between them.
template <int D>
void add_random_joints(World<D>& world, int first, int count, Random& random) {
  const JointKind kinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::fixed,
                             JointKind::spherical, JointKind::universal};
  for (int i = first; i + 1 < first + count; i += 2) {
    const JointKind kind = kinds[random.index(D == 2 ? 3 : 5)];
    const Pose<D> X_WJ{random.rotation_matrix<D>(),
                       0.5 * (world.bodies[i].position + world.bodies[i + 1].position)};
    std::vector<JointAxis> axes(axis_count<D>(kind));
    for (JointAxis& axis : axes) {
      if (random.index(3) == 0) axis.damping = 0.1;
      if (random.index(3) == 0) axis.lower = -0.3, axis.upper = 0.3;
      if (random.index(3) == 0) axis.motor = true, axis.motor_rate = 1, axis.motor_force = 0.5;
    }
    const auto frame = [&](int body) { return world.bodies[body].X_WB().inverse() * X_WJ; };
    add_joint<D>(world, "joint" + std::to_string(i), kind,
                 {.bodies = {i, i + 1}, .frames = {{frame(i), frame(i + 1)}}, .axes = axes});
  }
}

Polytope<2> random_convex(Random& random, const Vec<2>&) {
  const int kind = random.index(3);
  if (kind == 0) return make_box<2>({random.uniform(0.3, 1), random.uniform(0.3, 1)});
  if (kind == 1) return make_regular_polygon(3 + random.index(5), random.uniform(0.3, 0.5));
  return scaled<2>(make_random_hull<2>(8, random.bits()), Vec<2>::Constant(random.uniform(0.3, 0.6)));
}
Polytope<3> random_convex(Random& random, const Vec<3>&) {
  const int kind = random.index(4);
  if (kind == 0) {
    return make_box<3>({random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1)});
  }
  if (kind == 1) return make_tetrahedron(random.uniform(0.4, 0.8));
  const int points = kind == 2 ? 8 : 30;
  return scaled<3>(make_random_hull<3>(points, random.bits()), Vec<3>::Constant(random.uniform(0.3, 0.6)));
}

template <int D>
World<D> world_with_friction(double mu, FrictionLaw law) {
  World<D> world;
  Surface surface;
  surface.friction = mu > 0 ? law : FrictionLaw::none;
  surface.mu = mu;
  world.surfaces = SurfaceTable(1, surface);
  world.gravity = -9.81 * Vec<D>::Unit(D - 1);
  return world;
}

template <int D>
void add_fixed_box(World<D>& world, const std::string& name, const Vec<D>& sides, const Vec<D>& at) {
  add_body<D>(world, name, make_box<D>(sides), {Mat<D>::Identity(), at}, BodyKind::fixed);
}

}  // namespace

template <int D>
World<D> random_drop(std::uint64_t seed, double mu, FrictionLaw law) {
  Random random(seed);
  World<D> world = world_with_friction<D>(mu, law);
  Vec<D> table = Vec<D>::Constant(4);
  table[D - 1] = 1;
  add_fixed_box<D>(world, "table", table, -0.5 * Vec<D>::Unit(D - 1));
  const int count = 1 + random.index(3);
  for (int i = 0; i < count; ++i) {
    Vec<D> at;
    for (int k = 0; k + 1 < D; ++k) at[k] = random.uniform(-0.3, 0.3);
    if (random.index(4) == 0) at[0] += 1.9;
    at[D - 1] = 1 + 1.6 * i;
    add_body<D>(world, "body" + std::to_string(i), random_convex(random, at),
                {random.rotation_matrix<D>(), at});
    world.bodies.back().velocity = random_twist<D>(random, 2);
  }
  return world;
}

template <int D>
World<D> random_pile(std::uint64_t seed, double mu, int count) {
  Random random(seed);
  World<D> world = world_with_friction<D>(mu, FrictionLaw::linear);
  Vec<D> floor = Vec<D>::Constant(3);
  floor[D - 1] = 0.5;
  add_fixed_box<D>(world, "floor", floor, -0.25 * Vec<D>::Unit(D - 1));
  for (int k = 0; k + 1 < D; ++k) {
    Vec<D> wall = Vec<D>::Constant(2);
    wall[k] = 0.5, wall[D - 1] = 8;
    for (double side : {-1.25, 1.25}) {
      add_fixed_box<D>(world, "wall", wall, side * Vec<D>::Unit(k) + 4 * Vec<D>::Unit(D - 1));
    }
  }
  for (int i = 0; i < count; ++i) {
    Vec<D> at;
    for (int k = 0; k + 1 < D; ++k) at[k] = ((i >> k) & 1 ? 0.45 : -0.45) + random.uniform(-0.1, 0.1);
    at[D - 1] = 0.6 + 0.95 * (i >> (D - 1));
    add_body<D>(world, "body" + std::to_string(i),
                scaled<D>(random_convex(random, at), Vec<D>::Constant(0.55)),
                {random.rotation_matrix<D>(), at});
    world.bodies.back().velocity = random_twist<D>(random, 1);
  }
  return world;
}

template <int D>
int add_body(World<D>& world, const std::string& name, const Shape<D>& shape, const Pose<D>& X_WB,
             BodyKind kind) {
  BodySpec<D> spec{.kind = kind, .position = X_WB.p, .rotation = X_WB.R};
  if (!std::holds_alternative<HalfSpace<D>>(shape)) spec.density = 1;
  if (kind == BodyKind::scripted) spec.script = [X_WB](double) { return X_WB; };
  std::string own = name;
  while (world.find_body(own) >= 0) own += "'";
  return add_body<D>(world, own, shape, spec);
}

template <int D>
World<D> random_world(std::uint64_t seed, const RandomWorldSettings& settings) {
  Random random(seed);
  World<D> world;
  Surface surface;
  surface.friction = settings.friction, surface.mu = random.uniform(0.1, 1), surface.viscosity = 0.2;
  surface.directions = 4 + 2 * random.index(3);
  surface.bounce = settings.bounce, surface.restitution = settings.restitution;
  world.surfaces = SurfaceTable(1, surface);
  const Vec<D> up = Vec<D>::Unit(D - 1);
  if (settings.floor) {
    world.gravity = -9.81 * up;
    add_body<D>(world, "floor", HalfSpace<D>{{up, 0}}, {}, BodyKind::fixed);
  }
  const int first = static_cast<int>(world.bodies.size()), count = 2 + random.index(4);
  for (int i = 0; i < count; ++i) {
    Vec<D> at = 0.02 * random.direction<D>();
    // Close together: they meet within the first tenths of a second.
    at[0] += 1.25 * (i - 0.5 * count), at[D - 1] += settings.floor ? 0.9 + 0.1 * i : 0;
    add_body<D>(world, "body" + std::to_string(i), random_shape<D>(random),
                {random.rotation_matrix<D>(), at});
    Twist<D> V = random_twist<D>(random, 1);
    V[0] -= 3. * (i - 0.5 * count + 0.5) / count;
    world.bodies.back().velocity = V;
  }
  if (settings.joints) add_random_joints(world, first, count, random);
  if (settings.scripted) {
    const int wall = add_body<D>(world, "wall", make_box<D>(Vec<D>::Constant(1)),
                                 {Mat<D>::Identity(), 4 * Vec<D>::Unit(0)}, BodyKind::scripted);
    world.bodies[wall].script = [](double t) {
      Pose<D> X;
      X.p = (4 - 2 * std::sin(3 * t)) * Vec<D>::Unit(0) + 0.6 * Vec<D>::Unit(D - 1);
      return X;
    };
    world.bodies[wall].set_X_WB(world.bodies[wall].script(0));
  }
  return world;
}

template World<2> random_drop(std::uint64_t, double, FrictionLaw);
template World<3> random_drop(std::uint64_t, double, FrictionLaw);
template World<2> random_pile(std::uint64_t, double, int);
template World<3> random_pile(std::uint64_t, double, int);
template World<2> random_world(std::uint64_t, const RandomWorldSettings&);
template World<3> random_world(std::uint64_t, const RandomWorldSettings&);
template int add_body(World<2>&, const std::string&, const Shape<2>&, const Pose<2>&, BodyKind);
template int add_body(World<3>&, const std::string&, const Shape<3>&, const Pose<3>&, BodyKind);

}  // namespace touchstone
