#pragma once
// What a plain word of YAML means. Private to scene/.

#include <nlohmann/json.hpp>
#include <string>

namespace touchstone {

/// A plain (unquoted) scalar by YAML 1.2's core schema: null, true, 12, -0.5e3, .inf, or else the text
/// itself. A number too large for a double is infinite, and so refused by whoever reads it.
nlohmann::json plain_scalar(const std::string& text);

}  // namespace touchstone
