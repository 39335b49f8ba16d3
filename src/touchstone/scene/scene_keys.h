#pragma once
// Every key of a scene file, in one table: the reader accepts these keys, and docs/scene.md is made from
// them. A door, so that `touchstone list keys` can print it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {

struct SceneKey {
  std::string_view section;  ///< "body": the kind of map that it stands in
  std::string_view key;
  std::string_view type;      ///< "length", "list of 3 numbers", ...; D stands for the dimension
  std::string_view fallback;  ///< what holds when it is left out; "required" when it must not
  std::string_view meaning;   ///< one line, with the unit
  int dimension = 0;          ///< 2 or 3 where it is known only there
};

std::span<const SceneKey> scene_keys();

/// The keys that a map of this kind may have in this dimension.
const std::vector<std::string>& keys_of(std::string_view section, int dimension);

}  // namespace touchstone
