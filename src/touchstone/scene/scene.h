#pragma once
// A world from a file [docs/scene.md]. Everything a simulation starts from, as plain data.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "touchstone/run/run_content.h"
#include "touchstone/scene/bad_input.h"
#include "touchstone/stepping/step.h"

namespace touchstone {

/// A scene that cannot be read; the message names file, line, field, expected value and nearest name.
class BadScene : public BadInput {
 public:
  using BadInput::BadInput;
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
  /// What a user should know although the scene can be run: options that nothing in it uses.
  std::vector<std::string> warnings;
  std::variant<RunContent<2>, RunContent<3>> content;
};

/// What becomes of an option that nothing in the scene uses: `margin` under the model plane, `viscosity`
/// without a viscous surface, `directions` in the plane. One that stands in a file is told in
/// Scene::warnings; an option given from outside, or a scene made in code, is refused.
enum class IgnoredOptions {
  refused,
  told  ///< in any case: for a study, whose values are those of several models
};

/// Where a scene's text comes from.
struct SceneSource {
  std::string text;
  std::string name;                    ///< stands in messages: the file's path
  std::filesystem::path folder;        ///< mesh paths are relative to it
  std::vector<std::string> overrides;  ///< "contact.friction=0.3", "bodies.crate.mass=2"
  bool has_lines = true;               ///< false: it was made in code, so messages name no line of it
  IgnoredOptions ignored = IgnoredOptions::refused;
};

/// A scene from a file, or one of the named scenes. Throws BadScene.
Scene load_scene(const std::string& path_or_name, const std::vector<std::string>& overrides = {},
                 IgnoredOptions ignored = IgnoredOptions::refused);
Scene parse_scene(const SceneSource& source);
inline Scene parse_scene(const std::string& text, const std::string& name) {
  return parse_scene(SceneSource{text, name, "", {}});
}
/// A scene of a world made in code [stepping/build_world.h]; its other fields may be changed afterwards.
/// Throws BadScene where bodies overlap (unless that is allowed), a joint is open, or the force of a joint is
/// set, which would hold for one step only: before_step() of a Simulation is the place for forces.
template <int D>
Scene scene_of_world(World<D> world, const StepSettings& settings, bool allow_overlap = false);

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
