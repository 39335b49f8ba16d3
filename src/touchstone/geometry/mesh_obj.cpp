// Wavefront OBJ: "v x y z" and "f v1/t1/n1 v2/t2/n2 ...". Everything else is passed over.

#include <cassert>
#include <charconv>
#include <utility>

#include "touchstone/geometry/mesh_text.h"

namespace touchstone {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view bytes, const std::string& name) : lines_(bytes, name, {{"#"}, "", true}) {}

  Mesh read() {
    while (lines_.next()) {
      if (lines_.word(0) == "v") {
        const long long number = static_cast<long long>(mesh_.points.size()) + 1;
        mesh_.points.push_back(lines_.point(1, {"vertex", number}));
      } else if (lines_.word(0) == "f") {
        read_face();
      }
    }
    check_faces();
    return std::move(mesh_);
  }

 private:
  void read_face() {
    const MeshField field{"face", static_cast<long long>(mesh_.faces.size()) + 1};
    if (lines_.size() < 4)
      lines_.fail(field, "at least three corners, not " + std::to_string(lines_.size() - 1));
    std::vector<int> loop;
    for (std::size_t i = 1; i < lines_.size(); ++i) loop.push_back(corner(i, field));
    mesh_.faces.push_back(std::move(loop));
    face_lines_.push_back(lines_.line());
  }

  /// The vertex of "v", "v/t", "v//n" or "v/t/n", from 0; a negative one counts back from the last so far.
  int corner(std::size_t i, const MeshField& field) {
    const std::string_view word = lines_.word(i), vertex = word.substr(0, word.find('/'));
    const int count = static_cast<int>(mesh_.points.size());
    int value = 0;
    const auto [end, error] = std::from_chars(vertex.data(), vertex.data() + vertex.size(), value);
    const bool well_formed = error == std::errc() && end == vertex.data() + vertex.size() &&
                             word.find_first_not_of("0123456789/-", vertex.size()) == std::string_view::npos;
    if (!well_formed) lines_.fail_word(i, field, "a corner such as 7, 7/1, 7//3 or 7/1/3");
    if (value == 0 || value < -count) {
      lines_.fail_word(i, field, "an index from 1, or back from -1 to -" + std::to_string(count));
    }
    return value < 0 ? count + value : value - 1;
  }

  /// A face may name vertices that come after it, so their number is known only now.
  void check_faces() {
    const int count = static_cast<int>(mesh_.points.size());
    assert(face_lines_.size() == mesh_.faces.size());
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      for (int v : mesh_.faces[f]) {
        if (v < count) continue;
        lines_.fail_at(
            face_lines_[f], {"face", static_cast<long long>(f) + 1},
            "an index of one of the " + std::to_string(count) + " vertices, not " + std::to_string(v + 1));
      }
    }
  }

  MeshLines lines_;
  Mesh mesh_;
  std::vector<long long> face_lines_;
};

}  // namespace

Mesh read_obj(std::string_view bytes, const std::string& name) { return ObjReader(bytes, name).read(); }

}  // namespace touchstone
