// Where scenes lie: files, and the named ones that come with the program.

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "touchstone/scene/names.h"
#include "touchstone/scene/scene.h"
#include "touchstone/scene/yaml_text.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".yaml";

/// What the program has told, see set_scene_folder().
fs::path& told_folder() {
  static fs::path folder;
  return folder;
}

/// Folders that may hold the named scenes: what the user says, what the program says, beside the installed
/// program, the sources.
std::vector<fs::path> scene_folders() {
  std::vector<fs::path> folders;
  if (const char* told = std::getenv("TOUCHSTONE_SCENES")) folders.emplace_back(told);
  if (!told_folder().empty()) folders.push_back(told_folder());
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!ignored) folders.push_back(program.parent_path() / TOUCHSTONE_SCENES_BESIDE_PROGRAM);
  folders.emplace_back(TOUCHSTONE_SCENES_IN_SOURCE);
  return folders;
}

/// The first of the folders that there is; empty when there is none.
fs::path scene_folder() {
  std::error_code ignored;
  for (const fs::path& folder : scene_folders()) {
    if (fs::is_directory(folder, ignored)) return folder;
  }
  return {};
}

fs::path study_folder() { return scene_folder() / "studies"; }

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == kEnding) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw BadScene(path.string() + ": expected a scene file, not a folder");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!(in && (text << in.rdbuf()))) throw BadScene(path.string() + ": the file is empty or cannot be read");
  return text.str();
}

bool looks_like_path(const std::string& word) {
  return word.find('/') != std::string::npos || fs::path(word).has_extension();
}

/// `what` names it in messages: "scene".
fs::path find_named(const std::string& word, const fs::path& folder, const std::string& what) {
  std::error_code ignored;
  const std::vector<std::string> names = names_in(folder);
  // A folder of a named study's name holds its results.
  const bool named = std::find(names.begin(), names.end(), word) != names.end();
  if (fs::exists(word, ignored) && !(named && fs::is_directory(word, ignored))) return word;
  if (looks_like_path(word)) throw BadScene(word + ": there is no such file");
  if (named) return folder / (word + kEnding);
  const std::string many = what == "study" ? "studies" : what + "s";
  throw BadScene("there is no " + what + " " + in_quotes(word) +
                 (names.empty() ? "" : name_hint(word, names)) + " (touchstone list " + many +
                 " shows them)");
}

std::vector<NamedScene> heads_in(const fs::path& folder) {
  std::vector<NamedScene> heads;
  for (const std::string& name : names_in(folder)) {
    // A faulty scene is listed without its line; running it prints the fault.
    NamedScene entry{name, "", 0};
    try {
      const nlohmann::json value = parse_yaml(read_file(folder / (name + kEnding)));
      entry.about = value.value("about", "");
      entry.dimension = value.value("dimension", 0);
    } catch (const std::exception&) {
      entry.about = "cannot be read";
    }
    heads.push_back(entry);
  }
  return heads;
}

}  // namespace

Scene load_scene(const std::string& path_or_name, const std::vector<std::string>& overrides,
                 IgnoredOptions ignored) {
  const fs::path path = find_named(path_or_name, scene_folder(), "scene");
  Scene scene = parse_scene({read_file(path), path.string(), path.parent_path(), overrides, true, ignored});
  scene.file = path;
  return scene;
}

void set_scene_folder(const fs::path& folder) { told_folder() = folder; }

std::vector<NamedScene> named_scenes() { return heads_in(scene_folder()); }
std::vector<NamedScene> named_studies() { return heads_in(study_folder()); }

fs::path find_study(const std::string& path_or_name) {
  return find_named(path_or_name, study_folder(), "study");
}

}  // namespace touchstone
