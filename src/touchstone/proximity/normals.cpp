#include "touchstone/proximity/normals.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/math/checks.h"
#include "touchstone/math/tolerance.h"
#include "touchstone/proximity/closest_features.h"
#include "touchstone/proximity/feature_contacts.h"

namespace touchstone {
namespace {

/// Sine of the angle at which edges cross clearly.
constexpr double kClearCrossing = 1e-6;
/// [sizes] Closest points this far apart give their direction to a few round-offs.
constexpr double kFar = 0.05;
/// [sizes] How far bodies are drawn apart to find the points at which they would part.
constexpr double kDrawnApart = 1e-3;

template <int D>
Vec<D> direction_or(const Vec<D>& x, const Vec<D>& otherwise) {
  assert(is_unit(otherwise));
  const double length = x.norm();
  return length > 0 ? Vec<D>(x / length) : otherwise;
}

/// From the centre of B to that of A, in the frame of A.
template <int D>
Vec<D> centre_line(const PairInFrameA<D>& pair) {
  return pair.A.centre() - pair.X_AB * pair.B.centre();
}

Vec<2> point_normal(const PairInFrameA<2>& pair, const FeaturePair&, const Vec<2>& apart) {
  return direction_or<2>(apart, direction_or<2>(centre_line(pair), Vec<2>::UnitY()));
}

/// Does d x e point from A to B, for edges along d and e that make a facet of A - B? Then none of these terms
/// is positive [sat_3d.cpp]; where one vanishes (on a blade the sum of the normals, on a flat edge their
/// difference) another tells.
bool points_out_of_A(const PairInFrameA<3>& pair, const FeaturePair& features, const Vec<3>& d,
                     const Vec<3>& e) {
  const Edge &a = pair.A.edge(features.a.index), &b = pair.B.edge(features.b.index);
  const Vec<3>&N_L = pair.A.plane(a.left).normal, &N_R = pair.A.plane(a.right).normal;
  const Mat<3>& R = pair.X_AB.R;
  const Vec<3> M_L = R * pair.B.plane(b.left).normal, M_R = R * pair.B.plane(b.right).normal;
  return d.cross(e).dot(M_L + M_R - N_L - N_R) + e.dot(N_R - N_L) + d.dot(M_R - M_L) < 0;
}

/// Edge-edge, vertex-edge and vertex-vertex in space.
Vec<3> point_normal(const PairInFrameA<3>& pair, const FeaturePair& features, const Vec<3>& apart) {
  const double distance = apart.norm();
  if (distance > kFar * pair.size()) return apart / distance;
  const Vec<3> plain = direction_or<3>(apart, direction_or<3>(centre_line(pair), Vec<3>::UnitZ()));
  const bool edge_a = features.a.kind == FeatureKind::edge, edge_b = features.b.kind == FeatureKind::edge;
  if (edge_a && edge_b) {
    const Vec<3> d = edge_direction(pair.A, features.a.index).normalized();
    const Vec<3> e = pair.X_AB.R * edge_direction(pair.B, features.b.index).normalized();
    const Vec<3> n = d.cross(e);
    const double sine = n.norm();
    // Round-off turns the cross product by eps / sine and the difference of points by eps size / distance.
    if (sine <= kParallel || distance > sine * pair.size()) return plain;
    const bool told_by_points = distance > kCertified * pair.size();
    const bool reversed = told_by_points ? n.dot(apart) < 0 : points_out_of_A(pair, features, d, e);
    return (reversed ? -1 : 1) * n / sine;
  }
  if (edge_a || edge_b) {
    const Vec<3> d = edge_a ? edge_direction(pair.A, features.a.index).normalized()
                            : pair.X_AB.R * edge_direction(pair.B, features.b.index).normalized();
    return direction_or<3>(plain - plain.dot(d) * d, plain);  // exactly across the edge
  }
  return plain;
}

/// Distance of x from the border of facet f, positive inside.
double inside_facet(const Polytope<3>& P, int f, const Vec<3>& x) {
  double least = P.size();
  const auto loop = P.facet_vertices(f);
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec<3>& p = P.vertex(loop[i]);
    const Vec<3> inward = P.plane(f).normal.cross(P.vertex(loop[(i + 1) % loop.size()]) - p).normalized();
    least = std::min(least, inward.dot(x - p));
  }
  return least;
}

double inside_edge(const Vec<3>& tail, const Vec<3>& head, const Vec<3>& x) {
  return std::min((x - tail).norm(), (x - head).norm());
}

double inside_facet(const Polytope<2>& P, int f, const Vec<2>& x) {
  const Vec<2>&tail = P.vertex(P.edge(f).tail), &head = P.vertex(P.edge(f).head);
  const Vec<2> d = (head - tail).normalized();
  return std::min(d.dot(x - tail), d.dot(head - x));
}

bool covers(const Polytope<2>& P, int f, const Vec<2>& x) { return inside_facet(P, f, x) >= 0; }

bool crosses_clearly(const PairInFrameA<2>&, const Gap<2>&, double) { return false; }

bool crosses_clearly(const PairInFrameA<3>& pair, const Gap<3>& gap, double margin) {
  const auto& [a, b] = gap.features;
  if (a.kind != FeatureKind::edge || b.kind != FeatureKind::edge) return false;
  const Edge &ea = pair.A.edge(a.index), &eb = pair.B.edge(b.index);
  const Vec<3> d = edge_direction(pair.A, a.index), e = pair.X_AB.R * edge_direction(pair.B, b.index);
  return d.cross(e).norm() > kClearCrossing * d.norm() * e.norm() &&
         inside_edge(pair.A.vertex(ea.tail), pair.A.vertex(ea.head), gap.point_A) > margin &&
         inside_edge(pair.X_AB * pair.B.vertex(eb.tail), pair.X_AB * pair.B.vertex(eb.head), gap.point_B) >
             margin;
}

/// The points at which bodies drawn apart along the axis would be closest.
template <int D>
void find_parting_points(const PairInFrameA<D>& pair, const SeparatingAxis<D>& axis, Gap<D>& gap) {
  const Vec<D> away = (kDrawnApart * pair.size() - axis.separation) * axis.normal;
  const Pose<D> X_AB{pair.X_AB.R, pair.X_AB.p - away};
  const FeaturePair start{{FeatureKind::vertex, vertex_of(pair.A, axis.features.a)},
                          {FeatureKind::vertex, vertex_of(pair.B, axis.features.b)}};
  ClosestFeatures<D> parting = walk_to_closest_features<D>(pair.A, pair.B, X_AB, start);
  if (parting.end != WalkEnd::closest) parting = search_closest_features<D>(pair.A, pair.B, X_AB);
  assert(parting.end == WalkEnd::closest);
  gap.features = parting.features;
  gap.point_A = parting.point_A;
  gap.point_B = parting.point_B + away;
}

}  // namespace

