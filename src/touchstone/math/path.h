#pragma once
// Where a body is at any fraction of a step. Sweeps, passes, time of contact and the end of the step all ask
// this struct, so they all see the same way.
//
//     t = 0 o~~~~~~~~~~~~~o~~~~~~~~~o t = 1      the centre moves straight and evenly, or on a parabola;
//            stretch 1     stretch 2             in each stretch the body turns evenly about one axis
//
// One stretch is enough unless the body turns by more than a part of a radian within the step.

#include <algorithm>
#include <cassert>
#include <vector>

#include "touchstone/math/attitude.h"
#include "touchstone/math/twist.h"

namespace touchstone {

/// Turning evenly about one axis, from where the last stretch ended up to the fraction `until` of the step.
template <int D>
struct Stretch {
  double until = 1;
  Attitude<D> from;  ///< at its beginning
  Spin<D> turn;      ///< [rad] rotation vector of the whole stretch, world axes
};

template <int D>
struct Path {
  Vec<D> centre = Vec<D>::Zero();        ///< [m] of mass, at the start of the step
  Attitude<D> attitude;                  ///< at the start
  Twist<D> velocity = Twist<D>::Zero();  ///< linear: the mean over the step; angular: at its start
  double h = 0;                          ///< [s] length of the step
  Spin<D> turn = Spin<D>::Zero();        ///< [rad] of the first stretch
  Attitude<D> end;                       ///< the attitude at the end of the step
  std::vector<Stretch<D>> stretches;     ///< empty: a single one
  /// [m/s^2] of the centre, constant; zero unless the body falls freely through the step.
  Vec<D> acceleration = Vec<D>::Zero();

  /// The chord from start to end, less the sag of the parabola, which is zero at both.
  Vec<D> centre_at(double t) const {
    return centre + (t * h) * linear<D>(velocity) - (0.5 * t * (1 - t) * h * h) * acceleration;
  }
  Attitude<D> attitude_at(double t) const;
  /// The frame at the centre of mass at the fraction t of the step, 0 <= t <= 1; at(1) is where the step
  /// leaves the body, to the bit.
  Pose<D> at(double t) const { return {attitude_at(t).matrix(), centre_at(t)}; }

  Vec<D> shift() const { return h * linear<D>(velocity); }  ///< [m] of the centre
  /// [m/s] of the centre, at the end of the step.
  Vec<D> end_speed() const { return linear<D>(velocity) + (0.5 * h) * acceleration; }
  /// [m] A point at the distance r from the centre leaves the straight line between where it starts and where
  /// it ends by at most this. A point that turns about one axis by the angle a leaves its chord by at most
  /// a^2 r/8, one that turns about several by at most half of its way, both by at most 2 r; a parabola leaves
  /// its chord by at most an eighth of h^2 times the acceleration. `part`: the same for any such part of the
  /// path, and its own chord.
  double bow(double r, double part = 1) const {
    const double a = part * fastest_turn(), time = part * h;
    return std::min(stretches.empty() ? a * a / 8 : a / 2, 2.) * r + time * time / 8 * acceleration.norm();
  }
  /// [rad] The body turns at most by t times this in any part of the step that takes the fraction t of it.
  double fastest_turn() const;
};

template <int D>
Attitude<D> Path<D>::attitude_at(double t) const {
  assert(t >= 0 && t <= 1);
  if (t == 0) return attitude;
  if (t == 1) return end;
  if (stretches.empty()) return attitude.turned(t * turn);
  const auto at = std::upper_bound(stretches.begin(), stretches.end(), t,
                                   [](double time, const Stretch<D>& s) { return time < s.until; });
  assert(at != stretches.end());
  const double from = at == stretches.begin() ? 0 : std::prev(at)->until;
  return at->from.turned((t - from) / (at->until - from) * at->turn);
}

template <int D>
double Path<D>::fastest_turn() const {
  if (stretches.empty()) return turn.norm();
  double fastest = 0, from = 0;
  for (const Stretch<D>& s : stretches) {
    assert(s.until > from && s.until <= 1);
    fastest = std::max(fastest, s.turn.norm() / (s.until - from));
    from = s.until;
  }
  return fastest;
}

/// The path of a body that keeps its velocity: of a scripted body, or of a body that contacts hold.
template <int D>
Path<D> steady_path(const Vec<D>& centre, const Attitude<D>& attitude, const Twist<D>& velocity, double h) {
  assert(h >= 0);
  const Spin<D> turn = h * angular<D>(velocity);
  return {centre, attitude, velocity, h, turn, attitude.turned(turn), {}, Vec<D>::Zero()};
}

}  // namespace touchstone
