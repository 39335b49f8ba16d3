#include "touchstone/solve/linear/masked_system.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cassert>

namespace touchstone {
namespace {

/// A pivot below this, relative to the largest, counts as vanished.
constexpr double kVanished = 1e-14;
/// Up to this number of active rows a sparse matrix is solved as a full one: finding a sparse order of
/// elimination would cost more.
constexpr int kFewRows = 80;

}  // namespace

/// The active part as a full matrix.
class MaskedSystem::Gathered {
 public:
  explicit Gathered(const ProblemMatrix& M) : M_(M) {}

  bool factor(const Mask& active, const VectorX& shift) {
    rows_.clear();
    for (int i = 0; i < static_cast<int>(active.size()); ++i)
      if (active[i]) rows_.push_back(i);
    const int k = static_cast<int>(rows_.size());
    // An indefinite symmetric matrix has no Cholesky factor: it goes the general way.
    definite_ = gather_symmetric(shift) && cholesky_.compute(part_).info() == Eigen::Success;
    if (!definite_) {
      if (!M_.is_sparse()) gather(M_.dense()), add_to_diagonal(shift);
      lu_.compute(part_);
    }
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
  /// False where the active part is not symmetric. Of a dense one only the lower triangle is gathered, which
  /// is all that Cholesky reads.
  bool gather_symmetric(const VectorX& shift) {
    if (M_.is_sparse()) {
      gather(M_.sparse()), add_to_diagonal(shift);
      return part_ == part_.transpose();
    }
    const bool symmetric = gather_lower(M_.dense());
    add_to_diagonal(shift);
    return symmetric && !part_.diagonal().hasNaN();
  }

  bool gather_lower(const MatrixX& M) {
    const int k = static_cast<int>(rows_.size());
    part_.resize(k, k);
    bool symmetric = true;
    for (int j = 0; j < k; ++j) {
      for (int i = j; i < k; ++i) {
        part_(i, j) = M(rows_[i], rows_[j]);
        symmetric &= part_(i, j) == M(rows_[j], rows_[i]);
      }
    }
    return symmetric;
  }

  void gather(const MatrixX& M) {
    const int k = static_cast<int>(rows_.size());
    part_.resize(k, k);
    for (int j = 0; j < k; ++j)
      for (int i = 0; i < k; ++i) part_(i, j) = M(rows_[i], rows_[j]);
  }

  void gather(const SparseMatrix& M) {
    const int k = static_cast<int>(rows_.size());
    place_.assign(M.cols(), -1);
    for (int i = 0; i < k; ++i) place_[rows_[i]] = i;
    part_.setZero(k, k);
    for (int i = 0; i < k; ++i)
      for (SparseMatrix::InnerIterator entry(M, rows_[i]); entry; ++entry)
        if (place_[entry.col()] >= 0) part_(i, place_[entry.col()]) += entry.value();
  }

  void add_to_diagonal(const VectorX& shift) {
    for (int j = 0; j < static_cast<int>(rows_.size()); ++j) part_(j, j) += shift[rows_[j]];
  }

  static bool well_pivoted(const MatrixX& factors) {
    const VectorX pivots = factors.diagonal().cwiseAbs();
    return pivots.minCoeff() > kVanished * pivots.maxCoeff();
  }

  const ProblemMatrix& M_;
  bool definite_ = false;
  std::vector<int> rows_, place_;
  MatrixX part_;
  Eigen::LLT<MatrixX> cholesky_;
  Eigen::PartialPivLU<MatrixX> lu_;
};

MaskedSystem::MaskedSystem(const ProblemMatrix& M) : M_(M), gathered_(std::make_unique<Gathered>(M)) {
  assert(M.rows() == M.cols());
}

MaskedSystem::~MaskedSystem() = default;

/// The order of elimination is found when it is first needed: it costs more than a few rows do.
SparseLdu& MaskedSystem::sparse() {
  if (!sparse_) sparse_ = std::make_unique<SparseLdu>(M_.sparse());
  return *sparse_;
}

bool MaskedSystem::factor(const Mask& active, const VectorX& shift) {
  assert(static_cast<int>(active.size()) == M_.rows() && shift.size() == M_.rows());
  active_ = active;
  shift_ = shift;
  const auto rows = std::count_if(active.begin(), active.end(), [](char is) { return is != 0; });
  in_full_ = !M_.is_sparse() || rows <= kFewRows;
  return in_full_ ? gathered_->factor(active, shift) : sparse().factor(active, shift) == 0;
}

void MaskedSystem::solve_once(const VectorX& rhs, VectorX& x) const {
  in_full_ ? gathered_->solve(rhs, x) : sparse_->solve(rhs, x);
}

/// x is 0 outside the active rows, so that only the rows need a mask.
VectorX MaskedSystem::multiply(const VectorX& x) const {
  VectorX y = M_ * x + shift_.cwiseProduct(x);
  for (Eigen::Index i = 0; i < y.size(); ++i)
    if (!active_[i]) y[i] = 0;
  return y;
}

VectorX MaskedSystem::solve(const VectorX& rhs, int refinements) const {
  assert(rhs.size() == M_.rows() && refinements >= 0);
  assert(shift_.size() == M_.rows());  // factor() was called
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
