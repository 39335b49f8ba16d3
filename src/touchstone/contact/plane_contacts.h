#pragma once
// The model `plane` [plane.md]: one separating plane per pair of parts, chosen by time of impact; contacts at
// the corners of the shadow overlay along its normal; truth is the exact gap at the end of the step, and rows
// are added or linearised anew only after that gap was seen below the tolerance.
//
// A conductor uses it so:
//
//     begin(start);  V = free velocities
//     repeat:  update(end poses of V)  ->  no hit: done;  else solve the equations of set() for V

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "touchstone/contact/contact_model.h"
#include "touchstone/contact/plane_rows.h"
#include "touchstone/math/twist.h"
#include "touchstone/proximity/penetration.h"

namespace touchstone {

struct PlaneSettings {
  double tolerance = 1e-9;   ///< [m] an accepted step has no gap below minus this
  double acceleration = 10;  ///< [m/s^2] of gravity: how far a second-order motion goes in a step
};

/// How a body moves in the step: its centre of mass at the start, and the velocity tried.
template <int D>
struct BodyMotion {
  Vec<D> position;
  Twist<D> velocity;
};

/// The state at the start of the step, and at the end of a motion that is tried.
template <int D>
struct PlaneScene {
  std::span<const ContactShape<D>> shapes;
  std::span<const Pose<D>> start, end;         ///< per shape
  std::span<const BodyMotion<D>> motion;       ///< per body
  std::span<const std::pair<int, int>> pairs;  ///< of shapes (i < j) whose swept boxes meet, sorted
  double h = 0;                                ///< [s]
};

struct PlaneUpdate {
  int hits = 0;           ///< pairs that overlap at the end, or would pass through each other
  int loosened = 0;       ///< pairs whose rows held them further apart than they are
  double lowest_gap = 0;  ///< [m] exact, over all pairs at the end; 0 if there are none
};

template <int D>
class PlaneContacts {
 public:
  explicit PlaneContacts(const PlaneSettings& settings = {}) : settings_(settings) {}

  /// Forgets the rows of the last step; what speeds up queries is kept.
  void begin();
  /// Measures every pair at the end of the motion and adds or renews the rows of those that were hit.
  PlaneUpdate update(const PlaneScene<D>& scene);
  /// Once nothing is hit: renews the rows of pairs that push (`pushes` per contact of set()) though they end
  /// apart.
  int loosen(const PlaneScene<D>& scene, std::span<const double> pushes);
  /// Once nothing is hit, but energy was gained: pairs that push by rows with an offset below zero get
  /// others, of the plane that separates them at the start, none of which is below zero.
  int take_care(const PlaneScene<D>& scene, std::span<const double> pushes);

  const ConstraintSet<D>& set() const { return set_; }

 private:
  struct Row {
    FeaturePair features;
    Vec<D> point, normal;
    double offset;  ///< [m] gap at the end = offset + h G.V, to first order
  };
  struct PairPlane {
    FeaturePair plane;
    Vec<D> normal;
    std::vector<Row> rows;  ///< sorted by features
    int first_contact = 0;  ///< of set_
    bool loosened = false;
    bool careful = false;  ///< only rows that cannot give energy
    double end_gap = 0;
    double level = 0;  ///< [m] the gap that rows aim at: that of the start where it is below zero
    int renewals = 0;
  };
  struct Memory {
    GapMemory<D> start, end;
  };
  struct PairView;

  PairView view_of(const PlaneScene<D>& scene, int i, int j);
  bool is_hit(PairView& view, const PairPlane* plane, double end_gap);
  double second_order(const PairView& view) const;
  double shallow_pass(const PairView& view) const;
  double level_of(PairView& view) const;
  double push_of(const PairPlane& plane, std::span<const double> pushes) const;
  bool is_near(PairView& view, double end_gap) const;
  bool add_near_rows(PairView& view);
  bool passes_through(PairView& view);
  void choose(PairView& view, PairPlane& plane);
  void renew(PairView& view, PairPlane& plane);
  double time_of_contact(const PairView& view) const;
  double separation(const PairAt<D>& at, const SeparatingAxis<D>& plane) const;
  double safe_time(PairView& view, PairPlane& plane);
  bool gives_energy(const PairPlane& plane, std::span<const double> pushes) const;
  void add_start_rows(PairView& view, PairPlane& plane);
  void find_corners_at(PairView& view, PairPlane& plane, double t);
  void put_corners(PairPlane& plane, bool safe);
  bool move_along_path(const PairView& view, PlaneCorner<D>& corner) const;
  void put(PairPlane& plane, const Row& row);
  void rebuild(const PlaneScene<D>& scene);

  PlaneSettings settings_;
  std::map<std::pair<int, int>, PairPlane> planes_;
  std::map<std::pair<int, int>, Memory> memory_;
  bool first_update_ = true;
  ConstraintSet<D> set_;
  std::vector<PlaneCorner<D>> corners_;
};

extern template class PlaneContacts<2>;
extern template class PlaneContacts<3>;

}  // namespace touchstone
