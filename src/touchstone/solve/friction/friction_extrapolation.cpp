#include "touchstone/solve/friction/friction_extrapolation.h"

#include <Eigen/Cholesky>
#include <cassert>

namespace touchstone {
namespace {

/// Of the Gram matrix's trace, added to its diagonal: defects of nearly equal steps are nearly parallel.
constexpr double kRidge = 1e-12;

}  // namespace

Extrapolation::Extrapolation(VectorX weight)
    : weight_(std::move(weight)),
      defect_(weight_.size()),
      last_defect_(weight_.size()),
      last_g_(weight_.size()),
      defect_change_(weight_.size(), int{kMemory}),
      g_change_(weight_.size(), int{kMemory}),
      steps_(-1) {
  gram_.setZero();
}

void Extrapolation::advance(const VectorX& r, VectorX& g) {
  assert(r.size() == weight_.size() && g.size() == weight_.size());
  defect_ = (g - r).cwiseProduct(weight_);
  const double norm = defect_.norm();
  const bool first = steps_ < 0, worse = !first && norm > last_norm_;
  if (first || worse) {
    steps_ = 0;
  } else {
    remember(g);
  }
  last_norm_ = norm;
  last_defect_.swap(defect_);
  last_g_ = g;
  if (steps_ > 0) combine(g);
}

void Extrapolation::remember(const VectorX& g) {
  assert(steps_ >= 0);
  const int column = steps_ % kMemory;
  defect_change_.col(column) = defect_ - last_defect_;
  g_change_.col(column) = g - last_g_;
  ++steps_;
  for (int j = 0; j < std::min(steps_, int{kMemory}); ++j) {
    gram_(column, j) = defect_change_.col(column).dot(defect_change_.col(j));
    gram_(j, column) = gram_(column, j);
  }
}

void Extrapolation::combine(VectorX& g) const {
  const int m = std::min(steps_, int{kMemory});
  Gram gram = gram_.topLeftCorner(m, m);
  gram.diagonal().array() += kRidge * gram.trace();
  const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMemory, 1> shares =
      Eigen::LDLT<Gram>(gram).solve(defect_change_.leftCols(m).transpose() * last_defect_);
  if (shares.allFinite()) g.noalias() -= g_change_.leftCols(m) * shares;
}

}  // namespace touchstone
