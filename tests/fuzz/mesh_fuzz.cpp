// Mesh files from a stranger. The first byte chooses the format, the rest is the file. It is refused with
// BadMeshFile or BadShape, or it yields a sound polytope; so does the hull of its points.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "touchstone/geometry/mesh_file.h"
#include "touchstone/math/tolerance.h"

namespace {

using touchstone::Polytope;
using touchstone::Vec;

/// Slow, so for small solids only.
void check(const Polytope<3>& P) {
  constexpr int kLargest = 200;
  if (P.vertex_count() + P.facet_count() != P.edge_count() + 2) std::abort();
  if (P.vertex_count() > kLargest) return;
  double reach = P.size(), highest = 0;
  for (const Vec<3>& x : P.vertices()) reach = std::max(reach, x.norm());
  for (const auto& plane : P.facet_planes()) {
    if (!(std::abs(plane.normal.norm() - 1) < 1e-14)) std::abort();
    for (const Vec<3>& x : P.vertices()) highest = std::max(highest, plane.height(x));
  }
  if (!(highest <= 2 * touchstone::kFlatness * reach)) std::abort();
}

template <class Build>
void build_and_check(Build build) {
  try {
    check(build());
  } catch (const touchstone::BadShape&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto format = static_cast<touchstone::MeshFormat>(data[0] % 5);
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    const touchstone::Mesh mesh = touchstone::read_mesh(bytes, format, "file");
    build_and_check([&] { return Polytope<3>::from_faces(mesh.points, mesh.faces); });
    build_and_check([&] { return Polytope<3>::hull(mesh.points); });
  } catch (const touchstone::BadMeshFile&) {
  }
  return 0;
}
