#include "touchstone/scene/urdf_mesh.h"

#include <fstream>
#include <map>
#include <sstream>

#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/mesh_file.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

/// Share of the hull's volume that a mesh may lack and still count as convex.
constexpr double kDent = 1e-4;

/// Does every edge belong to two faces, once in each direction?
bool is_closed(const Mesh& mesh) {
  std::map<std::pair<int, int>, int> uses;
  for (const std::vector<int>& face : mesh.faces) {
    for (std::size_t i = 0; i < face.size(); ++i) ++uses[{face[i], face[(i + 1) % face.size()]}];
  }
  for (const auto& [edge, count] : uses) {
    const auto back = uses.find({edge.second, edge.first});
    if (count != 1 || back == uses.end()) return false;
  }
  return !uses.empty();
}

/// Of the solid that a closed surface bounds, by cones from a point near it.
double volume_of(const Mesh& mesh) {
  double sum = 0;
  const Vec<3> tip = mesh.points.front();
  for (const std::vector<int>& face : mesh.faces) {
    const Vec<3> a = mesh.points[face[0]] - tip;
    for (std::size_t i = 2; i < face.size(); ++i)
      sum += a.dot((mesh.points[face[i - 1]] - tip).cross(mesh.points[face[i]] - tip)) / 6;
  }
  return sum;
}

}  // namespace

bool HulledMesh::is_dented() const { return !closed || added > kDent * hull; }

fs::path find_robot_mesh(std::string name, const fs::path& robot) {
  for (const char* scheme : {"package://", "file://"}) {
    if (name.starts_with(scheme)) name = name.substr(std::string(scheme).size());
  }
  // A package may be the folder itself, or one of those around it.
  std::error_code ignored;
  const fs::path given = name, within = fs::path(name.substr(std::min(name.size(), name.find('/') + 1)));
  for (fs::path around = fs::absolute(robot).parent_path();; around = around.parent_path()) {
    for (const fs::path& candidate : {around / given, around / within}) {
      if (fs::is_regular_file(candidate, ignored)) return candidate;
    }
    if (around == around.parent_path()) return {};
  }
}

HulledMesh read_hulled_mesh(const fs::path& file, const Vec<3>& scale) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  Mesh mesh = read_mesh(bytes.str(), mesh_format_of(file), file.string());
  for (Vec<3>& x : mesh.points) x = scale.cwiseProduct(x);
  HulledMesh hulled;
  hulled.closed = is_closed(mesh);
  hulled.hull = find_mass_properties(Polytope<3>::hull(mesh.points)).volume;
  if (hulled.closed) hulled.added = hulled.hull - std::abs(volume_of(mesh));
  hulled.points = std::move(mesh.points);
  return hulled;
}

}  // namespace touchstone
