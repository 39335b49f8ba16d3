// PLY, text and binary. The header lists elements (vertex, face, ...) and their properties; rows of values
// follow, element after element. We take x, y, z of each vertex and the list vertex_indices (or vertex_index)
// of each face and pass over all else.

#include <cassert>
#include <optional>
#include <utility>

#include "touchstone/geometry/mesh_bytes.h"

namespace touchstone {
namespace {

// ---- header ---------------------------------------------------------------------------------------------

enum class Scalar { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct ScalarName {
  std::string_view name, other_name;
  Scalar type;
  std::size_t size;  // [bytes]
};
constexpr ScalarName kScalars[] = {
    {"char", "int8", Scalar::int8, 1},        {"uchar", "uint8", Scalar::uint8, 1},
    {"short", "int16", Scalar::int16, 2},     {"ushort", "uint16", Scalar::uint16, 2},
    {"int", "int32", Scalar::int32, 4},       {"uint", "uint32", Scalar::uint32, 4},
    {"float", "float32", Scalar::float32, 4}, {"double", "float64", Scalar::float64, 8},
};

std::size_t size_of(Scalar type) { return kScalars[static_cast<int>(type)].size; }

struct Property {
  std::string_view name;
  Scalar type;
  std::optional<Scalar> count_type;  // of a list
};

bool is_corner_list(const Property& property) {
  return property.count_type && (property.name == "vertex_indices" || property.name == "vertex_index");
}

struct Element {
  std::string_view name;
  long long count;
  std::vector<Property> properties;

  /// The fewest bytes that a row takes in a binary file.
  std::size_t row_size() const {
    std::size_t sum = 0;
    for (const Property& p : properties) sum += size_of(p.count_type.value_or(p.type));
    return sum;
  }
};

enum class Encoding { text, little, big };

struct Header {
  Encoding encoding = Encoding::text;
  std::vector<Element> elements;
  long long vertex_count = -1;
};

class HeaderReader {
 public:
  explicit HeaderReader(MeshLines& lines) : lines_(lines) {}

  Header read() {
    lines_.need({"header"}, "\"ply\"");
    if (lines_.word(0) != "ply") lines_.fail_word(0, {"header"}, "\"ply\"");
    for (;;) {
      lines_.need({"header"}, "\"end_header\"");
      const std::string_view keyword = lines_.word(0);
      if (keyword == "end_header") break;
      if (keyword == "format") {
        read_format();
      } else if (keyword == "element") {
        read_element();
      } else if (keyword == "property") {
        read_property();
      } else if (keyword != "comment" && keyword != "obj_info") {
        lines_.fail_word(0, {"header"}, "format, element, property, comment or end_header");
      }
    }
    check();
    return std::move(header_);
  }

 private:
  std::string_view word(std::size_t i, const MeshField& field, const std::string& expected) const {
    if (i >= lines_.size()) lines_.fail(field, expected + ", but the line ends here");
    return lines_.word(i);
  }

  void read_format() {
    const std::string expected = "ascii, binary_little_endian or binary_big_endian";
    const std::string_view name = word(1, {"format"}, expected);
    if (name == "ascii") {
      header_.encoding = Encoding::text;
    } else if (name == "binary_little_endian") {
      header_.encoding = Encoding::little;
    } else if (name == "binary_big_endian") {
      header_.encoding = Encoding::big;
    } else {
      lines_.fail_word(1, {"format"}, expected);
    }
    has_format_ = true;
  }

  void read_element() {
    const std::string_view name = word(1, {"element"}, "a name");
    const long long count = lines_.integer_within(2, {"element", -1, name}, 0, kLargestCount);
    header_.elements.push_back({name, count, {}});
    if (name == "vertex") header_.vertex_count = count;
  }

  Scalar scalar(std::size_t i) const {
    const std::string_view name = word(i, {"property"}, "a type");
    for (const ScalarName& known : kScalars) {
      if (name == known.name || name == known.other_name) return known.type;
    }
    lines_.fail_word(i, {"property"}, "a type (char, uchar, short, ushort, int, uint, float, double)");
  }

  void read_property() {
    if (header_.elements.empty()) lines_.fail({"property"}, "an element before it");
    Property property;
    std::size_t i = 1;
    if (word(1, {"property"}, "a type") == "list") {
      property.count_type = scalar(2);
      if (*property.count_type >= Scalar::float32)
        lines_.fail_word(2, {"property"}, "an integer type for a list's size");
      i = 3;
    }
    property.type = scalar(i);
    property.name = word(i + 1, {"property"}, "a name");
    header_.elements.back().properties.push_back(property);
  }

  void check() const {
    if (!has_format_) lines_.fail({"header"}, "a line \"format ...\"");
    const Element& vertex = only_element("vertex");
    for (std::string_view axis : {"x", "y", "z"}) {
      const auto is_axis = [&](const Property& p) { return p.name == axis && !p.count_type; };
      if (std::count_if(vertex.properties.begin(), vertex.properties.end(), is_axis) != 1) {
        lines_.fail({"element vertex"}, "one property " + std::string(axis));
      }
    }
    const Element& face = only_element("face");
    if (std::count_if(face.properties.begin(), face.properties.end(), is_corner_list) != 1) {
      lines_.fail({"element face"}, "one property list ... vertex_indices");
    }
  }

  const Element& only_element(std::string_view name) const {
    const auto named = [&](const Element& e) { return e.name == name; };
    const auto& elements = header_.elements;
    if (std::count_if(elements.begin(), elements.end(), named) != 1) {
      lines_.fail({"header"}, "one element " + std::string(name));
    }
    return *std::find_if(elements.begin(), elements.end(), named);
  }

