#include "touchstone/contact/peg_constraints.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/math/checks.h"

namespace touchstone {

template <int D>
NearFacets<D>::NearFacets(const PegPair<D>& pair, const std::vector<FeatureContact<D>>& contacts) {
  assert(pair.A.polytope && pair.B.polytope);
  entries_[0].resize(pair.A.polytope->vertex_count());
  entries_[1].resize(pair.B.polytope->vertex_count());
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const FeaturePair& features = contacts[i].features;
    if (features.a.kind == FeatureKind::vertex)
      entries_[0][features.a.index].push_back({features.b.index, i});
    if (features.b.kind == FeatureKind::vertex)
      entries_[1][features.b.index].push_back({features.a.index, i});
  }
  const auto by_facet = [](const Entry& x, const Entry& y) { return x.facet < y.facet; };
  for (auto& side : entries_) {
    for (auto& list : side) std::sort(list.begin(), list.end(), by_facet);
  }
}

template <int D>
int NearFacets<D>::find(int side, int v, int facet) const {
  assert((side == 0 || side == 1) && is_index(v, entries_[side].size()));
  for (const Entry& entry : entries_[side][v]) {
    if (entry.facet == facet) return entry.contact;
  }
  return -1;
}

template <int D>
std::vector<FeatureContact<D>> near_contacts(const PegPair<D>& pair) {
  assert(pair.margin >= 0);
  FeatureContactSettings settings;
  settings.reach = pair.margin;
  settings.applicability_relaxation = pair.tests.applicability_angle;
  settings.feasibility = {pair.tests.feasibility_slack * pair.margin, pair.tests.feasibility_angle};
  return find_feature_contacts(pair.A, pair.B, settings);
}

/// A vertex outside of B is outside of a facet that is as near to it as B is; so the disjunction over the
/// near facets holds in every state without overlap, and only there as far as this vertex can tell.
///
/// A vertex near a single facet is asked for applicability alone, not for feasibility as in [Thesis alg. 8]:
/// below the facet by more than the slack and near no other facet it is inside, and what brought it there
/// (the error of rotation) must not end the contact: it would fall through.
template <int D>
void add_vertex_constraints(const NearFacets<D>& near, double applicability_angle,
                            PairConstraints<D>& found) {
  assert(applicability_angle >= 0);
  const double least = -std::sin(applicability_angle);
  for (int side : {0, 1}) {
    for (int v = 0; v < near.vertex_count(side); ++v) {
      const auto& facets = near.of(side, v);
      if (facets.size() == 1 && found.contacts[facets[0].contact].applicability >= least)
        found.unilateral.push_back(facets[0].contact);
      if (facets.size() < 2) continue;
      std::vector<int> members;
      for (const auto& entry : facets) members.push_back(entry.contact);
      add_choice(std::move(members), found.inter);
    }
  }
}

void add_choice(std::vector<int> members, std::vector<std::vector<int>>& lists) {
  if (std::find(members.begin(), members.end(), -1) != members.end()) return;
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  assert(members.empty() || members.front() >= 0);
  if (std::find(lists.begin(), lists.end(), members) == lists.end()) lists.push_back(std::move(members));
}

template class NearFacets<2>;
template class NearFacets<3>;
template std::vector<FeatureContact<2>> near_contacts(const PegPair<2>&);
template std::vector<FeatureContact<3>> near_contacts(const PegPair<3>&);
template void add_vertex_constraints(const NearFacets<2>&, double, PairConstraints<2>&);
template void add_vertex_constraints(const NearFacets<3>&, double, PairConstraints<3>&);

}  // namespace touchstone
