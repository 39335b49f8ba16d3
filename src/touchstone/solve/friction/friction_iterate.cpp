#include "touchstone/solve/friction/friction_iterate.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace touchstone {

template <int D>
double residual_of(const FrictionBlocks<D>& blocks, const VectorX& r, VectorX& u) {
  blocks.velocities(r, u);
  double sum = 0;
  for (int i = 0; i < blocks.contacts(); ++i) {
    const ContactVector<D> r_i = r.segment<D>(D * i), u_i = u.segment<D>(D * i);
    sum += natural_map<D>(r_i, u_i, blocks.mu(i)).squaredNorm();
  }
  return std::isfinite(sum) ? std::sqrt(sum) / blocks.scale() : std::numeric_limits<double>::infinity();
}

template <int D>
FrictionIterate start_at(const FrictionBlocks<D>& blocks, const VectorX& r) {
  VectorX u(blocks.size());
  return {r, r, residual_of<D>(blocks, r, u), 0};
}

template <int D>
double take_note(const FrictionBlocks<D>& blocks, FrictionIterate& iterate, VectorX& u) {
  const double residual = residual_of<D>(blocks, iterate.r, u);
  if (residual < iterate.best_residual) {
    iterate.best = iterate.r;
    iterate.best_residual = residual;
  }
  assert(iterate.best.size() == blocks.size());
  return residual;
}

template double residual_of<2>(const FrictionBlocks<2>&, const VectorX&, VectorX&);
template double residual_of<3>(const FrictionBlocks<3>&, const VectorX&, VectorX&);
template FrictionIterate start_at<2>(const FrictionBlocks<2>&, const VectorX&);
template FrictionIterate start_at<3>(const FrictionBlocks<3>&, const VectorX&);
template double take_note<2>(const FrictionBlocks<2>&, FrictionIterate&, VectorX&);
template double take_note<3>(const FrictionBlocks<3>&, FrictionIterate&, VectorX&);

}  // namespace touchstone
