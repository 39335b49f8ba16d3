#pragma once
// The passes over the rows of a GramMatrix. Inside solve only.

#include <algorithm>
#include <cassert>
#include <vector>

#include "touchstone/solve/matrix/gram_matrix.h"

namespace touchstone {

template <int B>
using BlockPart = Eigen::Map<const Eigen::Matrix<double, B, 1>>;
template <int B>
using SmallBlock = Eigen::Matrix<double, B, B>;
template <int B>
using BlockVector = std::vector<Eigen::Matrix<double, B, 1>>;

/// A^-1 of a symmetric positive definite matrix, by Gauss and Jordan. (Eigen's solvers are made for large
/// ones.)
template <int B>
SmallBlock<B> inverse_of(SmallBlock<B> A) {
  for (int k = 0; k < B; ++k) {
    const double pivot = 1 / A(k, k);
    A(k, k) = 1;
    A.col(k) *= pivot;
    for (int j = 0; j < B; ++j) {
      if (j == k) continue;
      const double factor = A(k, j);
      A(k, j) = 0;
      A.col(j) -= factor * A.col(k);
    }
  }
  return A;
}

/// N^-1, block by block; N stands as in GramFactors.
template <int B>
std::vector<SmallBlock<B>> inverse_blocks(const std::vector<double>& N) {
  assert(N.size() % (B * B) == 0);
  std::vector<SmallBlock<B>> inverse(N.size() / (B * B));
  for (std::size_t b = 0; b < inverse.size(); ++b)
    inverse[b] = inverse_of<B>(Eigen::Map<const SmallBlock<B>>(&N[B * B * b]));
  return inverse;
}

/// w = G^T x: the impulses of all rows on each block.
template <int B>
void gather(const GramFactors& factors, const Eigen::VectorXd& x, BlockVector<B>& w) {
  assert(factors.block == B && x.size() == factors.row_count());
  assert(static_cast<int>(w.size()) == factors.block_count());
  std::fill(w.begin(), w.end(), Eigen::Matrix<double, B, 1>::Zero());
  for (int i = 0; i < factors.row_count(); ++i) {
    if (x[i] == 0) continue;
    const double* G = &factors.G[2 * B * i];
    if (factors.first[i] >= 0) w[factors.first[i]] += x[i] * BlockPart<B>(G);
    if (factors.second[i] >= 0) w[factors.second[i]] += x[i] * BlockPart<B>(G + B);
  }
}

/// v = N G^T x.
template <int B>
void velocities_of(const GramFactors& factors, const Eigen::VectorXd& x, BlockVector<B>& v) {
  gather<B>(factors, x, v);
  for (std::size_t b = 0; b < v.size(); ++b)
    v[b] = (Eigen::Map<const SmallBlock<B>>(&factors.N[B * B * b]) * v[b]).eval();
}

/// r = G v.
template <int B>
void rates_of(const GramFactors& factors, const BlockVector<B>& v, Eigen::VectorXd& r) {
  assert(factors.block == B && r.size() == factors.row_count());
  assert(static_cast<int>(v.size()) == factors.block_count());
  for (int i = 0; i < factors.row_count(); ++i) {
    const double* G = &factors.G[2 * B * i];
    double sum = 0;
    if (factors.first[i] >= 0) sum += BlockPart<B>(G).dot(v[factors.first[i]]);
    if (factors.second[i] >= 0) sum += BlockPart<B>(G + B).dot(v[factors.second[i]]);
    r[i] = sum;
  }
}

}  // namespace touchstone
