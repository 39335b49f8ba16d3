#pragma once
// Joints between two bodies, or between a body and the world.
//
// Each body carries a joint frame. A joint demands that some coordinates of the frame J_B on body B, seen
// from the frame J_A on body A, vanish; the rest are its degrees of freedom ("values"):
//
//   kind         values                                in the plane
//   fixed        none                                  none
//   revolute     angle about z                         angle
//   prismatic    way along z                           way along x
//   cylindrical  way along z, angle about z            -
//   spherical    three angles (rotation vector)        -
//   universal    angle about x of A, about y of B      -
//   planar       ways along x and y, angle about z     -

#include <limits>
#include <string>
#include <vector>

#include "touchstone/dynamics/body.h"
#include "touchstone/dynamics/row.h"

namespace touchstone {

enum class JointKind { fixed, revolute, prismatic, cylindrical, spherical, universal, planar };

/// A spring and a damper towards a moving target, for the next step. They are taken at the end of the step,
///     force = kp (target - value) + kd (rate of the target - rate),
/// which no gain makes unstable.
struct Servo {
  double kp = 0, kd = 0;                                       ///< [N/m or N m/rad], [N s/m or N m s/rad]
  double target = 0;                                           ///< [m or rad] at the end of the step
  double rate = 0;                                             ///< [m/s or rad/s] of the target
  double max_force = std::numeric_limits<double>::infinity();  ///< [N or N m]
};

/// Of one degree of freedom.
struct JointAxis {
  double lower = -std::numeric_limits<double>::infinity();  ///< [m or rad] limits of the value
  double upper = std::numeric_limits<double>::infinity();
  double bounce = 0;      ///< Newton's restitution of the limits; only runs to an accuracy know it
  double damping = 0;     ///< [N s/m or N m s] force per rate, against the motion
  bool motor = false;     ///< hold the rate at motor_rate as far as motor_force allows
  double motor_rate = 0;  ///< [m/s or rad/s]
  double motor_force = std::numeric_limits<double>::infinity();  ///< [N or N m] at most
  double force = 0;  ///< [N or N m] set by the user or a controller; acts along the value in the next step
  std::vector<Servo> servos = {};  ///< set by controllers; they act in the next step, too
};

template <int D>
struct Joint {
  std::string name;
  JointKind kind = JointKind::fixed;
  int body_A = -1, body_B = -1;  ///< index of the body; -1: the world
  Pose<D> X_AJ, X_BJ;            ///< joint frames in the body frames (world: in the world)
  std::vector<JointAxis> axes;   ///< one per value; sized by axis_count()
  bool collide = false;          ///< may the two bodies touch each other?
  std::vector<double> value;     ///< as last measured; angles keep count of full turns
};

/// How many values a joint of this kind has; throws std::invalid_argument where the plane has no such joint.
template <int D>
int axis_count(JointKind kind);

/// Is the value an angle that is continued over full turns?
template <int D>
bool is_angle(JointKind kind, int axis);

/// The joint's equations at the present poses: C = 0 for each, with dC/dt = row . velocity.
template <int D>
struct JointEquations {
  std::vector<Row<D>> rows;  ///< offset = C [m or rad]
  std::vector<Row<D>> axes;  ///< one per value; offset = the value, dvalue/dt = row . velocity
};
template <int D>
JointEquations<D> joint_equations(const Joint<D>& joint, const std::vector<Body<D>>& bodies);

/// The rates of the values.
template <int D>
std::vector<double> joint_rates(const Joint<D>& joint, const std::vector<Body<D>>& bodies);

/// Moves joint.value to the present poses; angles are continued over full turns.
template <int D>
void measure_joint(Joint<D>& joint, const std::vector<Body<D>>& bodies);

/// Moves the bodies, without touching velocities, until every |C| <= tolerance [Thesis alg. 1, corrected: the
/// Jacobian is evaluated anew in each pass]; then removes the velocity across the joints. Redundant joints
/// are allowed. Returns the passes made, or -1 where the joints cannot be closed.
struct JointCorrection {
  double tolerance = 1e-12;  ///< [m, rad]
  int max_passes = 20;
};
template <int D>
int correct_joints(const std::vector<Joint<D>>& joints, std::vector<Body<D>>& bodies,
                   const JointCorrection& settings = {});

}  // namespace touchstone
