#include "touchstone/stepping/events/touching.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "touchstone/contact/overlay.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

constexpr double kBorder = 2e-11;    ///< [m] a corner this far beyond the other part's border still counts
constexpr double kSamePlane = 1e-6;  ///< [rad] between normals of one plane
constexpr double kSameSpeed = 1e-9;  ///< [m/s] planes that part as fast as this alike are a tie

template <int D>
struct Pair {
  const World<D>& world;
  const std::vector<Moving<D>>& bodies;
  int a, b;
  double reach;  ///< [m] nearer points touch

  const ContactShape<D>& part(int s) const { return world.shapes[s]; }
  const Moving<D>& body(int s) const { return bodies[part(s).body]; }
  Pose<D> pose(int s) const { return body(s).pose() * part(s).X_CS; }
  Vec<D> local(int s, const Vec<D>& x) const { return body(s).pose().to_local(x); }
  Vec<D> local_direction(int s, const Vec<D>& d) const { return body(s).R.transpose() * d; }

  ContactRow<D> row(TouchKind kind, int P, int E) const {
    ContactRow<D> row;
    row.kind = kind, row.shape_P = P, row.shape_E = E, row.P = part(P).body, row.E = part(E).body;
    row.surface = world.surfaces.at({part(P).material, part(E).material}, {part(P).body, part(E).body});
    row.along_P = row.along_E = Vec<D>::Zero();
    return row;
  }
  /// A point of P over the plane through x with the unit normal n, which E carries.
  ContactRow<D> over_plane(int P, Feature of_P, const Vec<D>& point, int E, Feature of_E, const Vec<D>& x,
                           const Vec<D>& n) const {
    ContactRow<D> row = this->row(TouchKind::point_plane, P, E);
    row.feature_P = of_P, row.feature_E = of_E;
    row.point_P = local(P, point), row.point_E = local(E, x), row.along_E = local_direction(E, n);
    return row;
  }
};

/// Vertex v of part P over facet f of part E.
template <int D>
ContactRow<D> vertex_over_facet(const Pair<D>& pair, int P, int v, int E, int f) {
  const Polytope<D>&A = std::get<Polytope<D>>(*pair.part(P).shape),
        &B = std::get<Polytope<D>>(*pair.part(E).shape);
  const Pose<D> X = pair.pose(E);
  const int corner = B.facet_vertices(f)[0];
  return pair.over_plane(P, {FeatureKind::vertex, v}, pair.pose(P) * A.vertex(v), E, {kFacet<D>, f},
                         X * B.vertex(corner), X.R * B.plane(f).normal);
}

template <int D>
Vec<D> facet_normal(const Pair<D>& pair, int part, int f) {
  return pair.pose(part).R * std::get<Polytope<D>>(*pair.part(part).shape).plane(f).normal;
}

void add_edges(const Pair<2>&, const OverlayPoint<2>&, const Vec<2>&, std::vector<ContactRow<2>>&) {}
void add_edges(const Pair<3>& pair, const OverlayPoint<3>& corner, const Vec<3>& n,
               std::vector<ContactRow<3>>& rows) {
  const int parts[] = {pair.a, pair.b}, edges[] = {corner.features.a.index, corner.features.b.index};
  Vec<3> ends[2], along[2];
  for (int side = 0; side < 2; ++side) {
    const Polytope<3>& A = std::get<Polytope<3>>(*pair.part(parts[side]).shape);
    const Edge& e = A.edge(edges[side]);
    const Pose<3> X = pair.pose(parts[side]);
    ends[side] = X * A.vertex(e.tail),
    along[side] = (X.R * (A.vertex(e.head) - A.vertex(e.tail))).normalized();
  }
  const Vec<3> c = along[0].cross(along[1]);
  if (c.norm() < kSamePlane || c.normalized().cross(n).norm() > kSamePlane) return;
  ContactRow<3> row = pair.row(TouchKind::edge_edge, pair.a, pair.b);
  row.feature_P = corner.features.a, row.feature_E = corner.features.b;
  row.point_P = pair.local(pair.a, ends[0]), row.along_P = pair.local_direction(pair.a, along[0]);
  row.point_E = pair.local(pair.b, ends[1]), row.along_E = pair.local_direction(pair.b, along[1]);
  row.sign = c.dot(n) > 0 ? 1 : -1;
  rows.push_back(row);
}

