#pragma once
// The gap of two bodies: their signed distance, with the direction in which it grows fastest.
//
//   disjoint     gap = the Euclidean distance
//   overlapping  gap = -(minimum translational distance)
//   normal       unit, in the world, from B to A: moving A by -gap along it makes the bodies kiss
//
// Every answer carries a lower and an upper bound of the true gap, found in different ways; where they do
// not meet, the full separating-axis test or all pairs of features decide. The bounds are computed in double
// precision like all else: each may be off by kGapError sizes of the larger body (docs/notes/accuracy.md has
// the measured worst case), also where they are equal.

#include <array>
#include <memory>
#include <vector>

#include "touchstone/math/tolerance.h"
#include "touchstone/proximity/placed.h"

namespace touchstone {

/// Round-off may change a gap and its bounds by this share of a length: the size of the larger body or, if it
/// is larger, the distance of the bodies' origins; for spheres and half-spaces also their distance from the
/// origin of the world.
inline constexpr double kGapError = 1e-14;

template <int D>
struct Gap {
  Status status = Status::disjoint;
  double gap = 0;                       ///< [m] negative when overlapping
  Vec<D> normal = Vec<D>::Unit(D - 1);  ///< from B to A
  bool normal_is_unique = true;         ///< false: other normals serve as well, see `candidates`
  std::vector<Vec<D>> candidates;       ///< all normals of the same gap, when it is not unique; clustered
  Vec<D> point_A = Vec<D>::Zero();      ///< a point of A and one of B that show the gap, in the world:
  Vec<D> point_B = Vec<D>::Zero();      ///<   normal . (point_A - point_B) = gap
  FeaturePair features;                 ///< features that hold these points (not the most general ones)
  double lower = 0, upper = 0;          ///< [m] bounds of the gap, each true to round_off
  double round_off = 0;                 ///< [m] of the gap and of each bound, at most: see kGapError
  bool has_points = true;  ///< false: GapSettings asked for none, and point_A, point_B say nothing
};

struct GapSettings {
  double touching = kTouching;  ///< [sizes of the larger body]
  bool find_candidates = true;  ///< look for all normals when bodies touch or overlap
  bool find_points = true;      ///< find point_A and point_B also when bodies overlap; manifolds need them
};

template <int D>
struct Expansion;  // proximity/expansion.h: the inner polytope of the Minkowski difference

/// What a pair of bodies remembers from one query to the next. It makes the next query fast; it never
/// changes what the answer is beyond round-off. A memory of bodies with other numbers of vertices or edges
/// is forgotten when it is used.
template <int D>
struct GapMemory {
  bool valid = false;
  Status status = Status::disjoint;
  FeaturePair features;
  Vec<D> normal = Vec<D>::Unit(D - 1);  ///< in the frame of A
  std::shared_ptr<Expansion<D>> expansion;
  std::array<int, 4> counts{};  ///< vertices and edges of A, of B: what the numbers of features refer to
};

/// How two convex polytopes lie to each other. `memory` may be null. Throws std::invalid_argument for poses
/// that are none (math/pose_check.h).
template <int D>
Gap<D> find_gap(const Placed<D>& A, const Placed<D>& B, GapMemory<D>* memory = nullptr,
                const GapSettings& settings = {});

/// The same for any two shapes; two half-spaces are refused with std::invalid_argument, for their
/// gap is not bounded unless they are parallel.
template <int D>
Gap<D> find_gap(const PlacedShape<D>& A, const PlacedShape<D>& B, GapMemory<D>* memory = nullptr,
                const GapSettings& settings = {});

}  // namespace touchstone
