#include "touchstone/solve/matrix/gram_matrix.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/memory.h"
#include "support/random_blocks.h"
#include "touchstone/math/random.h"
#include "touchstone/solve/factors/gram_hessian.h"
#include "touchstone/solve/linear/block_cholesky.h"
#include "touchstone/solve/residual.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

/// Rows between random pairs of blocks; some have one block, some are said twice.
GramFactors random_factors(Random& random, int block, int blocks, int rows) {
  GramFactors factors;
  factors.block = block, factors.N = support::random_masses(random, block, blocks);
  const auto put = [&](int b, int twin) {
    for (int i = 0; i < block; ++i)
      factors.G.push_back(b < 0       ? 0
                          : twin >= 0 ? factors.G[factors.G.size() - 2 * block]
                                      : random.uniform(-1, 1));
    const Eigen::Map<const VectorX> G(factors.G.data() + factors.G.size() - block, block);
    VectorX NG = VectorX::Zero(block);
    if (b >= 0) NG = Eigen::Map<const MatrixX>(&factors.N[block * block * b], block, block) * G;
    factors.NG.insert(factors.NG.end(), NG.begin(), NG.end());
  };
  for (int i = 0; i < rows; ++i) {
    const int twin = i > 0 && random.index(5) == 0 ? i - 1 : -1;
    const auto [a, b] = support::random_pair(random, blocks);
    factors.first.push_back(twin >= 0 ? factors.first[twin] : a);
    factors.second.push_back(twin >= 0 ? factors.second[twin] : b);
    put(factors.first[i], twin), put(factors.second[i], twin);
  }
  return factors;
}

MatrixX dense_rows(const GramFactors& factors) {
  const int B = factors.block;
  MatrixX G = MatrixX::Zero(factors.row_count(), B * factors.block_count());
  for (int i = 0; i < factors.row_count(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int block = side == 0 ? factors.first[i] : factors.second[i];
      for (int k = 0; block >= 0 && k < B; ++k) G(i, B * block + k) += factors.G[(2 * i + side) * B + k];
    }
  return G;
}

MatrixX dense_of(const GramFactors& factors) {
  const MatrixX G = dense_rows(factors);
  return G * support::block_diagonal(factors.N, factors.block) * G.transpose();
}

TEST(GramMatrix, IsTheProductOfItsFactors) {
  Random random(1);
  for (int block : {3, 6})
    for (int seed = 0; seed < 20; ++seed) {
      const GramFactors factors = random_factors(random, block, 1 + random.index(12), 1 + random.index(60));
      const MatrixX truth = dense_of(factors);
      const ProblemMatrix M(factors);
      const VectorX x = VectorX::NullaryExpr(M.rows(), [&] { return random.uniform(-1, 1); });
      EXPECT_LE((M * x - truth * x).norm(), 1e-12 * (1 + truth.norm()));
      EXPECT_LE((M.to_dense() - truth).norm(), 1e-12 * (1 + truth.norm()));
      EXPECT_EQ(M.to_dense(), M.to_dense().transpose()) << "symmetric to the last bit";
    }
}

template <int B>
void compare_with_a_full_factorisation(Random& random) {
  const int count = 2 + random.index(20);
  const auto edges = support::random_edges(random, count);
  BlockCholesky<B> cholesky(count, edges);
  MatrixX H = MatrixX::Zero(B * count, B * count);
  cholesky.clear();
  for (int b = 0; b < count; ++b) {
    cholesky.diagonal(b).setIdentity();
    H.block(B * b, B * b, B, B).setIdentity();
  }
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    if (random.index(3) == 0) continue;  // an edge without an entry is zero
    const auto [a, b] = edges[e];
    using Part = Eigen::Matrix<double, B, 1>;
    const Part g_a = Part::NullaryExpr([&] { return random.uniform(-1, 1); }), g_b = -2 * g_a;
    cholesky.diagonal(a) += g_a * g_a.transpose(), cholesky.diagonal(b) += g_b * g_b.transpose();
    cholesky.set_edge(e, g_a * g_b.transpose());
    VectorX g = VectorX::Zero(B * count);
    g.segment<B>(B * a) = g_a, g.segment<B>(B * b) = g_b;
    H += g * g.transpose();
  }
  support::expect_the_answer_of_a_full_factorisation<B>(cholesky, H, random);
}