/// Rows of two polytopes that touch along the normal n (from b to a).
template <int D>
std::vector<ContactRow<D>> along_normal(const Pair<D>& pair, const Vec<D>& n) {
  assert(is_unit(n));
  const Placed<D> A{&std::get<Polytope<D>>(*pair.part(pair.a).shape), pair.pose(pair.a)};
  const Placed<D> B{&std::get<Polytope<D>>(*pair.part(pair.b).shape), pair.pose(pair.b)};
  OverlayFinder<D> finder;
  std::vector<ContactRow<D>> rows;
  for (const OverlayPoint<D>& corner : finder.find(A, B, n, {pair.reach, kBorder})) {
    const FeaturePair& f = corner.features;
    if (f.a.kind == FeatureKind::vertex && f.b.kind == kFacet<D>) {
      if ((facet_normal(pair, pair.b, f.b.index) - n).norm() > kSamePlane) continue;
      rows.push_back(vertex_over_facet(pair, pair.a, f.a.index, pair.b, f.b.index));
    } else if (f.b.kind == FeatureKind::vertex && f.a.kind == kFacet<D>) {
      if ((facet_normal(pair, pair.a, f.a.index) + n).norm() > kSamePlane) continue;
      rows.push_back(vertex_over_facet(pair, pair.b, f.b.index, pair.a, f.a.index));
    } else {
      add_edges(pair, corner, n, rows);
    }
  }
  return rows;
}

/// Of a ball P, or of all vertices of a polytope P, over a half-space E.
template <int D>
std::vector<ContactRow<D>> over_half_space(const Pair<D>& pair, int P, int E) {
  const Plane<D> plane = pair.pose(E) * std::get<HalfSpace<D>>(*pair.part(E).shape).plane;
  const Vec<D> x = plane.offset * plane.normal;
  const Pose<D> X = pair.pose(P);
  std::vector<ContactRow<D>> rows;
  if (const auto* ball = std::get_if<Sphere<D>>(pair.part(P).shape.get())) {
    rows.push_back(pair.over_plane(P, kSurface, X.p, E, kSurface, x, plane.normal));
    rows.back().radius_P = ball->radius;
    return rows;
  }
  const Polytope<D>& A = std::get<Polytope<D>>(*pair.part(P).shape);
  for (int v = 0; v < A.vertex_count(); ++v) {
    const Vec<D> p = X * A.vertex(v);
    if (plane.normal.dot(p) - plane.offset > pair.reach) continue;
    rows.push_back(pair.over_plane(P, {FeatureKind::vertex, v}, p, E, kSurface, x, plane.normal));
  }
  return rows;
}

ContactRow<2> ball_on_edge(const Pair<2>& pair, int P, int E, int edge, double radius) {
  const Polytope<2>& B = std::get<Polytope<2>>(*pair.part(E).shape);
  const Pose<2> X = pair.pose(E);
  ContactRow<2> row = pair.over_plane(P, kSurface, pair.pose(P).p, E, {FeatureKind::edge, edge},
                                      X * B.vertex(B.edge(edge).tail), X.R * B.plane(edge).normal);
  row.radius_P = radius;
  return row;
}
ContactRow<3> ball_on_edge(const Pair<3>& pair, int P, int E, int edge, double radius) {
  const Polytope<3>& B = std::get<Polytope<3>>(*pair.part(E).shape);
  const Edge& e = B.edge(edge);
  ContactRow<3> row = pair.row(TouchKind::point_edge, P, E);
  const Pose<3> X = pair.pose(E);
  row.feature_P = kSurface, row.feature_E = {FeatureKind::edge, edge}, row.radius_P = radius;
  row.point_P = pair.local(P, pair.pose(P).p), row.point_E = pair.local(E, X * B.vertex(e.tail));
  row.along_E = pair.local_direction(E, (X.R * (B.vertex(e.head) - B.vertex(e.tail))).normalized());
  return row;
}

/// A ball P on what of E is nearest.
template <int D>
std::vector<ContactRow<D>> ball_on(const Pair<D>& pair, int P, int E) {
  const double radius = std::get<Sphere<D>>(*pair.part(P).shape).radius;
  assert(radius > 0);
  if (const auto* other = std::get_if<Sphere<D>>(pair.part(E).shape.get())) {
    ContactRow<D> row = pair.row(TouchKind::point_point, P, E);
    row.feature_P = row.feature_E = kSurface, row.radius_P = radius, row.radius_E = other->radius;
    row.point_P = pair.local(P, pair.pose(P).p), row.point_E = pair.local(E, pair.pose(E).p);
    return {row};
  }
  const Polytope<D>& B = std::get<Polytope<D>>(*pair.part(E).shape);
  const Pose<D> X = pair.pose(E);
  const Feature nearest = nearest_feature<D>(B, X.to_local(pair.pose(P).p));
  if (nearest.kind == FeatureKind::vertex) {
    ContactRow<D> row = pair.row(TouchKind::point_point, P, E);
    row.feature_P = kSurface, row.feature_E = nearest, row.radius_P = radius;
    row.point_P = pair.local(P, pair.pose(P).p), row.point_E = pair.local(E, X * B.vertex(nearest.index));
    return {row};
  }
  if (nearest.kind == FeatureKind::edge) return {ball_on_edge(pair, P, E, nearest.index, radius)};
  ContactRow<D> row =
      pair.over_plane(P, kSurface, pair.pose(P).p, E, nearest,
                      X * B.vertex(B.facet_vertices(nearest.index)[0]), X.R * B.plane(nearest.index).normal);
  row.radius_P = radius;
  return {row};
}

