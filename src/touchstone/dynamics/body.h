#pragma once
// Rigid bodies: what they weigh, where they are, how they move.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "touchstone/math/attitude.h"
#include "touchstone/math/twist.h"

namespace touchstone {

/// Pairs of bodies (i < j), sorted.
using BodyPairs = std::vector<std::pair<int, int>>;

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

/// [N m s] about the centre of mass, world axes, of the body if it turned with w [rad/s]. Of a rod it is more
/// exact than world_inertia() w, whose entries are rounded to digits of the largest moment.
Spin<2> angular_momentum(const Body<2>& body, const Spin<2>& w);
Spin<3> angular_momentum(const Body<3>& body, const Spin<3>& w);

}  // namespace touchstone
