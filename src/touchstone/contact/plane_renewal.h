#pragma once
// Which plane a pair gets in the model `plane`, and which rows along it. Inside contact only.
//
// Rows come from the pose of an instant t of the motion that is tried: levers of the start, normal halfway to
// that pose, offset such that the motion gives the height seen there.
//
//     t = 0     rows of the start: their offsets are gaps, and they never give energy
//     t = 1     rows of the end: what overlaps there is corrected to first order, renewal by renewal
//     between   for pairs that met and parted again within the step

#include "touchstone/contact/plane_state.h"

namespace touchstone {

template <int D>
class PlaneRenewal {
 public:
  PlaneRenewal(double tolerance, PlaneRule rule) : tolerance_(tolerance), rule_(rule) {}

  /// The motion that is tried is no longer the first one.
  void end_first_try() { first_try_ = false; }

  /// Rows for a pair that has none and is hit.
  void add(const PlanePair<D>& pair, PairState<D>& state);
  /// Start rows for a pair that is near without being hit; false: no plane serves, and it has none.
  bool add_near(const PlanePair<D>& pair, PairState<D>& state);
  /// Rows of the motion tried now.
  void renew(const PlanePair<D>& pair, PairState<D>& state);
  /// Rows of the motion tried for a pair that it does not hit, because it hits others in the same plane.
  void follow(const PlanePair<D>& pair, PairState<D>& state);
  /// For a pair whose rows gave energy: it no longer recovers or aims above; or else, if it did neither, it
  /// gets rows of the start's plane, with no offset below zero.
  void restrain(const PlanePair<D>& pair, PairState<D>& state);

 private:
  void add_plane(const PlanePair<D>& pair, PairState<D>& state);
  void set_level(const PlanePair<D>& pair, PairState<D>& state, bool recover);
  SeparatingAxis<D> start_plane(const PlanePair<D>& pair, PairState<D>& state) const;
  SeparatingAxis<D> choose(const PlanePair<D>& pair, PairState<D>& state) const;
  bool would_hold_back(const PlanePair<D>& pair);
  void find_nearest_corners(const PlanePair<D>& pair, PairPlane<D>& plane);
  void add_start_rows(const PlanePair<D>& pair, PairState<D>& state);
  void anticipate(PairState<D>& state);
  double level_of(const PairPlane<D>& plane, const PlaneCorner<D>& corner) const;
  double safe_time(const PlanePair<D>& pair, PairPlane<D>& plane);
  void find_corners_at(const PlanePair<D>& pair, PairPlane<D>& plane, double t);
  void put_corners(PairPlane<D>& plane, bool safe);

  double tolerance_;  ///< [m]
  PlaneRule rule_;
  bool first_try_ = true;
  // Scratch memory, kept from step to step: to let it grow anew cost a twentieth of the time of small scenes.
  // What it holds is never read before it is written.
  struct Scratch {
    OverlayFinder<D> overlay;
    std::vector<PlaneCorner<D>> corners;
  };
  static Scratch& scratch() {
    thread_local Scratch scratch;
    return scratch;
  }
  std::vector<PlaneCorner<D>>& corners() { return scratch().corners; }
};

}  // namespace touchstone
