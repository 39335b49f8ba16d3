#pragma once
// YAML as text, read into the same values as JSON, so that one reader of shapes and poses serves both.
// Private to scene/.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "touchstone/scene/shape_reader.h"

namespace touchstone {

/// Text that is no YAML, or none that we take.
class BadYaml : public BadInput {
 public:
  BadYaml(int line, const std::string& message) : BadInput(message), line_(line) {}
  int line() const { return line_; }  ///< from 1 on; 0: unknown

 private:
  int line_;
};

/// Reads one document. Plain words become numbers, true, false, null or texts as YAML 1.2's core schema says;
/// anchors, aliases and the merge key `<<` work. Throws BadYaml for text that is no YAML, for a key that is
/// given twice, and for text that is nested too deeply or has too many values, values repeated by aliases
/// included, so that no small file fills the memory.
nlohmann::json parse_yaml(const std::string& text);

/// The line on which a field such as `bodies[3].shape.box` stands, or the nearest field around it that is
/// written there; 0 when not even that is. The text must be one that parse_yaml took.
int line_of_field(const std::string& text, std::string_view field);

}  // namespace touchstone
