#pragma once
// `--set contact.friction=0.3`: values of a scene changed from outside of its file. Private to scene/.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace touchstone {

/// What an override changed.
struct AppliedOverride {
  std::string text;   ///< "bodies.crate.mass=2"
  std::string field;  ///< "bodies[3].mass", as readers name it
};

/// Sets one value of the scene: PATH=VALUE, where the path's words are keys, places in a list from 0 on, or
/// the names of its members, and the value is YAML. Missing keys are added; the reader decides whether they
/// are valid. Throws BadInput.
AppliedOverride apply_override(nlohmann::json& scene, const std::string& text);

}  // namespace touchstone
