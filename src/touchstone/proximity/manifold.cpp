// The contact manifold, in the plane and in space alike: which vertices touch the contact plane, and how the
// answer is put together. manifold_2d.cpp and manifold_3d.cpp intersect two footprints.

#include "touchstone/proximity/manifold.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include "touchstone/geometry/extremal.h"
#include "touchstone/math/checks.h"
#include "touchstone/proximity/footprint.h"
#include "touchstone/proximity/polytope_parts.h"

namespace touchstone {
namespace {

/// [sizes of the larger body] Points of the contact plane this close are one: above the round-off of poses
/// and projections, below what a manifold may be off.
constexpr double kInPlane = 1e-13;
/// [-] How far a unit normal or a rotation may be off: it shifts the bodies sideways by this much of the gap.
constexpr double kNormalNoise = 32 * std::numeric_limits<double>::epsilon();
/// [-] How far a point of the world may be off, of its distance from the world's origin.
constexpr double kWorldNoise = 8 * std::numeric_limits<double>::epsilon();
/// [bytes] of stack for lists: enough for faces of 30 corners; larger ones take the heap.
constexpr std::size_t kScratchSize = 8192;
/// Up to this many touching vertices, known ones are searched in a list; beyond, they are marked.
constexpr std::size_t kFewVertices = 32;

/// Memory for the lists of one query.
class Scratch {
 public:
  std::pmr::memory_resource* memory() { return &resource_; }

 private:
  alignas(std::max_align_t) std::array<std::byte, kScratchSize> storage_;
  std::pmr::monotonic_buffer_resource resource_{storage_.data(), storage_.size()};
};

/// The contact plane in the frame of A. World positions are subtracted before anything else, so that bodies
/// far from the world's origin lose nothing.
template <int D>
struct ContactFrame {
  Pose<D> X_AB;
  Vec<D> normal, middle;  ///< middle of the gap: the origin of the plane's coordinates
  PlaneAxes<D> axes;

  ContactFrame(const Placed<D>& A, const Placed<D>& B, const Gap<D>& gap)
      : X_AB(relative_pose(A.X_WB, B.X_WB)),
        normal(A.X_WB.R.transpose() * gap.normal),
        middle(A.X_WB.to_local((gap.point_A + gap.point_B) / 2)),
        axes(plane_axes(normal)) {}

  BodyAtPlane<D> place_A(const Placed<D>& A, const Gap<D>& gap) const {
    return {*A.polytope, -normal, middle, axes, gap.gap / 2, true};
  }
  BodyAtPlane<D> place_B(const Placed<D>& B, const Gap<D>& gap) const {
    return {*B.polytope, X_AB.R.transpose() * normal, X_AB.to_local(middle), axes * X_AB.R, gap.gap / 2,
            false};
  }
};

/// A growing list of vertices, each once.
class VertexList {
 public:
  VertexList(int vertex_count, std::pmr::memory_resource* memory) : count_(vertex_count), list_(memory) {
    list_.reserve(kFewVertices);
  }
  void add(int v) {
    assert(is_index(v, count_));
    if (known(v)) return;
    list_.push_back(v);
    if (list_.size() == kFewVertices) {
      marked_.assign(count_, false);
      for (int w : list_) marked_[w] = true;
    } else if (list_.size() > kFewVertices) {
      marked_[v] = true;
    }
  }
  std::size_t size() const { return list_.size(); }
  int operator[](std::size_t i) const { return list_[i]; }
  std::span<const int> sorted() {
    std::sort(list_.begin(), list_.end());
    return list_;
  }

 private:
  bool known(int v) const {
    return marked_.empty() ? std::find(list_.begin(), list_.end(), v) != list_.end() : bool(marked_[v]);
  }

  int count_;
  ScratchVector<int> list_;
  std::vector<bool> marked_;
};

/// The vertices that reach as far as `furthest`, or less far by at most the tolerance [m]. Those of a convex
/// body are joined by edges, so that a walk finds them all.
template <int D>
VertexList touching_vertices(const BodyAtPlane<D>& body, int furthest, double tolerance,
                             std::pmr::memory_resource* memory) {
  assert(is_index(furthest, body.P.vertex_count()) && tolerance >= 0);
  VertexList list(body.P.vertex_count(), memory);
  const double least = body.reach(furthest) - tolerance;
  list.add(furthest);
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (int v : body.P.neighbours(list[i])) {
      if (body.reach(v) >= least) list.add(v);
    }
  }
  return list;
}

struct Tolerances {
  double plane;         ///< [m] between vertices that touch the plane
  double in_plane;      ///< [m] between points of the plane
  double plane_itself;  ///< [m] where the plane lies: world points are rounded

