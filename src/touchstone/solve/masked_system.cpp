#include "touchstone/solve/masked_system.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace touchstone {
namespace {

/// A pivot below this, relative to the largest, counts as vanished.
constexpr double kVanished = 1e-14;

}  // namespace

class MaskedSystem::Dense {
 public:
  explicit Dense(const MatrixX& M) : M_(M), symmetric_(M == M.transpose()) {}

  bool symmetric() const { return symmetric_; }

  bool factor(const Mask& active, const VectorX& shift) {
    rows_.clear();
    for (int i = 0; i < static_cast<int>(active.size()); ++i)
      if (active[i]) rows_.push_back(i);
    const int k = static_cast<int>(rows_.size());
    MatrixX part(k, k);
    for (int j = 0; j < k; ++j) {
      for (int i = 0; i < k; ++i) part(i, j) = M_(rows_[i], rows_[j]);
      part(j, j) += shift[rows_[j]];
    }
    // An indefinite symmetric matrix has no Cholesky factor: it goes the general way.
    definite_ = symmetric_ && cholesky_.compute(part).info() == Eigen::Success;
    if (!definite_) lu_.compute(part);
    return k == 0 || well_pivoted(definite_ ? cholesky_.matrixLLT() : lu_.matrixLU());
  }

  void solve(const VectorX& rhs, VectorX& x) const {
    const int k = static_cast<int>(rows_.size());
    VectorX part(k);
    for (int i = 0; i < k; ++i) part[i] = rhs[rows_[i]];
    if (k > 0) part = definite_ ? VectorX(cholesky_.solve(part)) : VectorX(lu_.solve(part));
    x.setZero(M_.rows());
    for (int i = 0; i < k; ++i) x[rows_[i]] = part[i];
  }

 private:
  static bool well_pivoted(const MatrixX& factors) {
    const VectorX pivots = factors.diagonal().cwiseAbs();
    return pivots.minCoeff() > kVanished * pivots.maxCoeff();
  }

  const MatrixX& M_;
  bool symmetric_, definite_ = false;
  std::vector<int> rows_;
  Eigen::LLT<MatrixX> cholesky_;
  Eigen::PartialPivLU<MatrixX> lu_;
};

MaskedSystem::MaskedSystem(const ProblemMatrix& M) : M_(M) {
  if (M.is_sparse())
    sparse_ = std::make_unique<SparseLdu>(M.sparse());
  else
    dense_ = std::make_unique<Dense>(M.dense());
}

MaskedSystem::~MaskedSystem() = default;

bool MaskedSystem::symmetric() const { return sparse_ ? sparse_->symmetric() : dense_->symmetric(); }

bool MaskedSystem::factor(const Mask& active, const VectorX& shift) {
  active_ = active;
  shift_ = shift;
  return sparse_ ? sparse_->factor(active, shift) == 0 : dense_->factor(active, shift);
}

void MaskedSystem::solve_once(const VectorX& rhs, VectorX& x) const {
  sparse_ ? sparse_->solve(rhs, x) : dense_->solve(rhs, x);
}

/// x is 0 outside the active rows, so that only the rows need a mask.
VectorX MaskedSystem::multiply(const VectorX& x) const {
  VectorX y = M_ * x + shift_.cwiseProduct(x);
  for (Eigen::Index i = 0; i < y.size(); ++i)
    if (!active_[i]) y[i] = 0;
  return y;
}

VectorX MaskedSystem::solve(const VectorX& rhs, int refinements) const {
  VectorX x, correction;
  solve_once(rhs, x);
  for (int i = 0; i < refinements; ++i) {
    solve_once(rhs - multiply(x), correction);
    x += correction;
  }
  return x;
}

VectorX diagonal_of(const ProblemMatrix& M) {
  if (M.is_sparse()) return M.sparse().diagonal();
  return M.dense().diagonal();
}

VectorX row_sizes(const ProblemMatrix& M) {
  VectorX sizes = VectorX::Zero(M.rows());
  if (M.is_sparse()) {
    for (int i = 0; i < M.rows(); ++i)
      for (SparseMatrix::InnerIterator it(M.sparse(), i); it; ++it)
        sizes[i] = std::max(sizes[i], std::abs(it.value()));
  } else if (M.rows() > 0) {
    sizes = M.dense().cwiseAbs().rowwise().maxCoeff();
  }
  return (sizes.array() > 0).select(sizes, 1.0);
}

}  // namespace touchstone
