#include "pose_set.h"

#include "reference.h"
#include "touchstone/geometry/shapes.h"

namespace touchstone::bench {
namespace {

constexpr double kNearest = 1e-4, kDeepest = 2.5, kFarthest = 1;  // [m]
constexpr double kGridStep = 0.25;                                // [m] a fraction that is exact in binary
constexpr int kHulls = 32;                                        // different bodies in hulls50
constexpr int kSphereVertices = 200, kHullVertices = 50;

std::deque<Polytope<3>> make_hulls() {
  std::deque<Polytope<3>> hulls;
  for (int seed = 1; seed <= kHulls; ++seed) hulls.push_back(make_random_hull<3>(kHullVertices, seed));
  return hulls;
}

std::deque<Polytope<3>> make_bodies(Family family) {
  if (family == Family::hulls50) return make_hulls();
  if (family == Family::spheres200) return {make_tessellated_sphere(kSphereVertices, 1)};
  return {make_box<3>({2, 2, 2})};
}

const Polytope<3>* pick(const std::deque<Polytope<3>>& bodies, Random& random) {
  return &bodies[random.index(static_cast<int>(bodies.size()))];
}

Vec<3> round_to_grid(const Vec<3>& p) { return kGridStep * (p / kGridStep).array().round(); }

bool within(double x, double low, double high) { return x >= low && x <= high; }

}  // namespace

std::string family_name(Family family) {
  constexpr const char* kNames[] = {"boxes",   "boxes-yaw",  "boxes-grid",
                                    "hulls50", "spheres200", "box-sphere200"};
  return kNames[static_cast<int>(family)];
}

PairMaker::PairMaker(Family family, std::uint64_t seed)
    : family_(family), random_(seed), bodies_A_(make_bodies(family)) {
  bodies_B_ = family == Family::box_sphere200 ? make_bodies(Family::spheres200) : bodies_A_;
}

Mat<3> PairMaker::orientation() {
  if (family_ == Family::boxes_grid) return Mat<3>::Identity();
  if (family_ == Family::boxes_yaw) return rotation(Vec<3>::UnitZ(), random_.uniform(0, 2 * EIGEN_PI));
  return random_.rotation_matrix<3>();
}

std::optional<Vec<3>> PairMaker::turning_axis() {
  if (family_ == Family::boxes_grid) return std::nullopt;
  if (family_ == Family::boxes_yaw) return Vec<3>::UnitZ();
  return random_.direction<3>();
}

Query PairMaker::pair() {
  const Polytope<3>* A = pick(bodies_A_, random_);
  const Polytope<3>* B = pick(bodies_B_, random_);
  const Mat<3> R_WA = orientation(), R_WB = orientation();
  return {A, B, {R_WA, Vec<3>::Zero()}, {R_WB, Vec<3>::Zero()}};
}

Vec<3> PairMaker::position(double low, double high) {
  const double distance = random_.uniform(low, high);
  const Vec<3> p = distance * random_.direction<3>();
  return family_ == Family::boxes_grid ? round_to_grid(p) : p;
}

PoseSet make_pose_set(PairMaker& maker, int poses) {
  const std::size_t half = static_cast<std::size_t>(poses) / 2;
  PoseSet set;
  while (set.overlapping.size() < half || set.disjoint.size() < half) {
    Query query = maker.pair();
    const double touching = query.A->radius() + query.B->radius();
    const bool want_overlap = set.overlapping.size() <= set.disjoint.size();
    query.X_WB.p =
        want_overlap ? maker.position(0, touching) : maker.position(touching / 2, touching + kFarthest);
    const double gap = reference_gap(query);
    if (within(-gap, kNearest, kDeepest) && set.overlapping.size() < half)
      set.overlapping.push_back({query, gap});
    if (within(gap, kNearest, kFarthest) && set.disjoint.size() < half) set.disjoint.push_back({query, gap});
  }
  return set;
}

}  // namespace touchstone::bench
