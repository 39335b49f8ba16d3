// scenes/scene.schema.json: what editors know about scenes is what the program knows.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "touchstone/scene/yaml_text.h"

namespace touchstone {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string text_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const fs::path kScenes = fs::path(TOUCHSTONE_SOURCE_DIR) / "scenes";

const json& schema() {
  static const json value = json::parse(text_in(kScenes / "scene.schema.json"));
  return value;
}

bool is_of_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

/// The words of JSON Schema that ours uses.
bool is_valid(const json& value, const json& rule);

bool has_valid_members(const json& value, const json& rule) {
  for (const auto& [key, member] : value.items()) {
    if (rule.contains("propertyNames") && !is_valid(key, rule["propertyNames"])) return false;
    if (rule.contains("properties") && rule["properties"].contains(key)) {
      if (!is_valid(member, rule["properties"][key])) return false;
    } else if (rule.contains("additionalProperties")) {
      const json& more = rule["additionalProperties"];
      if (more.is_boolean() ? !more.get<bool>() : !is_valid(member, more)) return false;
    }
  }
  for (const json& key : rule.value("required", json::array())) {
    if (!value.contains(key.get<std::string>())) return false;
  }
  return value.size() >= rule.value("minProperties", 0u) && value.size() <= rule.value("maxProperties", ~0u);
}

bool has_valid_elements(const json& value, const json& rule) {
  for (const json& element : value) {
    if (rule.contains("items") && !is_valid(element, rule["items"])) return false;
  }
  return value.size() >= rule.value("minItems", 0u) && value.size() <= rule.value("maxItems", ~0u);
}

bool is_valid(const json& value, const json& rule) {
  if (rule.contains("$ref")) {
    const std::string name = rule["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
    return is_valid(value, schema()["$defs"].at(name));
  }
  if (rule.contains("anyOf")) {
    return std::any_of(rule["anyOf"].begin(), rule["anyOf"].end(),
                       [&](const json& other) { return is_valid(value, other); });
  }
  if (rule.contains("const")) return value == rule["const"];
  if (rule.contains("enum"))
    return std::find(rule["enum"].begin(), rule["enum"].end(), value) != rule["enum"].end();
  if (rule.contains("type") && !is_of_type(value, rule["type"])) return false;
  if (value.is_number() && rule.contains("minimum") && value < rule["minimum"]) return false;
  if (value.is_number() && rule.contains("maximum") && value > rule["maximum"]) return false;
  if (value.is_object()) return has_valid_members(value, rule);
  return !value.is_array() || has_valid_elements(value, rule);
}

TEST(SceneSchema, TakesEveryNamedScene) {
  int scenes = 0;
  for (const auto& entry : fs::directory_iterator(kScenes)) {
    if (entry.path().extension() != ".yaml") continue;
    ++scenes;
    EXPECT_TRUE(is_valid(parse_yaml(text_in(entry.path())), schema())) << entry.path();
  }
  EXPECT_GT(scenes, 40);
}

TEST(SceneSchema, MarksWhatTheProgramRefuses) {
  const json good = parse_yaml(text_in(kScenes / "pendulum-arm.yaml"));
  ASSERT_TRUE(is_valid(good, schema()));
  const auto marks = [&](const char* pointer, const json& value) {
    json bad = good;
    bad[json::json_pointer(pointer)] = value;
    return !is_valid(bad, schema());
  };
  EXPECT_TRUE(marks("/gravty", 1));
  EXPECT_TRUE(marks("/dimension", 4));
  EXPECT_TRUE(marks("/touchstone", 2));
  EXPECT_TRUE(marks("/step", "small"));
  EXPECT_TRUE(marks("/bodies/0/masss", 1));
  EXPECT_TRUE(marks("/bodies/0/position", json::array({1})));
  EXPECT_TRUE(marks("/bodies/0/shape", {{"bx", 1}}));
  EXPECT_TRUE(marks("/contact", {{"model", "plan"}}));
  EXPECT_TRUE(marks("/contact", {{"restitution", 2}}));
  EXPECT_TRUE(marks("/joints/0/limits", json::array({1, 2, 3})));
  EXPECT_TRUE(marks("/controllers/0", {{"joint", "elbow"}})) << "target and kp are required";
}

}  // namespace
}  // namespace touchstone
