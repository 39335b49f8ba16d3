#pragma once
// Potential contacts between single features, and the geometric tests that sort them: applicability,
// feasibility, orientation of edges [Thesis 3.2-3.6; Checked 5].
// Points and directions are in the world unless a comment says otherwise; normals point from B to A.

#include <vector>

#include "touchstone/proximity/placed.h"

namespace touchstone {

/// The point of the segment ab nearest to c [Thesis alg. 3, corrected]. a = b is allowed.
template <int D>
struct PointOnSegment {
  Vec<D> point;
  double t;  ///< 0 at a, 1 at b
};
template <int D>
PointOnSegment<D> nearest_on_segment(const Vec<D>& a, const Vec<D>& b, const Vec<D>& c);

/// The nearest points of two segments p1 q1 and p2 q2 [Thesis alg. 7, corrected]; parallel and
/// degenerate segments are allowed.
template <int D>
struct NearestOnSegments {
  Vec<D> point_1, point_2;
  double s, t;    ///< 0 at p, 1 at q
  bool parallel;  ///< to kParallel, or a segment is a point: the answer may be one of many
};
template <int D>
NearestOnSegments<D> nearest_on_segments(const Vec<D>& p1, const Vec<D>& q1, const Vec<D>& p2,
                                         const Vec<D>& q2);

/// The point of a convex facet nearest to c, both in the frame of the polytope.
Vec<2> nearest_on_facet(const Polytope<2>& P, int facet, const Vec<2>& c);
Vec<3> nearest_on_facet(const Polytope<3>& P, int facet, const Vec<3>& c);
/// The same for a placed polytope and a point c of the world.
template <int D>
Vec<D> nearest_on_facet(const Placed<D>& B, int facet, const Vec<D>& c);

/// The smallest rise, over the edges that leave vertex va of A, above facet fb of B: sine of the angle
/// [Thesis eq. 3.3, 3.4]. Classical applicability: >= 0; relaxed: >= -sin(theta).
template <int D>
double vertex_facet_applicability(const Placed<D>& A, int va, const Placed<D>& B, int fb);

/// How far both edges' faces lean away from each other [Thesis eq. 3.5]: > 0 exactly where the arcs of the
/// edges cross on the Gauss sphere. 0 for parallel edges.
double edge_edge_applicability(const Placed<3>& A, int ea, const Placed<3>& B, int eb);

/// The normal of crossing edges, from B to A [Thesis eq. 3.6, negated]. The thesis asks e_b alone where its
/// body lies; we ask both edges, so that a swap of A and B negates the answer. Where the edges are
/// applicable, both ways agree. Zero when the edges are parallel or their orientation does not tell.
Vec<3> edge_edge_normal(const Placed<3>& A, int ea, const Placed<3>& B, int eb);

/// The region in which a vertex could press on a facet [Thesis 3.3, fig. 3.7]. With psi the height of the
/// vertex above the facet's plane and r the distance, measured along that plane, from the facet:
///
///     feasible  <=>  psi > -slack - r tan(angle)
///
///                 |                     |
///      feasible   |  above the facet:   |   feasible
///                 |  r = 0              |
///     ------------p=====================p------------   psi = 0; the facet is drawn double
///                 |---------------------|               psi = -slack
///            . '                           ' .
///       . '                                     ' .     falls by `angle` below the facet's plane
///
/// Within the prism of the facet r = 0, which is the thesis's "in the Voronoi region and psi > -epsilon".
struct FeasibilitySettings {
  double slack = 0.0025;  ///< [m] epsilon: how far below the facet still counts as above; 0.05 reach [PEG 3]
  double angle = 0.4;     ///< [rad] phi, in [0, pi/2): how steeply the region falls away beyond the border
};

/// Is va in the region where it could press on facet fb [Thesis 3.3]?
template <int D>
bool vertex_facet_feasibility(const Placed<D>& A, int va, const Placed<D>& B, int fb,
                              const FeasibilitySettings& settings);

/// A potential contact of one feature of A with one of B.
template <int D>
struct FeatureContact {
  FeaturePair features;     ///< vertex-facet, facet-vertex or edge-edge
  Vec<D> point_A, point_B;  ///< nearest points of the two features
  Vec<D> normal;            ///< from B to A: of the facet, or across the two edges
  double gap;            ///< [m] normal . (point_A - point_B): height above the facet, or between the edges
  double applicability;  ///< value of eq. 3.3, 3.4 or 3.5
  bool feasible;         ///< edge-edge: psi and r of the region are gap and the rest of point_A - point_B
  bool primary;          ///< applicable (relaxed) and feasible: a force may act; else secondary
};

struct FeatureContactSettings {
  double reach = 0.05;  ///< [m] epsilon of algorithms 5-7: features further apart are left out
  double applicability_relaxation = 0.4;  ///< [rad] theta
  /// Edges whose sine is at most this make no contact of their own: their normal is mostly round-off and
  /// motion, and vertex-facet contacts hold them apart [PEG 0].
  double parallel_edges = 1e-3;
  FeasibilitySettings feasibility;
};

/// Every vertex-facet contact (of A's vertices with B and of B's with A) and, in 3D, every edge-edge
/// contact within reach [Thesis alg. 5, 6, 7], sorted by kinds, then by indices, of the features.
template <int D>
std::vector<FeatureContact<D>> find_feature_contacts(const Placed<D>& A, const Placed<D>& B,
                                                     const FeatureContactSettings& settings);

}  // namespace touchstone
