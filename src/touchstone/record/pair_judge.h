#pragma once
// Gap and overlap of two shapes by brute force: every facet, every pair of edges. Slow, simple, and unlike
// proximity/ in every step of the way. Private to record/.

#include <vector>

#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"

namespace touchstone {

/// A polytope seen from the frame of another shape.
template <int D>
struct SeenPolytope {
  const Polytope<D>* polytope;
  std::vector<Vec<D>> vertices, normals;  ///< of vertices and facets

  SeenPolytope(const Polytope<D>& P, const Pose<D>& X);
};

/// The least of n.x over the points, and the greatest.
template <int D>
double lowest(const std::vector<Vec<D>>& points, const Vec<D>& n);
template <int D>
double highest(const std::vector<Vec<D>>& points, const Vec<D>& n);

/// Of the directions n across an edge of A and one of B (none in the plane), the one in which B lies furthest
/// beyond A. `best` is the furthest yet, along `axis`; both are improved.
template <int D>
void try_edge_axes(const SeenPolytope<D>& A, const SeenPolytope<D>& B, double& best, Vec<D>& axis);

/// The distance of two polytopes that the unit vector `axis` separates by `separation` > 0.
template <int D>
double distance_apart(const SeenPolytope<D>& A, const SeenPolytope<D>& B, const Vec<D>& axis,
                      double separation);

/// The signed distance of a point from a polytope: negative inside.
template <int D>
double distance_of_point(const SeenPolytope<D>& P, const Vec<D>& point);

/// The gap of two shapes if it is less than `enough`, otherwise any lower bound of it that is not. `axis` is
/// where the last answer for the pair was found, in the frame of A (zero at first); it saves time, for a
/// direction that separates is a proof by itself.
template <int D>
double judge_gap(const Shape<D>& A, const Shape<D>& B, const Pose<D>& X_AB, double enough, Vec<D>& axis);

/// The volume (2D: area) that two shapes share.
template <int D>
double judge_overlap(const Shape<D>& A, const Shape<D>& B, const Pose<D>& X_AB);

/// What a ball about `centre` shares with a polytope; in space integrated over slices.
double judge_round_overlap(const Polytope<2>& P, const Vec<2>& centre, double radius);
double judge_round_overlap(const Polytope<3>& P, const Vec<3>& centre, double radius);

}  // namespace touchstone
