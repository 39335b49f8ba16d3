#pragma once
// Polyhedra from files: OBJ, STL (text and binary), PLY (text and binary), OFF and the thesis's .poly.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// A surface as a file gives it: nothing is checked but that indices exist and numbers are finite.
struct Mesh {
  std::vector<Vec<3>> points;
  std::vector<std::vector<int>> faces;  ///< loops of indices into points, from 0
};

/// A file that cannot be read: the message names the file, the line and the expected text.
class BadMeshFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class MeshFormat { obj, stl, ply, off, poly };

/// The format that a file name's ending says; throws BadMeshFile naming the endings that are known.
MeshFormat mesh_format_of(const std::filesystem::path& file);

/// Reads the bytes of a mesh file. `name` stands in messages. Equal points are merged into one.
Mesh read_mesh(std::string_view bytes, MeshFormat format, const std::string& name);

/// Reads a mesh file and builds its solid. Throws BadMeshFile, also for a solid that is refused.
Polytope<3> load_polytope(const std::filesystem::path& file);

}  // namespace touchstone
