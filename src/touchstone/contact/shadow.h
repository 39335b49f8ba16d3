#pragma once
// A body seen along a direction: where a line along n enters and leaves it; inside contact only.

#include <vector>

#include "touchstone/proximity/placed.h"

namespace touchstone {

/// Facets whose normals are this near to level are side walls of the shadow: they have no height.
inline constexpr double kVertical = 1e-9;

/// Keeps its memory from one body to the next.
template <int D>
class Shadow {
 public:
  /// `tolerance` [m]: how far the shadow reaches beyond its border.
  void cast(const Placed<D>& P, const Vec<D>& n, double tolerance);

  struct Cut {
    bool inside = false;       ///< the line meets the shadow
    double low = 0, high = 0;  ///< [m] along n from the given point, where the body begins and ends
    int low_facet = -1, high_facet = -1;
  };
  /// The line through x along n.
  Cut cut(const Vec<D>& x) const;

  Vec<D> vertex(int v) const { return X_WB_ * P_->vertex(v); }  ///< in the world
  double height(int v) const { return heights_[v]; }            ///< n . vertex
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }
  /// Does a vertex, or an edge, lie on the side that -n (side = -1) or n (+1) sees?
  bool vertex_faces(int v, double side) const;
  bool edge_faces(int e, double side) const;

 private:
  /// A facet that has a height over each point of the ground: height(x) = at_origin - slope.x, x in the
  /// body's frame.
  struct Sheet {
    Vec<D> slope;
    double at_origin;  ///< [m]
    double slack;      ///< [m] how much higher its plane is if moved outwards, across n, by the tolerance
    int facet;
  };
  /// One that has none.
  struct Wall {
    Plane<D> plane;
    double slack;  ///< [m]
  };
  const Polytope<D>* P_ = nullptr;
  Pose<D> X_WB_;
  std::vector<double> rises_;         ///< N.n per facet
  std::vector<Sheet> upper_, lower_;  ///< that n, or -n, sees
  std::vector<Wall> walls_;
  std::vector<double> heights_;
  double lowest_ = 0, highest_ = 0;
};

}  // namespace touchstone
