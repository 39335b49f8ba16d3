// Equations that say the same thing twice are solved, and none is taken for one of them because it is small.

#include "touchstone/solve/pseudo_inverse.h"

#include <gtest/gtest.h>

#include "touchstone/math/random.h"

namespace touchstone {
namespace {

MatrixX random_matrix(Random& random, int rows, int columns) {
  MatrixX A(rows, columns);
  for (double& a : A.reshaped()) a = random.uniform(-1, 1);
  return A;
}

/// The joints of needles and of heavy bodies: measured by the largest, the small ones were left out.
TEST(PseudoInverse, SolvesEquationsWhoseSizesDifferByAnyFactor) {
  Random random(3);
  for (const double ratio : {1e-3, 1e6, 1e13}) {
    const MatrixX A = random_matrix(random, 4, 6), B = random_matrix(random, 5, 7);
    MatrixX K = MatrixX::Zero(9, 9);
    K.topLeftCorner(4, 4) = A * A.transpose();
    K.bottomRightCorner(5, 5) = ratio * B * B.transpose();
    const VectorX x = random_matrix(random, 9, 1);
    const VectorX found = PseudoInverse(K).times(K * x);
    EXPECT_LT((found - x).norm(), 1e-9 * x.norm()) << ratio;
  }
}

TEST(PseudoInverse, SolvesEquationsThatAreSaidTwice) {
  Random random(4);
  for (const double unit : {1., 1e5}) {
    MatrixX G = random_matrix(random, 6, 8);
    G.row(5) = unit * (G.row(0) - 2 * G.row(3));
    const MatrixX K = G * G.transpose();
    const VectorX known = random_matrix(random, 6, 1), right = K * known;
    const VectorX found = PseudoInverse(K).times(right);
    EXPECT_LT((K * found - right).norm(), 1e-9 * right.norm());
    const VectorX size = K.diagonal().cwiseSqrt();  // of what one unit of each unknown does
    EXPECT_LT(size.cwiseProduct(found).norm(), (1 + 1e-9) * size.cwiseProduct(known).norm())
        << "no other solution is smaller, counted in what it does";
  }
}

TEST(PseudoInverse, HasNoMotionForRowsOfNobody) {
  const MatrixX K = VectorX{{2., 0., 8.}}.asDiagonal();
  const VectorX found = PseudoInverse(K).times(VectorX{{2., 0., 4.}});
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[1], 0);
  EXPECT_EQ(found[2], 0.5);
}

}  // namespace
}  // namespace touchstone
