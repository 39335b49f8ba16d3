#include "touchstone/scene/scene_overrides.h"

#include <charconv>

#include "touchstone/scene/names.h"
#include "touchstone/scene/yaml_text.h"

namespace touchstone {
namespace {

using nlohmann::json;

/// A place within a scene, on the way down a path.
struct Place {
  json* value;
  std::string field;
};

[[noreturn]] void refuse_override(const std::string& text, const std::string& message) {
  throw BadInput("--set " + text + ": " + message);
}

std::vector<std::string> words_of(const std::string& path) {
  std::vector<std::string> words(1);
  for (const char c : path) {
    if (c == '.' || c == '[') {
      words.emplace_back();
    } else if (c != ']') {
      words.back() += c;
    }
  }
  return words;
}

/// The element with this name, or at this place.
int find_element(const json& list, const std::string& word, const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool named = list[i].is_object() && list[i].contains("name") && list[i]["name"].is_string();
    if (named) names.push_back(list[i]["name"].get<std::string>());
    if (named && names.back() == word) return static_cast<int>(i);
  }
  int place = -1;
  const char* end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, place);
  const bool inside =
      read.ec == std::errc() && read.ptr == end && place >= 0 && place < static_cast<int>(list.size());
  if (inside) return place;
  refuse_override(text, "there is no " + in_quotes(word) + name_hint(word, names));
}

Place below(const Place& place, const std::string& word, const std::string& text) {
  json& value = *place.value;
  if (value.is_array()) {
    const int i = find_element(value, word, text);
    return {&value[i], place.field + "[" + std::to_string(i) + "]"};
  }
  if (value.is_null()) value = json::object();
  if (!value.is_object()) refuse_override(text, in_quotes(place.field) + " holds nothing by name");
  return {&value[word], place.field + (place.field.empty() ? "" : ".") + word};
}

}  // namespace

AppliedOverride apply_override(json& scene, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    refuse_override(text, "expected PATH=VALUE, such as contact.friction=0.3");
  }
  Place place{&scene, ""};
  for (const std::string& word : words_of(text.substr(0, equals))) {
    if (word.empty()) refuse_override(text, "expected a path such as bodies.crate.mass");
    place = below(place, word, text);
  }
  try {
    *place.value = parse_yaml(text.substr(equals + 1));
  } catch (const BadYaml& error) {
    refuse_override(text, error.what());
  }
  return {text, place.field};
}

}  // namespace touchstone
