#include "touchstone/scene/import_rigid_ipc_shape.h"

#include <fstream>
#include <sstream>

#include "touchstone/geometry/mesh_file.h"
#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSplit = "; give it as several convex bodies, or as parts in a scene of our own";

/// "cube.obj" lies in `meshes/` beside the fixtures, some folders up.
fs::path find_mesh(const Field& field, const fs::path& folder) {
  const std::string& name = read_text(field, "the path of a mesh file");
  std::error_code ignored;
  if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  for (fs::path above = fs::absolute(folder, ignored);; above = above.parent_path()) {
    const fs::path file = above / "meshes" / name;
    if (fs::is_regular_file(file, ignored)) return file;
    if (above == above.parent_path()) break;
  }
  refuse(field, "there is no mesh " + in_quotes(name) + " beside the scene nor in a folder meshes above it");
}

Mesh load_mesh(const Field& field, const fs::path& folder) {
  const fs::path file = find_mesh(field, folder);
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  try {
    return read_mesh(bytes.str(), mesh_format_of(file), file.string());
  } catch (const BadMeshFile& error) {
    refuse(field, error.what());
  }
}

template <int D>
Vec<D> extents(const std::vector<Vec<D>>& points) {
  Vec<D> low = points[0], high = points[0];
  for (const Vec<D>& x : points) low = low.cwiseMin(x), high = high.cwiseMax(x);
  return high - low;
}

/// "dimensions" overrides "scale"; a shape without extent along an axis is not scaled along it.
template <int D>
Vec<D> read_scale(const Field& body, const std::vector<Vec<D>>& points) {
  Vec<D> scale = Vec<D>::Ones();
  if (const auto wanted = optional_member(body, "dimensions")) {
    const Vec<D> now = extents(points), then = read_vector<D>(*wanted, "extents");
    for (int k = 0; k < D; ++k) scale[k] = now[k] > 0 ? then[k] / now[k] : 1;
  } else if (const auto given = optional_member(body, "scale")) {
    if (given->value.is_number()) return Vec<D>::Constant(read_length(*given));
    scale = read_vector<D>(*given, "factors");
  }
  if (!(scale.minCoeff() > 0)) refuse(body, "expected a scale above zero along every axis");
  return scale;
}

template <int D>
int flat_axis(const std::vector<Vec<D>>& points) {
  const Vec<D> size = extents(points);
  for (int k = 0; k < D; ++k) {
    if (size[k] == 0) return k;
  }
  return -1;
}

template <int D>
void set_points(IpcShape<D>& shape, std::vector<Vec<D>> points) {
  shape.middle = Vec<D>::Zero();
  for (const Vec<D>& x : points) shape.middle += x / static_cast<double>(points.size());
  shape.flat_axis = flat_axis(points);
  shape.parts = {std::move(points)};
}

std::vector<Vec<2>> read_points(const Field& list) {
  if (!list.value.is_array() || list.value.size() < 2) refuse_value(list, "a list of points");
  std::vector<Vec<2>> points;
  for (int i = 0; i < static_cast<int>(list.value.size()); ++i) {
    points.push_back(read_vector<2>(list.element(i), "coordinates"));
  }
  return points;
}

/// The corners of a polygon, in order, are those of its hull?
void check_convex(const Field& field, const std::vector<Vec<2>>& loop) {
  std::vector<int> way(loop.size());
  for (std::size_t i = 0; i < way.size(); ++i) way[i] = static_cast<int>(i);
  std::vector<int> back(way.rbegin(), way.rend());
  const double twice_area = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec<2>&a = loop[i], &b = loop[(i + 1) % loop.size()];
      sum += a.x() * b.y() - a.y() * b.x();
    }
    return sum;
  }();
  try {
    Polytope<2>::from_faces(loop, {twice_area > 0 ? way : back});
  } catch (const BadShape& error) {
    refuse(field, "the polygon is not convex (" + std::string(error.what()) + ")" + kSplit);
  }
}

/// The edges must run around the body once, from each point to the next.
void check_loop(const Field& body, std::size_t points) {
  const auto edges = optional_member(body, "edges");
  bool closed = edges && edges->value.is_array() && edges->value.size() == points;
  for (std::size_t i = 0; closed && i < points; ++i) {
    closed = edges->value[i] == nlohmann::json{i, (i + 1) % points};
  }
  if (!closed)
    refuse(body, "its edges do not bound one convex polygon: only closed polygons and lines work" +
                     std::string(kSplit));
}

IpcShape<2> read_polygons(const Field& body, const Field& list) {
  IpcShape<2> shape;
  int count = 0;
  for (int i = 0; i < static_cast<int>(list.value.size()); ++i) {
    const Field polygon = list.element(i);
    shape.parts.push_back(read_points(polygon));
    check_convex(polygon, shape.parts.back());
    for (const Vec<2>& x : shape.parts.back()) shape.middle += x, ++count;
  }
  if (count == 0) refuse_value(list, "a list of polygons");
  shape.middle /= count;
  if (body.value.contains("scale") || body.value.contains("dimensions")) {
    refuse(body, "a body of polygons cannot be scaled");
  }
  return shape;
}

}  // namespace

template <>
IpcShape<2> read_ipc_shape<2>(const Field& body, const fs::path&) {
  if (const auto polygons = optional_member(body, "polygons")) return read_polygons(body, *polygons);
  std::vector<Vec<2>> points = read_points(required(body, "vertices", "a list of points"));
  const Vec<2> scale = read_scale<2>(body, points);
  for (Vec<2>& x : points) x = x.cwiseProduct(scale);
  IpcShape<2> shape;
  set_points<2>(shape, points);
  if (shape.flat_axis >= 0) return shape;
  check_loop(body, points.size());
  check_convex(body.member("vertices"), points);
  return shape;
}

template <>
IpcShape<3> read_ipc_shape<3>(const Field& body, const fs::path& folder) {
  const Field field = required(body, "mesh", "the path of a mesh file");
  Mesh mesh = load_mesh(field, folder);
  if (mesh.points.empty()) refuse(field, "the mesh has no points");
  const Vec<3> scale = read_scale<3>(body, mesh.points);
  for (Vec<3>& x : mesh.points) x = x.cwiseProduct(scale);
  IpcShape<3> shape;
  set_points<3>(shape, mesh.points);
  if (shape.flat_axis >= 0) return shape;
  try {
    const Polytope<3> solid = Polytope<3>::from_faces(mesh.points, mesh.faces);
    shape.parts = {{solid.vertices().begin(), solid.vertices().end()}};
  } catch (const BadShape& error) {
    refuse(field, in_quotes(field.value.get<std::string>()) + " is not a convex solid (" + error.what() +
                      ")" + kSplit);
  }
  return shape;
}

template <int D>
void thicken(IpcShape<D>& sheet, bool towards_positive) {
  const Vec<D> shift = (towards_positive ? 1 : -1) * kSheetThickness * Vec<D>::Unit(sheet.flat_axis);
  std::vector<Vec<D>>& points = sheet.parts[0];
  const std::size_t count = points.size();
  for (std::size_t i = 0; i < count; ++i) points.push_back(points[i] + shift);
  sheet.flat_axis = -1;
}

template void thicken(IpcShape<2>&, bool);
template void thicken(IpcShape<3>&, bool);

}  // namespace touchstone
