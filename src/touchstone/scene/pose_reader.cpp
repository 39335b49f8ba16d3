#include "touchstone/scene/pose_reader.h"

#include <cassert>
#include <optional>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

using nlohmann::json;

const std::vector<std::string> kPoseKeys[] = {{"position", "angle"},
                                              {"position", "quaternion", "axis_angle", "euler"}};

/// A direction of any length but zero, however small or large, at unit length.
template <int N>
Vec<N> unit_of(const Vec<N>& x, const Field& field, const std::string& what) {
  const double largest = x.cwiseAbs().maxCoeff();
  if (!(largest > 0)) refuse(field, "expected " + what + ", got zero");
  return (x / largest).normalized();
}

Mat<3> from_quaternion(const Field& field) {
  const Vec<4> q = unit_of<4>(read_vector<4>(field, "numbers (w, x, y, z)"), field, "a quaternion");
  return rotation(Eigen::Quaterniond(q[0], q[1], q[2], q[3]));
}

Mat<3> from_axis_angle(const Field& field) {
  const Vec<4> x = read_vector<4>(field, "numbers (axis x, y, z, angle in radians)");
  return rotation(unit_of<3>(x.head<3>(), field, "an axis"), x[3]);
}

Mat<3> from_euler(const Field& field) {
  const Vec<3> x = read_vector<3>(field, "angles in radians (about x, then y, then z)");
  return rotation(Vec<3>::UnitZ(), x[2]) * rotation(Vec<3>::UnitY(), x[1]) * rotation(Vec<3>::UnitX(), x[0]);
}

struct OrientationKey {
  const char* name;
  Mat<3> (*read)(const Field&);
};
constexpr OrientationKey kOrientations[] = {
    {"quaternion", from_quaternion}, {"axis_angle", from_axis_angle}, {"euler", from_euler}};

template <int D>
Mat<D> read_rotation(const Field& field);

template <>
Mat<2> read_rotation<2>(const Field& field) {
  const auto angle = optional_member(field, "angle");
  return angle ? rotation(read_number(*angle)) : Mat<2>::Identity().eval();
}

template <>
Mat<3> read_rotation<3>(const Field& field) {
  const OrientationKey* given = nullptr;
  for (const OrientationKey& key : kOrientations) {
    if (!field.value.contains(key.name)) continue;
    if (given)
      refuse(field,
             std::string("expected one of \"") + given->name + "\" and \"" + key.name + "\", got both");
    given = &key;
  }
  return given ? given->read(field.member(given->name)) : Mat<3>::Identity().eval();
}

}  // namespace

std::optional<int> dimension_of_pose(const json& value) {
  if (!value.is_object()) return std::nullopt;
  if (value.contains("angle")) return 2;
  for (const OrientationKey& key : kOrientations) {
    if (value.contains(key.name)) return 3;
  }
  const auto position = value.find("position");
  const bool tells =
      position != value.end() && position->is_array() && (position->size() == 2 || position->size() == 3);
  return tells ? std::optional<int>(static_cast<int>(position->size())) : std::nullopt;
}

const std::vector<std::string>& pose_keys(int dimension) { return kPoseKeys[dimension - 2]; }

template <>
Attitude<2> read_attitude<2>(const Field& field) {
  const auto angle = optional_member(field, "angle");
  return {angle ? read_number(*angle) : 0.0};
}

template <>
Attitude<3> read_attitude<3>(const Field& field) {
  return Attitude<3>::from(read_rotation<3>(field));
}

template <int D>
Pose<D> read_pose(const Field& field) {
  Pose<D> pose;
  pose.R = read_rotation<D>(field);
  if (const auto position = optional_member(field, "position"))
    pose.p = read_vector<D>(*position, "coordinates");
  assert(is_rotation<D>(pose.R));
  return pose;
}

template <int D>
Pose<D> read_pose(const json& value, const std::string& name) {
  const Field field{value, name};
  check_keys(field, pose_keys(D));
  return read_pose<D>(field);
}

template Pose<2> read_pose<2>(const Field&);
template Pose<3> read_pose<3>(const Field&);
template Pose<2> read_pose<2>(const json&, const std::string&);
template Pose<3> read_pose<3>(const json&, const std::string&);

}  // namespace touchstone
