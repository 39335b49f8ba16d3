#pragma once
// Scenes of worlds made in code. Private to scene/.

#include <string_view>

namespace touchstone {

/// The text of a scene that was never written down. As YAML it is a comment.
inline constexpr std::string_view kMadeInCode = "# a world made in code\n";

}  // namespace touchstone
