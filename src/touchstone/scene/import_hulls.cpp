#include "touchstone/scene/import_scene.h"

namespace touchstone {
namespace {

using nlohmann::json;

/// Says for whom a file was written that has no version field of ours.
bool is_list_of_hulls(const json& value) {
  if (!value.is_object() || value.contains("touchstone") || !value.contains("bodies")) return false;
  const json& bodies = value.at("bodies");
  return bodies.is_array() && !bodies.empty() && bodies.front().is_object() &&
         bodies.front().contains("points");
}

void copy_members(const Field& from, std::initializer_list<const char*> keys, json& to) {
  for (const char* key : keys) {
    if (from.value.contains(key)) to[key] = from.value.at(key);
  }
}

json hull_body(const Field& field, int dimension) {
  check_keys(field, {"name", "fixed", "mass", "inertia", "position", "quaternion", "angle", "velocity",
                     "angular_velocity", "appears", "points"});
  json body;
  body["shape"] = {{"points", required(field, "points", "the corners").value}};
  copy_members(field, {"name", "fixed", "position", "quaternion", "angle"}, body);
  if (const auto time = optional_member(field, "appears")) body["appear"] = time->value;
  const auto fixed = optional_member(field, "fixed");
  if (fixed && read_flag(*fixed)) return body;
  copy_members(field, {"mass", "inertia", "velocity", "angular_velocity"}, body);
  // The points are given about the centre of mass; what the hull itself would say differs by round-off.
  body["com"] = dimension == 2 ? json{0, 0} : json{0, 0, 0};
  return body;
}

}  // namespace

json import_hulls(const Field& scene) {
  check_keys(scene,
             {"name", "dimension", "gravity", "friction", "restitution", "step", "duration", "bodies"});
  json ours;
  ours["touchstone"] = 1;
  copy_members(scene, {"dimension", "gravity", "step", "duration"}, ours);
  if (const auto name = optional_member(scene, "name")) ours["about"] = name->value;
  json contact = json::object();
  copy_members(scene, {"friction", "restitution"}, contact);
  ours["contact"] = contact;
  const Field bodies = scene.member("bodies");
  const int dimension = ours.value("dimension", json()) == 2 ? 2 : 3;
  for (int i = 0; i < static_cast<int>(bodies.value.size()); ++i) {
    ours["bodies"].push_back(hull_body(bodies.element(i), dimension));
  }
  return ours;
}

json import_scene(const json& value, const std::filesystem::path& folder) {
  const Field scene{value, ""};
  if (value.is_object() && value.contains("rigid_body_problem")) return import_rigid_ipc(scene, folder);
  return is_list_of_hulls(value) ? import_hulls(scene) : value;
}

}  // namespace touchstone
