#pragma once
// N^-1 + G_S^T R_S^-1 G_S for a set S of the rows of a GramMatrix: the Hessian of gram_newton.cpp, with the
// pattern of the blocks. Inside solve only.

#include "touchstone/solve/linear/block_cholesky.h"

namespace touchstone {

template <int B>
class GramHessian {
 public:
  /// R is `sizes` times the softness that factor() is asked for.
  GramHessian(const GramFactors& factors, const Eigen::VectorXd& sizes);

  /// The rows of the set are those marked. False: not positive definite.
  bool factor(const std::vector<char>& set, double softness);
  void solve(BlockVector<B>& x) { cholesky_.solve(x); }
  long product_count() const { return cholesky_.product_count(); }
  const std::vector<SmallBlock<B>>& mass() const { return mass_; }  ///< N^-1

 private:
  void move_row(int row, bool enters);

  const GramFactors& factors_;
  const Eigen::VectorXd& sizes_;
  BlockEdges edges_;
  BlockCholesky<B> cholesky_;
  std::vector<SmallBlock<B>> mass_;
  // G_S^T sizes_S^-1 G_S, kept: from one factorisation to the next few rows enter or leave the set.
  std::vector<SmallBlock<B>> diagonal_, edge_;
  std::vector<int> members_;  ///< per edge: its rows in the set
  std::vector<char> summed_;
};

}  // namespace touchstone
