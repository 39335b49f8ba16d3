// Bodies that kiss, by any pair of features. Each body is stood on the feature that is to touch: A above the
// plane z = 0 (2D: y = 0), B below it, and A is lifted by the wanted gap.
//
// "Exact" pairs have small whole coordinates and no rotation but quarter turns, so that nothing is rounded;
// the others are any bodies stood up in double precision.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "support/pose_sets.h"

namespace touchstone::support {
namespace {

constexpr double kGaps[] = {0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6};  ///< [sizes]
constexpr int kGapCount = 9;
constexpr int kExactBodies = 3;  ///< the first bodies of the set, one per kind of feature; see exact_bodies()

enum class Meeting { any, crossing, parallel };

struct Kind {
  const char* name;
  FeatureKind a, b;
  Meeting meeting;
};

constexpr auto kVertex = FeatureKind::vertex;
constexpr auto kEdge = FeatureKind::edge;
constexpr auto kFace = FeatureKind::face;

constexpr Kind kKinds3[] = {
    {"face-face", kFace, kFace, Meeting::any},           {"edge-face", kEdge, kFace, Meeting::any},
    {"face-edge", kFace, kEdge, Meeting::any},           {"vertex-face", kVertex, kFace, Meeting::any},
    {"face-vertex", kFace, kVertex, Meeting::any},       {"edges-crossing", kEdge, kEdge, Meeting::crossing},
    {"edges-parallel", kEdge, kEdge, Meeting::parallel}, {"vertex-edge", kVertex, kEdge, Meeting::any},
    {"edge-vertex", kEdge, kVertex, Meeting::any},       {"vertex-vertex", kVertex, kVertex, Meeting::any}};
constexpr Kind kKinds2[] = {{"edge-edge", kEdge, kEdge, Meeting::parallel},
                            {"vertex-edge", kVertex, kEdge, Meeting::any},
                            {"edge-vertex", kEdge, kVertex, Meeting::any},
                            {"vertex-vertex", kVertex, kVertex, Meeting::any}};

template <int D>
std::span<const Kind> kinds();
template <>
std::span<const Kind> kinds<2>() {
  return kKinds2;
}
template <>
std::span<const Kind> kinds<3>() {
  return kKinds3;
}

// ---- bodies of small whole numbers, whose lowest feature is at height zero --------------------------------

/// By the kind of feature they stand on: vertex, edge, face.
template <int D>
std::vector<Polytope<D>> exact_bodies();

template <>
std::vector<Polytope<3>> exact_bodies() {
  const std::vector<Vec<3>> spike{{0, 0, 0}, {1, 1, 1}, {1, -1, 1}, {-1, 1, 1}, {-1, -1, 1}};
  const std::vector<Vec<3>> wedge{{-1, 0, 0}, {1, 0, 0}, {1, 1, 1}, {1, -1, 1}, {-1, 1, 1}, {-1, -1, 1}};
  const std::vector<Vec<3>> block{{1, 1, 0}, {1, -1, 0}, {-1, 1, 0}, {-1, -1, 0},
                                  {1, 1, 2}, {1, -1, 2}, {-1, 1, 2}, {-1, -1, 2}};
  return {Polytope<3>::hull(spike), Polytope<3>::hull(wedge), Polytope<3>::hull(block)};
}

template <>
std::vector<Polytope<2>> exact_bodies() {
  const std::vector<Vec<2>> spike{{0, 0}, {1, 1}, {-1, 1}}, block{{1, 0}, {-1, 0}, {1, 2}, {-1, 2}};
  return {Polytope<2>::hull(spike), Polytope<2>::hull(block), Polytope<2>::hull(block)};
}

template <int D>
std::vector<Polytope<D>> other_bodies();

template <>
std::vector<Polytope<3>> other_bodies() {
  std::vector<Polytope<3>> bodies{make_box<3>({2, 2, 2}),   make_box<3>({1, 2, 3}),
                                  make_cylinder(1, 1.5, 6), make_tetrahedron(1),
                                  make_dodecahedron(1),     make_cone(1, 2, 7),
                                  make_cylinder(1, 1, 3),   make_tessellated_sphere(40, 1),
                                  make_octahedron(1),       make_icosahedron(1),
                                  make_cylinder(1, 2, 32),  make_cone(1, 2, 32),
                                  make_cone(1, 1, 4),       make_prism(make_regular_polygon(7, 1), 0.5)};
  for (int seed : {1, 2, 3, 4}) bodies.push_back(make_random_hull<3>(10 * seed, seed));
  return bodies;
}

template <>
std::vector<Polytope<2>> other_bodies() {
  std::vector<Polytope<2>> bodies{make_box<2>({2, 2}), make_box<2>({1, 3}), make_regular_polygon(3, 1),
                                  make_regular_polygon(6, 1), make_regular_polygon(40, 1)};
  for (int seed : {1, 2, 3}) bodies.push_back(make_random_hull<2>(8 * seed, seed));
  return bodies;
}

// ---- exact pairs ------------------------------------------------------------------------------------------

/// Up becomes down, without round-off.
template <int D>
Mat<D> upside_down() {
  Vec<D> signs = Vec<D>::Constant(-1);
  if (D % 2) signs[0] = 1;
  return signs.asDiagonal();
}

/// About the upright axis, in space.
template <int D>
Mat<D> quarter_turn() {
  Mat<D> R = Mat<D>::Identity();
  R.template topLeftCorner<2, 2>() << 0, -1, 1, 0;
  return R;
}

/// Along an edge (x) bodies may be shifted if the other has one too or a face, across it only over a face.
template <int D>
Vec<D> exact_shift(const Kind& kind, Random& random) {
  const int least = static_cast<int>(kind.a) + static_cast<int>(kind.b);
  const int free = kind.meeting == Meeting::crossing ? D - 1 : std::min(least, D - 1);
  Vec<D> shift = Vec<D>::Zero();
  for (int k = 0; k < free; ++k) shift[k] = 0.25 * (random.index(7) - 3);
  return shift;
}

template <int D>
PosedPair<D> exact_pair(const std::vector<Polytope<D>>& bodies, const Kind& kind, Random& random) {
  PosedPair<D> pair;
  pair.A = {&bodies[static_cast<int>(kind.a)], {Mat<D>::Identity(), exact_shift<D>(kind, random)}};
  pair.B = {&bodies[static_cast<int>(kind.b)], {upside_down<D>(), Vec<D>::Zero()}};
  if (kind.meeting == Meeting::crossing) pair.A.X_WB.R = quarter_turn<D>();
  return pair;
}

// ---- any bodies -------------------------------------------------------------------------------------------

/// A feature to stand on: a point of it, a direction in which only it is farthest, and a direction along it.
template <int D>
struct Stand {
  Vec<D> point, outward, along;
};

template <int D>
Vec<D> mixed(std::span<const Vec<D>> items, Random& random) {
  Vec<D> sum = Vec<D>::Zero();
  double total = 0;
  for (const Vec<D>& x : items) {
    const double weight = random.uniform(0.2, 1);
    sum += weight * x;
    total += weight;
  }
  return sum / total;
}

template <int D>
Stand<D> stand_on_vertex(const Polytope<D>& P, Random& random) {
  const int v = random.index(P.vertex_count());
  std::vector<Vec<D>> normals;
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto loop = P.facet_vertices(f);
    if (std::find(loop.begin(), loop.end(), v) != loop.end()) normals.push_back(P.plane(f).normal);
  }
  const Vec<D> outward = mixed<D>(normals, random).normalized();
  Vec<D> across = random.direction<D>();
  across = (across - outward * outward.dot(across)).normalized();
  return {P.vertex(v), outward, across};
}

Stand<2> stand_on(const Polytope<2>& P, FeatureKind kind, Random& random) {
  if (kind == FeatureKind::vertex) return stand_on_vertex(P, random);
  const Edge& edge = P.edge(random.index(P.edge_count()));
  const std::vector<Vec<2>> ends{P.vertex(edge.tail), P.vertex(edge.head)};
  return {mixed<2>(ends, random), P.plane(edge.left).normal, (ends[1] - ends[0]).normalized()};
}

Stand<3> stand_on(const Polytope<3>& P, FeatureKind kind, Random& random) {
  if (kind == FeatureKind::vertex) return stand_on_vertex(P, random);
  if (kind == FeatureKind::edge) {
    const Edge& edge = P.edge(random.index(P.edge_count()));
    const std::vector<Vec<3>> ends{P.vertex(edge.tail), P.vertex(edge.head)};
    const std::vector<Vec<3>> normals{P.plane(edge.left).normal, P.plane(edge.right).normal};
    return {mixed<3>(ends, random), mixed<3>(normals, random).normalized(), (ends[1] - ends[0]).normalized()};
  }
  const int f = random.index(P.facet_count());
  std::vector<Vec<3>> corners;
  for (int v : P.facet_vertices(f)) corners.push_back(P.vertex(v));
  // Now and then corner upon corner.
  const Vec<3> point = random.index(4) ? mixed<3>(corners, random) : corners[0];
  return {point, P.plane(f).normal, (corners[1] - corners[0]).normalized()};
}

Mat<2> frame(const Vec<2>&, const Vec<2>& up) {
  return (Mat<2>() << up.y(), up.x(), -up.x(), up.y()).finished();
}
Mat<3> frame(const Vec<3>& along, const Vec<3>& up) {
  Mat<3> F;
  F << along, up.cross(along), up;
  return F;
}

/// The pose that brings the point to the origin, `outward` to `up` and the direction along the feature to
/// `along`.
template <int D>
Pose<D> standing(const Stand<D>& stand, const Vec<D>& along, const Vec<D>& up) {
  const Mat<D> R = frame(along, up) * frame(stand.along, stand.outward).transpose();
  return {R, -(R * stand.point)};
}

/// In space a direction of the floor; frame() does not need one in the plane.
template <int D>
Vec<D> heading(double angle) {
  Vec<D> x = Vec<D>::Zero();
  x[0] = std::cos(angle);
  x[1] = std::sin(angle);
  return x;
}

double meeting_angle(Meeting meeting, Random& random) {
  if (meeting == Meeting::parallel) return random.index(2) * std::numbers::pi;
  return random.uniform(0.1, 1.4) + random.index(2) * std::numbers::pi / 2;
}

template <int D>
PosedPair<D> stood_pair(const std::vector<Polytope<D>>& bodies, const Kind& kind, Random& random) {
  const int others = static_cast<int>(bodies.size()) - kExactBodies;
  const Polytope<D>& P = bodies[kExactBodies + random.index(others)];
  const Polytope<D>& Q = bodies[kExactBodies + random.index(others)];
  const Vec<D> up = Vec<D>::Unit(D - 1);
  PosedPair<D> pair;
  pair.A = {&P, standing<D>(stand_on(P, kind.a, random), heading<D>(0), -up)};
  pair.B = {&Q,
            standing<D>(stand_on(Q, kind.b, random), heading<D>(meeting_angle(kind.meeting, random)), up)};
  return pair;
}

template <int D>
PosedPair<D> kissing_pair(const std::vector<Polytope<D>>& bodies, Random& random, int index) {
  const std::span<const Kind> all = kinds<D>();
  const int count = static_cast<int>(all.size());
  const Kind& kind = all[index % count];
  const int round = index / count / kGapCount;
  PosedPair<D> pair = round % 2 ? stood_pair(bodies, kind, random) : exact_pair(bodies, kind, random);
  pair.kind = kind.name;
  pair.wanted = kGaps[index / count % kGapCount] * pair_size(pair.A, pair.B);
  pair.A.X_WB.p[D - 1] += pair.wanted;
  if (round % 4 < 2) return pair;
  const Pose<D> common{random.rotation_matrix<D>(), random.uniform(0, 3) * random.direction<D>()};
  pair.A.X_WB = common * pair.A.X_WB;
  pair.B.X_WB = common * pair.B.X_WB;
  return pair;
}

}  // namespace

template <int D>
std::vector<std::string> kissing_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds<D>()) names.push_back(kind.name);
  return names;
}

template <int D>
PoseSet<D> make_kissing_set() {
  std::vector<Polytope<D>> bodies = exact_bodies<D>();
  for (Polytope<D>& P : other_bodies<D>()) bodies.push_back(std::move(P));
  return {"kissing", std::move(bodies), kissing_pair<D>};
}

template std::vector<std::string> kissing_kinds<2>();
template std::vector<std::string> kissing_kinds<3>();
template PoseSet<2> make_kissing_set();
template PoseSet<3> make_kissing_set();

}  // namespace touchstone::support
