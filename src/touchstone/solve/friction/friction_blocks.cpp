#include "touchstone/solve/friction/friction_blocks.h"

#include <algorithm>
#include <cassert>

namespace touchstone {
namespace {

/// Gathers one block row after the other.
template <int D>
struct RowOfBlocks {
  std::vector<ContactMatrix<D>> block;  ///< by contact; zero but for the touched ones
  std::vector<char> touched;
  std::vector<int> columns;

  explicit RowOfBlocks(int contacts) : block(contacts, ContactMatrix<D>::Zero()), touched(contacts, 0) {}

  void add(int row, int col, double value) {
    if (value == 0) return;
    const int j = col / D;
    if (!touched[j]) columns.push_back(j);
    touched[j] = 1;
    block[j](row, col % D) += value;
  }
  void clear() {
    for (const int j : columns) {
      block[j].setZero();
      touched[j] = 0;
    }
    columns.clear();
  }
};

template <int D>
void gather(const ProblemMatrix& W, int contact, RowOfBlocks<D>& row) {
  for (int i = 0; i < D; ++i) {
    if (W.is_sparse()) {
      for (SparseMatrix::InnerIterator entry(W.sparse(), D * contact + i); entry; ++entry)
        row.add(i, static_cast<int>(entry.col()), entry.value());
    } else {
      for (int j = 0; j < W.cols(); ++j) row.add(i, j, W.dense()(D * contact + i, j));
    }
  }
  std::sort(row.columns.begin(), row.columns.end());
}

}  // namespace

template <int D>
FrictionBlocks<D>::FrictionBlocks(const FrictionProblem& problem)
    : q_(problem.q),
      mu_(problem.mu),
      weight_(problem.mu.size()),
      diagonal_(problem.mu.size(), ContactMatrix<D>::Zero()) {
  assert(problem.dimension == D && q_.size() == size());
  assert(problem.W.rows() == size() && problem.W.cols() == size());
  if (const double norm = q_.norm(); norm > 0) scale_ = norm;
  RowOfBlocks<D> row(contacts());
  first_.push_back(0);
  for (int i = 0; i < contacts(); ++i) {
    gather<D>(problem.W, i, row);
    assert(std::is_sorted(row.columns.begin(), row.columns.end()));
    for (const int j : row.columns) {
      if (j == i) {
        diagonal_[i] = row.block[j];
        continue;
      }
      column_.push_back(j);
      blocks_.push_back(row.block[j]);
    }
    weight_[i] = diagonal_[i].trace() / D;
    first_.push_back(static_cast<int>(column_.size()));
    row.clear();
  }
}

template <int D>
FrictionBlocks<D> FrictionBlocks<D>::lifted(double share, const VectorX& centre) const {
  assert(share >= 0 && centre.size() == size());
  FrictionBlocks copy = *this;
  for (int i = 0; i < contacts(); ++i) {
    const double lift = share * weight_[i];
    copy.diagonal_[i].diagonal().array() += lift;
    copy.q_.template segment<D>(D * i) -= lift * centre.template segment<D>(D * i);
  }
  return copy;
}

template class FrictionBlocks<2>;
template class FrictionBlocks<3>;

}  // namespace touchstone
