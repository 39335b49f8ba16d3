#pragma once
// `generate: {kind: polygons-in-box, seed: 3}`: bodies that a scene describes by a rule and a seed instead of
// listing them [docs/named-scenes.md]. What is generated is a scene file's own text, so that every key keeps
// its meaning; the same seed gives the same bodies on every machine.

#include <span>
#include <string_view>

#include <nlohmann/json.hpp>

namespace touchstone {

struct GeneratorEntry {
  std::string_view name, summary;
  std::string_view keys;  ///< what it takes besides kind and seed, with the defaults
};
std::span<const GeneratorEntry> generators();

/// Puts the bodies (joints, controllers) that the scene asks to generate behind those that it lists. Throws
/// BadField.
void generate_bodies(nlohmann::json& scene);

}  // namespace touchstone
