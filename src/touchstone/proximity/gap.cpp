// The gap of two convex polytopes: walk, measure, prove; where the proof fails, take the slower road.
//
//   walk (V-Clip)  --closest-->  upper bound: distance of the closest points
//                                lower bound: s(n), the separation along their direction; equal? done
//        |                                                             |
//   penetrating or undecided                                      not equal, or touching with
//        |                                                       a normal that may not be unique
//        +--------------> largest separation over all axes <-----------+
//                          overlapping / touching: that is the gap
//                          disjoint after all: walk again from its features, or all pairs
//
// A remembered pair that overlaps is first looked at where it was last: a facet that proves the depth alone
// (facet_proof.h) saves both the walk and the axes.

#include "touchstone/proximity/gap.h"

#include <cassert>
#include <cmath>

#include "touchstone/math/checks.h"
#include "touchstone/proximity/closest_features.h"
#include "touchstone/proximity/expansion.h"
#include "touchstone/proximity/facet_proof.h"
#include "touchstone/proximity/normals.h"
#include "touchstone/proximity/penetration.h"
#include "touchstone/proximity/require_pose.h"
#include "touchstone/proximity/separation.h"

namespace touchstone {
namespace {

/// [sizes] A contact this far from every border has one normal, whatever the tolerances.
constexpr double kClearlyInside = 1e-6;

/// [sizes] Closer than this, the difference of the closest points is a poor direction.
constexpr double kNear = 1e-3;

/// What a query works with, in the frame of A.
template <int D>
struct Query {
  const Polytope<D>& A;
  const Polytope<D>& B;
  Pose<D> X_AB;
  GapSettings settings;
  double size;  ///< [m] of the larger body
  GapMemory<D>* memory;

