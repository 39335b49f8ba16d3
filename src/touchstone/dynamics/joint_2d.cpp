// Joints in the plane: as in space [joint_3d.cpp], with z out of the page and the way of a prismatic joint
// along x.

#include <cassert>
#include <cmath>
#include <stdexcept>

#include "touchstone/dynamics/joint_frames.h"

namespace touchstone {
namespace {

/// The angle of B over A.
Row<2> turn_row(const JointFrames<2>& f) {
  Row<2> row = f.row();
  row.G_B = twist<2>(Vec<2>::Zero(), Spin<2>(1.));
  row.G_A = -row.G_B;
  const Vec<2> x = f.A.R.transpose() * f.B.R.col(0);
  row.offset = std::atan2(x.y(), x.x());
  return row;
}

}  // namespace

template <>
int axis_count<2>(JointKind kind) {
  switch (kind) {
    case JointKind::fixed:
      return 0;
    case JointKind::revolute:
    case JointKind::prismatic:
      return 1;
    default:
      throw std::invalid_argument("the plane has only fixed, revolute and prismatic joints");
  }
}

template <>
bool is_angle<2>(JointKind kind, int) {
  return kind == JointKind::revolute;
}

template <>
JointEquations<2> joint_equations<2>(const Joint<2>& joint, const std::vector<Body<2>>& bodies) {
  const JointFrames<2> f(joint, bodies);
  JointEquations<2> equations;
  const Row<2> along = way_row(f, f.A.R.col(0)), across = way_row(f, f.A.R.col(1));
  if (joint.kind != JointKind::prismatic) equations.rows.push_back(along);
  equations.rows.push_back(across);
  if (joint.kind != JointKind::revolute) equations.rows.push_back(turn_row(f));
  if (joint.kind == JointKind::revolute) equations.axes.push_back(turn_row(f));
  if (joint.kind == JointKind::prismatic) equations.axes.push_back(negated(along));
  assert(equations.rows.size() + equations.axes.size() == 3);
  return equations;
}

}  // namespace touchstone
