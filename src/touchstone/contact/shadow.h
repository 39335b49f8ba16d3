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
  struct Facet {
    double rise;   ///< N.n
    double slack;  ///< [m] how far its plane lies outwards if moved by the tolerance across n
  };
  const Polytope<D>* P_ = nullptr;
  Pose<D> X_WB_;
  std::vector<Facet> facets_;
  std::vector<double> heights_;
  double lowest_ = 0, highest_ = 0;
};

}  // namespace touchstone
