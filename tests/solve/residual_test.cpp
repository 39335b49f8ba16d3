#include "touchstone/solve/residual.h"

#include <gtest/gtest.h>

#include <limits>

namespace touchstone {
namespace {

VectorX vector(std::initializer_list<double> values) {
  return Eigen::Map<const VectorX>(values.begin(), static_cast<long>(values.size()));
}

const MatrixX kMatrix = (MatrixX(2, 2) << 2, 1, 1, 2).finished();

TEST(Residual, OfAnLcpIsTheLargestMinRelativeToOnePlusQ) {
  const Lcp problem{kMatrix, vector({-5, -6})};
  EXPECT_NEAR(residual(problem, vector({4.0 / 3, 7.0 / 3})), 0, 1e-16);
  EXPECT_NEAR(residual(problem, vector({0, 0})), 6.0 / 7, 1e-15);                    // min(0, -6)
  EXPECT_NEAR(residual(problem, vector({4.0 / 3, 7.0 / 3 + 0.1})), 0.2 / 7, 1e-15);  // w = (.1, .2)
}

TEST(Residual, OfAnEquationIsItsValueWhateverTheSignOfZ) {
  const Mlcp problem{kMatrix, vector({3, 0}), {true, false}};
  EXPECT_NEAR(residual(problem, vector({-1.5, 0})), 1.5 / 4, 1e-15);  // w = (0, -1.5)
  EXPECT_NEAR(residual(problem, vector({-2, 1})), 0, 1e-16);          // w = (0, 0)
  EXPECT_NEAR(residual(problem, vector({0, 0})), 3.0 / 4, 1e-15);
}

TEST(Residual, OfAQpSeesEachOfTheFourConditions) {
  // min x^2/2 - x with 2 - x >= 0: x = 1, y = 0.
  const Qp problem{MatrixX(MatrixX::Identity(1, 1)),
                   vector({-1}),
                   MatrixX(-MatrixX::Identity(1, 1)),
                   vector({2}),
                   {false}};
  EXPECT_EQ(residual(problem, vector({1, 0})), 0);
  EXPECT_GT(residual(problem, vector({1.5, 0})), 0.1) << "not stationary";
  EXPECT_GT(residual(problem, vector({3, -2})), 0.1) << "infeasible, wrong sign";
  EXPECT_GT(residual(problem, vector({1.5, -0.5})), 0.1) << "a multiplier pulls";
  EXPECT_GT(residual(problem, vector({0.5, 0.5})), 0.1) << "a row pushes at a distance";
}

TEST(Residual, OfWhatIsNoNumberIsInfinite) {
  const Lcp problem{kMatrix, vector({-5, -6})};
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(residual(problem, vector({bad, 1})), std::numeric_limits<double>::infinity());
    EXPECT_EQ(residual(problem, vector({1, bad})), std::numeric_limits<double>::infinity());
  }
}

TEST(Residual, IsTheSameForDenseAndSparseMatrices) {
  const Lcp dense{kMatrix, vector({-5, 1})}, sparse{dense.M.to_sparse(), dense.q};
  const VectorX z = vector({0.3, 0.7});
  EXPECT_EQ(residual(dense, z), residual(sparse, z));
  EXPECT_EQ(residual(Problem(dense), z), residual(dense, z));
}

}  // namespace
}  // namespace touchstone
