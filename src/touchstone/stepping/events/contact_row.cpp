#include "touchstone/stepping/events/contact_row.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "touchstone/math/checks.h"
#include "touchstone/stepping/events/jet.h"

namespace touchstone {
namespace {

/// What a kind of row tells: the normal, the gap, and the point of contact.
template <int D>
struct Geometry {
  Jet<Vec<D>> normal, point;
  Jet<double> gap;
};

template <int D>
Geometry<D> point_plane(const ContactRow<D>& row, const Moving<D>& P, const Moving<D>& E) {
  const Jet<Vec<D>> n = carried<D>(E, row.along_E), p = carried_point<D>(P, row.point_P);
  const Jet<double> r = constant(row.radius_P);
  return {n, p - r * n, dot(n, p - carried_point<D>(E, row.point_E)) - r};
}

Geometry<3> point_edge(const ContactRow<3>& row, const Moving<3>& P, const Moving<3>& E) {
  const Jet<Vec<3>> u = carried<3>(E, row.along_E),
                    d = carried_point<3>(P, row.point_P) - carried_point<3>(E, row.point_E);
  const Jet<Vec<3>> across = d - dot(d, u) * u;
  const Jet<double> length = square_root(dot(across, across)), r = constant(row.radius_P);
  const Jet<Vec<3>> n = inverse(length) * across;
  return {n, carried_point<3>(P, row.point_P) - r * n, length - r};
}

template <int D>
Geometry<D> point_point(const ContactRow<D>& row, const Moving<D>& P, const Moving<D>& E) {
  const Jet<Vec<D>> p = carried_point<D>(P, row.point_P), e = carried_point<D>(E, row.point_E), d = p - e;
  const Jet<double> length = square_root(dot(d, d));
  const Jet<Vec<D>> n = inverse(length) * d;
  return {n, e + constant(row.radius_E) * n, length - constant(row.radius_P + row.radius_E)};
}

/// The point of the first edge that is nearest to the second, on their lines.
Geometry<3> edge_edge(const ContactRow<3>& row, const Moving<3>& P, const Moving<3>& E) {
  const Jet<Vec<3>> u = carried<3>(P, row.along_P), v = carried<3>(E, row.along_E);
  const Jet<Vec<3>> p = carried_point<3>(P, row.point_P), e = carried_point<3>(E, row.point_E), d = p - e;
  const Jet<Vec<3>> c = cross(u, v);
  const Jet<double> length = square_root(dot(c, c));
  const Jet<Vec<3>> n = (constant(row.sign) * inverse(length)) * c;
  // p + s u is nearest where d + s u - t v is along c: s = -d . (v x c) / (u . (v x c)).
  const Jet<Vec<3>> side = cross(v, c);
  const Jet<double> s = constant(-1) * (dot(d, side) * inverse(dot(u, side)));
  return {n, p + s * u, dot(n, d)};
}

Geometry<2> geometry_of(const ContactRow<2>& row, const Moving<2>& P, const Moving<2>& E) {
  return row.kind == TouchKind::point_plane ? point_plane<2>(row, P, E) : point_point<2>(row, P, E);
}
Geometry<3> geometry_of(const ContactRow<3>& row, const Moving<3>& P, const Moving<3>& E) {
  if (row.kind == TouchKind::edge_edge) return edge_edge(row, P, E);
  assert(row.kind != TouchKind::limit);
  if (row.kind == TouchKind::point_edge) return point_edge(row, P, E);
  return row.kind == TouchKind::point_plane ? point_plane<3>(row, P, E) : point_point<3>(row, P, E);
}

/// How fast the material of a body at a point that moves with `rate` changes its velocity, the accelerations
/// that forces cause left out.
template <int D>
Vec<D> material_bend(const Moving<D>& body, const Vec<D>& point, const Vec<D>& rate) {
  const Vec<D> r = point - body.x;
  return linear<D>(body.given) + spin_velocity<D>(angular<D>(body.given), r) +
         spin_velocity<D>(angular<D>(body.V), Vec<D>(rate - linear<D>(body.V)));
}

/// [m] How far inside a facet a point of its plane lies.
double inside_facet(const Polytope<2>& A, int facet, const Vec<2>& x) {
  assert(is_index(facet, A.facet_count()));
  const Edge& e = A.edge(facet);
  const Vec<2> along = (A.vertex(e.head) - A.vertex(e.tail)).normalized();
  return std::min(along.dot(x - A.vertex(e.tail)), along.dot(A.vertex(e.head) - x));
}
double inside_facet(const Polytope<3>& A, int facet, const Vec<3>& x) {
  assert(is_index(facet, A.facet_count()));
  const std::span<const int> loop = A.facet_vertices(facet);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec<3>&a = A.vertex(loop[i]), &b = A.vertex(loop[(i + 1) % loop.size()]);
    const Vec<3> inward = A.plane(facet).normal.cross(b - a).normalized();
    least = std::min(least, inward.dot(x - a));
  }
  return least;
}

/// [m] How far from the ends of an edge the foot of a point on it lies; negative beyond them.
template <int D>
double along_edge(const Polytope<D>& A, int edge, const Vec<D>& centre) {
  const Edge& e = A.edge(edge);
  const Vec<D> along = (A.vertex(e.head) - A.vertex(e.tail)).normalized();
  return std::min(along.dot(centre - A.vertex(e.tail)), along.dot(A.vertex(e.head) - centre));
}

template <int D>
double inside_feature(const ContactShape<D>& shape, const Feature& feature, const Moving<D>& body,
                      const Vec<D>& point) {
  const Polytope<D>* A = std::get_if<Polytope<D>>(shape.shape.get());
  if (!A || feature.kind == FeatureKind::vertex) return std::numeric_limits<double>::infinity();
  const Vec<D> x = (body.pose() * shape.X_CS).to_local(point);
  if (feature.kind == kFacet<D>) return inside_facet(*A, feature.index, x);
  return along_edge(*A, feature.index, x);
}

/// [m] How far a ball's centre, seen from the polytope, is before the places where another feature becomes
/// the nearest: a vertex is the nearest one where no edge goes towards the centre, an edge where neither of
/// its facets does.
template <int D>
double inside_cone(const Polytope<D>& A, int vertex, const Vec<D>& centre) {
  double least = std::numeric_limits<double>::infinity();
  const Vec<D> d = centre - A.vertex(vertex);
  for (const int other : A.neighbours(vertex))
    least = std::min(least, -d.dot((A.vertex(other) - A.vertex(vertex)).normalized()));
  return least;
}
double inside_wedge(const Polytope<3>& A, int edge, const Vec<3>& centre) {
  const Edge& e = A.edge(edge);
  const Vec<3> along = (A.vertex(e.head) - A.vertex(e.tail)).normalized(), d = centre - A.vertex(e.tail);
  return std::min(-d.dot(A.plane(e.left).normal.cross(along)), d.dot(A.plane(e.right).normal.cross(along)));
}
double inside_wedge(const Polytope<2>&, int, const Vec<2>&) {
  return std::numeric_limits<double>::infinity();
}

template <int D>
double nearest_to_ball(const ContactRow<D>& row, const World<D>& world, const Moving<D>& P,
                       const Moving<D>& E) {
  const ContactShape<D>& part = world.shapes[row.shape_E];
  const Polytope<D>* A = std::get_if<Polytope<D>>(part.shape.get());
  if (!A || row.radius_P <= 0) return std::numeric_limits<double>::infinity();
  const Vec<D> centre = (E.pose() * part.X_CS).to_local(P.pose() * row.point_P);
  if (row.kind == TouchKind::point_point) return inside_cone<D>(*A, row.feature_E.index, centre);
  if (row.kind == TouchKind::point_edge) return inside_wedge(*A, row.feature_E.index, centre);
  return std::numeric_limits<double>::infinity();
}

}  // namespace

