#pragma once
// Polytope Exact Geometry for one pair of polytopes [Thesis 4.3, 4.4, repaired as PEG 4-6 says]: which
// feature contacts must hold (U), and of which at least one must (I and X); inside contact only.

#include "touchstone/contact/contact_model.h"
#include "touchstone/contact/pair_contacts.h"
#include "touchstone/proximity/feature_contacts.h"

namespace touchstone {

enum class PegVariant {
  merged,   ///< one I per vertex over all near facets, X along chains of near edges: the model `peg`
  printed,  ///< algorithms 8-17 with their misprints corrected
  lnc       ///< locally non-convex [Nguyen]: I as in `merged`, no X
};

template <int D>
struct PegPair {
  Placed<D> A, B;
  double margin;  ///< [m]
  FeatureTests tests;
};

/// Indices are into `contacts`, whose order is that of find_feature_contacts().
template <int D>
struct PairConstraints {
  std::vector<FeatureContact<D>> contacts;
  std::vector<int> unilateral;
  std::vector<std::vector<int>> inter, cross;  ///< each list sorted, no list twice
  std::vector<double> lifted;  ///< [m] by which the gap of a contact was raised; contacts behind its end: 0
};

void find_peg_constraints(const PegPair<2>& pair, PegVariant variant, PairConstraints<2>& found);
void find_peg_constraints(const PegPair<3>& pair, PegVariant variant, PairConstraints<3>& found);

/// The contacts of each vertex with the facets of the other body, and how to look them up.
template <int D>
class NearFacets {
 public:
  struct Entry {
    int facet, contact;
  };
  NearFacets(const PegPair<D>& pair, const std::vector<FeatureContact<D>>& contacts);
  /// Of vertex v of A (side 0) or of B (side 1), sorted by facet.
  const std::vector<Entry>& of(int side, int v) const { return entries_[side][v]; }
  int vertex_count(int side) const { return static_cast<int>(entries_[side].size()); }
  /// The contact of a vertex with a facet; -1: not within the margin.
  int find(int side, int v, int facet) const;

 private:
  std::vector<std::vector<Entry>> entries_[2];
};

/// Every feature contact of the pair within its margin.
template <int D>
std::vector<FeatureContact<D>> near_contacts(const PegPair<D>& pair);

/// One U per vertex that is near one facet and leans on it, one I per vertex near several [PEG 4.1].
template <int D>
void add_vertex_constraints(const NearFacets<D>& near, double applicability_angle, PairConstraints<D>& found);

/// Appends a list of alternatives, unless it is there already or a contact is missing in it (-1).
void add_choice(std::vector<int> members, std::vector<std::vector<int>>& lists);

}  // namespace touchstone
