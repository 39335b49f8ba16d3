// Fixtures of rigid-ipc [Ferguson et al. 2021]: densities are 1000 by default, rotations are degrees about
// x, y, z (R = Rz Ry Rx), "position" places the origin of the mesh, bodies of one "group_id" never touch.

#include <numbers>

#include "touchstone/scene/import_rigid_ipc_shape.h"
#include "touchstone/scene/import_scene.h"
#include "touchstone/scene/pose_reader.h"

namespace touchstone {
namespace {

using nlohmann::json;

constexpr double kDegree = std::numbers::pi / 180;  ///< [rad]
// What rigid-ipc takes where a fixture says nothing.
constexpr double kIpcDensity = 1000;  ///< [kg/m^3], in the plane [kg/m^2]
constexpr double kIpcStep = 0.01;     ///< [s]
constexpr double kIpcSteps = 1000;

enum class IpcKind { dynamic, fixed, kinematic, hinged };

template <int D>
struct IpcBody {
  json ours;
  IpcShape<D> shape;
  Pose<D> X_WB;
  IpcKind kind = IpcKind::dynamic;
  int hinge_axis = -1;  ///< hinged: the one rotation that is free
};

const std::vector<std::string> kBodyKeys = {
    "mesh",     "vertices", "edges",      "faces",           "polygons",         "position",
    "rotation", "scale",    "dimensions", "linear_velocity", "angular_velocity", "density",
    "force",    "torque",   "type",       "is_dof_fixed",    "oriented",         "enabled",
    "group_id", "comment"};

template <int D>
constexpr int kDofs = D == 2 ? 3 : 6;

template <int D>
json numbers(const Vec<D>& x) {
  return std::vector<double>(x.begin(), x.end());
}

json degrees(const Field& field) {
  if (!field.value.is_array()) refuse_value(field, "a list of angles");
  std::vector<double> radians;
  for (int i = 0; i < static_cast<int>(field.value.size()); ++i) {
    radians.push_back(read_number(field.element(i)) * kDegree);
  }
  return radians;
}

/// Three angles, or one in the plane.
template <int D>
json angles(const Field& field) {
  const json all = degrees(field);
  if (all.size() != (D == 2 ? 1u : 3u)) refuse_value(field, D == 2 ? "a list of one angle" : "three angles");
  return D == 2 ? all[0] : all;
}

/// The fixed degrees of freedom, from "type" and "is_dof_fixed".
template <int D>
std::vector<bool> fixed_dofs(const Field& body) {
  std::vector<bool> fixed(kDofs<D>, false);
  if (const auto type = optional_member(body, "type")) {
    const int kind = read_choice(*type, {"dynamic", "static", "kinematic"}, "type of body");
    if (kind > 0) return std::vector<bool>(kDofs<D>, true);
  }
  const auto given = optional_member(body, "is_dof_fixed");
  if (!given) return fixed;
  if (!given->value.is_array()) return std::vector<bool>(kDofs<D>, read_flag(*given));
  if (given->value.size() != fixed.size()) refuse_value(*given, "one flag per degree of freedom");
  for (int i = 0; i < kDofs<D>; ++i) fixed[i] = read_flag(given->element(i));
  return fixed;
}

template <int D>
void read_kind(const Field& field, IpcBody<D>& body) {
  const std::vector<bool> fixed = fixed_dofs<D>(field);
  const auto held = std::count(fixed.begin(), fixed.end(), true);
  if (field.value.value("type", json()) == "kinematic") {
    body.kind = IpcKind::kinematic;
  } else if (held == kDofs<D>) {
    body.kind = IpcKind::fixed;
  } else if (held > 0) {
    const auto free = std::find(fixed.begin(), fixed.end(), false);
    body.hinge_axis = static_cast<int>(free - fixed.begin()) - D;
    body.kind = IpcKind::hinged;
    if (held != kDofs<D> - 1 || body.hinge_axis < 0) {
      refuse(field.member("is_dof_fixed"), "expected all, none, or all but one rotation to be fixed");
    }
  }
}

/// A member of ours from one of theirs, where it is there.
void translate(const Field& from, const char* key, json& to, const char* our_key) {
  if (const auto member = optional_member(from, key)) to[our_key] = member->value;
}

template <int D>
void read_motion(const Field& field, IpcBody<D>& body) {
  json motion = json::object();
  translate(field, "linear_velocity", motion, "velocity");
  if (const auto w = optional_member(field, "angular_velocity")) motion["angular_velocity"] = angles<D>(*w);
  if (body.kind == IpcKind::kinematic) body.ours["script"] = motion;
  if (body.kind == IpcKind::kinematic || body.kind == IpcKind::fixed) return;
  translate(field, "force", motion, "force");
  if (const auto t = optional_member(field, "torque")) motion["torque"] = angles<D>(*t);
  body.ours.update(motion);
  const auto density = optional_member(field, "density");
  body.ours["density"] = density ? density->value : json(kIpcDensity);
}

template <int D>
IpcBody<D> read_body(const Field& field, const std::filesystem::path& folder) {
  check_keys(field, kBodyKeys);
  IpcBody<D> body;
  translate(field, "position", body.ours, "position");
  if (const auto r = optional_member(field, "rotation"))
    body.ours[D == 2 ? "angle" : "euler"] = angles<D>(*r);
  if (body.ours.is_null()) body.ours = json::object();
  body.X_WB = read_pose<D>(body.ours, field.name());
  body.shape = read_ipc_shape<D>(field, folder);
  read_kind<D>(field, body);
  if (body.kind == IpcKind::fixed) body.ours["fixed"] = true;
  read_motion<D>(field, body);
  const bool moved = body.kind == IpcKind::dynamic || body.kind == IpcKind::hinged;
  if (moved && body.shape.flat_axis >= 0) refuse(field, "a sheet or line without thickness must be fixed");
  return body;
}

/// A sheet is made solid on the side where no body moves.
template <int D>
void thicken_sheets(std::vector<IpcBody<D>>& bodies) {
  Vec<D> middle = Vec<D>::Zero();
  int count = 0;
  for (const IpcBody<D>& body : bodies) {
    if (body.kind == IpcKind::dynamic) middle += body.X_WB * body.shape.middle, ++count;
  }
  if (count > 0) middle /= count;
  for (IpcBody<D>& body : bodies) {
    if (body.shape.flat_axis < 0) continue;
    const Vec<D> seen = body.X_WB.R.transpose() * (middle - body.X_WB.p) - body.shape.middle;
    thicken<D>(body.shape, seen[body.shape.flat_axis] < 0);
  }
}

template <int D>
void write_shape(IpcBody<D>& body) {
  std::vector<json> parts;
  for (const std::vector<Vec<D>>& part : body.shape.parts) {
    json points = json::array();
    for (const Vec<D>& x : part) points.push_back(numbers<D>(x));
    parts.push_back({{"points", points}});
  }
  if (parts.size() == 1) {
    body.ours["shape"] = parts[0];
    return;
  }
  for (const json& part : parts) body.ours["parts"].push_back({{"shape", part}});
}

/// The centre of mass turns about the free axis through itself.
template <int D>
json hinge_of(const IpcBody<D>& body) {
  json joint = {{"kind", "revolute"}, {"bodies", {"world", body.ours.at("name")}}};
  const Polytope<D> solid = Polytope<D>::hull(body.shape.parts[0]);
  joint["position"] = numbers<D>(body.X_WB * solid.centre());
  if (D == 3) joint["axis"] = numbers<D>(Vec<D>::Unit(body.hinge_axis));
  return joint;
}

std::string name_of(const Field& field, int number) {
  const std::string mesh = field.value.contains("mesh") && field.value.at("mesh").is_string()
                               ? field.value.at("mesh").get<std::string>()
                               : "body";
  return std::filesystem::path(mesh).stem().string() + "-" + std::to_string(number);
}

/// Pairs of bodies of one group.
json pairs_of_groups(const std::vector<std::pair<json, std::string>>& groups) {
  json pairs = json::array();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = i + 1; j < groups.size(); ++j) {
      if (groups[i].first == groups[j].first) pairs.push_back({groups[i].second, groups[j].second});
    }
  }
  return pairs;
}

