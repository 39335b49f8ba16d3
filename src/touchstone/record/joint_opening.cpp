#include "touchstone/record/joint_opening.h"

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

/// [rad] Between two directions.
double angle_between(const Vec<3>& a, const Vec<3>& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

/// [rad] Of a rotation.
double angle_of(const Mat<3>& R) {
  const Vec<3> twice_sine(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  return std::atan2(twice_sine.norm(), R.trace() - 1);
}

}  // namespace

template <>
double joint_opening<2>(const std::string& kind, const Pose<2>& X_WA, const Pose<2>& X_WB) {
  const Pose<2> X = relative_pose(X_WA, X_WB);
  const double angle = std::abs(std::atan2(X.R(1, 0), X.R(0, 0)));
  if (kind == "revolute") return X.p.norm();
  if (kind == "prismatic") return std::max(std::abs(X.p.y()), angle);
  return kind == "fixed" ? std::max(X.p.norm(), angle) : 0;
}

template <>
double joint_opening<3>(const std::string& kind, const Pose<3>& X_WA, const Pose<3>& X_WB) {
  const Pose<3> X = relative_pose(X_WA, X_WB);
  const double across = X.p.head<2>().norm(), along = std::abs(X.p.z());
  const double tilt = angle_between(Vec<3>::UnitZ(), X.R.col(2));
  if (kind == "fixed") return std::max(X.p.norm(), angle_of(X.R));
  if (kind == "revolute") return std::max(X.p.norm(), tilt);
  if (kind == "prismatic") return std::max(across, angle_of(X.R));
  if (kind == "cylindrical") return std::max(across, tilt);
  if (kind == "spherical") return X.p.norm();
  if (kind == "planar") return std::max(along, tilt);
  // The axis x of A stays at a right angle to the axis y of B.
  return kind == "universal" ? std::max(X.p.norm(), std::abs(std::asin(std::clamp(X.R(0, 1), -1., 1.)))) : 0;
}

}  // namespace touchstone
