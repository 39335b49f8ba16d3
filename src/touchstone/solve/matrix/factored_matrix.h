#pragma once
// A matrix that is kept in factors, because it has many more entries than they have numbers: products run
// over the factors, and the entries are made when somebody asks for them.
//
// Factors have row_count(), and the functions multiply(), expand() and is_finite() beside them.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cassert>
#include <mutex>
#include <utility>

namespace touchstone {

template <class Factors>
class FactoredMatrix {
 public:
  using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  explicit FactoredMatrix(Factors factors) : factors_(std::move(factors)) {}

  const Factors& factors() const { return factors_; }
  int rows() const { return factors_.row_count(); }
  Eigen::VectorXd operator*(const Eigen::VectorXd& x) const {
    assert(x.size() == rows());
    return multiply(factors_, x);
  }
  const Sparse& expanded() const {
    std::call_once(once_, [&] { expanded_ = expand(factors_); });
    assert(expanded_.rows() == rows() && expanded_.cols() == rows());
    return expanded_;
  }

 private:
  Factors factors_;
  mutable std::once_flag once_;
  mutable Sparse expanded_;
};

}  // namespace touchstone