  MeshLines& lines_;
  Header header_;
  bool has_format_ = false;
};

// ---- rows -----------------------------------------------------------------------------------------------

/// The values of a text file: one row a line.
class TextRows {
 public:
  explicit TextRows(MeshLines lines) : lines_(std::move(lines)) {}

  void begin_row(const MeshField& field) {
    lines_.need(field, "a row of values");
    word_ = 0;
  }
  void end_row(const MeshField& field) const {
    if (word_ < lines_.size()) lines_.fail_word(word_, field, "the end of the line");
  }
  void check_rows(const Element&) const {}
  double take(Scalar, const MeshField& field) { return lines_.number(word_++, field); }
  std::size_t remaining(Scalar) const { return lines_.size() - word_; }
  void fail(const MeshField& field, const std::string& expected) const { lines_.fail(field, expected); }

 private:
  MeshLines lines_;
  std::size_t word_ = 0;
};

/// The values of a binary file.
class BinaryRows {
 public:
  explicit BinaryRows(MeshBytes source) : source_(std::move(source)) {}

  void begin_row(const MeshField&) {}
  void end_row(const MeshField&) const {}
  void check_rows(const Element& element) const {
    const std::size_t size = element.row_size();
    assert(size > 0 && element.count >= 0);
    if (static_cast<std::size_t>(element.count) > source_.remaining() / size) {
      source_.fail({element.name}, std::to_string(element.count) + " rows of at least " +
                                       std::to_string(size) + " bytes, but the file ends after " +
                                       std::to_string(source_.remaining()));
    }
  }
  double take(Scalar type, const MeshField& field) {
    switch (type) {
      case Scalar::int8:
        return source_.take<std::int8_t>(field);
      case Scalar::uint8:
        return source_.take<std::uint8_t>(field);
      case Scalar::int16:
        return source_.take<std::int16_t>(field);
      case Scalar::uint16:
        return source_.take<std::uint16_t>(field);
      case Scalar::int32:
        return source_.take<std::int32_t>(field);
      case Scalar::uint32:
        return source_.take<std::uint32_t>(field);
      case Scalar::float32:
        return source_.take<float>(field);
      default:
        return source_.take<double>(field);
    }
  }
  std::size_t remaining(Scalar type) const { return source_.remaining() / size_of(type); }
  void fail(const MeshField& field, const std::string& expected) const { source_.fail(field, expected); }

 private:
  MeshBytes source_;
};

template <class Rows>
class BodyReader {
 public:
  BodyReader(const Header& header, Rows rows) : header_(header), rows_(std::move(rows)) {}

  Mesh read() {
    for (const Element& element : header_.elements) {
      if (element.properties.empty()) continue;
      rows_.check_rows(element);
      for (long long i = 0; i < element.count; ++i) read_row(element, i);
    }
    return std::move(mesh_);
  }

 private:
  void read_row(const Element& element, long long number) {
    rows_.begin_row({element.name, number});
    Vec<3> x = Vec<3>::Zero();
    for (const Property& property : element.properties) {
      const MeshField field{element.name, number, property.name};
      if (property.count_type) {
        const bool corners = element.name == "face" && is_corner_list(property);
        read_list(property, field, corners);
      } else {
        read_scalar(property, field, element.name == "vertex" ? &x : nullptr);
      }
    }
    rows_.end_row({element.name, number});
    if (element.name == "vertex") mesh_.points.push_back(x);
  }

  void read_scalar(const Property& property, const MeshField& field, Vec<3>* point) {
    const double value = rows_.take(property.type, field);
    const std::size_t axis = std::string_view("xyz").find(property.name);
    if (!point || property.name.size() != 1 || axis == std::string_view::npos) return;
    if (!std::isfinite(value)) rows_.fail(field, "a finite number");
    (*point)[static_cast<int>(axis)] = value;
  }

  void read_list(const Property& property, const MeshField& field, bool corners) {
    const double size = rows_.take(*property.count_type, field);
    if (!(size >= 0) || size != std::floor(size) ||
        size > static_cast<double>(rows_.remaining(property.type))) {
      rows_.fail(field, "a list size that the values left over allow (" +
                            std::to_string(rows_.remaining(property.type)) + ")");
    }
    std::vector<int> loop;
    for (int i = 0; i < static_cast<int>(size); ++i) {
      const double value = rows_.take(property.type, field);
      if (corners) loop.push_back(corner(value, field));
    }
    if (!corners) return;
    if (loop.size() < 3) rows_.fail(field, "at least three corners, not " + std::to_string(loop.size()));
    mesh_.faces.push_back(std::move(loop));
  }

  int corner(double value, const MeshField& field) const {
    if (!(value >= 0 && value < static_cast<double>(header_.vertex_count)) || value != std::floor(value)) {
      rows_.fail(field, "indices from 0 to " + std::to_string(header_.vertex_count - 1));
    }
    return static_cast<int>(value);
  }

  const Header& header_;
  Rows rows_;
  Mesh mesh_;
};

}  // namespace

Mesh read_ply(std::string_view bytes, const std::string& name) {
  MeshLines lines(bytes, name, {});
  const Header header = HeaderReader(lines).read();
  if (header.encoding == Encoding::text) return BodyReader(header, TextRows(std::move(lines))).read();
  MeshBytes source(bytes, name, header.encoding == Encoding::little ? std::endian::little : std::endian::big);
  source.skip(lines.offset(), {"header"});
  return BodyReader(header, BinaryRows(std::move(source))).read();
}

}  // namespace touchstone
