// Bodies of extreme size and shape.

#include <algorithm>
#include <cmath>

#include "support/pose_sets.h"

namespace touchstone::support {
namespace {

constexpr int kDecades = 7;        ///< 1e-3 m .. 1e3 m
constexpr double kFarAway = 1e3;   ///< [sizes] from the origin of the world
constexpr double kNearest = 1e-9;  ///< [sizes of the smaller body] gaps and depths begin here
constexpr double kFarthest = 0.5;  ///< [sizes of the smaller body]

template <int D>
std::vector<Polytope<D>> base_bodies();

template <>
std::vector<Polytope<3>> base_bodies() {
  return {make_box<3>({2, 2, 2}), make_cylinder(1, 2, 6), make_random_hull<3>(20, 5), make_tetrahedron(1),
          make_tessellated_sphere(30, 1)};
}

template <>
std::vector<Polytope<2>> base_bodies() {
  return {make_box<2>({2, 2}), make_regular_polygon(6, 1), make_random_hull<2>(20, 5),
          make_regular_polygon(3, 1), make_regular_polygon(30, 1)};
}

template <int D>
double wanted_gap(const PosedPair<D>& pair, Random& random) {
  const double sign = random.index(2) ? 1 : -1;
  const double smaller = std::min(pair.A.polytope->size(), pair.B.polytope->size());
  return sign * random.log_uniform(kNearest, kFarthest) * smaller;
}

template <int D>
Placed<D> turned(const Polytope<D>& P, Random& random) {
  return {&P, {random.rotation_matrix<D>(), P.size() * random.direction<D>()}};
}

/// Body of a decade; the bodies are ordered by decade.
template <int D>
const Polytope<D>& of_decade(const std::vector<Polytope<D>>& bodies, int decade, Random& random) {
  const int per_decade = static_cast<int>(bodies.size()) / kDecades;
  return bodies[decade * per_decade + random.index(per_decade)];
}

template <int D>
PosedPair<D> scale_pair(const std::vector<Polytope<D>>& bodies, Random& random, int index) {
  static const char* const kKinds[] = {"small", "large", "mixed", "far"};
  const int kind = index % 4;
  int a = random.index(2), b = random.index(2);  // small: 1e-3, 1e-2
  if (kind == 1) a = kDecades - 1 - a, b = kDecades - 1 - b;
  if (kind >= 2) a = random.index(kDecades), b = random.index(kDecades);
  PosedPair<D> pair{turned(of_decade(bodies, a, random), random),
                    turned(of_decade(bodies, b, random), random), kKinds[kind], 0};
  if (kind == 3) pair.B.X_WB.p = kFarAway * pair_size(pair.A, pair.B) * random.direction<D>();
  place_at_gap(pair, random, wanted_gap(pair, random));
  return pair;
}

/// One in three pairs has parallel axes: there needles lie along needles.
template <int D>
PosedPair<D> aspect_pair(const std::vector<Polytope<D>>& bodies, Random& random, int index) {
  const int count = static_cast<int>(bodies.size());
  PosedPair<D> pair{turned(bodies[random.index(count)], random), turned(bodies[random.index(count)], random),
                    "", 0};
  const bool parallel = index % 3 == 0;
  if (parallel) pair.B.X_WB.R = pair.A.X_WB.R;
  pair.kind = parallel ? "parallel" : "any";
  place_at_gap(pair, random, wanted_gap(pair, random));
  return pair;
}

}  // namespace

template <int D>
PoseSet<D> make_scale_set() {
  std::vector<Polytope<D>> bodies;
  for (int decade = 0; decade < kDecades; ++decade) {
    const double scale = std::pow(10.0, decade - kDecades / 2);
    for (const Polytope<D>& P : base_bodies<D>()) bodies.push_back(scaled<D>(P, Vec<D>::Constant(scale)));
  }
  return {"scale", std::move(bodies), scale_pair<D>};
}

template <int D>
PoseSet<D> make_aspect_set() {
  std::vector<Polytope<D>> bodies;
  for (double aspect : {1.0, 10.0, 100.0, 1e3, 1e4}) {
    for (const Polytope<D>& P : base_bodies<D>()) {
      Vec<D> plate = Vec<D>::Ones(), needle = Vec<D>::Constant(1 / aspect);
      plate[D - 1] = 1 / aspect;
      needle[0] = 1;
      bodies.push_back(scaled<D>(P, plate));
      bodies.push_back(scaled<D>(P, needle));
    }
  }
  return {"aspect", std::move(bodies), aspect_pair<D>};
}

template PoseSet<2> make_scale_set();
template PoseSet<3> make_scale_set();
template PoseSet<2> make_aspect_set();
template PoseSet<3> make_aspect_set();

}  // namespace touchstone::support
