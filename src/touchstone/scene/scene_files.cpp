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

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(scene_folder(), ignored)) {
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

fs::path find_scene(const std::string& word) {
  std::error_code ignored;
  if (fs::exists(word, ignored)) return word;
  if (looks_like_path(word)) throw BadScene(word + ": there is no such file");
  const std::vector<std::string> names = scene_names();
  if (std::find(names.begin(), names.end(), word) != names.end()) return scene_folder() / (word + kEnding);
  throw BadScene("there is no scene " + in_quotes(word) + (names.empty() ? "" : name_hint(word, names)) +
                 " (touchstone list scenes shows them)");
}

}  // namespace

Scene load_scene(const std::string& path_or_name, const std::vector<std::string>& overrides) {
  const fs::path path = find_scene(path_or_name);
  Scene scene = parse_scene({read_file(path), path.string(), path.parent_path(), overrides});
  scene.file = path;
  return scene;
}

void set_scene_folder(const fs::path& folder) { told_folder() = folder; }

std::vector<NamedScene> named_scenes() {
  std::vector<NamedScene> scenes;
  for (const std::string& name : scene_names()) {
    // A faulty one is listed without its line: `run` says what is wrong with it.
    NamedScene entry{name, "", 0};
    try {
      const nlohmann::json value = parse_yaml(read_file(scene_folder() / (name + kEnding)));
      entry.about = value.value("about", "");
      entry.dimension = value.value("dimension", 0);
    } catch (const std::exception&) {
      entry.about = "cannot be read";
    }
    scenes.push_back(entry);
  }
  return scenes;
}

}  // namespace touchstone
