#pragma once
// M = G N G^T in its factors. N is block-diagonal and each row of G meets at most two blocks: rows of
// contacts between pairs of bodies (N holds their inverse masses), of which M, the Delassus matrix, is far
// from sparse. A product costs two passes over the rows, and M + diag(R) is solved by a factorisation of the
// size of N:
//
//     (M + R)^-1 = R^-1 - R^-1 G (N^-1 + G^T R^-1 G)^-1 G^T R^-1                      [Woodbury]

#include <vector>

#include "touchstone/solve/matrix/factored_matrix.h"

namespace touchstone {

/// Flat arrays, filled by the maker. Small blocks stand one after another, by columns.
struct GramFactors {
  int block = 6;                   ///< unknowns per block: 3 or 6
  std::vector<int> first, second;  ///< per row: its two blocks; -1: none
  std::vector<double> G;           ///< per row: its part in the first block, then in the second
  std::vector<double> NG;          ///< N G^T, in the same places
  std::vector<double> N;           ///< per block: symmetric and positive definite

  int row_count() const { return static_cast<int>(first.size()); }
  int block_count() const { return static_cast<int>(N.size()) / (block * block); }
};

Eigen::VectorXd multiply(const GramFactors& factors, const Eigen::VectorXd& x);
/// M entry by entry; symmetric to the last bit.
Eigen::SparseMatrix<double, Eigen::RowMajor> expand(const GramFactors& factors);
bool is_finite(const GramFactors& factors);

using GramMatrix = FactoredMatrix<GramFactors>;

}  // namespace touchstone
