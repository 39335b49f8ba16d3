#include "touchstone/contact/thesis/feature_models.h"

#include <algorithm>
#include <cassert>

#include "touchstone/geometry/bounds.h"
#include "touchstone/proximity/feature_contacts.h"
#include "touchstone/proximity/intersection.h"
#include "touchstone/proximity/witnesses.h"

namespace touchstone {
namespace {

template <int D>
bool are_polytopes(const Pair<D>& pair) {
  return contact_form(*pair.A.shape, *pair.B.shape) == ContactForm::features;
}

template <int D>
Placed<D> placed(const PlacedShape<D>& part) {
  return {polytope_of(*part.shape), part.X_WB};
}

template <int D>
void keep_overlapping(PairContacts<D>& found, std::size_t from) {
  assert(from <= found.size());
  std::erase_if(
      found, [&, i = std::size_t{0}](const PairContact<D>& c) mutable { return i++ >= from && c.gap >= 0; });
}

/// The feature contacts at which a force may act, or all; `slack` [m]: how deep below a facet a vertex still
/// counts as above.
template <int D>
void add_features(const Pair<D>& pair, double slack, PairContacts<D>& found, bool all = false) {
  assert(slack >= 0 && pair.margin >= 0);
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

}  // namespace

template <int D>
void add_standard(const Pair<D>& pair, PairContacts<D>& found) {
  if (!are_polytopes(pair)) return add_manifold(pair, found);
  add_features(pair, 0.05 * pair.margin, found);  // [PEG 3]
}

template <int D>
void add_everything(const Pair<D>& pair, PairContacts<D>& found) {
  if (!are_polytopes(pair)) return add_manifold(pair, found);
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
    add_manifold(pair, found);
  }
  keep_overlapping(found, from);
}

template <int D>
void add_overlap(const Pair<D>& pair, PairContacts<D>& found) {
  if (!are_polytopes(pair)) {
    const std::size_t from = found.size();
    add_manifold(pair, found);
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
  template void add_standard(const Pair<D>&, PairContacts<D>&);   \
  template void add_everything(const Pair<D>&, PairContacts<D>&); \
  template void add_corrective(const Pair<D>&, PairContacts<D>&); \
  template void add_overlap(const Pair<D>&, PairContacts<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
