#pragma once
// A world from a file [docs/scene.md]. Everything a simulation starts from, as plain data.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "touchstone/scene/shape_reader.h"
#include "touchstone/stepping/step.h"

namespace touchstone {

/// A scene that cannot be read; the message names file, line, field, expected value and nearest name.
class BadScene : public BadInput {
 public:
  using BadInput::BadInput;
};

/// A force on one axis of a joint:  kp (target - value) + kd (target's rate - rate).
struct JointController {
  int joint = 0, axis = 0;
  double kp = 0;                                               ///< [N/m or N m/rad]
  double kd = 0;                                               ///< [N s/m or N m s/rad]
  double max_force = std::numeric_limits<double>::infinity();  ///< [N or N m]
  /// The target [m or rad] at these times [s], straight between them, constant before and after.
  std::vector<double> times, targets;
};

template <int D>
struct SceneContent {
  World<D> world;                ///< every body; bodies that appear later come last, in order of their time
  std::vector<double> appear;    ///< [s] per body; 0: there from the start
  std::vector<Twist<D>> forces;  ///< [N; N m] constant wrench per body, world axes, at the centre of mass
  std::vector<JointController> controllers;
};

struct Scene {
  std::string name;                    ///< "box-stack"
  std::string text;                    ///< as it was read
  std::string about;                   ///< one line, by the author
  std::filesystem::path file;          ///< empty when it came from no file
  std::vector<std::string> overrides;  ///< "contact.friction=0.3", in the order in which they were applied
  int dimension = 3;
  double duration = 3;  ///< [s]
  bool allow_overlap = false;
  std::string model{kDefaultModel};
  std::string formulation;
  StepSettings settings;  ///< of each step
  std::variant<SceneContent<2>, SceneContent<3>> content;
};

/// Where a scene's text comes from.
struct SceneSource {
  std::string text;
  std::string name;                    ///< stands in messages: the file's path
  std::filesystem::path folder;        ///< mesh paths are relative to it
  std::vector<std::string> overrides;  ///< "contact.friction=0.3", "bodies.crate.mass=2"
  bool has_lines = true;               ///< false: nobody has seen the text, so messages name no line of it
};

/// A scene from a file, or one of the named scenes. Throws BadScene.
Scene load_scene(const std::string& path_or_name, const std::vector<std::string>& overrides = {});
Scene parse_scene(const SceneSource& source);
inline Scene parse_scene(const std::string& text, const std::string& name) {
  return parse_scene({text, name, "", {}});
}
/// A scene from values in code, with the keys of a scene file. Meshes are relative to the working folder.
Scene make_scene(const nlohmann::json& value, const std::string& name,
                 const std::vector<std::string>& overrides = {});

/// The world at its start, without the bodies that appear later. Throws std::bad_variant_access when the
/// scene has another dimension.
template <int D>
World<D> make_world(const Scene& scene);

/// The scenes that come with the program: `touchstone run NAME`.
struct NamedScene {
  std::string name, about;
  int dimension = 0;
};
std::vector<NamedScene> named_scenes();
/// Overrides where named scenes are searched; the environment variable TOUCHSTONE_SCENES goes before it. Not
/// for use while other threads load scenes.
void set_scene_folder(const std::filesystem::path& folder);
/// The studies that come with the program, in the folder `studies` beside the scenes.
std::vector<NamedScene> named_studies();
/// A study's file: as it is, or by the name of one that comes with the program. Throws BadScene.
std::filesystem::path find_study(const std::string& path_or_name);

}  // namespace touchstone
