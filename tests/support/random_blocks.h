#pragma once
// Random matrices of small blocks, as bodies and their contacts make them, and their full counterparts.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <utility>
#include <vector>

#include "touchstone/math/random.h"
#include "touchstone/solve/matrix/gram_products.h"
#include "touchstone/solve/problem.h"

namespace touchstone::support {

inline MatrixX random_matrix(Random& random, int rows, int cols) {
  return MatrixX::NullaryExpr(rows, cols, [&] { return random.uniform(-1, 1); });
}

/// Symmetric positive definite blocks, one after another: the N of factors.
inline std::vector<double> random_masses(Random& random, int block, int count) {
  std::vector<double> N;
  for (int b = 0; b < count; ++b) {
    const MatrixX root = random_matrix(random, block, block);
    const MatrixX mass = root * root.transpose() + 0.1 * MatrixX::Identity(block, block);
    N.insert(N.end(), mass.data(), mass.data() + mass.size());
  }
  return N;
}

/// They, as one matrix.
inline MatrixX block_diagonal(const std::vector<double>& N, int block) {
  const int count = static_cast<int>(N.size()) / (block * block);
  MatrixX full = MatrixX::Zero(block * count, block * count);
  for (int b = 0; b < count; ++b)
    full.block(block * b, block * b, block, block) =
        Eigen::Map<const MatrixX>(&N[block * block * b], block, block);
  return full;
}

/// Two blocks that a row meets; sometimes one, and -1.
inline std::pair<int, int> random_pair(Random& random, int blocks) {
  const int a = random.index(blocks), b = random.index(blocks + 2);
  return {a, b == a || b >= blocks ? -1 : b};
}

/// A quarter of all pairs.
inline std::vector<std::pair<int, int>> random_edges(Random& random, int blocks) {
  std::vector<std::pair<int, int>> edges;
  for (int a = 0; a < blocks; ++a)
    for (int b = a + 1; b < blocks; ++b)
      if (random.index(4) == 0) edges.push_back({a, b});
  return edges;
}

/// A factorisation by blocks (BlockCholesky, BlockLu), filled with what H says in full.
template <int B, class Factorisation>
void expect_the_answer_of_a_full_factorisation(Factorisation& by_blocks, const MatrixX& H, Random& random) {
  ASSERT_TRUE(by_blocks.factor());
  BlockVector<B> x(H.rows() / B);
  for (auto& part : x)
    for (double& value : part) value = random.uniform(-1, 1);
  const auto whole = [&] { return Eigen::Map<const VectorX>(x[0].data(), H.rows()); };
  const VectorX truth = H.partialPivLu().solve(whole());
  by_blocks.solve(x);
  EXPECT_LE((whole() - truth).norm(), 1e-12 * (1 + truth.norm()));
}

}  // namespace touchstone::support
