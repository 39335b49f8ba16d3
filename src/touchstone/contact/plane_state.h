#pragma once
// What the model `plane` knows of a pair of parts: what it remembers from step to step, and its plane and
// rows in this step. Inside contact only.

#include <optional>
#include <vector>

#include "touchstone/contact/plane_pair.h"

namespace touchstone {

/// A pair's gap, and where its parts were when it was measured.
template <int D>
struct Sighting : GapAlong<D> {
  Pose<D> X_WA, X_WB;
  bool overlaps = false;
};
/// To the bit.
template <int D>
bool same(const Pose<D>& X, const Pose<D>& Y) {
  return X.R == Y.R && X.p == Y.p;
}

/// What a pair remembers between steps.
template <int D>
struct PairRecord {
  int i = 0, j = 0;  ///< parts
  PairSizes<D> sizes;
  GapMemory<D> start_memory, end_memory;
  std::optional<FeaturePair> plane;    ///< of an earlier step: saves the search where it is still best
  std::optional<Sighting<D>> sighted;  ///< the last one, of any step
};

template <int D>
struct PlaneRow {
  FeaturePair features;
  Vec<D> point, normal;
  double gap;     ///< [m] at the start of the step, along the normal
  double offset;  ///< [m] gap at the end = offset + h G.V, to first order
};

/// The plane of a pair and its rows, for one step.
template <int D>
struct PairPlane {
  FeaturePair plane;
  Vec<D> normal;
  std::vector<PlaneRow<D>> rows;             ///< sorted by features
  int first_contact = 0, contact_count = 0;  ///< of the set, as it was made last
  double level = 0;  ///< [m] the gap that rows aim at: that of the start where it is below zero

  bool recovers = false;        ///< the level is above the gap of the start
  bool aims_above = false;      ///< rows ask for more than the level, which can give energy
  bool may_aim_above = true;    ///< until that has given energy
  bool from_first_try = false;  ///< its rows are those of the first motion that was tried
  bool takes_only = false;      ///< every row has an offset >= 0, and cannot give energy
  bool shared = false;          ///< other pairs of the same bodies lie in it
  bool loosened = false;        ///< its rows were renewed because they pushed though the pair ends apart

  int renewals = 0;
  double last_error = 0;   ///< [m] of the end's gap, before the last renewal; 0: there was none
  double last_factor = 0;  ///< by which the renewal before that had lessened the error

  /// Is it held together with the other pairs of its plane? Where that does not settle soon, each pair goes
  /// its own way.
  bool goes_with_others() const {
    constexpr int kTogether = 8;  // renewals
    return shared && renewals < kTogether;
  }
};

/// A pair in this step.
template <int D>
struct PairState {
  PairRecord<D> record;
  std::optional<Sighting<D>> sighted_before;  ///< what was known of it before the step began
  std::optional<GapAlong<D>> start_gap;
  std::optional<PairPlane<D>> plane;
  std::optional<double> end_gap;  ///< [m] when it was measured last
  Vec<D> end_normal;              ///< of that gap
  bool measured = false;          ///< the end gap is that of the motion that is tried now
  bool passed = false;            ///< apart at both ends of the step, but not between
  int island = 0;                 ///< the first body of those that may meet, directly or through others

  explicit PairState(const PairRecord<D>& known) : record(known), sighted_before(known.sighted) {}

  bool has_planes() const { return record.sizes.has_planes; }
  /// [m] A gap at the end of the step that is not below this is let be. Half of what is left to the
  /// tolerance: gaps can creep towards it and never beyond. Bodies that started deeper in each other do not
  /// sink further. Pairs that share a plane are held more tightly, in the first renewals: they keep their
  /// gaps together, and who carries the load is not decided by errors of the step.
  double lowest_allowed(double tolerance) const {
    constexpr double kStill = 0.05;  // [tolerances] how far they may by the errors of one step
    constexpr double kTight = 1e-3;  // [tolerances]
    constexpr int kTightly = 3;      // renewals
    const double level = plane ? plane->level : 0;
    if (plane && plane->shared && plane->renewals < kTightly) return level - kTight * tolerance;
    return level > -tolerance ? 0.5 * (level - tolerance) : level - kStill * tolerance;
  }
};

/// Do their normals agree but for what a step may turn them by?
template <int D>
bool lie_in_one_plane(const PairPlane<D>& x, const PairPlane<D>& y) {
  constexpr double kParallel = 1e-6;  // 1 - cosine
  return x.normal.dot(y.normal) >= 1 - kParallel;
}

/// Mostly that of the last step's end, where the bodies stand to the last bit as they did then.
template <int D>
const GapAlong<D>& start_gap(const PlanePair<D>& pair, PairState<D>& state);

/// Does the plane keep the pair apart there, but for the tolerance?
template <int D>
bool separates(const PairAt<D>& at, const PairPlane<D>& plane, double tolerance);

}  // namespace touchstone
