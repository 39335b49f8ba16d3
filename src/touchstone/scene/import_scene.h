#pragma once
// Scenes of other programs, read as if they were ours [docs/named-scenes.md]. Private to scene/.

#include <filesystem>

#include "touchstone/scene/fields.h"

namespace touchstone {

/// Translates a file of another program into our scene format: a fixture of rigid-ipc or a list of hulls. A
/// scene of our own format is returned as it is. Mesh files are searched from `folder` on. Throws BadField
/// for a key without counterpart in our format.
nlohmann::json import_scene(const nlohmann::json& value, const std::filesystem::path& folder);

/// A fixture of rigid-ipc: an object with the key "rigid_body_problem".
nlohmann::json import_rigid_ipc(const Field& scene, const std::filesystem::path& folder);
/// Bodies as hulls of points about their centres of mass, with principal moments of inertia.
nlohmann::json import_hulls(const Field& scene);

/// What is to be known of robots beside what they add to a scene.
struct ImportedRobots {
  struct Origin {
    std::string field;  ///< of the scene: "bodies[3]"
    std::string place;  ///< in the robot's file: `arm.urdf:12: link "wrist"`
  };
  std::vector<Origin> origins;
  std::vector<std::string> warnings;  ///< joints that do not start at 0, meshes that became hulls
};

/// Appends the bodies and joints of the scene's `robots` to its lists. Throws BadField.
ImportedRobots import_robots(nlohmann::json& scene, const std::filesystem::path& folder);

}  // namespace touchstone
