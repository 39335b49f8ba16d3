#include "touchstone/contact/pair_contacts.h"

#include <algorithm>

#include "touchstone/proximity/feature_contacts.h"
#include "touchstone/proximity/intersection.h"
#include "touchstone/proximity/manifold.h"

namespace touchstone {
namespace {

template <int D>
const Polytope<D>* polytope_of(const PlacedShape<D>& placed) {
  return std::get_if<Polytope<D>>(placed.shape);
}

template <int D>
bool are_polytopes(const Pair<D>& pair) {
  return polytope_of(pair.A) && polytope_of(pair.B);
}

template <int D>
Placed<D> placed(const PlacedShape<D>& part) {
  return {polytope_of(part), part.X_WB};
}

template <int D>
bool is_half_space(const PlacedShape<D>& part) {
  return std::holds_alternative<HalfSpace<D>>(*part.shape);
}

/// Every vertex of a polytope near a half-space. `sign` = +1: the polytope is A.
template <int D>
void add_vertices(const Placed<D>& P, const Plane<D>& below, double margin, double sign,
                  PairContacts<D>& found) {
  for (int v = 0; v < P.polytope->vertex_count(); ++v) {
    const Vec<D> point = P.X_WB * P.polytope->vertex(v);
    const double gap = below.normal.dot(point) - below.offset;
    if (gap > margin) continue;
    FeaturePair features{{FeatureKind::vertex, v}, {FeatureKind::face, 0}};
    if (sign < 0) std::swap(features.a, features.b);
    found.push_back({point, sign * below.normal, gap, features});
  }
}

template <int D>
Plane<D> plane_of(const PlacedShape<D>& part) {
  return part.X_WB * std::get<HalfSpace<D>>(*part.shape).plane;
}

/// Round bodies touch in one point.
template <int D>
void add_nearest(const Pair<D>& pair, PairContacts<D>& found) {
  const Gap<D> gap = find_gap(pair.A, pair.B, pair.memory);
  if (gap.gap > pair.margin) return;
  found.push_back({0.5 * (gap.point_A + gap.point_B), gap.normal, gap.gap, gap.features});
}

/// Pairs with a sphere or a half-space: the same contacts in every model.
template <int D>
void add_simple(const Pair<D>& pair, PairContacts<D>& found) {
  if (is_half_space(pair.A) && is_half_space(pair.B)) return;
  if (is_half_space(pair.B) && polytope_of(pair.A)) {
    add_vertices(placed(pair.A), plane_of(pair.B), pair.margin, +1, found);
  } else if (is_half_space(pair.A) && polytope_of(pair.B)) {
    add_vertices(placed(pair.B), plane_of(pair.A), pair.margin, -1, found);
  } else {
    add_nearest(pair, found);
  }
}

template <int D>
void keep_overlapping(PairContacts<D>& found, std::size_t from) {
  std::erase_if(
      found, [&, i = std::size_t{0}](const PairContact<D>& c) mutable { return i++ >= from && c.gap >= 0; });
}

}  // namespace

template <int D>
void add_manifold(const Pair<D>& pair, PairContacts<D>& found) {
  if (!are_polytopes(pair)) return add_simple(pair, found);
  const Placed<D> A = placed(pair.A), B = placed(pair.B);
  const Gap<D> gap = find_gap(A, B, pair.memory);
  if (gap.gap > pair.margin) return;
  for (const ManifoldPoint<D>& point : find_manifold(A, B, gap).points) {
    found.push_back({point.position, gap.normal, gap.gap, {point.a, point.b}});
  }
}

/// The feature contacts at which a force may act, or all; `slack` [m]: how deep below a facet a vertex still
/// counts as above.
template <int D>
void add_features(const Pair<D>& pair, double slack, PairContacts<D>& found, bool all = false) {
  FeatureContactSettings settings;
  settings.reach = std::max(pair.margin, slack);
  settings.feasibility.slack = slack;
  for (const FeatureContact<D>& c : find_feature_contacts(placed(pair.A), placed(pair.B), settings)) {
    if (!all && !c.primary) continue;
    // The force acts where the vertex is; between crossing edges halfway.
    const bool vertex_A = c.features.a.kind == FeatureKind::vertex;
    const bool vertex_B = c.features.b.kind == FeatureKind::vertex;
    const Vec<D> point = vertex_A ? c.point_A : vertex_B ? c.point_B : Vec<D>(0.5 * (c.point_A + c.point_B));
    found.push_back({point, c.normal, c.gap, c.features});
  }
}

template <int D>
void add_standard(const Pair<D>& pair, PairContacts<D>& found) {
  if (!are_polytopes(pair)) return add_simple(pair, found);
  add_features(pair, 0.05 * pair.margin, found);  // [PEG 3]
}

template <int D>
void add_everything(const Pair<D>& pair, PairContacts<D>& found) {
  if (!are_polytopes(pair)) return add_simple(pair, found);
  add_features(pair, 0, found, true);
}

template <int D>
void add_corrective(const Pair<D>& pair, PairContacts<D>& found) {
  const std::size_t from = found.size();
  if (are_polytopes(pair)) {
    // Features behind each other's planes are nothing while the bodies are apart; and of bodies that overlap
    // only those count that lie not much deeper than the bodies do.
    const double gap = find_gap(placed(pair.A), placed(pair.B), pair.memory).gap;
    if (gap < 0) add_features(pair, -2 * gap, found);
  } else {
    add_simple(pair, found);
  }
  keep_overlapping(found, from);
}

template <int D>
void add_overlap(const Pair<D>& pair, PairContacts<D>& found) {
  if (!are_polytopes(pair)) {
    const std::size_t from = found.size();
    add_simple(pair, found);
    return keep_overlapping(found, from);
  }
  const Placed<D> A = placed(pair.A), B = placed(pair.B);
  const Gap<D> gap = find_gap(A, B, pair.memory);
  if (gap.gap >= 0) return;
  const IntersectionVolume<D> common = find_intersection(A, B, A.X_WB.p);
  const Vec<D> middle = 0.5 * (gap.point_A + gap.point_B);
  found.push_back({common.volume > 0 ? common.centre : middle, gap.normal, gap.gap, gap.features});
}

#define TOUCHSTONE_INSTANTIATE(D)                                 \
  template void add_manifold(const Pair<D>&, PairContacts<D>&);   \
  template void add_standard(const Pair<D>&, PairContacts<D>&);   \
  template void add_everything(const Pair<D>&, PairContacts<D>&); \
  template void add_corrective(const Pair<D>&, PairContacts<D>&); \
  template void add_overlap(const Pair<D>&, PairContacts<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
