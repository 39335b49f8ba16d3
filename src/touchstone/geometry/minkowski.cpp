#include "touchstone/geometry/minkowski.h"

#include <algorithm>

#include "touchstone/geometry/point_order.h"

namespace touchstone {

template <int D>
Polytope<D> minkowski_difference(const Polytope<D>& A, const Polytope<D>& B, const Pose<D>& X_AB) {
  std::vector<Vec<D>> differences;
  differences.reserve(static_cast<std::size_t>(A.vertex_count()) * B.vertex_count());
  for (const Vec<D>& b : B.vertices()) {
    const Vec<D> p_AB = X_AB * b;
    for (const Vec<D>& a : A.vertices()) differences.push_back(a - p_AB);
  }
  // Equal boxes make equal differences; a hull takes each point once.
  std::sort(differences.begin(), differences.end(), lexicographic<D>);
  differences.erase(std::unique(differences.begin(), differences.end()), differences.end());
  return Polytope<D>::hull(differences);
}

template Polytope<2> minkowski_difference(const Polytope<2>&, const Polytope<2>&, const Pose<2>&);
template Polytope<3> minkowski_difference(const Polytope<3>&, const Polytope<3>&, const Pose<3>&);

}  // namespace touchstone
