#pragma once
// One pair of parts within a step of the model `plane`: where both are at any fraction of the motion that is
// tried, how fast they close, and which plane keeps them apart. Inside contact only.

#include "touchstone/contact/contact_shape.h"
#include "touchstone/contact/plane_rows.h"
#include "touchstone/math/ball.h"
#include "touchstone/math/path.h"
#include "touchstone/proximity/gap.h"
#include "touchstone/proximity/penetration.h"
#include "touchstone/proximity/time_of_contact.h"

namespace touchstone {

/// What is asked of a gap here.
template <int D>
struct GapAlong {
  double gap;     ///< [m]
  Vec<D> normal;  ///< from B to A
};

/// No point of the part is further from where it was than this.
template <int D>
double largest_shift(const Ball<D>& part, const Pose<D>& from, const Pose<D>& to);

/// What a pair is asked for again and again and what does not change while its bodies are what they are.
template <int D>
struct PairSizes {
  double radius_A = 0, radius_B = 0;  ///< [m] of the furthest points from the centres of mass; half-spaces: 0
  double larger = 0;                  ///< [m] size of the larger part
  double thinner = 0;                 ///< [m] thickness of the thinner part
  Ball<D> ball_A, ball_B;
  bool has_planes = false;  ///< both are polytopes

  PairSizes() = default;
  PairSizes(const ContactShape<D>& A, const ContactShape<D>& B);
};

/// How the two move relative to each other in the motion that is tried.
template <int D>
struct PairMotion {
  const PairSizes<D>& sizes;
  const Path<D>&path_A, &path_B;
  double h = 0;             ///< [s]
  double acceleration = 0;  ///< [m/s^2] of gravity: how far a second-order motion goes in a step
  double tolerance = 0;     ///< [m]

  /// The speed at which A's point over B's at x moves along n, by the levers of the start.
  double closing_rate(const Vec<D>& x, const Vec<D>& n) const;
  /// How the closing rate changes with the point.
  Vec<D> closing_slope(const Vec<D>& n) const;
  double relative_speed() const;  ///< [m/s] of the centres, at most
  double turning_speed() const;
  /// [m] No point moves by more than this in turning, of either part about its body's centre of mass,
  /// together.
  double turning_way() const {
    return path_A.fastest_turn() * sizes.radius_A + path_B.fastest_turn() * sizes.radius_B;
  }
  /// [m] No two points of the pair come nearer by more than this, and in a fraction of the step by that share
  /// of it.
  double way() const { return way(relative_speed()); }
  double way(double speed) const { return h * speed + turning_way(); }  ///< of a relative speed that is known
  /// How far a pair can part within a step by what rows do not see: accelerations and turning [Plane 3].
  double second_order() const { return second_order(relative_speed()); }
  double second_order(double speed) const;
  /// [m] How far bodies may sink into each other on a motion tried in which others do not hold them yet.
  double sinking() const;
  /// [m] How deep an overlap between the ends of the step may be and still count as none: a small part of the
  /// thinner part's thickness, so that nothing passes [docs/contact-models.md].
  double shallow_pass() const;
  /// A direction that separates both ends of the motion but for this lets no deeper pass between them: points
  /// of bodies that turn leave the chords of their paths. Below zero: by more than that.
  double slack_at_ends(double part = 1) const;  ///< of a part of the motion
  /// What lies further apart along n cannot meet in this step, unless others push; then it is seen at the
  /// end.
  OverlaySettings overlay(const Vec<D>& n) const;
};

/// And where they are.
template <int D>
struct PlanePair : PairMotion<D> {
  using Motion = PairMotion<D>;
  using Motion::sizes, Motion::path_A, Motion::path_B, Motion::h, Motion::acceleration, Motion::tolerance;
  using Motion::way, Motion::second_order, Motion::shallow_pass, Motion::slack_at_ends;

  PairAt<D> start, end;
  const ContactShape<D>*shape_A, *shape_B;

  bool has_planes() const { return sizes.has_planes; }
  bool is_round() const;  ///< one is a sphere

  MovingPair<D> moving() const;
  /// Both bodies at the fraction t of the motion.
  PairAt<D> at(double t) const;
  /// Does the normal of the end's gap keep the pair apart all the way, but for a shallow pass?
  bool is_kept_apart_by(const GapAlong<D>& end_gap) const;
  /// If it does not: does that of the start's gap, or the one halfway?
  bool is_kept_apart(const GapAlong<D>& start_gap, const Vec<D>& end_normal) const;
  /// The same for each half of the motion, whose bows are smaller.
  bool is_kept_apart_in_halves(const GapAlong<D>& start_gap, const GapAlong<D>& end_gap,
                               GapMemory<D>& memory) const;
  /// Is the pair deeper in each other at some instant than at either end, by more than a shallow pass?
  bool passes_through(const GapAlong<D>& start_gap, const GapAlong<D>& end_gap, GapMemory<D> memory) const;
  /// The last fraction of the step, to some digits, at which the pair is still no deeper in each other than
  /// at the start, on its way to the first overlap. `passed`: so it is at the end as well.
  double last_time_apart(bool passed, double start_gap, GapMemory<D> memory) const;

  /// The plane of the largest separation. A facet's plane is preferred to that of two edges which separates
  /// no better: the normal of nearly parallel edges is mostly round-off.
  SeparatingAxis<D> best_plane(const PairAt<D>& at) const;
  /// Of the planes that separate at the start, the one that would be crossed last if the separation along
  /// each went steadily from that of the start to that of the end [Plane 3, rule `toi2`].
  SeparatingAxis<D> last_crossed_plane() const;
};

/// How far the pair is apart along n, or by a plane that turns with its features.
template <int D>
double separation_along(const PairAt<D>& at, const Vec<D>& n);
template <int D>
double separation_by(const PairAt<D>& at, const SeparatingAxis<D>& plane);

/// Asks for nothing but the gap and its normal.
GapSettings plain_gap();

extern template struct PairMotion<2>;
extern template struct PairMotion<3>;
extern template struct PlanePair<2>;
extern template struct PlanePair<3>;

}  // namespace touchstone
