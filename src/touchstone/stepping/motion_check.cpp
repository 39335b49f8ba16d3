#include "touchstone/stepping/motion_check.h"

#include <cassert>
#include <cstdio>

#include "touchstone/dynamics/motion.h"
#include "touchstone/math/pose_check.h"

namespace touchstone {
namespace {

std::string refusal(const std::string& body, const char* does, double limit, const char* unit) {
  char number[32];
  std::snprintf(number, sizeof number, "%g", limit);
  return "body \"" + body + "\" " + does + " " + number + " " + unit;
}

/// [m] How far from the origin the body's centre of mass can be at the end.
template <int D>
double reach(const Body<D>& body, const Twist<D>& V, double h) {
  return body.position.norm() + h * linear<D>(V).norm();
}

std::string leaves_the_world(const std::string& body) {
  return refusal(body, "leaves the world: a step takes it beyond", kLargestCoordinate, "m");
}

}  // namespace

/// The comparisons are written so that NaN fails them.
template <int D>
std::optional<std::string> trouble_with_motion(const World<D>& world, std::span<const Twist<D>> V, double h) {
  assert(V.size() == world.bodies.size());
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body<D>& body = world.bodies[b];
    if (!(reach(body, V[b], h) <= kLargestCoordinate)) return leaves_the_world(body.name);
    if (!(h * angular<D>(V[b]).norm() <= kLargestTurn))
      return refusal(body.name, "turns too fast to be followed: in a step by more than", kLargestTurn, "rad");
  }
  for (const ContactShape<D>& part : world.shapes) {
    const Body<D>& body = world.bodies[part.body];
    const double furthest = reach(body, V[part.body], h) + part.X_CS.p.norm();  // the origin of its frame
    if (!(furthest <= kLargestCoordinate)) return leaves_the_world(body.name);
  }
  return std::nullopt;
}

template std::optional<std::string> trouble_with_motion(const World<2>&, std::span<const Twist<2>>, double);
template std::optional<std::string> trouble_with_motion(const World<3>&, std::span<const Twist<3>>, double);

}  // namespace touchstone
