#pragma once
// (N^-1 + G^T K G) v = f, where K has a full block of three per contact: the linear system in the velocities
// of the bodies behind every step of a method for pyramids. Inside solve only.

#include "touchstone/solve/linear/block_lu.h"
#include "touchstone/solve/matrix/pyramid_products.h"

namespace touchstone {

template <int B>
class PyramidSystem {
 public:
  explicit PyramidSystem(const PyramidFactors& factors);

  const std::vector<SmallBlock<B>>& mass() const { return mass_; }  ///< N^-1
  /// False: a pivot vanished, or a number is not finite.
  bool factor(const std::vector<Eigen::Matrix3d>& K);
  void solve(BlockVector<B>& f) { lu_.solve(f); }
  int sign() const { return lu_.sign(); }  ///< of the determinant

 private:
  void open_edges(const std::vector<Eigen::Matrix3d>& K);

  const PyramidFactors& factors_;
  BlockEdges edges_;  ///< of contacts
  std::vector<SmallBlock<B>> mass_;
  BlockLu<B> lu_;
};

}  // namespace touchstone
