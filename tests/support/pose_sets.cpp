#include "support/pose_sets.h"

#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "support/ray_exit.h"

namespace touchstone::support {
namespace {

constexpr double kSmallest = 1e-4;  ///< [m] depths and gaps of the five sets begin here
constexpr double kDeepest = 2.5;    ///< [m]
constexpr double kWidest = 1;       ///< [m]
constexpr double kGrazing = 0.2;    ///< cosine between a ray and the normal where it leaves
constexpr int kHulls = 40;          ///< different random hulls in a set

template <int D>
std::vector<Vec<D>> turned_points(const Placed<D>& body) {
  std::vector<Vec<D>> points;
  for (const Vec<D>& x : body.polytope->vertices())
    points.push_back(body.X_WB.R * (x - body.polytope->centre()));
  return points;
}

/// Half of the depths are spread evenly, half over the decades.
double wanted_gap(Random& random, int index) {
  if (index % 2) return random.log_uniform(kSmallest, kWidest);
  return index % 4 ? -random.uniform(kSmallest, kDeepest) : -random.log_uniform(kSmallest, kDeepest);
}

template <int D>
PosedPair<D> turned_pair(const std::vector<Polytope<D>>& bodies, Random& random) {
  const int count = static_cast<int>(bodies.size());
  PosedPair<D> pair;
  pair.A = {&bodies[random.index(count)], {random.rotation_matrix<D>(), Vec<D>::Zero()}};
  pair.B = {&bodies[random.index(count)], {random.rotation_matrix<D>(), random.direction<D>()}};
  return pair;
}

template <int D>
PosedPair<D> random_pair(const std::vector<Polytope<D>>& bodies, Random& random, int index) {
  PosedPair<D> pair = turned_pair(bodies, random);
  place_at_gap(pair, random, wanted_gap(random, index));
  return pair;
}

Mat<2> parallel_turn(Random&, const Mat<2>& common) { return common; }

Mat<3> parallel_turn(Random& random, const Mat<3>& common) {
  return common * rotation(Vec<3>::UnitZ(), random.uniform(0, 2 * std::numbers::pi));
}

/// Faces stay parallel: in space both turn about the same axis, which is upright for two pairs of three.
template <int D>
PosedPair<D> parallel_pair(const std::vector<Polytope<D>>& bodies, Random& random, int index) {
  PosedPair<D> pair = turned_pair(bodies, random);
  const bool upright = D == 3 && index % 3 != 0;
  const Mat<D> common = upright ? Mat<D>(Mat<D>::Identity()) : pair.A.X_WB.R;
  pair.A.X_WB.R = parallel_turn(random, common);
  pair.B.X_WB.R = parallel_turn(random, common);
  place_at_gap(pair, random, wanted_gap(random, index));
  return pair;
}

/// Offsets on a grid; steps of 1/3 and 0.1 are not exact in binary, the others are.
template <int D>
PosedPair<D> grid_pair(const std::vector<Polytope<D>>& bodies, Random& random, int index) {
  constexpr double kSteps[] = {1, 0.5, 0.25, 1.0 / 3, 0.1};
  constexpr double kSide = 2;  // of the boxes
  const double step = kSteps[random.index(5)];
  PosedPair<D> pair{{&bodies[0], {}}, {&bodies[0], {}}, "grid", 0};
  Vec<D> offset;
  bool overlaps;
  do {
    overlaps = true;
    for (int k = 0; k < D; ++k) {
      const int reach = static_cast<int>(std::lround(3 / step));
      offset[k] = step * (random.index(2 * reach + 1) - reach);
      pair.B.X_WB.p[k] = step * random.index(reach);
      overlaps = overlaps && std::abs(offset[k]) < kSide - kSmallest;
    }
  } while (overlaps != (index % 2 == 0));
  pair.A.X_WB.p = pair.B.X_WB.p + offset;
  return pair;
}

template <int D>
std::vector<Polytope<D>> random_hulls(int vertices) {
  std::vector<Polytope<D>> hulls;
  for (int i = 0; i < kHulls; ++i) hulls.push_back(make_random_hull<D>(vertices, 100 + i));
  return hulls;
}

template <int D>
std::vector<Polytope<D>> bodies_named(const std::string& name);

template <>
std::vector<Polytope<2>> bodies_named(const std::string& name) {
  if (name == "polygons50") return random_hulls<2>(50);
  if (name == "rounds200") return {make_regular_polygon(200, 1)};
  return {make_box<2>({2, 2})};
}

template <>
std::vector<Polytope<3>> bodies_named(const std::string& name) {
  if (name == "hulls50") return random_hulls<3>(50);
  if (name == "spheres200") return {make_tessellated_sphere(200, 1)};
  return {make_box<3>({2, 2, 2})};
}

}  // namespace

template <int D>
void place_at_gap(PosedPair<D>& pair, Random& random, double gap) {
  constexpr double kInner = 1e-5;  // of the smaller body: even a needle is thicker about its centre
  const std::vector<Vec<D>> a = turned_points(pair.A), b = turned_points(pair.B);
  const Vec<D> u = random.direction<D>();
  const double inner = kInner * std::min(pair.A.polytope->radius(), pair.B.polytope->radius());
  const RayExit<D> exit = find_ray_exit<D>({a, b, u, inner});
  // Outwards along the ray, so that corners and edges come to face each other; a ray that leaves at a grazing
  // angle would lead far away, there along the normal. Inwards along the ray, which surely stays inside;
  // deeper than the centres' meeting is no deeper.
  const double cosine = exit.normal.dot(u);
  const double along = std::max(exit.distance + gap / cosine, 0.01 * exit.distance * random.unit());
  const bool grazing = gap > 0 && cosine < kGrazing;
  const Vec<D> offset = grazing ? Vec<D>(exit.distance * u + gap * exit.normal) : Vec<D>(along * u);
  const Vec<D> centre_B = pair.B.X_WB * pair.B.polytope->centre();
  pair.A.X_WB.p = centre_B + offset - pair.A.X_WB.R * pair.A.polytope->centre();
  pair.wanted = gap;
  if (pair.kind.empty()) pair.kind = gap < 0 ? "overlapping" : "disjoint";
}

template <>
std::vector<std::string> pose_set_names<2>() {
  return {"squares", "squares-parallel", "squares-grid", "polygons50", "rounds200"};
}

template <>
std::vector<std::string> pose_set_names<3>() {
  return {"boxes", "boxes-yaw", "boxes-grid", "hulls50", "spheres200"};
}

template <int D>
PoseSet<D> make_pose_set(const std::string& name) {
  const auto names = pose_set_names<D>();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw std::invalid_argument("no pose set is named " + name);
  }
  auto bodies = bodies_named<D>(name);
  if (name == names[1]) return {name, std::move(bodies), parallel_pair<D>};
  if (name == names[2]) return {name, std::move(bodies), grid_pair<D>};
  return {name, std::move(bodies), random_pair<D>};
}

template void place_at_gap(PosedPair<2>&, Random&, double);
template void place_at_gap(PosedPair<3>&, Random&, double);
template PoseSet<2> make_pose_set(const std::string&);
template PoseSet<3> make_pose_set(const std::string&);

}  // namespace touchstone::support
