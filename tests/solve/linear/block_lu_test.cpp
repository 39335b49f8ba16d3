#include "touchstone/solve/linear/block_lu.h"

#include <gtest/gtest.h>

#include "support/random_blocks.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

using support::random_matrix;

using Edges = std::vector<std::pair<int, int>>;

/// Blocks with a large diagonal; every third edge stays empty.
template <int B>
MatrixX fill(BlockLu<B>& lu, int count, const Edges& edges, Random& random) {
  MatrixX H = MatrixX::Zero(B * count, B * count);
  lu.clear();
  for (int b = 0; b < count; ++b) {
    lu.diagonal(b) = random_matrix(random, B, B) + 2 * B * MatrixX::Identity(B, B);
    H.block(B * b, B * b, B, B) = lu.diagonal(b);
  }
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    if (random.index(3) == 0) continue;
    const auto [a, b] = edges[e];
    lu.open_edge(e);
    lu.upper(e) = random_matrix(random, B, B), lu.lower(e) = random_matrix(random, B, B);
    H.block(B * a, B * b, B, B) = lu.upper(e), H.block(B * b, B * a, B, B) = lu.lower(e);
  }
  return H;
}

template <int B>
void compare_with_a_full_factorisation(Random& random) {
  const int count = 2 + random.index(20);
  const auto edges = support::random_edges(random, count);
  BlockLu<B> lu(count, edges);
  for (int matrix = 0; matrix < 2; ++matrix) {  // the second one finds what the first one left
    const MatrixX H = fill(lu, count, edges, random);
    support::expect_the_answer_of_a_full_factorisation<B>(lu, H, random);
  }
}

/// +1 or -1, and the blocks of the diagonal need exchanges: they have zeros there.
template <int B>
void compare_signs(Random& random, int& negative) {
  BlockLu<B> lu(3, {});
  MatrixX H = MatrixX::Zero(3 * B, 3 * B);
  for (int b = 0; b < 3; ++b) {
    lu.diagonal(b) = random_matrix(random, B, B);
    lu.diagonal(b)(0, 0) = 0;
    H.block(B * b, B * b, B, B) = lu.diagonal(b);
  }
  const int sign = H.determinant() < 0 ? -1 : 1;
  negative += sign < 0;
  support::expect_the_answer_of_a_full_factorisation<B>(lu, H, random);
  EXPECT_EQ(lu.sign(), sign);
}

template <int B>
void compare_wide_with_narrow(Random& random) {
  const int count = 2 + random.index(20);
  const auto edges = support::random_edges(random, count);
  BlockLu<B> lu(count, edges);
  const auto solution = [&](bool wide) {
    Random same(9);
    fill(lu, count, edges, same);
    EXPECT_TRUE(lu.factor(wide));
    BlockVector<B> x(count, Eigen::Matrix<double, B, 1>::Ones());
    lu.solve(x);
    return x;
  };
  EXPECT_TRUE(solution(true) == solution(false));
}

TEST(BlockLu, SolvesWhatAFullFactorisationSolves) {
  Random random(4);
  for (int round = 0; round < 30; ++round) {
    compare_with_a_full_factorisation<3>(random);
    compare_with_a_full_factorisation<6>(random);
  }
}

TEST(BlockLu, TellsTheSignOfTheDeterminant) {
  Random random(5);
  int negative = 0;
  for (int round = 0; round < 30; ++round) {
    compare_signs<3>(random, negative);
    compare_signs<6>(random, negative);
  }
  EXPECT_GT(negative, 20);
  EXPECT_LT(negative, 40);
}

TEST(BlockLu, GivesTheSameBitsInWideRegisters) {
  if (!has_wide_registers()) GTEST_SKIP() << "this processor has no AVX2";
  Random random(6);
  for (int round = 0; round < 20; ++round) {
    compare_wide_with_narrow<3>(random);
    compare_wide_with_narrow<6>(random);
  }
}

TEST(BlockLu, SaysThatAMatrixIsSingular) {
  BlockLu<3> lu(1, {});
  lu.diagonal(0).setZero();
  EXPECT_FALSE(lu.factor());
}

}  // namespace
}  // namespace touchstone
