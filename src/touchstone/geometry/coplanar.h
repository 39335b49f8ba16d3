#pragma once
// Merges facets that are coplanar, and edges that are collinear, up to round-off. Private to geometry/.

#include <span>
#include <vector>

#include "touchstone/geometry/half_edges.h"
#include "touchstone/geometry/hull.h"

namespace touchstone {

/// Drops corners of a convex loop that lie within the tolerance [m] of the line between the remaining
/// corners.
Loop straightened(std::span<const Vec<2>> points, const Loop& corners, double tolerance);

/// The triangles of a hull in groups, each of which becomes one flat facet. A group is a disc: connected and
/// without holes.
class FacetGroups {
 public:
  /// Triangles whose corners lie within the tolerance [m] of a common plane share a group.
  FacetGroups(std::span<const Vec<3>> points, TriangleSurface surface, double tolerance);

  /// The border of a group, counter-clockwise, without the corners that fewer than three groups share: those
  /// lie within a straight edge.
  struct Facet {
    Loop loop;
    int group;
  };
  std::vector<Facet> facets();

  /// Makes each triangle of these groups a facet for good; false when all of them are single ones already.
  bool dissolve(const std::vector<int>& groups);
  void dissolve_all();

 private:
  using Label = std::vector<int>;  // of each triangle; triangles of one label belong together
  struct Side {
    int triangle, edge;
    bool operator==(const Side&) const = default;
  };

  std::vector<int> flat_disc(int seed, double tolerance);
  std::vector<int> grow(int seed, const Plane<3>& plane, double tolerance);
  Plane<3> middle_plane(const std::vector<int>& triangles) const;
  bool is_disc(const std::vector<int>& triangles) const;
  bool on_border(const Side& side, const Label& label) const;
  Side next_on_border(Side side, const Label& label) const;
  Loop border(const Side& start, const Label& label) const;
  std::vector<Facet> borders() const;
  bool merge_slivers(const std::vector<Facet>& facets);
  bool relabel(const Label& target);

  std::span<const Vec<3>> points_;
  TriangleSurface surface_;
  std::vector<Vec<3>> areas_;  // area vector of each triangle
  Label group_;                // the triangle that the group grew from
  Label trial_;                // the number of the trial that last took the triangle in
  int trials_ = 0;
  std::vector<bool> dissolved_;
};

}  // namespace touchstone