  PairInFrameA<D> pair() const { return {A, B, X_AB}; }
  double touching() const { return settings.touching * size; }
  double certified() const { return kCertified * size; }
  /// [m] As PenetrationSettings has it: bodies that touch are those whose normals may tie.
  double tie() const { return settings.find_candidates ? touching() : -1; }
};

template <int D>
Status status_of(const Query<D>& q, double gap) {
  return gap > q.touching() ? Status::disjoint : gap < -q.touching() ? Status::overlapping : Status::touching;
}

/// The gap that a walk's end shows, with its lower bound.
template <int D>
Gap<D> measure_walk(const Query<D>& q, const ClosestFeatures<D>& walk) {
  assert(walk.end == WalkEnd::closest);
  Gap<D> g;
  g.features = walk.features;
  g.point_A = walk.point_A;
  g.point_B = walk.point_B;
  const Vec<D> apart = walk.point_A - walk.point_B;
  g.normal = feature_normal<D>(q.pair(), walk.features, apart);
  const SupportPair at{vertex_of(q.A, walk.features.a), vertex_of(q.B, walk.features.b)};
  g.lower = g.normal.dot(q.pair().difference(q.pair().supports(g.normal, at)));
  // A vertex over a face may be a round-off below it: the height has a sign, the distance has not.
  const double height = g.normal.dot(apart);
  g.upper = height < 0 ? height : apart.norm();
  g.gap = g.upper;
  const bool near = g.upper > 0 && g.upper < kNear * q.size;
  if (near && g.upper - g.lower > q.certified()) refine_normal<D>(q.pair(), g);
  return g;
}

template <int D>
Gap<D> gap_of_penetration(const Query<D>& q, const Penetration<D>& penetration) {
  Gap<D> g;
  assert(penetration.lower <= penetration.upper);
  const SeparatingAxis<D> best = choose_axis<D>(q.pair(), penetration);
  g.gap = penetration.best.separation;
  g.lower = penetration.lower;
  g.upper = penetration.upper;
  g.normal = best.normal;
  g.normal_is_unique = penetration.ties.empty();
  for (const SeparatingAxis<D>& axis : penetration.ties) g.candidates.push_back(axis.normal);
  g.features = best.features;
  g.has_points = q.settings.find_points;
  if (g.has_points) find_witnesses<D>(q.pair(), best, g);
  return g;
}

Expansion<2>* expansion_of(GapMemory<2>*) { return nullptr; }

Expansion<3>* expansion_of(GapMemory<3>* memory) {
  if (!memory) return nullptr;
  if (!memory->expansion) memory->expansion = std::make_shared<Expansion<3>>();
  // A copy of a memory shares it until one of them needs it: then each has its own.
  if (memory->expansion.use_count() > 1) {
    memory->expansion = std::make_shared<Expansion<3>>(*memory->expansion);
  }
  return memory->expansion.get();
}

/// The axes of a pair that overlaps or is about to.
template <int D>
Penetration<D> penetration_of(const Query<D>& q) {
  return find_penetration<D>(q.A, q.B, q.X_AB, {q.tie()}, expansion_of(q.memory));
}

template <int D>
bool bounds_meet(const Query<D>& q, const Gap<D>& g) {
  return g.upper - g.lower <= q.certified();
}

/// Bodies that are disjoint although the walk did not say so: the features of the best axis are near the
/// closest ones; if a walk from there fails as well, every pair is looked at. Should even then the bounds
/// not meet, the gap is the lower one: bodies that may touch are not called disjoint.
template <int D>
Gap<D> gap_of_stubborn_pair(const Query<D>& q, const Penetration<D>& penetration) {
  const FeaturePair start{{FeatureKind::vertex, vertex_of(q.A, penetration.best.features.a)},
                          {FeatureKind::vertex, vertex_of(q.B, penetration.best.features.b)}};
  const ClosestFeatures<D> walk = walk_to_closest_features<D>(q.A, q.B, q.X_AB, start);
  if (walk.end == WalkEnd::closest) {
    const Gap<D> g = measure_walk<D>(q, walk);
    if (bounds_meet<D>(q, g)) return g;
  }
  Gap<D> g = measure_walk<D>(q, search_closest_features<D>(q.A, q.B, q.X_AB));
  if (g.lower < penetration.best.separation - q.certified()) {
    // The direction of two points that nearly meet is worth less than the axis already known.
    g.lower = penetration.best.separation;
    g.normal = penetration.best.normal;
  }
  if (!bounds_meet<D>(q, g)) g.gap = g.lower;
  return g;
}

/// The gap by way of the separating axes. `from_walk`, if given, is a distance that the walk has proved.
template <int D>
Gap<D> gap_by_axes(const Query<D>& q, const Gap<D>* from_walk) {
  const Penetration<D> penetration = penetration_of<D>(q);
  const double separation = penetration.best.separation;
  if (separation > q.touching()) return gap_of_stubborn_pair<D>(q, penetration);
  Gap<D> g = gap_of_penetration<D>(q, penetration);
  if (separation <= 0) return g;
  // Touching from outside: near a corner the distance exceeds the separation along any facet's normal.
  Gap<D> outside = from_walk ? *from_walk : gap_of_stubborn_pair<D>(q, penetration);
  outside.lower = std::max(separation, outside.lower);
  outside.upper = std::max(outside.lower, outside.upper);
  outside.gap = std::max(outside.lower, outside.gap);
  if (outside.gap > q.touching()) return outside;
  g.gap = outside.gap;
  g.lower = outside.lower;
  g.upper = outside.upper;
  return g;
}

/// Is the normal of a pair that touches beyond doubt? Yes for a vertex well inside a face and for edges that
/// cross well inside both; everything else is left to the axes.
template <int D>
bool proves_normal(const Query<D>& q, const Gap<D>& g) {
  return is_interior_contact<D>(q.pair(), g, kClearlyInside * q.size);
}

/// The axis of the last answer, as it separates now.
template <int D>
SeparatingAxis<D> last_axis(const Query<D>& q) {
  assert(q.memory && q.memory->valid);
  return follow_axis<D>(q.pair(), q.memory->features, q.memory->normal);
}

/// The gap of a pair that overlaps, or is about to, from an axis that was the best one lately.
template <int D>
Gap<D> gap_near_axis(const Query<D>& q, const SeparatingAxis<D>& near) {
  const auto proved = prove_near_facet<D>(q.pair(), near, q.tie());
  return proved ? gap_of_penetration<D>(q, *proved) : gap_by_axes<D>(q, nullptr);
}

template <int D>
Gap<D> gap_in_frame_A(const Query<D>& q) {
  const bool warm = q.memory && q.memory->valid;
  if (warm && q.memory->status == Status::overlapping) {
    const SeparatingAxis<D> last = last_axis<D>(q);
    if (last.separation <= 0) {
      const Gap<D> g = gap_near_axis<D>(q, last);
      if (g.gap < 0 || bounds_meet<D>(q, g)) return g;
    }
  }
  const FeaturePair start = warm ? q.memory->features : facing_vertices<D>(q.A, q.B, q.X_AB);
  const ClosestFeatures<D> walk = walk_to_closest_features<D>(q.A, q.B, q.X_AB, start);
  if (walk.end != WalkEnd::closest) {
    return warm ? gap_near_axis<D>(q, last_axis<D>(q)) : gap_by_axes<D>(q, nullptr);
  }
  const Gap<D> g = measure_walk<D>(q, walk);
  const bool proved = bounds_meet<D>(q, g);
  if (proved && (g.gap > q.touching() || !q.settings.find_candidates || proves_normal<D>(q, g))) return g;
  return gap_by_axes<D>(q, proved ? &g : nullptr);
}

template <int D>
void remember(const Query<D>& q, const Gap<D>& g) {
  if (!q.memory) return;
  q.memory->valid = true;
  q.memory->status = g.status;
  q.memory->features = g.features;
  q.memory->normal = g.normal;
}

template <int D>
void forget_other_pair(const Polytope<D>& A, const Polytope<D>& B, GapMemory<D>& memory) {
  assert(!memory.valid || is_unit(memory.normal));
  const std::array<int, 4> counts{A.vertex_count(), A.edge_count(), B.vertex_count(), B.edge_count()};
  if (memory.counts == counts) return;
  memory = {};
  memory.counts = counts;
}

}  // namespace

template <int D>
Gap<D> find_gap(const Placed<D>& A, const Placed<D>& B, GapMemory<D>* memory, const GapSettings& settings) {
  assert(A.polytope && B.polytope);
  require_pose(A.X_WB, "A");
  require_pose(B.X_WB, "B");
  if (memory) forget_other_pair(*A.polytope, *B.polytope, *memory);
  const Query<D> q{*A.polytope, *B.polytope,     relative_pose(A.X_WB, B.X_WB),
                   settings,    pair_size(A, B), memory};
  Gap<D> g = gap_in_frame_A<D>(q);
  g.round_off = kGapError * std::max(q.size, q.X_AB.p.norm());
  g.status = status_of<D>(q, g.gap);
  if (g.status == Status::disjoint) {
    g.normal_is_unique = true;
    g.candidates.clear();
  }
  assert(is_unit(g.normal) && g.lower <= g.upper + 2 * g.round_off);
  assert(g.normal_is_unique == g.candidates.empty());
  remember<D>(q, g);
  g.normal = A.X_WB.R * g.normal;
  g.point_A = A.X_WB * g.point_A;
  g.point_B = A.X_WB * g.point_B;
  for (Vec<D>& n : g.candidates) n = A.X_WB.R * n;
  return g;
}

template Gap<2> find_gap(const Placed<2>&, const Placed<2>&, GapMemory<2>*, const GapSettings&);
template Gap<3> find_gap(const Placed<3>&, const Placed<3>&, GapMemory<3>*, const GapSettings&);

}  // namespace touchstone
