#include "touchstone/solve/linear/block_lu.h"

#include <gtest/gtest.h>

#include "support/random_blocks.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

using support::random_matrix;

template <int B>
void compare_with_a_full_factorisation(Random& random) {
  const int count = 2 + random.index(20);
  const auto edges = support::random_edges(random, count);
  BlockLu<B> lu(count, edges);
  MatrixX H = MatrixX::Zero(B * count, B * count);
  lu.clear();
  for (int b = 0; b < count; ++b) {
    lu.diagonal(b) = random_matrix(random, B, B) + 2 * B * MatrixX::Identity(B, B);
    H.block(B * b, B * b, B, B) = lu.diagonal(b);
  }
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    const auto [a, b] = edges[e];
    lu.upper(e) = random_matrix(random, B, B), lu.lower(e) = random_matrix(random, B, B);
    H.block(B * a, B * b, B, B) = lu.upper(e), H.block(B * b, B * a, B, B) = lu.lower(e);
  }
  support::expect_the_answer_of_a_full_factorisation<B>(lu, H, random);
}

TEST(BlockLu, SolvesWhatAFullFactorisationSolves) {
  Random random(4);
  for (int round = 0; round < 30; ++round) {
    compare_with_a_full_factorisation<3>(random);
    compare_with_a_full_factorisation<6>(random);
  }
}

TEST(BlockLu, SaysThatAMatrixIsSingular) {
  BlockLu<3> lu(1, {});
  lu.diagonal(0).setZero();
  EXPECT_FALSE(lu.factor());
}

}  // namespace
}  // namespace touchstone
