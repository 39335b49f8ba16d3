// What surfaces do to each other, of worlds made in code.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "touchstone/stepping/build_world.h"

namespace touchstone {
namespace {

/// Fewest directions that span the plane of contact.
constexpr int kFewestDirections = 3;

/// Refuses a field of a thing: surface: mu: expected a number from 0 on.
struct Judge {
  const char* thing;

  void expect(bool holds, const char* message) const {
    if (!holds) throw std::invalid_argument(thing + std::string(": ") + message);
  }
};

bool is_not_negative(double x) { return x >= 0 && std::isfinite(x); }

/// Numbers that the law of a surface does not use.
template <int D>
void check_law(const Surface& surface, const Judge& judge) {
  const FrictionLaw law = surface.friction;
  judge.expect(law != FrictionLaw::none || surface.mu == 0,
               "mu: FrictionLaw::none does not use it; give .friction = FrictionLaw::linear or another law");
  judge.expect(is_cone(surface) || surface.mu == 0,
               "mu: only FrictionLaw::linear, quadratic and static_kinetic use it");
  judge.expect(law == FrictionLaw::static_kinetic || surface.kinetic == 0,
               "kinetic: only FrictionLaw::static_kinetic uses it");
  judge.expect(surface.kinetic >= 0 && surface.kinetic <= surface.mu,
               "kinetic: expected a number from 0 to mu, which is the static coefficient");
  judge.expect(law == FrictionLaw::viscous || surface.viscosity == 0,
               "viscosity: only FrictionLaw::viscous uses it");
  const bool pyramid = D == 3 && law == FrictionLaw::linear;
  judge.expect(pyramid || surface.directions == Surface().directions,
               "directions: only FrictionLaw::linear in space uses it");
}

template <int D>
void check_surface(const Surface& surface) {
  const Judge judge{"surface"};
  judge.expect(is_not_negative(surface.mu), "mu: expected a number from 0 on");
  judge.expect(is_not_negative(surface.viscosity), "viscosity: expected a number from 0 on");
  judge.expect(surface.bounce >= 0 && surface.bounce <= 1, "bounce: expected a number from 0 to 1");
  judge.expect(surface.directions >= kFewestDirections, "directions: expected 3 or more");
  check_law<D>(surface, judge);
}

/// Two different bodies of the world.
template <int D>
void check_pair(const World<D>& world, int body_1, int body_2, const Judge& judge) {
  const int count = static_cast<int>(world.bodies.size());
  for (int body : {body_1, body_2}) judge.expect(body >= 0 && body < count, "there is no such body");
  judge.expect(body_1 != body_2, "expected two different bodies");
}

}  // namespace

template <int D>
void set_surface(World<D>& world, const Surface& surface) {
  check_surface<D>(surface);
  world.surfaces.set_all(surface);
}

template <int D>
int add_material(World<D>& world, const Surface& surface) {
  check_surface<D>(surface);
  world.surfaces.add(surface);
  return world.surfaces.count() - 1;
}

template <int D>
void set_surface(World<D>& world, int material_1, int material_2, const Surface& surface) {
  check_surface<D>(surface);
  for (int material : {material_1, material_2}) {
    Judge{"surface"}.expect(material >= 0 && material < world.surfaces.count(), "there is no such material");
  }
  world.surfaces.set(material_1, material_2, surface);
}

template <int D>
void set_body_surface(World<D>& world, int body_1, int body_2, const Surface& surface) {
  check_surface<D>(surface);
  check_pair(world, body_1, body_2, Judge{"surface of two bodies"});
  world.surfaces.set_bodies(body_1, body_2, surface);
}

template <int D>
void exclude_contact(World<D>& world, int body_1, int body_2) {
  check_pair(world, body_1, body_2, Judge{"exclude_contact"});
  const std::pair<int, int> pair = std::minmax(body_1, body_2);
  auto& excluded = world.excluded;
  excluded.insert(std::lower_bound(excluded.begin(), excluded.end(), pair), pair);
  assert(std::is_sorted(excluded.begin(), excluded.end()));
}

#define TOUCHSTONE_INSTANTIATE(D)                                      \
  template void set_surface(World<D>&, const Surface&);                \
  template int add_material(World<D>&, const Surface&);                \
  template void set_surface(World<D>&, int, int, const Surface&);      \
  template void set_body_surface(World<D>&, int, int, const Surface&); \
  template void exclude_contact(World<D>&, int, int);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
