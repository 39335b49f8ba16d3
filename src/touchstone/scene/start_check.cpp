#include "touchstone/scene/start_check.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>

#include "touchstone/run/gap_watch.h"
#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

/// Overlapping pairs that a message names; more help nobody.
constexpr std::size_t kMostNamedPairs = 5;
/// [m, rad] A joint that is further open at the start is a mistake, not a rounded number.
constexpr double kOpenJoint = 1e-6;

}  // namespace

template <int D>
std::string overlap_trouble(const World<D>& world) {
  const std::vector<OverlappingPair> pairs = find_overlaps(world, kLargestOverlap);
  if (pairs.empty()) return "";
  std::string named;
  for (std::size_t i = 0; i < std::min(pairs.size(), kMostNamedPairs); ++i) {
    char depth[32];
    std::snprintf(depth, sizeof depth, "%.3g", -pairs[i].gap);
    named += (named.empty() ? "" : ", ") + in_quotes(world.bodies[pairs[i].body_A].name) + " and " +
             in_quotes(world.bodies[pairs[i].body_B].name) + " by " + depth + " m";
  }
  if (pairs.size() > kMostNamedPairs)
    named += " and " + std::to_string(pairs.size() - kMostNamedPairs) + " more pairs";
  return "bodies overlap at the start: " + named + "; move them apart or say allow_overlap: true";
}

template <int D>
std::string joint_trouble(const World<D>& world, int joint) {
  assert(joint >= 0 && joint < static_cast<int>(world.joints.size()));
  double open = 0;
  for (const Row<D>& row : joint_equations(world.joints[joint], world.bodies).rows) {
    open = std::max(open, std::abs(row.offset));
  }
  if (open <= kOpenJoint) return "";
  return "the joint is open by " + std::to_string(open) + " at the start; say assemble: true to close it";
}

template std::string overlap_trouble(const World<2>&);
template std::string overlap_trouble(const World<3>&);
template std::string joint_trouble(const World<2>&, int);
template std::string joint_trouble(const World<3>&, int);

}  // namespace touchstone