template <int D>
void import_bodies(const Field& list, const std::filesystem::path& folder, json& ours) {
  std::vector<IpcBody<D>> bodies;
  std::vector<std::pair<json, std::string>> groups;
  for (int i = 0; i < static_cast<int>(list.value.size()); ++i) {
    const Field field = list.element(i);
    const auto enabled = optional_member(field, "enabled");
    if (enabled && !read_flag(*enabled)) continue;
    bodies.push_back(read_body<D>(field, folder));
    bodies.back().ours["name"] = name_of(field, i + 1);
    if (field.value.contains("group_id")) {
      groups.emplace_back(field.value.at("group_id"), bodies.back().ours["name"]);
    }
  }
  thicken_sheets<D>(bodies);
  for (IpcBody<D>& body : bodies) {
    write_shape<D>(body);
    if (body.kind == IpcKind::hinged) ours["joints"].push_back(hinge_of<D>(body));
    ours["bodies"].push_back(body.ours);
  }
  if (groups.size() > 1) ours["no_contact"] = pairs_of_groups(groups);
}

/// 2 where the first body's points have two coordinates, else 3.
int dimension_of(const Field& list) {
  if (!list.value.is_array() || list.value.empty()) refuse_value(list, "a list of bodies");
  const Field first = list.element(0);
  const auto points = optional_member(first, "vertices");
  const bool in_plane = points && points->value.is_array() && !points->value.empty() &&
                        points->value[0].is_array() && points->value[0].size() == 2;
  return in_plane ? 2 : 3;
}

/// "coefficient_restitution": -1 says that impacts are left to the barrier, which loses the speed.
json contact_of(const Field& problem) {
  json contact = json::object();
  if (const auto mu = optional_member(problem, "coefficient_friction")) {
    contact["friction"] = read_not_negative(*mu, "a coefficient");
  }
  if (const auto e = optional_member(problem, "coefficient_restitution")) {
    contact["restitution"] = std::max(read_number(*e), 0.0);
  }
  return contact;
}

}  // namespace

json import_rigid_ipc(const Field& scene, const std::filesystem::path& folder) {
  const Field problem = scene.member("rigid_body_problem");
  const Field list = required(problem, "rigid_bodies", "a list of bodies");
  json ours = {{"touchstone", 1}, {"about", "a fixture of rigid-ipc"}, {"dimension", dimension_of(list)}};
  const auto step = optional_member(scene, "timestep"), time = optional_member(scene, "max_time");
  ours["step"] = step ? step->value : json(kIpcStep);
  if (time) {
    ours["duration"] = time->value;
  } else {
    const auto steps = optional_member(scene, "max_iterations");
    ours["duration"] = (steps ? read_number(*steps) : kIpcSteps) * (step ? read_number(*step) : kIpcStep);
  }
  const auto gravity = optional_member(problem, "gravity");
  ours["gravity"] = gravity ? gravity->value : ours["dimension"] == 2 ? json{0, 0} : json{0, 0, 0};
  ours["contact"] = contact_of(problem);
  if (ours["dimension"] == 2) {
    import_bodies<2>(list, folder, ours);
  } else {
    import_bodies<3>(list, folder, ours);
  }
  return ours;
}

}  // namespace touchstone
