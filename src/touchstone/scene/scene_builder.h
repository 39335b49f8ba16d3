#pragma once
// Scenes made in code: the keys of a scene file [docs/scene.md], added piece by piece.
//
//     SceneBuilder build(2);
//     build.add_body({{"name", "crate"}, {"shape", {{"box", {1, 1}}}}, {"mass", 1}, {"position", {0, 2}}});
//     Simulation sim(build.scene());

#include <nlohmann/json.hpp>
#include <string>

#include "touchstone/scene/scene.h"

namespace touchstone {

/// Each piece is checked when it is added, as far as it can be alone; what only the whole can tell (names
/// given twice, bodies that overlap) is checked by scene(). All throw BadScene.
class SceneBuilder {
 public:
  explicit SceneBuilder(int dimension);

  /// A key of the scene itself: gravity, step, duration, contact, ...
  SceneBuilder& set(const std::string& key, nlohmann::json value);
  SceneBuilder& add_material(const std::string& name, nlohmann::json material);
  /// What two materials do to each other: an element of `pairs`.
  SceneBuilder& add_surface(nlohmann::json pair);
  SceneBuilder& add_body(nlohmann::json body);
  SceneBuilder& add_joint(nlohmann::json joint);
  SceneBuilder& add_controller(nlohmann::json controller);

  /// The scene as its file would say it.
  const nlohmann::json& value() const { return value_; }
  Scene scene(const std::string& name = "scene") const;

 private:
  nlohmann::json head() const;
  void check(const nlohmann::json& trial, const std::string& what, const std::string& list) const;
  const nlohmann::json* find_body(const nlohmann::json& name) const;

  nlohmann::json value_;
};

}  // namespace touchstone