TEST(BlockCholesky, SolvesWhatAFullFactorisationSolves) {
  Random random(2);
  for (int round = 0; round < 30; ++round) {
    compare_with_a_full_factorisation<3>(random);
    compare_with_a_full_factorisation<6>(random);
  }
}

/// Random blocks about a diagonal that outweighs them; every third edge is left out.
template <int B>
void fill(BlockCholesky<B>& cholesky, int count, int edges, Random random) {
  cholesky.clear();
  const auto any = [&] { return random.uniform(-1, 1); };
  for (int b = 0; b < count; ++b) cholesky.diagonal(b) = B * count * SmallBlock<B>::Identity();
  for (int e = 0; e < edges; ++e)
    if (e % 3 != 0) cholesky.set_edge(e, SmallBlock<B>::NullaryExpr(any));
}

template <int B>
void compare_wide_with_narrow(Random& random) {
  const int count = 2 + random.index(20);
  const auto edges = support::random_edges(random, count);
  BlockCholesky<B> cholesky(count, edges);
  const auto solution = [&](bool wide) {
    fill<B>(cholesky, count, static_cast<int>(edges.size()), Random(7));
    EXPECT_TRUE(cholesky.factor(wide));
    BlockVector<B> x(count, Eigen::Matrix<double, B, 1>::Ones());
    cholesky.solve(x);
    return x;
  };
  EXPECT_EQ(solution(true), solution(false));
}

TEST(BlockCholesky, HasTheSameBitsByWideRegistersAndByNarrowOnes) {
  if (!has_wide_registers()) GTEST_SKIP() << "this processor has no AVX2";
  Random random(8);
  for (int round = 0; round < 10; ++round) {
    compare_wide_with_narrow<3>(random);
    compare_wide_with_narrow<6>(random);
  }
}

TEST(BlockCholesky, SaysThatAMatrixIsNotPositive) {
  BlockCholesky<3> cholesky(1, {});
  cholesky.diagonal(0) = -Eigen::Matrix3d::Identity();
  EXPECT_FALSE(cholesky.factor());
}

/// Rows enter and leave its set; what they leave behind is round-off.
template <int B>
void compare_with_a_hessian_made_afresh(Random& random) {
  const GramFactors factors = random_factors(random, B, 2 + random.index(10), 60);
  const VectorX sizes = VectorX::NullaryExpr(60, [&] { return random.uniform(0.5, 2); });
  const MatrixX G = dense_rows(factors);
  GramHessian<B> hessian(factors, sizes);
  std::vector<char> set(60, 0);
  for (int round = 0; round < 20; ++round) {
    for (int k = 0; k < 10; ++k) set[random.index(60)] ^= 1;
    const double softness = random.uniform(0.01, 1);
    MatrixX H = support::block_diagonal(factors.N, B).inverse();
    for (int i = 0; i < 60; ++i)
      if (set[i]) H += G.row(i).transpose() * G.row(i) / (softness * sizes[i]);
    ASSERT_TRUE(hessian.factor(set, softness));
    BlockVector<B> x(factors.block_count(), Eigen::Matrix<double, B, 1>::Ones());
    hessian.solve(x);
    const VectorX truth = H.llt().solve(VectorX::Ones(H.rows()));
    EXPECT_LE((Eigen::Map<const VectorX>(x[0].data(), truth.size()) - truth).norm(), 1e-11 * truth.norm());
  }
}

TEST(GramHessian, IsWhatItsSetSaysHoweverRowsCameAndLeft) {
  Random random(3);
  for (int seed = 0; seed < 10; ++seed) {
    compare_with_a_hessian_made_afresh<3>(random);
    compare_with_a_hessian_made_afresh<6>(random);
  }
}

