#pragma once
// Shapes and poses from JSON values: the one reader for queries, scene files and Python.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"
#include "touchstone/scene/bad_input.h"

namespace touchstone {

/// One line of `touchstone list shapes`.
struct ShapeEntry {
  std::string name;        ///< the key, e.g. "box"
  std::string example;     ///< a whole value that works, e.g. {"box": [2, 2, 2]}
  std::string short_form;  ///< the same for the command line, e.g. box:2,2,2; empty where there is none
  std::string meaning;     ///< one line
  bool in_2d = false, in_3d = false;
};
const std::vector<ShapeEntry>& shape_entries();

/// 2 or 3 where the value can only mean a shape of that dimension; none where both would do.
std::optional<int> dimension_of_shape(const nlohmann::json& value);
/// The same for a pose.
std::optional<int> dimension_of_pose(const nlohmann::json& value);

/// A shape from a mesh path, {"points": [...]} or a named shape such as {"box": [2, 2, 2]}. Paths are
/// relative to `folder`; `field` names the value in messages ("a", "bodies[3].shape"). Throws BadInput.
template <int D>
Shape<D> read_shape(const nlohmann::json& value, const std::string& field,
                    const std::filesystem::path& folder);

/// `{"position": [...], "quaternion": [w, x, y, z]}` in 3D, `{"position": [...], "angle": a}` in 2D; also
/// `"axis_angle": [x, y, z, angle]` and `"euler": [x, y, z]` (R = Rz Ry Rx), radians. All keys are optional.
/// Throws BadInput.
template <int D>
Pose<D> read_pose(const nlohmann::json& value, const std::string& field);

/// The value that a word of the command line stands for: JSON text, a short form such as box:2,2,2, or else
/// a mesh path. Throws BadInput.
nlohmann::json shape_of_word(std::string_view word, const std::string& field);
/// The list of numbers that a word such as 0,0,1.5 stands for. Throws BadInput.
nlohmann::json numbers_of_word(std::string_view word, const std::string& field);

}  // namespace touchstone
