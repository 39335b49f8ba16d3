// Joints in space. With k, a fixed in body A and b in body B [Checked 5]:
//
//   way row       C = k . (p_A - p_B)    G_A = [k; (p_B - x_A) x k]    G_B = -[k; (p_B - x_B) x k]
//   turn row      C = a . b              G_A = [0; a x b]              G_B = -[0; a x b]
//
// Both are derivatives of C at any pose, aligned or not, because the lever of A ends at the point of B.

#include <cassert>
#include <cmath>

#include "touchstone/dynamics/joint_frames.h"

namespace touchstone {
namespace {

Row<3> turn_row(const JointFrames<3>& f, const Vec<3>& a, const Vec<3>& b) {
  Row<3> row = f.row();
  const Vec<3> across = a.cross(b);
  row.G_A = twist<3>(Vec<3>::Zero(), across);
  row.G_B = -row.G_A;
  row.offset = a.dot(b);
  return row;
}

/// The value "angle of B about the unit axis", whose rate is axis . (w_B - w_A).
Row<3> angle_row(const JointFrames<3>& f, const Vec<3>& axis, double angle) {
  Row<3> row = f.row();
  row.G_A = twist<3>(Vec<3>::Zero(), -axis);
  row.G_B = -row.G_A;
  row.offset = angle;
  return row;
}

/// About z of A, seen in A's xy plane.
double angle_about_z(const JointFrames<3>& f) {
  const Vec<3> x = f.A.R.transpose() * f.B.R.col(0);
  return std::atan2(x.y(), x.x());
}

/// d/dt of the angle about z when z of B is tilted off z of A: x_B moves with w_B - w_A =: w, and
/// atan2(y, x)' = (x y' - y x')/(x^2 + y^2).
Row<3> turning_row(const JointFrames<3>& f) {
  const Vec<3> xa = f.A.R.col(0), ya = f.A.R.col(1), xb = f.B.R.col(0);
  const double c = xa.dot(xb), s = ya.dot(xb);
  const Vec<3> gradient = xb.cross(c * ya - s * xa) / (c * c + s * s);
  return angle_row(f, gradient, angle_about_z(f));
}

/// The universal joint turns about x of A by the first angle and then about y of B by the second:
/// R_AB = Rx(p) Ry(q), so y_B = (0, cos p, sin p) and x_B.x_A = cos q, z_B.x_A = sin q.
void add_universal_axes(const JointFrames<3>& f, std::vector<Row<3>>& axes) {
  const Vec<3> xa = f.A.R.col(0), ya = f.A.R.col(1), za = f.A.R.col(2);
  const Vec<3> xb = f.B.R.col(0), yb = f.B.R.col(1), zb = f.B.R.col(2);
  const double c = ya.dot(yb), s = za.dot(yb);
  axes.push_back(angle_row(f, yb.cross(c * za - s * ya) / (c * c + s * s), std::atan2(s, c)));
  // Both xa.xb and xa.zb move: (c2 s2' - s2 c2')/(c2^2 + s2^2), with xa fixed in A.
  const double c2 = xa.dot(xb), s2 = xa.dot(zb);
  const Vec<3> gradient = (c2 * zb - s2 * xb).cross(xa) / (c2 * c2 + s2 * s2);
  axes.push_back(angle_row(f, gradient, std::atan2(s2, c2)));
}

/// The rotation vector of B in A, whose rate is the relative angular velocity at small angles; at large ones
/// the inverse of the exponential map's left Jacobian relates them.
void add_spherical_axes(const JointFrames<3>& f, std::vector<Row<3>>& axes) {
  const Vec<3> turn = turn_between(Attitude<3>{}, Attitude<3>::from(f.A.R.transpose() * f.B.R));
  const double angle = turn.norm();
  // Below this the series of (1 - (a/2) cot(a/2))/a^2 = 1/12 + a^2/720 is exact to round-off.
  constexpr double kSmall = 1e-3;
  const double factor = angle > kSmall ? (1 - 0.5 * angle / std::tan(0.5 * angle)) / (angle * angle)
                                       : 1. / 12 + angle * angle / 720;
  for (int i = 0; i < 3; ++i) {
    // Row i of J^-1 = 1 - T/2 + factor T^2, T e = turn x e, in A's axes.
    const Vec<3> e = Vec<3>::Unit(i);
    const Vec<3> local = e + 0.5 * turn.cross(e) + factor * turn.cross(turn.cross(e));
    axes.push_back(angle_row(f, f.A.R * local, turn[i]));
  }
}

struct Demands {
  bool x, y, z;  ///< ways that must vanish
  bool tilt;     ///< z axes parallel
  bool twist;    ///< no angle about z
  bool cross;    ///< x of A across y of B
};

Demands demands_of(JointKind kind) {
  switch (kind) {
    case JointKind::fixed:
      return {true, true, true, true, true, false};
    case JointKind::revolute:
      return {true, true, true, true, false, false};
    case JointKind::prismatic:
      return {true, true, false, true, true, false};
    case JointKind::cylindrical:
      return {true, true, false, true, false, false};
    case JointKind::spherical:
      return {true, true, true, false, false, false};
    case JointKind::universal:
      return {true, true, true, false, false, true};
    case JointKind::planar:
      return {false, false, true, true, false, false};
  }
  return {};
}

void add_demands(const JointFrames<3>& f, const Demands& demands, std::vector<Row<3>>& rows) {
  const Mat<3>&a = f.A.R, &b = f.B.R;
  if (demands.x) rows.push_back(way_row(f, a.col(0)));
  if (demands.y) rows.push_back(way_row(f, a.col(1)));
  if (demands.z) rows.push_back(way_row(f, a.col(2)));
  if (demands.tilt) rows.push_back(turn_row(f, a.col(0), b.col(2)));
  if (demands.tilt) rows.push_back(turn_row(f, a.col(1), b.col(2)));
  if (demands.twist) rows.push_back(turn_row(f, a.col(1), b.col(0)));
  if (demands.cross) rows.push_back(turn_row(f, a.col(0), b.col(1)));
}

void add_axes(const JointFrames<3>& f, JointKind kind, std::vector<Row<3>>& axes) {
  const Mat<3>& a = f.A.R;
  // A way of B along k of A is minus the row that would forbid it.
  const auto way = [&](int i) { axes.push_back(negated(way_row(f, a.col(i)))); };
  switch (kind) {
    case JointKind::fixed:
      break;
    case JointKind::revolute:
      axes.push_back(turning_row(f));
      break;
    case JointKind::prismatic:
      way(2);
      break;
    case JointKind::cylindrical:
      way(2), axes.push_back(turning_row(f));
      break;
    case JointKind::spherical:
      add_spherical_axes(f, axes);
      break;
    case JointKind::universal:
      add_universal_axes(f, axes);
      break;
    case JointKind::planar:
      way(0), way(1), axes.push_back(turning_row(f));
      break;
  }
}

}  // namespace

template <>
int axis_count<3>(JointKind kind) {
  switch (kind) {
    case JointKind::fixed:
      return 0;
    case JointKind::revolute:
    case JointKind::prismatic:
      return 1;
    case JointKind::cylindrical:
    case JointKind::universal:
      return 2;
    case JointKind::spherical:
    case JointKind::planar:
      return 3;
  }
  return 0;
}

template <>
bool is_angle<3>(JointKind kind, int axis) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::universal:
      return true;
    case JointKind::cylindrical:
      return axis == 1;
    case JointKind::planar:
      return axis == 2;
    default:
      return false;  // a rotation vector is not continued over full turns
  }
}

template <>
JointEquations<3> joint_equations<3>(const Joint<3>& joint, const std::vector<Body<3>>& bodies) {
  const JointFrames<3> frames(joint, bodies);
  JointEquations<3> equations;
  add_demands(frames, demands_of(joint.kind), equations.rows);
  add_axes(frames, joint.kind, equations.axes);
  assert(static_cast<int>(equations.axes.size()) == axis_count<3>(joint.kind));
  assert(equations.rows.size() + equations.axes.size() == 6);
  return equations;
}

}  // namespace touchstone
