#pragma once
// Rigid bodies: what they weigh, where they are, how they move.

#include <functional>
#include <string>

#include "touchstone/math/attitude.h"
#include "touchstone/math/twist.h"

namespace touchstone {

enum class BodyKind {
  dynamic,  ///< moved by forces
  fixed,    ///< never moves
  scripted  ///< moves as its script says, whatever touches it
};

/// The frame of a body is the one its scene gives; `com` is the centre of mass in it. The state is kept at
/// the centre of mass, because there the equations of motion are simple.
template <int D>
struct Body {
  std::string name;
  BodyKind kind = BodyKind::dynamic;
  double mass = 1;                              ///< [kg]
  SpinMat<D> inertia = SpinMat<D>::Identity();  ///< [kg m^2] about the centre of mass, in body axes
  Vec<D> com = Vec<D>::Zero();                  ///< [m] centre of mass in the body frame

  Vec<D> position = Vec<D>::Zero();      ///< [m] of the centre of mass, world
  Attitude<D> attitude;                  ///< of the body axes in the world
  Twist<D> velocity = Twist<D>::Zero();  ///< of the centre of mass, world axes

  Twist<D> force =
      Twist<D>::Zero();  ///< [N; N m] external wrench at the centre of mass, world; gravity is added
  /// Scripted bodies: pose of the body frame at a time [s].
  std::function<Pose<D>(double time)> script;

  bool is_dynamic() const { return kind == BodyKind::dynamic; }
  /// Pose of the frame at the centre of mass that has the body's axes.
  Pose<D> X_WC() const { return {attitude.matrix(), position}; }
  /// Pose of the body frame.
  Pose<D> X_WB() const {
    const Mat<D> R = attitude.matrix();
    return {R, position - R * com};
  }
  void set_X_WB(const Pose<D>& X) {
    attitude = Attitude<D>::from(X.R);
    position = X * com;
  }
  /// Adds a force [N] at a point of the world to the external wrench of the next step.
  void add_force(const Vec<D>& f, const Vec<D>& p_W) { force += point_wrench<D>(p_W - position, f); }
};

/// Inertia in world axes [kg m^2]; in the plane it does not depend on the attitude.
SpinMat<2> world_inertia(const Body<2>& body);
SpinMat<3> world_inertia(const Body<3>& body);

/// [rad] A body that would turn by more than this in one move turns too fast to be followed: its attitude at
/// the end, after hundreds of turns, says nothing about where it was between.
inline constexpr double kLargestTurn = 0x1p10;

/// Moves a dynamic body for h seconds, given the velocity that the step's equations found at its present
/// pose.
///
/// The centre moves straight. The body turns freely about it: angular momentum L is constant in the world,
/// and the mean rotation vector W solves, with pi = R^T L,
///
///     pi+ = exp(-h W) pi,      W = J^-1 (pi + pi+)/2
///
/// so that kinetic energy and L are kept exactly and the attitude is of second order; for W along a principal
/// axis it is exact. This *is* the gyroscopic term, which the thesis forgets [Checked 5, eq. 2.7]: the
/// velocity changes as the inertia turns.
template <int D>
void move_freely(Body<D>& body, const Twist<D>& velocity, double h);

/// The same for a body that contacts hold: it turns steadily, so that each of its points moves as the
/// velocity says, and the change of its angular momentum that this takes,
///
///     T(w) = J w - exp(h w) J w,      w . T(w) = 0,
///
/// is part of the step's equations. `turning` is the T they were solved with.
template <int D>
void move_steadily(Body<D>& body, const Twist<D>& velocity, const Spin<D>& turning, double h);
template <int D>
Spin<D> steady_turning(const Body<D>& body, const Spin<D>& w, double h);

}  // namespace touchstone