/// [m/s] How fast the slowest of the rows opens.
template <int D>
double opening(const Pair<D>& pair, const std::vector<ContactRow<D>>& rows) {
  double least = std::numeric_limits<double>::infinity();
  for (const ContactRow<D>& row : rows) {
    least = std::min(least, row_now<D>(row, pair.bodies[row.P], pair.bodies[row.E]).speed);
  }
  return least;
}

/// Of the planes that keep two polytopes apart, the one that opens fastest; the pair may open through any of
/// them.
template <int D>
std::vector<ContactRow<D>> best_plane(const Pair<D>& pair, const Gap<D>& gap, bool& ambiguous) {
  if (gap.normal_is_unique || gap.candidates.size() < 2) return along_normal<D>(pair, gap.normal);
  std::vector<ContactRow<D>> best;
  double fastest = -std::numeric_limits<double>::infinity();
  for (const Vec<D>& n : gap.candidates) {
    std::vector<ContactRow<D>> rows = along_normal<D>(pair, n);
    if (rows.empty()) continue;
    const double speed = opening(pair, rows);
    if (!best.empty() && std::abs(speed - fastest) <= kSameSpeed && rows.size() == best.size())
      ambiguous = true;
    const bool more = std::abs(speed - fastest) <= kSameSpeed && rows.size() > best.size();
    if (speed > fastest + kSameSpeed) ambiguous = false;
    if (speed > fastest + kSameSpeed || more) best = std::move(rows), fastest = std::max(fastest, speed);
  }
  return best;
}

}  // namespace

template <int D>
Gap<D> gap_of(const World<D>& world, const std::vector<Moving<D>>& bodies, std::pair<int, int> parts,
              GapMemory<D>* memory) {
  assert(is_index(parts.first, world.shapes.size()) && is_index(parts.second, world.shapes.size()));
  const ContactShape<D>&a = world.shapes[parts.first], &b = world.shapes[parts.second];
  assert(is_index(a.body, bodies.size()) && is_index(b.body, bodies.size()));
  return find_gap<D>(placed(a, bodies[a.body]), placed(b, bodies[b.body]), memory);
}

template <int D>
std::vector<ContactRow<D>> touching_rows(const World<D>& world, const std::vector<Moving<D>>& bodies,
                                         std::pair<int, int> parts, bool& ambiguous, double reach) {
  const Pair<D> pair{world, bodies, parts.first, parts.second, reach};
  const Gap<D> gap = gap_of(world, bodies, parts);
  if (gap.gap > reach) return {};
  const Shape<D>&a = *pair.part(pair.a).shape, &b = *pair.part(pair.b).shape;
  if (std::holds_alternative<HalfSpace<D>>(b)) return over_half_space(pair, pair.a, pair.b);
  if (std::holds_alternative<HalfSpace<D>>(a)) return over_half_space(pair, pair.b, pair.a);
  if (std::holds_alternative<Sphere<D>>(a)) return ball_on<D>(pair, pair.a, pair.b);
  if (std::holds_alternative<Sphere<D>>(b)) return ball_on<D>(pair, pair.b, pair.a);
  return best_plane<D>(pair, gap, ambiguous);
}

template Gap<2> gap_of(const World<2>&, const std::vector<Moving<2>>&, std::pair<int, int>, GapMemory<2>*);
template Gap<3> gap_of(const World<3>&, const std::vector<Moving<3>>&, std::pair<int, int>, GapMemory<3>*);
template std::vector<ContactRow<2>> touching_rows(const World<2>&, const std::vector<Moving<2>>&,
                                                  std::pair<int, int>, bool&, double);
template std::vector<ContactRow<3>> touching_rows(const World<3>&, const std::vector<Moving<3>>&,
                                                  std::pair<int, int>, bool&, double);

}  // namespace touchstone
