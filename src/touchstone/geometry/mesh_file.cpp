#include "touchstone/geometry/mesh_file.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <utility>

#include "touchstone/geometry/mesh_text.h"
#include "touchstone/geometry/point_order.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// Larger files are refused [bytes]: their points could not be counted by an int.
constexpr std::uintmax_t kLargestFile = std::uintmax_t(1) << 30;

struct Ending {
  const char* text;
  MeshFormat format;
};
constexpr Ending kEndings[] = {{".obj", MeshFormat::obj},
                               {".stl", MeshFormat::stl},
                               {".ply", MeshFormat::ply},
                               {".off", MeshFormat::off},
                               {".poly", MeshFormat::poly}};

Mesh parse(std::string_view bytes, MeshFormat format, const std::string& name) {
  switch (format) {
    case MeshFormat::obj:
      return read_obj(bytes, name);
    case MeshFormat::stl:
      return read_stl(bytes, name);
    case MeshFormat::ply:
      return read_ply(bytes, name);
    case MeshFormat::off:
      return read_off(bytes, name);
    default:
      return read_poly(bytes, name);
  }
}

/// Of each point, the first one that is equal to it.
std::vector<int> first_equals(const std::vector<Vec<3>>& points) {
  std::vector<int> order(points.size()), first(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return points[a] == points[b] ? a < b : lexicographic<3>(points[a], points[b]);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool equal = i > 0 && points[order[i]] == points[order[i - 1]];
    first[order[i]] = equal ? first[order[i - 1]] : order[i];
    assert(first[order[i]] <= order[i]);
  }
  return first;
}

/// Drops corners that follow themselves, the last and the first being neighbours.
void drop_repetitions(std::vector<int>& loop) {
  loop.erase(std::unique(loop.begin(), loop.end()), loop.end());
  while (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
}

/// Equal points become one; faces that collapse and points that no face uses are dropped.
Mesh tidied(const Mesh& mesh) {
  const std::vector<int> first = first_equals(mesh.points);
  std::vector<int> number(mesh.points.size(), -1);
  Mesh tidy;
  for (std::vector<int> loop : mesh.faces) {
    assert(std::all_of(loop.begin(), loop.end(), [&](int v) { return is_index(v, first.size()); }));
    for (int& v : loop) v = first[v];
    drop_repetitions(loop);
    if (loop.size() < 3) continue;
    for (int v : loop) number[v] = 0;
    tidy.faces.push_back(std::move(loop));
  }
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<int>(tidy.points.size());
    tidy.points.push_back(mesh.points[i]);
  }
  for (std::vector<int>& loop : tidy.faces) {
    for (int& v : loop) v = number[v];
  }
  return tidy;
}

std::string read_bytes(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (error || !std::filesystem::exists(status)) throw BadMeshFile(name + ": there is no such file");
  if (std::filesystem::is_directory(status)) throw BadMeshFile(name + ": expected a file, not a folder");
  if (!std::filesystem::is_regular_file(status)) throw BadMeshFile(name + ": expected a regular file");
  if (std::filesystem::file_size(file, error) > kLargestFile || error) {
    throw BadMeshFile(name + ": expected a file of at most 1 GiB");
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw BadMeshFile(name + ": cannot be read: " + std::strerror(errno));
  std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw BadMeshFile(name + ": cannot be read to its end");
  return bytes;
}

}  // namespace

MeshFormat mesh_format_of(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  std::string known;
  for (const Ending& entry : kEndings) {
    if (same_word(ending, entry.text)) return entry.format;
    known += (known.empty() ? "" : ", ") + std::string(entry.text);
  }
  throw BadMeshFile(file.string() + ": expected a mesh file with one of the endings " + known);
}

Mesh read_mesh(std::string_view bytes, MeshFormat format, const std::string& name) {
  if (bytes.empty()) throw BadMeshFile(name + ": the file is empty");
  if (bytes.size() > kLargestFile) throw BadMeshFile(name + ": expected a file of at most 1 GiB");
  const Mesh mesh = parse(bytes, format, name);
  if (mesh.points.empty()) throw BadMeshFile(name + ": expected vertices, found none");
  if (mesh.faces.empty()) throw BadMeshFile(name + ": expected faces, found none");
  return tidied(mesh);
}

Polytope<3> load_polytope(const std::filesystem::path& file) {
  const MeshFormat format = mesh_format_of(file);
  const Mesh mesh = read_mesh(read_bytes(file), format, file.string());
  try {
    return Polytope<3>::from_faces(mesh.points, mesh.faces);
  } catch (const BadShape& trouble) {
    throw BadMeshFile(file.string() + ": " + trouble.what());
  }
}

}  // namespace touchstone
