#pragma once
// What the searches for vertex-facet and for edge-edge contacts share. Private to proximity/.

#include <cassert>
#include <cmath>

#include "touchstone/math/checks.h"
#include "touchstone/proximity/feature_contacts.h"

namespace touchstone {

/// Boxes and bounds may cut away a pair only if it is out of reach by more than round-off could explain.
/// [sizes of the larger body]
inline constexpr double kCullMargin = 1e-12;

template <int D>
using Extent = Eigen::AlignedBox<double, D>;

template <int D>
Extent<D> grown(const Extent<D>& extent, double by) {
  return {extent.min().array() - by, extent.max().array() + by};
}

/// Two bodies, their relative pose, and the settings of the query.
template <int D>
struct FeatureQuery {
  const Placed<D>& A;
  const Placed<D>& B;
  const FeatureContactSettings& settings;

  /// The distance beyond which a pair need not be looked at [m].
  double cull_distance() const { return settings.reach + kCullMargin * (settings.reach + pair_size(A, B)); }
  bool applicable(double applicability) const {
    return applicability >= -std::sin(settings.applicability_relaxation);
  }
};

/// psi + slack + r tan(angle) > 0, where psi is the part of `from_facet`, the way from the nearest point of
/// the facet to the vertex, along the unit normal and r is the length of the rest [Thesis 3.3].
template <int D>
bool in_feasible_region(const Vec<D>& from_facet, const Vec<D>& normal, double psi,
                        const FeasibilitySettings& settings) {
  assert(is_unit(normal) && settings.slack >= 0 && settings.angle >= 0);
  const double r = (from_facet - psi * normal).norm();
  return psi + settings.slack + r * std::tan(settings.angle) > 0;
}

/// Edges cannot cross in the plane: nothing to append there.
void append_edge_edge_contacts(const FeatureQuery<2>& query, std::vector<FeatureContact<2>>& contacts);
void append_edge_edge_contacts(const FeatureQuery<3>& query, std::vector<FeatureContact<3>>& contacts);

}  // namespace touchstone
