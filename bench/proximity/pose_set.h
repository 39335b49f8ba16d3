#pragma once
// The pairs of bodies that are measured: the five sets of poses of our specification and the paper's box
// against a 200-vertex sphere [ContactData Table II]. The paper's 8x8 case is `boxes`, its 200x200 case
// `spheres200`.

#include <deque>
#include <optional>

#include "peer.h"
#include "touchstone/math/random.h"

namespace touchstone::bench {

enum class Family { boxes, boxes_yaw, boxes_grid, hulls50, spheres200, box_sphere200 };

inline constexpr Family kFamilies[] = {Family::boxes,   Family::boxes_yaw,  Family::boxes_grid,
                                       Family::hulls50, Family::spheres200, Family::box_sphere200};

std::string family_name(Family family);

/// The bodies of a family and how its pairs may lie.
class PairMaker {
 public:
  PairMaker(Family family, std::uint64_t seed);

  /// Two bodies of random orientation, both at the origin.
  Query pair();
  /// An axis about which bodies may turn and faces that are to be parallel stay so; none for boxes on a grid.
  std::optional<Vec<3>> turning_axis();
  /// A position at a distance in [low, high) [m] from the origin.
  Vec<3> position(double low, double high);
  Random& random() { return random_; }

 private:
  Mat<3> orientation();

  Family family_;
  Random random_;
  std::deque<Polytope<3>> bodies_A_, bodies_B_;
};

/// A query whose answer is known.
struct JudgedQuery {
  Query query;
  double gap;  ///< [m] of the explicit Minkowski difference
};

/// Half of the poses overlap (depth 1e-4 .. 2.5 m), half are disjoint (gap 1e-4 .. 1 m).
struct PoseSet {
  std::vector<JudgedQuery> overlapping, disjoint;
};

PoseSet make_pose_set(PairMaker& maker, int poses);

}  // namespace touchstone::bench
