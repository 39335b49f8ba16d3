#pragma once
// A square or rectangular matrix that is either dense or sparse, whichever its maker has.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <utility>
#include <variant>

namespace touchstone {

using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

class ProblemMatrix {
 public:
  ProblemMatrix() = default;
  ProblemMatrix(MatrixX dense) : data_(std::move(dense)) {}
  ProblemMatrix(SparseMatrix sparse) : data_(std::move(sparse)) {}

  int rows() const;
  int cols() const;
  bool is_sparse() const { return data_.index() == 1; }

  VectorX operator*(const VectorX& x) const;
  VectorX transpose_times(const VectorX& x) const;
  double coeff(int row, int col) const;

  MatrixX to_dense() const;
  SparseMatrix to_sparse() const;
  /// Only for the kind that is_sparse() tells.
  const MatrixX& dense() const { return std::get<0>(data_); }
  const SparseMatrix& sparse() const { return std::get<1>(data_); }

 private:
  std::variant<MatrixX, SparseMatrix> data_;
};

/// To the last bit.
bool is_symmetric(const ProblemMatrix& M);

}  // namespace touchstone