TEST(GramNewton, FindsTheRatesThatOtherSolversFind) {
  Random random(3);
  int repeated = 0, active = 0;
  for (int block : {3, 6})
    for (int round = 0; round < 40; ++round) {
      GramFactors factors = random_factors(random, block, 2 + random.index(30), 20 + random.index(200));
      const int n = factors.row_count();
      for (int i = 1; i < n; ++i) repeated += factors.G[2 * block * i] == factors.G[2 * block * (i - 1)];
      VectorX z = VectorX::NullaryExpr(n, [&] { return std::max(0., random.uniform(-1, 1)); });
      VectorX w = VectorX::NullaryExpr(n, [&] { return random.uniform(0, 1); });
      for (int i = 0; i < n; ++i)
        if (z[i] > 0) w[i] = 0, ++active;
      const Lcp problem{ProblemMatrix(factors), w - dense_of(factors) * z};
      SolveSettings settings;
      settings.tolerance = 1e-13;
      const Solution found = solve(problem, "proximal-newton", settings);
      EXPECT_EQ(found.status, SolveStatus::solved) << "residual " << found.residual;
      const Lcp entries{ProblemMatrix(problem.M.to_sparse()), problem.q};
      EXPECT_LE(residual(entries, found.z), 1e-12);
      EXPECT_LE((problem.M * (found.z - z)).norm(), 1e-10 * (1 + w.norm()))
          << "rates are unique, impulses not";
      EXPECT_EQ(solve(problem, "auto", settings).status, SolveStatus::solved);
    }
  EXPECT_GT(repeated, 500);
  EXPECT_GT(active, 1000);
}

TEST(GramNewton, BeginsWhereItIsToldTo) {
  Random random(4);
  const GramFactors factors = random_factors(random, 6, 30, 150);
  const VectorX z = VectorX::NullaryExpr(150, [&] { return random.uniform(0, 1); });
  const Lcp problem{ProblemMatrix(factors), -dense_of(factors) * z};
  SolveSettings settings;
  settings.tolerance = 1e-13;
  const Solution cold = solve(problem, "auto", settings);
  ASSERT_EQ(cold.status, SolveStatus::solved);
  EXPECT_GT(cold.iterations, 0);
  settings.start = cold.z;
  EXPECT_EQ(solve(problem, "auto", settings).iterations, 0);
}

/// As the next evaluation of a step is: the same rows push, by a little more or less.
TEST(GramNewton, FollowsANeighbourOfASolvedProblemInFewFactorisations) {
  Random random(9);
  for (int round = 0; round < 20; ++round) {
    const GramFactors factors = random_factors(random, 6, 40, 200);
    const MatrixX M = dense_of(factors);
    VectorX z = VectorX::NullaryExpr(200, [&] { return std::max(0., random.uniform(-1, 1)); });
    const VectorX open = z.unaryExpr([&](double push) { return push > 0 ? 0 : random.uniform(0.1, 1); });
    SolveSettings settings;
    settings.tolerance = 1e-12;
    settings.start = solve(Lcp{ProblemMatrix(factors), open - M * z}, "auto", settings).z;
    z = z.unaryExpr([&](double push) { return push * random.uniform(0.9999, 1.0001); });
    const Lcp next{ProblemMatrix(factors), open - M * z};
    const Solution near = solve(next, "auto", settings);
    EXPECT_EQ(near.status, SolveStatus::solved) << near.residual;
    EXPECT_LE((M * (near.z - z)).norm(), 1e-10 * (1 + next.q.norm())) << "rates are unique, impulses not";
    EXPECT_LE(near.iterations, 4);
  }
}

TEST(GramNewton, FindsTheSameBitsWhateverMemoryHeldBefore) {
  Random random(6);
  const GramFactors factors = random_factors(random, 6, 40, 200);
  const VectorX z = VectorX::NullaryExpr(200, [&] { return std::max(0., random.uniform(-1, 1)); });
  const Lcp problem{ProblemMatrix(factors), -dense_of(factors) * z};
  support::leave_in_memory(0);
  const Solution first = solve(problem, "auto", {});
  support::leave_in_memory(0xff);  // numbers that are none
  const Solution second = solve(problem, "auto", {});
  EXPECT_EQ(first.z, second.z);
  EXPECT_EQ(first.iterations, second.iterations);
}

TEST(GramMatrix, NamesANumberThatIsNotFinite) {
  Random random(5);
  GramFactors factors = random_factors(random, 6, 3, 4);
  factors.G[1] = factors.NG[1] = std::numeric_limits<double>::quiet_NaN();
  const Lcp problem{ProblemMatrix(factors), VectorX::Zero(4)};
  EXPECT_THROW(solve(problem, "auto", {}), std::invalid_argument);
}

}  // namespace
}  // namespace touchstone
