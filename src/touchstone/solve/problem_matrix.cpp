#include "touchstone/solve/problem_matrix.h"

#include <cassert>
#include <vector>

namespace touchstone {

int ProblemMatrix::rows() const {
  if (gram()) return gram()->rows();
  if (pyramid()) return pyramid()->rows();
  if (cones()) return cones()->rows();
  return static_cast<int>(is_sparse() ? sparse().rows() : dense().rows());
}

int ProblemMatrix::cols() const {
  if (gram()) return gram()->rows();
  if (pyramid()) return pyramid()->rows();
  if (cones()) return cones()->rows();
  return static_cast<int>(is_sparse() ? sparse().cols() : dense().cols());
}

const SparseMatrix& ProblemMatrix::sparse() const {
  assert(is_sparse());
  if (gram()) return gram()->expanded();
  if (cones()) return cones()->expanded();
  return pyramid() ? pyramid()->expanded() : std::get<1>(data_);
}

VectorX ProblemMatrix::operator*(const VectorX& x) const {
  assert(x.size() == cols());
  if (gram()) return *gram() * x;
  if (pyramid()) return *pyramid() * x;
  if (cones()) return *cones() * x;
  if (is_sparse()) return sparse() * x;
  return dense() * x;
}

VectorX ProblemMatrix::transpose_times(const VectorX& x) const {
  assert(x.size() == rows());
  if (gram()) return *gram() * x;
  if (cones()) return *cones() * x;
  if (is_sparse()) return sparse().transpose() * x;
  return dense().transpose() * x;
}

double ProblemMatrix::coeff(int row, int col) const {
  assert(row >= 0 && row < rows() && col >= 0 && col < cols());
  return is_sparse() ? sparse().coeff(row, col) : dense()(row, col);
}

MatrixX ProblemMatrix::to_dense() const { return is_sparse() ? MatrixX(sparse()) : dense(); }

SparseMatrix ProblemMatrix::to_sparse() const {
  if (is_sparse()) return sparse();
  SparseMatrix result = dense().sparseView();
  result.makeCompressed();
  return result;
}

/// Entries (i, j), i < j, come in the order of i; their mirrors (j, i) stand so in row j, one after the
/// other.
bool is_symmetric(const ProblemMatrix& M) {
  if (M.gram() || M.cones()) return true;
  if (M.rows() != M.cols()) return false;
  if (!M.is_sparse()) return M.dense() == M.dense().transpose();
  const SparseMatrix& S = M.sparse();
  if (!S.isCompressed()) return false;
  std::vector<int> next(S.outerIndexPtr(), S.outerIndexPtr() + S.rows());
  for (int i = 0; i < S.rows(); ++i) {
    int p = next[i];
    if (p < S.outerIndexPtr()[i + 1] && S.innerIndexPtr()[p] < i) return false;  // has no mirror
    for (; p < S.outerIndexPtr()[i + 1]; ++p) {
      const int j = S.innerIndexPtr()[p];
      if (j == i) continue;
      const int mirror = next[j]++;
      if (mirror >= S.outerIndexPtr()[j + 1] || S.innerIndexPtr()[mirror] != i) return false;
      if (S.valuePtr()[mirror] != S.valuePtr()[p]) return false;
    }
  }
  return true;
}

}  // namespace touchstone
