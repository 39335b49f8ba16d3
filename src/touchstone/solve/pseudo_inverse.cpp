#include "touchstone/solve/pseudo_inverse.h"

#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

/// Relative size below which a direction of the equations counts as said already: closed loops are dependent
/// up to the joints' own drift, whose square stands here.
constexpr double kRedundant = 1e-9;

}  // namespace

PseudoInverse::PseudoInverse(const MatrixX& K) : scale_(K.rows()) {
  assert(K.rows() == K.cols());
  for (Eigen::Index i = 0; i < K.rows(); ++i) scale_[i] = K(i, i) > 0 ? 1 / std::sqrt(K(i, i)) : 1;
  scaled_.setThreshold(kRedundant);
  scaled_.compute(scale_.asDiagonal() * K * scale_.asDiagonal());
}

MatrixX PseudoInverse::times(const MatrixX& right) const {
  assert(right.rows() == scale_.size());
  return scale_.asDiagonal() * MatrixX(scaled_.solve(MatrixX(scale_.asDiagonal() * right)));
}

}  // namespace touchstone
