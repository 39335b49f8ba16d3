#pragma once
// The pseudo-inverse of the matrix of equations that may say the same thing twice, such as joints of a closed
// loop.

#include <Eigen/QR>

#include "touchstone/solve/problem_matrix.h"

namespace touchstone {

/// K^+ of a symmetric matrix that is not negative, each row measured in its own unit, sqrt(K_ii): whether a
/// row is said already by others is a matter of angles. With one measure for all, the joint of a needle,
/// whose bodies turn easily, made those of heavy bodies in the same island look redundant, and they opened.
class PseudoInverse {
 public:
  explicit PseudoInverse(const MatrixX& K);
  MatrixX times(const MatrixX& right) const;

 private:
  VectorX scale_;
  Eigen::CompleteOrthogonalDecomposition<MatrixX> scaled_;
};

}  // namespace touchstone
