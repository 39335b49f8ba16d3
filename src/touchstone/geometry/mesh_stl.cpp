// STL, text and binary: triangles with their corners spelled out. Normals are passed over; the order of the
// corners tells the outside. Binary: 80 bytes of anything, the number n of triangles, n times 50 bytes.

#include <cassert>
#include <cmath>

#include "touchstone/geometry/mesh_bytes.h"

namespace touchstone {
namespace {

constexpr std::size_t kHeader = 80, kCount = 4, kTriangle = 50, kNormal = 12, kAttribute = 2;

void add_triangle(Mesh& mesh) {
  const int n = static_cast<int>(mesh.points.size());
  assert(n >= 3);
  mesh.faces.push_back({n - 3, n - 2, n - 1});
}

class TextStl {
 public:
  TextStl(std::string_view bytes, const std::string& name) : lines_(bytes, name, {}) {}

  Mesh read() {
    lines_.next();  // solid ..., any name
    while (lines_.next()) {
      if (begins("facet")) {
        read_facet();
      } else if (!begins("endsolid") && !begins("solid")) {
        lines_.fail_word(0, {"facet", facet_number()}, "\"facet\", \"solid\" or \"endsolid\"");
      }
    }
    return std::move(mesh_);
  }

 private:
  bool begins(std::string_view keyword) const { return same_word(lines_.word(0), keyword); }
  long long facet_number() const { return static_cast<long long>(mesh_.faces.size()) + 1; }

  void expect(std::string_view keyword) {
    const MeshField field{"facet", facet_number()};
    const std::string expected = std::string("\"").append(keyword).append("\"");
    lines_.need(field, expected);
    if (!begins(keyword)) lines_.fail_word(0, field, expected);
  }

  void read_facet() {
    expect("outer");
    for (int i = 0; i < 3; ++i) {
      expect("vertex");
      mesh_.points.push_back(lines_.point(1, {"facet", facet_number(), "vertex"}));
    }
    expect("endloop");
    expect("endfacet");
    add_triangle(mesh_);
  }

  MeshLines lines_;
  Mesh mesh_;
};

Mesh read_binary(std::string_view bytes, const std::string& name, std::size_t count) {
  MeshBytes source(bytes, name, std::endian::little);
  source.skip(kHeader + kCount, {"header"});
  assert(source.remaining() == count * kTriangle);
  Mesh mesh;
  for (std::size_t t = 0; t < count; ++t) {
    const MeshField field{"triangle", static_cast<long long>(t) + 1};
    source.skip(kNormal, field);
    for (int i = 0; i < 3; ++i) {
      Vec<3> x;
      for (int k = 0; k < 3; ++k) x[k] = source.take_coordinate<float>(field);
      mesh.points.push_back(x);
    }
    source.skip(kAttribute, field);
    add_triangle(mesh);
  }
  return mesh;
}

/// Whether the text has a facet. A binary file may begin with "solid", too; then it has none, but by chance.
bool has_facets(std::string_view bytes) {
  for (std::size_t at = 0; at + 5 <= bytes.size(); ++at) {
    if ((bytes[at] == 'f' || bytes[at] == 'F') && same_word(bytes.substr(at, 5), "facet")) return true;
  }
  return false;
}

/// Whether this can only be a binary file, of a wrong length at that: no text has zero bytes.
bool is_broken_binary(std::string_view bytes) {
  return bytes.size() >= kHeader + kCount && !has_facets(bytes) && bytes.find('\0') != bytes.npos;
}

}  // namespace

Mesh read_stl(std::string_view bytes, const std::string& name) {
  // Some binary files begin with "solid" too, so the size decides.
  std::uint32_t count = 0;
  if (bytes.size() >= kHeader + kCount) {
    MeshBytes source(bytes, name, std::endian::little);
    source.skip(kHeader, {"header"});
    count = source.take<std::uint32_t>({"number of triangles"});
    if ((bytes.size() - kHeader - kCount) / kTriangle == count &&
        (bytes.size() - kHeader - kCount) % kTriangle == 0) {
      return read_binary(bytes, name, count);
    }
  }
  const std::string_view start = bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()), 5);
  if (same_word(start, "solid") && !is_broken_binary(bytes)) return TextStl(bytes, name).read();
  MeshBytes source(bytes, name, std::endian::little);
  if (bytes.size() < kHeader + kCount) {
    source.fail({"header"},
                "\"solid\" or the 84 bytes of a binary header, not " + std::to_string(bytes.size()));
  }
  source.skip(kHeader, {"header"});
  source.fail({"number of triangles"}, "a file of 84 + 50 n bytes for n = " + std::to_string(count) +
                                           " triangles, not of " + std::to_string(bytes.size()));
}

}  // namespace touchstone
