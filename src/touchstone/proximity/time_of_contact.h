#pragma once
// When do two moving shapes first touch? Conservative advancement along the paths of their bodies
// [TrueRigidity eq. 4]: along the normal n of its gap g a pair does not close by more than closing(n) within
// the step, so it is still apart after the fraction g / closing(n) of the step.

#include "touchstone/math/path.h"
#include "touchstone/proximity/gap.h"

namespace touchstone {

/// A part that moves with its body.
template <int D>
struct MovingShape {
  const Shape<D>* shape = nullptr;
  const Path<D>* path = nullptr;
  Pose<D> X_CS;  ///< in the frame at the body's centre of mass

  PlacedShape<D> at(double t) const { return {shape, path->at(t) * X_CS}; }
};

template <int D>
struct MovingPair {
  MovingShape<D> A, B;
  double turning = 0;  ///< [m] In the fraction t of the step no point moves by more than t times this in
                       ///< turning: of A about its body's centre of mass and of B about its, together.

  /// [m] In the fraction t of the step the pair closes by at most t times this along n, from B to A. Sliding
  /// across n does not count.
  double closing(const Vec<D>& n) const;
  /// The same for the fraction t before an instant.
  double closing_before(const Vec<D>& n) const { return closing(-n); }
};

struct AdvancementSettings {
  double depth = 0;  ///< [m] an overlap of more than this counts as contact; not negative
  double skip =
      0;  ///< [m] an overlap of no more than this may be missed; positive, or kissing takes for ever
  double from = 0, until = 1;  ///< fractions of the step before and after which there is none deeper
};

/// The first contact lies between `apart` and `closed` (fractions of the step).
struct TimeOfContact {
  enum class Status {
    apart,     ///< no overlap deeper than `skip` all the way
    meets,     ///< deeper than `depth` at `closed`, and not at `apart`
    undecided  ///< apart up to `apart`; the pair moves by thousands of its sizes and was not followed further
  };
  Status status = Status::apart;
  double apart = 0, closed = 1;
};

/// `memory` is changed as by find_gap().
template <int D>
TimeOfContact find_time_of_contact(const MovingPair<D>& pair, const AdvancementSettings& settings,
                                   GapMemory<D>& memory);

/// Halves the bracket until it is a 2^-14 of what it was; where the pair is deeper than `depth` at its end
/// and not at its beginning, so it is afterwards. Returns its beginning.
template <int D>
double refine_time_of_contact(const MovingPair<D>& pair, TimeOfContact bracket, double depth,
                              GapMemory<D>& memory);

/// Where the pair touches within the bracket: the last instant, to round-off, before which it is apart. The
/// gap must not be below zero at the bracket's beginning, and be below zero at its end.
template <int D>
double locate_contact(const MovingPair<D>& pair, const TimeOfContact& bracket, GapMemory<D>& memory);

}  // namespace touchstone
