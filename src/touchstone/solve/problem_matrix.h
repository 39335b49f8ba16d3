#pragma once
// A square or rectangular matrix that is dense, sparse, or the product of factors, whichever its maker has.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cassert>
#include <memory>
#include <utility>
#include <variant>

#include "touchstone/solve/matrix/cone_matrix.h"
#include "touchstone/solve/matrix/gram_matrix.h"
#include "touchstone/solve/matrix/pyramid_matrix.h"

namespace touchstone {

using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

class ProblemMatrix {
 public:
  ProblemMatrix() = default;
  ProblemMatrix(MatrixX dense) : data_(std::move(dense)) {}
  ProblemMatrix(SparseMatrix sparse) : data_(std::move(sparse)) {}
  ProblemMatrix(GramFactors factors) : data_(std::make_shared<const GramMatrix>(std::move(factors))) {}
  ProblemMatrix(PyramidFactors factors) : data_(std::make_shared<const PyramidMatrix>(std::move(factors))) {}
  ProblemMatrix(ConeFactors factors) : data_(std::make_shared<const ConeMatrix>(std::move(factors))) {}

  int rows() const;
  int cols() const;
  bool is_sparse() const { return data_.index() != 0; }
  /// Null where the matrix is not in such factors. A matrix in factors is_sparse() too: its entries are made
  /// when sparse() is first called.
  const GramMatrix* gram() const { return data_.index() == 2 ? std::get<2>(data_).get() : nullptr; }
  const PyramidMatrix* pyramid() const { return data_.index() == 3 ? std::get<3>(data_).get() : nullptr; }
  const ConeMatrix* cones() const { return data_.index() == 4 ? std::get<4>(data_).get() : nullptr; }

  VectorX operator*(const VectorX& x) const;
  VectorX transpose_times(const VectorX& x) const;
  double coeff(int row, int col) const;

  MatrixX to_dense() const;
  SparseMatrix to_sparse() const;
  /// Only for the kind that is_sparse() tells.
  const MatrixX& dense() const {
    assert(!is_sparse());
    return std::get<0>(data_);
  }
  const SparseMatrix& sparse() const;

 private:
  std::variant<MatrixX, SparseMatrix, std::shared_ptr<const GramMatrix>, std::shared_ptr<const PyramidMatrix>,
               std::shared_ptr<const ConeMatrix>>
      data_;
};

/// To the last bit.
bool is_symmetric(const ProblemMatrix& M);

}  // namespace touchstone
