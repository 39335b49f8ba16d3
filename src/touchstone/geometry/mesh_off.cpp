// OFF: "OFF", the numbers of vertices, faces and edges, then "x y z" and "n v1 ... vn" lines. Normals (NOFF),
// colours (COFF) and texture coordinates (STOFF), and colours of faces, stand behind these and are passed
// over.

#include "touchstone/geometry/mesh_text.h"

namespace touchstone {
namespace {

class OffReader {
 public:
  OffReader(std::string_view bytes, const std::string& name) : lines_(bytes, name, {{"#"}, "", false}) {}

  Mesh read() {
    const std::size_t first = read_header();
    const long long vertex_count = count(first, "number of vertices");
    const long long face_count = count(first + 1, "number of faces");
    for (long long i = 0; i < vertex_count; ++i) {
      lines_.need({"vertex", i}, "one of " + std::to_string(vertex_count) + " vertices");
      mesh_.points.push_back(lines_.point(0, {"vertex", i}));
    }
    for (long long i = 0; i < face_count; ++i) {
      lines_.need({"face", i}, "one of " + std::to_string(face_count) + " faces");
      read_face(i);
    }
    if (lines_.next()) lines_.fail_word(0, {"end of the file"}, "nothing behind the last face");
    return std::move(mesh_);
  }

 private:
  /// Leaves the reader on the line of the counts and returns the word where they begin.
  std::size_t read_header() {
    lines_.need({"header"}, "\"OFF\"");
    const std::string_view word = lines_.word(0);
    if (!word.ends_with("OFF")) lines_.fail_word(0, {"header"}, "\"OFF\"");
    if (word.find_first_of("4n") != std::string_view::npos) {
      lines_.fail_word(0, {"header"}, "vertices of three dimensions");
    }
    if (lines_.size() > 1) {
      if (same_word(lines_.word(1), "BINARY")) lines_.fail_word(1, {"header"}, "the text form of OFF");
      return 1;
    }
    lines_.need({"counts"}, "the numbers of vertices, faces and edges");
    return 0;
  }

  long long count(std::size_t word, std::string_view what) {
    return lines_.integer_within(word, {what}, 0, kLargestCount);
  }

  void read_face(long long number) {
    const long long corners = lines_.integer_within(0, {"face", number, "size"}, 3, kLargestCount);
    if (corners >= static_cast<long long>(lines_.size())) {
      lines_.fail({"face", number},
                  std::to_string(corners) + " corners, not " + std::to_string(lines_.size() - 1));
    }
    const long long last = static_cast<long long>(mesh_.points.size()) - 1;
    std::vector<int> loop;
    for (long long i = 1; i <= corners; ++i) {
      loop.push_back(
          static_cast<int>(lines_.integer_within(static_cast<std::size_t>(i), {"face", number}, 0, last)));
    }
    mesh_.faces.push_back(std::move(loop));
  }

  MeshLines lines_;
  Mesh mesh_;
};

}  // namespace

Mesh read_off(std::string_view bytes, const std::string& name) { return OffReader(bytes, name).read(); }

}  // namespace touchstone