template <int D>
Vec<D> feature_normal(const PairInFrameA<D>& pair, const FeaturePair& features, const Vec<D>& apart) {
  if (features.a.kind == kFacet<D> && features.b.kind == FeatureKind::vertex) {
    return -pair.A.plane(features.a.index).normal;
  }
  if (features.b.kind == kFacet<D> && features.a.kind == FeatureKind::vertex) {
    return pair.X_AB.R * pair.B.plane(features.b.index).normal;
  }
  return point_normal(pair, features, apart);
}

template <int D>
bool is_interior_contact(const PairInFrameA<D>& pair, const Gap<D>& gap, double margin) {
  assert(margin >= 0);
  const auto& [a, b] = gap.features;
  if (a.kind == kFacet<D> && b.kind == FeatureKind::vertex) {
    return inside_facet(pair.A, a.index, gap.point_A) > margin;
  }
  if (b.kind == kFacet<D> && a.kind == FeatureKind::vertex) {
    return inside_facet(pair.B, b.index, pair.X_AB.to_local(gap.point_B)) > margin;
  }
  return crosses_clearly(pair, gap, margin);
}

template <int D>
SeparatingAxis<D> choose_axis(const PairInFrameA<D>& pair, const Penetration<D>& penetration) {
  const Vec<D> line = centre_line(pair);
  const double equal = kCertified * pair.size();
  SeparatingAxis<D> chosen = penetration.best;
  for (const SeparatingAxis<D>& axis : penetration.ties) {
    if (axis.separation < penetration.best.separation - equal) continue;
    if (axis.normal.dot(line) > chosen.normal.dot(line) + equal) chosen = axis;
  }
  return chosen;
}

template <int D>
void find_witnesses(const PairInFrameA<D>& pair, const SeparatingAxis<D>& axis, Gap<D>& gap) {
  assert(is_unit(axis.normal));
  const auto& [a, b] = gap.features = axis.features;
  const Vec<D> across = axis.separation * axis.normal;
  if (a.kind == kFacet<D> && b.kind == FeatureKind::vertex) {
    gap.point_B = pair.X_AB * pair.B.vertex(b.index);
    gap.point_A = gap.point_B + across;
    if (covers(pair.A, a.index, gap.point_A)) return;
  } else if (b.kind == kFacet<D> && a.kind == FeatureKind::vertex) {
    gap.point_A = pair.A.vertex(a.index);
    gap.point_B = gap.point_A - across;
    if (covers(pair.B, b.index, pair.X_AB.to_local(gap.point_B))) return;
  } else if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge) {
    const Edge &ea = pair.A.edge(a.index), &eb = pair.B.edge(b.index);
    const auto near =
        nearest_on_segments<D>(pair.A.vertex(ea.tail), pair.A.vertex(ea.head),
                               pair.X_AB * pair.B.vertex(eb.tail), pair.X_AB * pair.B.vertex(eb.head));
    gap.point_A = near.point_1;
    gap.point_B = near.point_2;
    if (std::abs(axis.normal.dot(near.point_1 - near.point_2) - axis.separation) <= kCertified * pair.size())
      return;
  } else {
    gap.point_A = pair.A.vertex(vertex_of(pair.A, a));
    gap.point_B = gap.point_A - across;
  }
  // The support vertex lies beyond the border of the facet (a large face on a small one).
  find_parting_points<D>(pair, axis, gap);
}

template Vec<2> feature_normal(const PairInFrameA<2>&, const FeaturePair&, const Vec<2>&);
template Vec<3> feature_normal(const PairInFrameA<3>&, const FeaturePair&, const Vec<3>&);
template bool is_interior_contact(const PairInFrameA<2>&, const Gap<2>&, double);
template bool is_interior_contact(const PairInFrameA<3>&, const Gap<3>&, double);
template SeparatingAxis<2> choose_axis(const PairInFrameA<2>&, const Penetration<2>&);
template SeparatingAxis<3> choose_axis(const PairInFrameA<3>&, const Penetration<3>&);
template void find_witnesses(const PairInFrameA<2>&, const SeparatingAxis<2>&, Gap<2>&);
template void find_witnesses(const PairInFrameA<3>&, const SeparatingAxis<3>&, Gap<3>&);

}  // namespace touchstone
