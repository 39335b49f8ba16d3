#pragma once
// The collision meshes of a robot, each of which becomes its convex hull. Private to scene/.

#include <filesystem>
#include <string>
#include <vector>

#include "touchstone/math/vec.h"

namespace touchstone {

/// The points of a mesh, and what their hull adds to it.
struct HulledMesh {
  std::vector<Vec<3>> points;  ///< [m] scaled
  double hull = 0;             ///< [m^3] volume of the hull
  double added = 0;            ///< [m^3] of it that lies outside of the mesh
  bool closed = true;          ///< false: the mesh bounds no solid, and `added` is unknown
  /// Does the hull differ from the mesh by more than files with six digits do?
  bool is_dented() const;
};

/// Where `package://arm/meshes/a.stl` is, seen from the robot's file; empty: nowhere.
std::filesystem::path find_robot_mesh(std::string name, const std::filesystem::path& robot);

/// Throws BadMeshFile, and BadShape where the points span no solid.
HulledMesh read_hulled_mesh(const std::filesystem::path& file, const Vec<3>& scale);

}  // namespace touchstone
