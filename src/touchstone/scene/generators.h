#pragma once
// `generate: {kind: polygons-in-box, seed: 3}`: bodies that a scene describes by a rule and a seed instead of
// listing them [docs/named-scenes.md]. A generator makes values of the scene format, so that every key keeps
// its meaning; the same seed gives the same bodies on every machine.

#include <span>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace touchstone {

struct GeneratorEntry {
  std::string_view name, summary;
  std::string_view keys;  ///< its keys besides kind and seed, with their defaults
};
std::span<const GeneratorEntry> generators();

/// Appends the generated bodies, joints and controllers to the scene's lists. Throws BadField.
void generate_bodies(nlohmann::json& scene);

}  // namespace touchstone
