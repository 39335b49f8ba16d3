#include "touchstone/dynamics/pyramid_factors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/dimensions.h"
#include "touchstone/dynamics/formulation.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

template <int D>
Twist<D> random_twist(Random& random) {
  return Twist<D>::NullaryExpr([&] { return random.uniform(-1, 1); });
}

template <int D>
Row<D> random_row(Random& random, int body_A, int body_B) {
  Row<D> row;
  row.body_A = body_A, row.body_B = body_B;
  row.G_A = random_twist<D>(random), row.G_B = random_twist<D>(random);
  row.offset = random.uniform(-1, 1);
  return row;
}

template <int D>
Row<D> combined(const Row<D>& a, const Row<D>& b, double angle) {
  Row<D> row = a;
  const double x = std::cos(angle), y = std::sin(angle);
  row.G_A = x * a.G_A + y * b.G_A, row.G_B = x * a.G_B + y * b.G_B;
  row.offset = x * a.offset + y * b.offset;
  return row;
}

/// Three bodies and five (or more) contacts, of which one has no friction, and a motor of limited force.
template <int D>
StepEquations<D> random_equations(Random& random, int contacts = 5) {
  StepEquations<D> equations;
  for (int b = 0; b < 3; ++b) {
    equations.inverse_mass.push_back(random.uniform(0.5, 2));
    const SpinMat<D> root = SpinMat<D>::NullaryExpr([&] { return random.uniform(-1, 1); });
    equations.inverse_inertia.push_back(root * root.transpose() + 0.1 * SpinMat<D>::Identity());
    equations.V_free.push_back(random_twist<D>(random));
  }
  const auto add_group = [&](int normal, int A, int B, double mu, double bound) {
    const Row<D> first = random_row<D>(random, A, B), second = random_row<D>(random, A, B);
    const int sides = 3 + random.index(6), count = D == 2 || normal < 0 ? 1 : sides;
    equations.groups.push_back(
        {normal, mu, bound, static_cast<int>(equations.tangent.size()), count, count == 1});
    for (int k = 0; k < count; ++k)
      equations.tangent.push_back(combined(first, second, 2 * std::numbers::pi * k / count));
  };
  for (int i = 0; i < contacts; ++i) {
    int A = random.index(3), B = random.index(2) == 0 ? -1 : (A + 1) % 3;
    if (random.index(2) == 0) std::swap(A, B);
    equations.unilateral.push_back(random_row<D>(random, A, B));
    if (i != 2) add_group(i, A, B, random.uniform(0.1, 1), random.index(2) * random.uniform(0, 1));
  }
  add_group(-1, 0, 1, 0, 0.7);
  return equations;
}

template <class D>
class PyramidFactorsOfAStep : public testing::Test {};
TYPED_TEST_SUITE(PyramidFactorsOfAStep, support::Dimensions, support::DimensionNames);

TYPED_TEST(PyramidFactorsOfAStep, AreTheMatrixOfTheStep) {
  constexpr int D = TypeParam::D;
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const StepEquations<D> equations = random_equations<D>(random);
    const auto factors = pyramid_factors(equations, pyramid_sides(equations));
    ASSERT_TRUE(factors);
    const auto formulation = formulate(equations, Form::reduced);
    const Lcp& entries = std::get<Lcp>(formulation->problem());
    ASSERT_EQ(entries.M.pyramid(), nullptr) << "so small a problem is written entry by entry";
    const MatrixX truth = entries.M.to_dense();
    EXPECT_LE((ProblemMatrix(*factors).to_dense() - truth).norm(), 1e-13 * truth.norm());
  }
}

TYPED_TEST(PyramidFactorsOfAStep, MakeRatesAndImpulsesOfALargeStep) {
  constexpr int D = TypeParam::D;
  Random random(3);
  const StepEquations<D> equations = random_equations<D>(random, 40);
  const auto formulation = formulate(equations, Form::reduced);
  const Lcp& problem = std::get<Lcp>(formulation->problem());
  ASSERT_NE(problem.M.pyramid(), nullptr);
  const VectorX z = VectorX::NullaryExpr(problem.q.size(), [&] { return random.uniform(0, 1); });
  const StepImpulses<D> found = formulation->impulses(z);
  // The rows of the problem are the rates of the bodies that these impulses make.
  const VectorX w = problem.M * z + problem.q;
  const std::size_t normals = equations.unilateral.size();
  for (std::size_t i = 0; i < normals; ++i) {
    const double speed = rate(equations.unilateral[i], found.V) + equations.unilateral[i].offset;
    EXPECT_NEAR(w[i], speed, 1e-11);
  }
  const auto sides = pyramid_sides(equations);
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const Row<D>& row = equations.tangent[sides[k].row];
    const double slip = z[normals + sides.size() + sides[k].group];
    EXPECT_NEAR(w[normals + k], sides[k].sign * (rate(row, found.V) + row.offset) + slip, 1e-11);
  }
  for (std::size_t g = 0; g < equations.groups.size(); ++g) {
    const FrictionGroup& group = equations.groups[g];
    double left = group.bound + (group.normal >= 0 ? group.mu * z[group.normal] : 0);
    for (std::size_t k = 0; k < sides.size(); ++k)
      if (sides[k].group == static_cast<int>(g)) left -= z[normals + k];
    EXPECT_NEAR(w[normals + sides.size() + g], left, 1e-12);
  }
  if (D == 3) {
    const StepImpulses<D> again = formulation->impulses(formulation->start(found));
    for (std::size_t i = 0; i < normals; ++i) EXPECT_EQ(again.unilateral[i], found.unilateral[i]);
  }
}

TYPED_TEST(PyramidFactorsOfAStep, AreNotThereForOtherSteps) {
  constexpr int D = TypeParam::D;
  Random random(2);
  const StepEquations<D> good = random_equations<D>(random);
  const auto has_factors = [&](const auto& change) {
    StepEquations<D> equations = good;
    change(equations);
    return pyramid_factors(equations, pyramid_sides(equations)).has_value();
  };
  EXPECT_TRUE(has_factors([](auto&) {}));
  EXPECT_FALSE(has_factors([&](auto& e) { e.bilateral.push_back(random_row<D>(random, 0, 1)); })) << "joints";
  EXPECT_FALSE(has_factors([](auto& e) { e.unilateral[0].compliance = 1; }));
  EXPECT_FALSE(has_factors([](auto& e) { e.tangent[0].compliance = 1; }));
  EXPECT_FALSE(has_factors([](auto& e) { e.groups.clear(), e.tangent.clear(); })) << "no friction";
  EXPECT_FALSE(has_factors([](auto& e) { e.tangent[0].body_A = e.unilateral[0].body_A == 0 ? 1 : 0; }))
      << "friction between other bodies";
  const auto turn_last_direction = [](auto& e) {
    Row<D>& row = e.tangent[e.groups[0].count - 1];
    row.G_A[0] += 1e-6, row.G_B[0] += 1e-6;
  };
  EXPECT_EQ(has_factors(turn_last_direction), D == 2) << "not at equal angles; in the plane there is one";
}

}  // namespace
}  // namespace touchstone
