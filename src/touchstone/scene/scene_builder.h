#pragma once
// Scenes made of JSON values: the keys of a scene file [docs/scene.md], added piece by piece. Bindings to
// other languages stand on it; in C++ stepping/build_world.h makes worlds of typed values.

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "touchstone/scene/scene.h"

namespace touchstone {

/// A scene from values in code, with the keys of a scene file. Meshes are relative to the working folder.
Scene make_scene(const nlohmann::json& value, const std::string& name,
                 const std::vector<std::string>& overrides = {},
                 IgnoredOptions ignored = IgnoredOptions::refused);

/// Each piece is checked when it is added, as far as it can be alone; what only the whole can tell (names
/// given twice, bodies that overlap) is checked by scene(). All throw BadScene.
class SceneBuilder {
 public:
  explicit SceneBuilder(int dimension);
  SceneBuilder(SceneBuilder&&) noexcept;
  SceneBuilder& operator=(SceneBuilder&&) noexcept;
  ~SceneBuilder();

  /// A key of the scene itself: gravity, step, duration, contact, ...
  SceneBuilder& set(const std::string& key, nlohmann::json value);
  SceneBuilder& add_material(const std::string& name, nlohmann::json material);
  /// What two materials do to each other: an element of `pairs`.
  SceneBuilder& add_surface(nlohmann::json pair);
  SceneBuilder& add_body(nlohmann::json body);
  SceneBuilder& add_joint(nlohmann::json joint);
  SceneBuilder& add_controller(nlohmann::json controller);

  /// The scene as its file would say it.
  const nlohmann::json& value() const { return *value_; }
  Scene scene(const std::string& name = "scene") const;

 private:
  nlohmann::json head() const;
  void check(const nlohmann::json& trial, const std::string& what, const std::string& list) const;
  const nlohmann::json* find_body(const nlohmann::json& name) const;
  void add_named_bodies(const nlohmann::json& names, nlohmann::json& trial) const;

  std::unique_ptr<nlohmann::json> value_;  // users of this header need not compile its type
};

}  // namespace touchstone