template <int D>
RowNow<D> row_now(const ContactRow<D>& row, const Moving<D>& P, const Moving<D>& E) {
  assert(row.kind != TouchKind::point_plane || is_unit(row.along_E));
  const Geometry<D> g = geometry_of(row, P, E);
  assert(!g.normal.value.allFinite() || is_unit(g.normal.value));
  RowNow<D> now;
  now.point = g.point.value, now.normal = g.normal.value;
  now.across = tangents<D>(now.normal);
  now.gap = g.gap.value, now.speed = g.gap.rate, now.bend = g.gap.bend;
  const Vec<D> r_P = now.point - P.x, r_E = now.point - E.x;
  now.N_P = point_wrench<D>(r_P, now.normal), now.N_E = -point_wrench<D>(r_E, now.normal);
  const Vec<D> slip = point_velocity<D>(P.V, r_P) - point_velocity<D>(E.V, r_E);
  const Vec<D> bend =
      material_bend<D>(P, now.point, g.point.rate) - material_bend<D>(E, now.point, g.point.rate);
  now.slip = now.across.transpose() * slip, now.slip_bend = now.across.transpose() * bend;
  for (int k = 0; k < D - 1; ++k) {
    const Vec<D> t = now.across.col(k);
    now.T_P.row(k) = point_wrench<D>(r_P, t).transpose(),
    now.T_E.row(k) = -point_wrench<D>(r_E, t).transpose();
  }
  return now;
}

/// Outside of a convex body the places that are nearest to one feature fill space; a place on a border
/// between two is nearest to both.
template <int D>
Feature nearest_feature(const Polytope<D>& A, const Vec<D>& centre) {
  Feature best;
  double most = -std::numeric_limits<double>::infinity();
  const auto offer = [&](FeatureKind kind, int index, double inside) {
    if (inside > most) best = {kind, index}, most = inside;
  };
  for (int f = 0; f < A.facet_count(); ++f) {
    const double height = A.plane(f).normal.dot(centre) - A.plane(f).offset;
    offer(kFacet<D>, f, std::min(height, inside_facet(A, f, centre)));
  }
  for (int e = 0; D == 3 && e < A.edge_count(); ++e)
    offer(FeatureKind::edge, e, std::min(along_edge(A, e, centre), inside_wedge(A, e, centre)));
  for (int v = 0; v < A.vertex_count(); ++v) offer(FeatureKind::vertex, v, inside_cone(A, v, centre));
  return best;
}

template <int D>
double inside(const ContactRow<D>& row, const World<D>& world, const Moving<D>& P, const Moving<D>& E) {
  assert(is_index(row.shape_P, world.shapes.size()) && is_index(row.shape_E, world.shapes.size()));
  const Vec<D> point = row_now<D>(row, P, E).point;
  return std::min({inside_feature<D>(world.shapes[row.shape_P], row.feature_P, P, point),
                   inside_feature<D>(world.shapes[row.shape_E], row.feature_E, E, point),
                   nearest_to_ball<D>(row, world, P, E)});
}

template RowNow<2> row_now(const ContactRow<2>&, const Moving<2>&, const Moving<2>&);
template RowNow<3> row_now(const ContactRow<3>&, const Moving<3>&, const Moving<3>&);
template Feature nearest_feature(const Polytope<2>&, const Vec<2>&);
template Feature nearest_feature(const Polytope<3>&, const Vec<3>&);
template double inside(const ContactRow<2>&, const World<2>&, const Moving<2>&, const Moving<2>&);
template double inside(const ContactRow<3>&, const World<3>&, const Moving<3>&, const Moving<3>&);

}  // namespace touchstone
