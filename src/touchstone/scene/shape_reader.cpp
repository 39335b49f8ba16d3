#include "touchstone/scene/shape_reader.h"

#include <nlohmann/json.hpp>

#include "touchstone/geometry/mesh_file.h"
#include "touchstone/scene/named_shapes.h"
#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

using nlohmann::json;

/// The name in {"name": ...}, checked; a value that is no such object is refused.
const NamedShape& shape_named_in(const Field& field) {
  const json& value = field.value;
  if (!value.is_object() || value.empty()) {
    refuse_value(field, "a mesh path or an object such as {\"box\": [2, 2, 2]}");
  }
  const std::vector<std::string> names = shape_names();
  for (const auto& item : value.items()) {
    if (!find_named_shape(item.key())) {
      refuse(field, "unknown shape " + in_quotes(item.key()) + name_hint(item.key(), names));
    }
  }
  if (value.size() > 1) refuse(field, "expected one shape, got " + std::to_string(value.size()));
  return *find_named_shape(value.begin().key());
}

/// The short form of the command line, written as JSON; the example where its values are faulty.
std::string written_out(const std::string& short_form, const NamedShape& shape) {
  try {
    return shape_of_word(short_form, "").dump();
  } catch (const BadInput&) {
    return shape.entry.example;
  }
}

/// A path that is the name of a shape, or its short form, was meant as one.
void check_path(const Field& field) {
  const std::string& text = field.value.get_ref<const std::string&>();
  const std::size_t colon = text.find(':');
  const NamedShape* named = colon == text.npos ? nullptr : find_named_shape(text.substr(0, colon));
  if (named) {
    refuse(field, in_quotes(text) + " is the short form of the command line; here, write " +
                      written_out(text, *named));
  }
  if (const NamedShape* shape = find_named_shape(text)) {
    refuse(field, in_quotes(text) + " is no mesh file; a " + text + " is written " + shape->entry.example);
  }
}

/// Is the value a list of numbers, in the order of the short form (half_space: [0, 0, 1, 0])?
bool is_short(const NamedShape& shape, const json& value) {
  return value.is_array() && !shape.short_keys.empty();
}

/// The value of such a list under its keys.
json in_full(const Field& list, const NamedShape& shape) {
  for (int i = 0; i < static_cast<int>(list.value.size()); ++i) read_number(list.element(i));
  const std::optional<json> value = with_short_keys(shape, list.value);
  if (!value) {
    std::string keys;
    for (const std::string& key : shape.short_keys) keys += (keys.empty() ? "" : ", ") + key;
    refuse_value(list, shape.entry.example + ", or a list of the numbers " + keys);
  }
  return *value;
}

template <int D>
Shape<D> make_shape(const NamedShape& shape, const ShapeSource& source) {
  const ShapeMaker<D> make = std::get<ShapeMaker<D>>(shape.makers);
  if (!make) {
    refuse(source.field,
           "there is no such shape in " + std::to_string(D) + "D, only in " + std::to_string(5 - D) + "D");
  }
  try {
    return make(source);
  } catch (const BadShape& error) {
    refuse(source.field, error.what());
  } catch (const BadMeshFile& error) {
    refuse(source.field, error.what());
  }
}

}  // namespace

const std::vector<ShapeEntry>& shape_entries() {
  static const std::vector<ShapeEntry> entries = [] {
    std::vector<ShapeEntry> all;
    for (const NamedShape& shape : named_shapes()) all.push_back(shape.entry);
    return all;
  }();
  return entries;
}

std::optional<int> dimension_of_shape(const json& value) {
  if (value.is_string()) return 3;
  if (!value.is_object() || value.size() != 1) return std::nullopt;
  const NamedShape* shape = find_named_shape(value.begin().key());
  if (!shape) return std::nullopt;
  const json& inner = value.begin().value();
  const std::optional<json> full = is_short(*shape, inner) ? with_short_keys(*shape, inner) : std::nullopt;
  return shape->dimension(full ? *full : inner);
}

template <int D>
Shape<D> read_shape(const ShapeSource& source) {
  const Field& field = source.field;
  if (field.value.is_string()) {
    check_path(field);
    return make_shape<D>(*find_named_shape("mesh"), source);
  }
  const NamedShape& shape = shape_named_in(field);
  const Field inner = field.member(shape.entry.name);
  if (!is_short(shape, inner.value)) return make_shape<D>(shape, {inner, source.folder});
  const json value = in_full(inner, shape);
  const Field whole{value, shape.entry.name, &field, -1};
  return make_shape<D>(shape, {whole, source.folder});
}

template <int D>
Shape<D> read_shape(const json& value, const std::string& field, const std::filesystem::path& folder) {
  const Field whole{value, field};
  return read_shape<D>(ShapeSource{whole, folder});
}

template Shape<2> read_shape<2>(const ShapeSource&);
template Shape<3> read_shape<3>(const ShapeSource&);
template Shape<2> read_shape<2>(const json&, const std::string&, const std::filesystem::path&);
template Shape<3> read_shape<3>(const json&, const std::string&, const std::filesystem::path&);

}  // namespace touchstone
