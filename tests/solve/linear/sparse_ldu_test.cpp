#include "touchstone/solve/linear/sparse_ldu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "support/problem_sets.h"
#include "touchstone/solve/linear/masked_system.h"

namespace touchstone {
namespace {

/// The part of M + shift on the active rows and columns, by a dense factorisation.
VectorX dense_answer(const SparseMatrix& M, const Mask& active, const VectorX& shift, const VectorX& rhs) {
  const long n = M.rows();
  MatrixX A = MatrixX::Identity(n, n);
  VectorX b = VectorX::Zero(n);
  for (int i = 0; i < n; ++i) {
    if (!active[i]) continue;
    b[i] = rhs[i];
    for (int j = 0; j < n; ++j)
      if (active[j]) A(i, j) = M.coeff(i, j) + (i == j ? shift[i] : 0);
  }
  return A.fullPivLu().solve(b);
}

TEST(SparseLdu, SolvesWhatADenseFactorisationSolves) {
  int symmetric = 0, skew = 0;
  for (const char* name : {"banded", "stack", "wall", "stack-friction", "wall-friction"})
    for (int seed = 0; seed < 10; ++seed) {
      const SparseMatrix M = support::make_lcp(name, 80, seed).M.to_sparse();
      Random random(seed);
      const int n = static_cast<int>(M.rows());
      SparseLdu ldu(M);
      (ldu.symmetric() ? symmetric : skew) += 1;
      for (int round = 0; round < 5; ++round) {
        Mask active(n);
        VectorX shift(n), rhs(n), x;
        for (int i = 0; i < n; ++i) {
          active[i] = round == 0 || random.unit() < 0.6;
          shift[i] = random.uniform(0.1, 2);
          rhs[i] = random.uniform(-1, 1);
        }
        EXPECT_EQ(ldu.factor(active, shift), 0);
        ldu.solve(rhs, x);
        const VectorX truth = dense_answer(M, active, shift, rhs);
        EXPECT_LE((x - truth).norm(), 1e-11 * (1 + truth.norm())) << name << seed;
        for (int i = 0; i < n; ++i) EXPECT_TRUE(active[i] || x[i] == 0);
      }
    }
  EXPECT_EQ(symmetric, 30);
  EXPECT_EQ(skew, 20);
}

TEST(SparseLdu, CountsThePivotsThatVanish) {
  const SparseMatrix M = support::make_lcp("stack", 40, 0).M.to_sparse();
  SparseLdu ldu(M);
  const int n = static_cast<int>(M.rows());
  EXPECT_EQ(ldu.factor(Mask(n, 1), VectorX::Zero(n)), n / 4)
      << "each box rests on four contacts of rank three";
  EXPECT_EQ(ldu.factor(Mask(n, 1), VectorX::Constant(n, 1e-3)), 0);
  EXPECT_TRUE(ldu.positive(1e-6));
}

TEST(MaskedSystem, GivesTheSameForDenseAndSparseMatrices) {
  // Few rows are gathered into a full matrix, many are eliminated sparsely.
  for (const auto& [name, size] :
       {std::pair{"wall", 60}, {"wall-friction", 60}, {"wall", 300}, {"wall-friction", 300}}) {
    const ProblemMatrix sparse = support::make_lcp(name, size, 1).M, dense = sparse.to_dense();
    MaskedSystem one(sparse), other(dense);
    EXPECT_EQ(is_symmetric(sparse), is_symmetric(dense));
    const int n = sparse.rows();
    Mask active(n, 1);
    active[n / 2] = 0;
    const VectorX shift = VectorX::Constant(n, 0.3), rhs = VectorX::LinSpaced(n, -1, 1);
    EXPECT_TRUE(one.factor(active, shift));
    EXPECT_TRUE(other.factor(active, shift));
    EXPECT_LE((one.solve(rhs) - other.solve(rhs)).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace touchstone
