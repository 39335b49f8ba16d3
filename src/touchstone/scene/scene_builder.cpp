#include "touchstone/scene/scene_builder.h"

#include <nlohmann/json.hpp>

#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

using nlohmann::json;

std::string title(const char* kind, const json& part) {
  const bool named = part.is_object() && part.contains("name") && part["name"].is_string();
  return std::string(kind) + (named ? " " + in_quotes(part["name"].get<std::string>()) : "");
}

/// "bodies[0].shape: ..." says nothing to who added one body.
std::string without(std::string message, const std::string& element) {
  const std::size_t at = message.find(element);
  if (at == std::string::npos) return message;
  const std::size_t after = at + element.size();
  const bool goes_on = after < message.size() && message[after] == '.';
  const bool ends = message.compare(after, 2, ": ") == 0;
  return message.erase(at, element.size() + (goes_on ? 1 : ends ? 2 : 0));
}

/// The pairs of materials.
json without_bodies(const json& pairs) {
  if (!pairs.is_array()) return pairs;
  json kept = json::array();
  for (const json& pair : pairs)
    if (!pair.contains("bodies")) kept.push_back(pair);
  return kept;
}

}  // namespace

SceneBuilder::SceneBuilder(int dimension)
    : value_(std::make_unique<json>(json{{"touchstone", 1}, {"dimension", dimension}})) {
  (*value_)["bodies"] = json::array();
  check(head(), "scene", "");
}

SceneBuilder::SceneBuilder(SceneBuilder&&) noexcept = default;
SceneBuilder& SceneBuilder::operator=(SceneBuilder&&) noexcept = default;
SceneBuilder::~SceneBuilder() = default;

/// All but bodies and what needs them.
json SceneBuilder::head() const {
  json trial = (*value_);
  for (const char* key : {"joints", "controllers", "no_contact", "generate"}) trial.erase(key);
  trial["bodies"] = json::array();
  if (trial.contains("pairs")) trial["pairs"] = without_bodies(trial["pairs"]);
  trial["allow_overlap"] = true;
  return trial;
}

void SceneBuilder::check(const json& trial, const std::string& what, const std::string& list) const {
  try {
    make_scene(trial, what, {}, IgnoredOptions::told);  // another model may be named later
  } catch (const BadScene& error) {
    throw BadScene(without(error.what(), list + "[0]"));
  }
}

SceneBuilder& SceneBuilder::set(const std::string& key, json value) {
  const json before = (*value_);
  (*value_)[key] = std::move(value);
  try {
    check(head(), "scene", "");
  } catch (...) {
    (*value_) = before;
    throw;
  }
  return *this;
}

SceneBuilder& SceneBuilder::add_material(const std::string& name, json material) {
  json trial = head();
  trial["materials"][name] = material;
  check(trial, "material " + in_quotes(name), "materials");
  (*value_)["materials"][name] = std::move(material);
  return *this;
}

SceneBuilder& SceneBuilder::add_surface(json pair) {
  json trial = head();
  if (pair.contains("bodies")) add_named_bodies(pair["bodies"], trial);
  trial["pairs"] = json::array({pair});
  check(trial, "surface", "pairs");
  (*value_)["pairs"].push_back(std::move(pair));
  return *this;
}

SceneBuilder& SceneBuilder::add_body(json body) {
  json trial = head();
  trial["bodies"].push_back(body);
  check(trial, title("body", body), "bodies");
  (*value_)["bodies"].push_back(std::move(body));
  return *this;
}

const json* SceneBuilder::find_body(const json& name) const {
  for (const json& body : (*value_)["bodies"]) {
    if (body.contains("name") && body["name"] == name) return &body;
  }
  return nullptr;
}

/// A body that `repeat` makes has a name that only the reader knows; a name that no body resembles is wrong,
/// and the reader says so, given all of them.
void SceneBuilder::add_named_bodies(const json& names, json& trial) const {
  if (!names.is_array()) return;
  for (const json& name : names) {
    if (name == "world") continue;
    const json* body = find_body(name);
    if (!body) trial["bodies"] = (*value_)["bodies"];
    if (!body) return;
    trial["bodies"].push_back(*body);
  }
}

SceneBuilder& SceneBuilder::add_joint(json joint) {
  json trial = head();
  trial["joints"].push_back(joint);
  if (joint.is_object() && joint.contains("bodies")) add_named_bodies(joint["bodies"], trial);
  check(trial, title("joint", joint), "joints");
  (*value_)["joints"].push_back(std::move(joint));
  return *this;
}

SceneBuilder& SceneBuilder::add_controller(json controller) {
  json trial = (*value_);
  trial["allow_overlap"] = true;
  trial["controllers"] = json::array({controller});
  check(trial, "controller", "controllers");
  (*value_)["controllers"].push_back(std::move(controller));
  return *this;
}

Scene SceneBuilder::scene(const std::string& name) const { return make_scene((*value_), name); }

}  // namespace touchstone
