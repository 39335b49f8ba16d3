#include "touchstone/stepping/motion_check.h"

#include <algorithm>
#include <cstdio>

#include "touchstone/math/pose_check.h"

namespace touchstone {
namespace {

/// [m] The origin of a part's frame that is furthest from the body's centre of mass, per body.
template <int D>
std::vector<double> furthest_parts(const World<D>& world) {
  std::vector<double> furthest(world.bodies.size(), 0.);
  for (const ContactShape<D>& part : world.shapes)
    furthest[part.body] = std::max(furthest[part.body], part.X_CS.p.norm());
  return furthest;
}

std::string refusal(const std::string& body, const char* does, double limit, const char* unit) {
  char number[32];
  std::snprintf(number, sizeof number, "%g", limit);
  return "body \"" + body + "\" " + does + " " + number + " " + unit;
}

}  // namespace

/// The comparisons are such that what is not a number fails.
template <int D>
std::optional<std::string> trouble_with_motion(const World<D>& world, const std::vector<Twist<D>>& V,
                                               double h) {
  const std::vector<double> parts = furthest_parts(world);
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body<D>& body = world.bodies[b];
    const double reach = body.position.norm() + h * linear<D>(V[b]).norm() + parts[b];
    if (!(reach <= kLargestCoordinate))
      return refusal(body.name, "leaves the world: a step takes it beyond", kLargestCoordinate, "m");
    if (!(h * angular<D>(V[b]).norm() <= kLargestTurn))
      return refusal(body.name, "turns too fast to be followed: in a step by more than", kLargestTurn, "rad");
  }
  return std::nullopt;
}

template std::optional<std::string> trouble_with_motion(const World<2>&, const std::vector<Twist<2>>&,
                                                        double);
template std::optional<std::string> trouble_with_motion(const World<3>&, const std::vector<Twist<3>>&,
                                                        double);

}  // namespace touchstone
