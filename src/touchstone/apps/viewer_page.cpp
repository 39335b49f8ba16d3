#include "touchstone/apps/viewer_page.h"

#include <filesystem>

#include "touchstone/apps/plain_text.h"
#include "touchstone/scene/bad_input.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string find_program_file(const std::string& name) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {program, program / TOUCHSTONE_DATA_BESIDE_PROGRAM}) {
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  }
  return "";
}

std::string viewer_page() {
  const std::string path = find_program_file("viewer/index.html");
  const std::string text = path.empty() ? "" : text_in(path);
  if (text.find(kPageData) != std::string::npos) return text;
  throw BadInput(
      "the page of the viewer was not built; it needs nodejs (18 or newer), npm, and once the packages that "
      "npm "
      "downloads. In the clone: 'cmake --build build --target viewer' builds it and says what is missing "
      "(log: build/viewer/build.log). Everything else works without it");
}

}  // namespace touchstone
