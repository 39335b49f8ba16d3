#pragma once
// The one table of shapes by name. Private to scene/.

#include <tuple>

#include "touchstone/scene/fields.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone {

/// The value behind a shape's name, and the folder that paths are relative to.
struct ShapeSource {
  const Field& field;
  const std::filesystem::path& folder;
};

template <int D>
using ShapeMaker = Shape<D> (*)(const ShapeSource&);

struct NamedShape {
  ShapeEntry entry;
  /// What the numbers of the short form mean, in order. "normal" takes as many as the others leave; no keys
  /// at all: the numbers are the value.
  std::vector<std::string> short_keys;
  /// The dimension that the value alone tells; none where it tells nothing.
  std::optional<int> (*dimension)(const nlohmann::json& value);
  /// Null in a dimension in which there is no such shape.
  std::tuple<ShapeMaker<2>, ShapeMaker<3>> makers;
};

const std::vector<NamedShape>& named_shapes();
/// Null when there is no such name.
const NamedShape* find_named_shape(std::string_view name);
std::vector<std::string> shape_names();
/// A list of numbers in the order of the short form, under their keys; none where their number does not fit.
/// The shape has short keys.
std::optional<nlohmann::json> with_short_keys(const NamedShape& shape, const nlohmann::json& numbers);

/// A shape from a field that may be a path or an object.
template <int D>
Shape<D> read_shape(const ShapeSource& source);

}  // namespace touchstone
