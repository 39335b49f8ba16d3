#include "touchstone/proximity/intersection.h"

#include <cassert>

#include "touchstone/math/checks.h"
#include "touchstone/math/tolerance.h"

namespace touchstone {
namespace {

/// Area-weighted normals whose sum is below this, relative to their summed area, cancel but for round-off.
constexpr double kCancelled = 1e-13;

/// The smaller body is cut by the planes of the larger one, in the frame of the smaller: whatever frame is
/// far away or body is large, the corners are as exact as the smaller body's own.
template <int D>
struct CutPair {
  const Placed<D>& body;    // is cut
  const Placed<D>& cutter;  // lends its planes
  bool swapped;             // the body is B, not A
};

template <int D>
CutPair<D> cut_pair(const Placed<D>& A, const Placed<D>& B) {
  const bool swapped = B.polytope->size() < A.polytope->size();
  return swapped ? CutPair<D>{B, A, true} : CutPair<D>{A, B, false};
}

/// A quick look: the balls around the bodies do not meet.
template <int D>
bool are_far_apart(const Placed<D>& A, const Placed<D>& B) {
  const Vec<D> centre_B = relative_pose(A.X_WB, B.X_WB) * B.polytope->centre();
  return (centre_B - A.polytope->centre()).norm() > A.polytope->radius() + B.polytope->radius();
}

/// The planes of the cutter in the frame of the body.
template <int D>
std::span<const Plane<D>> cutting_planes(const CutPair<D>& pair) {
  thread_local std::vector<Plane<D>> planes;  // kept for the next call: this runs in loops
  const Pose<D> X = relative_pose(pair.body.X_WB, pair.cutter.X_WB);
  planes.clear();
  for (const Plane<D>& plane : pair.cutter.polytope->facet_planes()) planes.push_back(X * plane);
  return planes;
}

/// How the volume changes as the cut body moves, in its frame, turning about `reference`:
///     dV/dx = int N dS,   dV/dtheta = int (r - reference) x N dS
/// over the body's own surface, or by the divergence theorem minus the same over the cutter's
/// [Checked 4, "gradient", "rotation"]. The one with less area is summed: it has less to cancel, and
/// is exactly zero when one body holds the other. A flush facet counts half for each.
template <int D>
SurfaceSum<D> motion_gradient(const ClippedSums<D>& sums, const Vec<D>& reference) {
  assert(sums.own.area >= 0 && sums.cut.area >= 0 && sums.flush.area >= 0);
  const bool by_own = sums.own.area <= sums.cut.area;
  const SurfaceSum<D>& side = by_own ? sums.own : sums.cut;
  const double sign = by_own ? 1 : -1;
  SurfaceSum<D> gradient;
  gradient.area = side.area + sums.flush.area / 2;
  gradient.normal_area = sign * (side.normal_area + sums.flush.normal_area / 2);
  gradient.moment = sign * (side.moment + sums.flush.moment / 2);
  gradient.moment += moment<D>(sums.origin - reference, gradient.normal_area);
  return gradient;
}

/// What turns, turned itself: in the plane all axes are the same.
Spin<2> spin_in_world(const Mat<2>&, const Spin<2>& spin) { return spin; }
Spin<3> spin_in_world(const Mat<3>& R, const Spin<3>& spin) { return R * spin; }

/// From the frame of the cut body to the world; `sign` is -1 when the cut body is B.
template <int D>
IntersectionVolume<D> in_world(const ClippedSums<D>& sums, const Pose<D>& X, const Vec<D>& reference,
                               double sign) {
  assert(sign == 1 || sign == -1);
  IntersectionVolume<D> result;
  if (sums.mass.volume == 0) return result;
  const SurfaceSum<D> gradient = motion_gradient<D>(sums, X.to_local(reference));
  result.volume = sums.mass.volume;
  result.centre = X * sums.mass.centre;
  result.second_moment = X.R * sums.mass.second_moment * X.R.transpose();
  result.gradient = sign * (X.R * gradient.normal_area);
  result.turning_gradient = sign * spin_in_world(X.R, gradient.moment);
  const double length = result.gradient.norm();
  if (length > kCancelled * gradient.area) result.normal = -result.gradient / length;
  assert(result.volume > 0 && is_self_adjoint(result.second_moment));
  assert(result.normal.isZero(0) || is_unit(result.normal));
  return result;
}

template <int D>
void move_to_world(ConvexPieces<D>& pieces, const Pose<D>& X) {
  for (auto& facet : pieces.facets) {
    facet.plane = X * facet.plane;
    for (Vec<D>& x : facet.loop) x = X * x;
  }
}

}  // namespace

template <int D>
IntersectionVolume<D> find_intersection(const Placed<D>& A, const Placed<D>& B, const Vec<D>& reference) {
  assert(A.polytope && B.polytope);
  if (are_far_apart(A, B)) return {};
  const CutPair<D> pair = cut_pair(A, B);
  const auto sums = clipped_sums<D>(*pair.body.polytope, cutting_planes(pair), kFlatness * pair_size(A, B));
  return in_world<D>(sums, pair.body.X_WB, reference, pair.swapped ? -1 : 1);
}

template <int D>
ConvexPieces<D> intersect(const Placed<D>& A, const Placed<D>& B) {
  assert(A.polytope && B.polytope);
  if (are_far_apart(A, B)) return {};
  const CutPair<D> pair = cut_pair(A, B);
  auto pieces = clipped<D>(*pair.body.polytope, cutting_planes(pair), kFlatness * pair_size(A, B));
  move_to_world(pieces, pair.body.X_WB);
  if (!pair.swapped) return pieces;
  const int of_A = A.polytope->facet_count(), of_B = B.polytope->facet_count();
  for (auto& facet : pieces.facets) facet.source += facet.source < of_B ? of_A : -of_B;
  return pieces;
}

template <int D>
IntersectionVolume<D> find_intersection(const Placed<D>& A, const Plane<D>& below, const Vec<D>& reference) {
  assert(A.polytope && is_unit(below.normal));
  const Plane<D> plane = A.X_WB.inverse() * below;
  const auto sums = clipped_sums<D>(*A.polytope, {&plane, 1}, kFlatness * A.polytope->size());
  return in_world<D>(sums, A.X_WB, reference, 1);
}

template <int D>
ConvexPieces<D> intersect(const Placed<D>& A, const Plane<D>& below) {
  assert(A.polytope && is_unit(below.normal));
  const Plane<D> plane = A.X_WB.inverse() * below;
  auto pieces = clipped<D>(*A.polytope, {&plane, 1}, kFlatness * A.polytope->size());
  move_to_world(pieces, A.X_WB);
  return pieces;
}

template IntersectionVolume<2> find_intersection(const Placed<2>&, const Placed<2>&, const Vec<2>&);
template IntersectionVolume<2> find_intersection(const Placed<2>&, const Plane<2>&, const Vec<2>&);
template ConvexPieces<2> intersect(const Placed<2>&, const Placed<2>&);
template ConvexPieces<2> intersect(const Placed<2>&, const Plane<2>&);
template IntersectionVolume<3> find_intersection(const Placed<3>&, const Placed<3>&, const Vec<3>&);
template IntersectionVolume<3> find_intersection(const Placed<3>&, const Plane<3>&, const Vec<3>&);
template ConvexPieces<3> intersect(const Placed<3>&, const Placed<3>&);
template ConvexPieces<3> intersect(const Placed<3>&, const Plane<3>&);

}  // namespace touchstone
