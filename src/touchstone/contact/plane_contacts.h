#pragma once
// The model `plane` [Plane]: one separating plane per pair of parts, chosen by time of impact; contacts at
// the corners of the shadow overlay along its normal; truth is the exact gap at the end of the step, and rows
// are added or linearised anew only after that gap was seen below the tolerance.
//
// A conductor uses it so:
//
//     begin(start);  V = free velocities
//     repeat:  update(end poses of V)  ->  no hit: done;  else solve the equations of set() for V

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "touchstone/contact/contact_model.h"
#include "touchstone/contact/end_closeness.h"
#include "touchstone/contact/plane_pair.h"
#include "touchstone/contact/plane_rule.h"

namespace touchstone {

struct PlaneSettings {
  double tolerance = 1e-9;  ///< [m] an accepted step has no gap below minus this
  PlaneRule rule = PlaneRule::ca;
};

/// The state at the start of the step, and at the end of a motion that is tried.
template <int D>
struct PlaneScene {
  std::span<const ContactShape<D>> shapes;
  std::span<const Pose<D>> start, end;         ///< per shape
  std::span<const BodyMotion<D>> motion;       ///< per body
  std::span<const std::pair<int, int>> pairs;  ///< of shapes (i < j) whose swept boxes meet, sorted
  double h = 0;                                ///< [s]
  double acceleration = 0;                     ///< [m/s^2] of gravity
};

struct PlaneUpdate {
  int hits = 0;           ///< pairs that overlap at the end, or would pass through each other
  int passed = 0;         ///< of these: apart at both ends of the motion, but not between
  double lowest_gap = 0;  ///< [m] exact, over all pairs at the end; 0 if there are none
  EndCloseness ends;      ///< where nothing is hit: of all the scene's pairs
};

template <int D>
class PlaneContacts {
 public:
  explicit PlaneContacts(const PlaneSettings& settings = {}) : settings_(settings) {}
  /// Between steps: what the copy remembers is the same.
  PlaneContacts(const PlaneContacts& other);

  /// Forgets the rows of the last step; what speeds up queries is kept.
  void begin();
  /// Measures every pair at the end of the motion and adds or renews the rows of those that were hit.
  PlaneUpdate update(const PlaneScene<D>& scene);
  /// Once nothing is hit: renews the rows of pairs that push (`pushes` per contact of set()) though they end
  /// apart. Returns how many.
  int loosen(const PlaneScene<D>& scene, std::span<const double> pushes);
  /// Once nothing is hit, but energy was gained: pairs that push by rows with an offset below zero no longer
  /// recover or, if they do not, get others, of the plane that separates them at the start, none below zero.
  int take_care(const PlaneScene<D>& scene, std::span<const double> pushes);

  const ConstraintSet<D>& set() const { return set_; }

 private:
  struct Row {
    FeaturePair features;
    Vec<D> point, normal;
    double offset;  ///< [m] gap at the end = offset + h G.V, to first order
  };
  /// The plane of a pair and its rows, for one step.
  struct PairPlane {
    FeaturePair plane;
    Vec<D> normal;
    std::vector<Row> rows;  ///< sorted by features
    int first_contact = 0;  ///< of set_
    bool loosened = false;
    bool guessed = false;   ///< its rows are those of the first motion that was tried
    bool careful = false;   ///< only rows that cannot give energy
    double level = 0;       ///< [m] the gap that rows aim at: that of the start where it is below zero
    bool recovers = false;  ///< the level is above the gap of the start
    bool above = false;     ///< rows aim above the level, as long as that ...
    bool plain = false;     ///< ... has not given energy
    int renewals = 0;
    double last_error = 0;   ///< [m] of the end's gap, before the last renewal; 0: there was none
    double last_factor = 0;  ///< by which the renewal before that had lessened the error
  };
  /// What a pair's gap was, and where its parts were then.
  struct Sighting : GapAlong<D> {
    Pose<D> X_WA, X_WB;
  };
  struct PairState {
    int i, j;  ///< shapes
    PairSizes<D> sizes;
    GapMemory<D> start_memory, end_memory;
    std::optional<FeaturePair> last_plane;  ///< of an earlier step: saves the search where it is still best
    std::optional<Sighting> seen;           ///< the last one, of any step
    // Of this step:
    std::optional<Sighting> seen_before;  ///< what was seen before it began
    std::optional<GapAlong<D>> start_gap;
    std::optional<PairPlane> plane;
    std::optional<double> end_gap;  ///< [m] when it was measured last
    Vec<D> end_normal;              ///< of that gap
    bool measured = false;          ///< the end of the motion that is tried now is the one it was measured at
    bool passed = false;            ///< apart at both ends of the step, but not between
  };

  void match_pairs(const PlaneScene<D>& scene);
  PairMotion<D> motion_of(const PlaneScene<D>& scene, const PairState& state) const;
  PlanePair<D> pair_of(const PlaneScene<D>& scene, const PairState& state) const;
  bool stays_away(const PlaneScene<D>& scene, const PairState& state, double& at_least) const;
  void measure_end(const PlaneScene<D>& scene, PairState& state, EndCloseness& ends);
  void bring_up_to_date(const PlaneScene<D>& scene, PairState& state);
  const GapAlong<D>& start_gap(const PlanePair<D>& pair, PairState& state) const;

  bool evaluate(const PlaneScene<D>& scene, PairState& state);
  double lowest_allowed(const PairState& state) const;
  bool separates(const PairAt<D>& at, const PairPlane& plane) const;
  bool is_clear(const PairMotion<D>& motion, const PairState& state, double gap) const;
  bool is_hit(const PlanePair<D>& pair, PairState& state) const;
  bool is_near(const PlanePair<D>& pair, PairState& state) const;
  void set_level(const PlanePair<D>& pair, PairState& state, bool recover);
  void add_plane(const PlanePair<D>& pair, PairState& state);
  bool add_near_rows(const PlanePair<D>& pair, PairState& state);
  SeparatingAxis<D> start_plane(const PlanePair<D>& pair, PairState& state) const;
  SeparatingAxis<D> choose(const PlanePair<D>& pair, PairState& state) const;

  void add_first_rows(const PlanePair<D>& pair, PairState& state);
  void add_start_rows(const PlanePair<D>& pair, PairState& state);
  void renew(const PlanePair<D>& pair, PairState& state);
  void anticipate(PairState& state);
  double safe_time(const PlanePair<D>& pair, PairPlane& plane);
  void find_corners_at(const PlanePair<D>& pair, PairPlane& plane, double t);
  void put_corners(PairPlane& plane, bool safe);
  void put(PairPlane& plane, const Row& row);
  double push_of(const PairPlane& plane, std::span<const double> pushes) const;
  bool gives_energy(const PairPlane& plane, std::span<const double> pushes) const;
  void rebuild(const PlaneScene<D>& scene);

  PlaneSettings settings_;
  std::vector<std::unique_ptr<PairState>> pairs_;  ///< sorted by shapes
  std::vector<PairState*> swept_;                  ///< those of the scene's pairs
  bool first_update_ = true;
  ConstraintSet<D> set_;
  OverlayFinder<D> overlay_;
  std::vector<PlaneCorner<D>> corners_;
};

extern template class PlaneContacts<2>;
extern template class PlaneContacts<3>;

}  // namespace touchstone
