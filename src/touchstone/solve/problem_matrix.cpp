#include "touchstone/solve/problem_matrix.h"

namespace touchstone {

int ProblemMatrix::rows() const { return static_cast<int>(is_sparse() ? sparse().rows() : dense().rows()); }

int ProblemMatrix::cols() const { return static_cast<int>(is_sparse() ? sparse().cols() : dense().cols()); }

VectorX ProblemMatrix::operator*(const VectorX& x) const {
  if (is_sparse()) return sparse() * x;
  return dense() * x;
}

VectorX ProblemMatrix::transpose_times(const VectorX& x) const {
  if (is_sparse()) return sparse().transpose() * x;
  return dense().transpose() * x;
}

double ProblemMatrix::coeff(int row, int col) const {
  return is_sparse() ? sparse().coeff(row, col) : dense()(row, col);
}

MatrixX ProblemMatrix::to_dense() const { return is_sparse() ? MatrixX(sparse()) : dense(); }

SparseMatrix ProblemMatrix::to_sparse() const {
  if (is_sparse()) return sparse();
  SparseMatrix result = dense().sparseView();
  result.makeCompressed();
  return result;
}

}  // namespace touchstone
