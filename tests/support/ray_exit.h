#pragma once
// How far must one body move along a ray until it leaves the other? For placing pairs at a wanted gap; it
// shares no code with proximity/.

#include <vector>

#include "touchstone/math/vec.h"

namespace touchstone::support {

template <int D>
struct RayExit {
  double distance = 0;  ///< [m] how far A has to move along the ray to kiss B
  Vec<D> normal;        ///< unit, from B to A, of the contact there
};

template <int D>
struct RayQuery {
  const std::vector<Vec<D>>& a;  ///< vertices of A, which overlaps B
  const std::vector<Vec<D>>& b;
  Vec<D> direction;  ///< unit
  double inner;      ///< [m] how far A may move in any direction and still overlap B
};

/// A linear program: the largest t with t u in the hull of all b - a, by the simplex method. A column is made
/// only when it prices best, which is what the support function finds.
template <int D>
RayExit<D> find_ray_exit(const RayQuery<D>& query);

}  // namespace touchstone::support
