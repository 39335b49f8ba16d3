#pragma once
// The built page of the viewer: one self-contained HTML file, beside the installed program or in the build.

#include <string>

namespace touchstone {

/// Where data of an exported page goes.
inline constexpr const char* kPageData = "<!-- touchstone-data -->";

/// A file that belongs to the program, such as "viewer/index.html"; empty when it is not there.
std::string find_program_file(const std::string& name);

/// The page's text. Throws BadInput, saying what to do, where the page was not built.
std::string viewer_page();

}  // namespace touchstone