  template <int D>
  Tolerances(const Placed<D>& A, const Placed<D>& B, const Gap<D>& gap, const ManifoldSettings& settings)
      : plane(settings.plane_tolerance * pair_size(A, B)),
        in_plane(kInPlane * pair_size(A, B) + kNormalNoise * std::abs(gap.gap)),
        plane_itself(plane + kWorldNoise * (gap.point_A.norm() + gap.point_B.norm())) {}
};

/// Tolerance is measured from the vertex that reaches furthest, not from the plane: the paper's fall-back 1,
/// "reset the tolerance to the distance of the nearest vertex", would drop the other corners of a face to
/// round-off. It is still told when that vertex is not where the plane is.
template <int D>
class FootprintSearch {
 public:
  FootprintSearch(const Tolerances& tolerances, std::pmr::memory_resource* memory)
      : tolerances_(tolerances), memory_(memory) {}

  Footprint<D> find(const BodyAtPlane<D>& body, const Feature& start) {
    assert(is_unit(body.towards));
    const int furthest = climb_extremal<D>(body.P, body.towards, vertex_of<D>(body.P, start));
    widened_ |= std::abs(body.reach(furthest)) > tolerances_.plane_itself;
    VertexList touching = touching_vertices<D>(body, furthest, tolerances_.plane, memory_);
    return make_footprint(body, touching.sorted(), tolerances_.in_plane, memory_);
  }
  bool widened() const { return widened_; }

 private:
  const Tolerances& tolerances_;
  std::pmr::memory_resource* memory_;
  bool widened_ = false;
};

/// The smallest features that hold all meetings: a polygon fills faces, a segment may lie in edges.
template <int D>
FeaturePair common_features(const Footprint<D>& A, const Footprint<D>& B,
                            const ScratchVector<Meeting<D>>& meetings, double tolerance) {
  assert(!meetings.empty());
  if (meetings.size() > 2) return {A.whole, B.whole};
  const Meeting<D>&first = meetings.front(), &last = meetings.back();
  if (meetings.size() == 1)
    return {feature_at(A, first.on_A, tolerance), feature_at(B, first.on_B, tolerance)};
  return {feature_of_both(A, first.on_A, last.on_A, tolerance),
          feature_of_both(B, first.on_B, last.on_B, tolerance)};
}

}  // namespace

template <int D>
ContactManifold<D> find_manifold(const Placed<D>& A, const Placed<D>& B, const Gap<D>& gap,
                                 const ManifoldSettings& settings) {
  if (!gap.has_points) {
    throw std::invalid_argument(
        "find_manifold: the gap has no points; find it with GapSettings::find_points");
  }
  assert(is_unit(gap.normal));
  Scratch scratch;
  const Tolerances tolerances(A, B, gap, settings);
  const double tolerance = tolerances.in_plane;
  const ContactFrame<D> frame(A, B, gap);
  FootprintSearch<D> search(tolerances, scratch.memory());
  const Footprint<D> on_A = search.find(frame.place_A(A, gap), gap.features.a);
  const Footprint<D> on_B = search.find(frame.place_B(B, gap), gap.features.b);
  const auto meetings = meet(on_A, on_B, tolerance);
  assert(!meetings.empty());

  ContactManifold<D> manifold;
  manifold.plane = {gap.normal, gap.normal.dot((gap.point_A + gap.point_B) / 2)};
  manifold.points.reserve(meetings.size());
  for (const Meeting<D>& m : meetings) {
    const Vec<D> p_A = frame.middle + frame.axes.transpose() * ((m.on_A + m.on_B) / 2);
    const Feature a = feature_at(on_A, m.on_A, tolerance), b = feature_at(on_B, m.on_B, tolerance);
    manifold.points.push_back({A.X_WB * p_A, a, b});
  }
  manifold.features = common_features<D>(on_A, on_B, meetings, tolerance);
  manifold.tolerance_widened = search.widened();
  manifold.midpoint_taken = (meetings[0].on_A - meetings[0].on_B).norm() > tolerance;
  return manifold;
}

template ContactManifold<2> find_manifold(const Placed<2>&, const Placed<2>&, const Gap<2>&,
                                          const ManifoldSettings&);
template ContactManifold<3> find_manifold(const Placed<3>&, const Placed<3>&, const Gap<3>&,
                                          const ManifoldSettings&);

}  // namespace touchstone
