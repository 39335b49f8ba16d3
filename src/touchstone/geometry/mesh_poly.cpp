// The .poly files of the RPI simulator, on which the thesis builds [Thesis appendix]:
//
// clang-format off
//     8                  number of vertices          Comments begin with #, % or //. Brackets, commas and
//     1 -.5 -.5 -.5      number, x, y, z             semicolons count as blanks, as in Matlab. The number
//     ...                                            of a vertex may be left out. Faces count vertices
//     6                  number of faces             from 1, or from 0 when one of them names vertex 0.
//     1 2 4 3            corners
//     ...
// clang-format on

#include <algorithm>
#include <cassert>

#include "touchstone/geometry/mesh_text.h"

namespace touchstone {
namespace {

class PolyReader {
 public:
  PolyReader(std::string_view bytes, const std::string& name)
      : lines_(bytes, name, {{"#", "%", "//"}, "[],;=", false}) {}

  Mesh read() {
    const long long vertex_count = count("number of vertices");
    for (long long i = 1; i <= vertex_count; ++i) {
      lines_.need({"vertex", i}, "one of " + std::to_string(vertex_count) + " vertices");
      read_vertex(i);
    }
    const long long face_count = count("number of faces");
    for (long long i = 1; i <= face_count; ++i) {
      lines_.need({"face", i}, "one of " + std::to_string(face_count) + " faces");
      read_face(i);
    }
    if (lines_.next()) lines_.fail_word(0, {"end of the file"}, "nothing behind the last face");
    renumber();
    return std::move(mesh_);
  }

 private:
  long long count(std::string_view what) {
    lines_.need({what}, "the " + std::string(what));
    if (lines_.size() != 1)
      lines_.fail({what}, "one integer on its line, not " + std::to_string(lines_.size()) + " words");
    return lines_.integer_within(0, {what}, 0, kLargestCount);
  }

  void read_vertex(long long number) {
    const MeshField field{"vertex", number};
    if (lines_.size() != 3 && lines_.size() != 4) {
      lines_.fail(field, "\"i x y z\" or \"x y z\", not " + std::to_string(lines_.size()) + " words");
    }
    const std::size_t first = lines_.size() - 3;
    if (first == 1) lines_.integer_within(0, {"vertex", number, "number"}, number - 1, number);
    mesh_.points.push_back(lines_.point(first, field));
  }

  void read_face(long long number) {
    if (lines_.size() < 3) {
      lines_.fail({"face", number}, "at least three corners, not " + std::to_string(lines_.size()));
    }
    const long long last = static_cast<long long>(mesh_.points.size());
    std::vector<int> loop;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      loop.push_back(static_cast<int>(lines_.integer_within(i, {"face", number}, 0, last)));
    }
    counted_from_0_ = counted_from_0_ || std::find(loop.begin(), loop.end(), 0) != loop.end();
    mesh_.faces.push_back(std::move(loop));
    face_lines_.push_back(lines_.line());
  }

  /// From the file's numbers to ours, which are from 0.
  void renumber() {
    const int count = static_cast<int>(mesh_.points.size());
    assert(face_lines_.size() == mesh_.faces.size());
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      for (int& v : mesh_.faces[f]) {
        if (!counted_from_0_) --v;
        if (v < count) continue;
        lines_.fail_at(face_lines_[f], {"face", static_cast<long long>(f) + 1},
                       "corners from 0 to " + std::to_string(count - 1) + ", as vertex 0 is named, not " +
                           std::to_string(v));
      }
    }
  }

  MeshLines lines_;
  Mesh mesh_;
  std::vector<long long> face_lines_;
  bool counted_from_0_ = false;
};

}  // namespace

Mesh read_poly(std::string_view bytes, const std::string& name) { return PolyReader(bytes, name).read(); }

}  // namespace touchstone
