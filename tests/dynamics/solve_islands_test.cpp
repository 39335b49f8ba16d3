// Every island is solved by itself: balls of 1 kg above a floor, which is folded into their rows.

#include "touchstone/dynamics/solve_islands.h"

#include <gtest/gtest.h>

#include "support/dimensions.h"

namespace touchstone {
namespace {

/// Balls that fall with their number as speed, each on a row of its own or on one that it shares with the
/// next.
template <int D>
struct Balls {
  Assembly<D> assembly;
  StepImpulses<D> guess;

  int add_ball(double speed) {
    StepEquations<D>& equations = assembly.equations;
    equations.inverse_mass.push_back(1);
    equations.inverse_inertia.push_back(SpinMat<D>::Identity());
    Vec<D> down = Vec<D>::Zero();
    down[D - 1] = -speed;
    equations.V_free.push_back(twist<D>(down, Spin<D>::Zero()));
    guess.V.push_back(equations.V_free.back());
    assembly.V_start.push_back(equations.V_free.back());
    assembly.external.push_back(Twist<D>::Zero());
    return equations.body_count() - 1;
  }
  /// A row along the vertical that pushes A up and, where there is one, B down.
  int add_row(int A, int B = -1) {
    Row<D> row;
    row.body_A = A, row.body_B = B;
    row.G_A[D - 1] = 1, row.G_B[D - 1] = B >= 0 ? -1 : 0;
    assembly.equations.unilateral.push_back(row);
    guess.unilateral.push_back(0);
    assembly.unilateral.push_back({RowKind::contact});
    return static_cast<int>(assembly.equations.unilateral.size()) - 1;
  }
  /// `count` balls that hit the floor with speeds 1, 2, ...
  static Balls falling(int count) {
    Balls balls;
    for (int i = 0; i < count; ++i) balls.add_row(balls.add_ball(i + 1));
    return balls;
  }
};

template <int D>
double up(const StepImpulses<D>& impulses, int body) {
  return impulses.V[body][D - 1];
}

constexpr double kStep = 0.01;  // [s]

template <class T>
struct SolveIslands : testing::Test {
  static constexpr int D = T::D;
  IslandSettings<D> settings;

  SolveIslands() {
    settings.formulate = [](const StepEquations<D>& equations) {
      return formulate<D>(equations, Form::reduced);
    };
    settings.solver = [](const Problem& problem, const SolveSettings& how) {
      return solve(problem, "auto", how);
    };
  }
  IslandResult<D> solve_all(const Balls<D>& balls) const {
    return solve_islands(balls.assembly, balls.guess, settings, kStep);
  }
};
TYPED_TEST_SUITE(SolveIslands, support::Dimensions, support::DimensionNames);

TYPED_TEST(SolveIslands, BodiesThatShareARowAreOneIslandAndABodyWithoutRowsMovesFreely) {
  Balls<TypeParam::D> balls;
  const int low = balls.add_ball(1), high = balls.add_ball(3), alone = balls.add_ball(5),
            free = balls.add_ball(7);
  balls.add_row(low), balls.add_row(alone), balls.add_row(high, low);
  const auto result = this->solve_all(balls);
  ASSERT_TRUE(result.solved) << result.message;
  EXPECT_EQ(result.islands, 2);
  EXPECT_EQ(result.rows, 3);
  EXPECT_LE(result.residual, this->settings.solve.tolerance);
  for (const int stopped : {low, high, alone}) EXPECT_NEAR(up(result.impulses, stopped), 0, 1e-12) << stopped;
  EXPECT_EQ(up(result.impulses, free), -7);
  EXPECT_NEAR(result.impulses.unilateral[0], 1 + 3, 1e-12) << "the floor stops both";
  EXPECT_NEAR(result.impulses.unilateral[1], 5, 1e-12);
  EXPECT_NEAR(result.impulses.unilateral[2], 3, 1e-12);
}

/// 300 rows are enough for the threads to start.
TYPED_TEST(SolveIslands, TheNumberOfThreadsDoesNotChangeABit) {
  const auto balls = Balls<TypeParam::D>::falling(300);
  this->settings.threads = 1;
  const auto one = this->solve_all(balls);
  ASSERT_TRUE(one.solved) << one.message;
  EXPECT_EQ(one.islands, 300);
  for (int i = 0; i < 300; ++i) ASSERT_NEAR(one.impulses.unilateral[i], i + 1, 1e-9);
  for (const int threads : {0, 2, 4}) {
    this->settings.threads = threads;
    const auto many = this->solve_all(balls);
    EXPECT_EQ(many.impulses.unilateral, one.impulses.unilateral) << threads;
    EXPECT_EQ(many.impulses.V, one.impulses.V) << threads;
    EXPECT_EQ(many.residual, one.residual) << threads;
  }
}

TYPED_TEST(SolveIslands, EachIslandStartsFromItsPartOfTheGuess) {
  auto balls = Balls<TypeParam::D>::falling(3);
  balls.guess.unilateral = {0.25, 0.5, 0.75};
  std::vector<double> starts;
  this->settings.solver = [&](const Problem& problem, const SolveSettings& how) {
    EXPECT_EQ(how.start.size(), 1);
    starts.push_back(how.start[0]);
    return solve(problem, "auto", how);
  };
  ASSERT_TRUE(this->solve_all(balls).solved);
  EXPECT_EQ(starts, balls.guess.unilateral);
}

/// The second and third of four islands fail: the second is told, and the others are solved all the same.
TYPED_TEST(SolveIslands, AnIslandThatFailsIsToldAndTheOthersAreSolved) {
  const auto balls = Balls<TypeParam::D>::falling(4);
  int calls = 0;
  this->settings.solver = [&](const Problem& problem, const SolveSettings& how) {
    Solution solution = solve(problem, "auto", how);
    const int call = calls++;
    if (call == 1) solution.status = SolveStatus::ray, solution.residual = 0.125;
    if (call == 2) solution.status = SolveStatus::singular, solution.residual = 0.5;
    return solution;
  };
  const auto result = this->solve_all(balls);
  EXPECT_EQ(calls, 4);
  EXPECT_FALSE(result.solved);
  EXPECT_EQ(result.residual, 0.5) << "the worst of all";
  EXPECT_NE(result.message.find(std::string(text_of(SolveStatus::ray)) + ", residual 0.12"),
            std::string::npos)
      << result.message;
  EXPECT_NEAR(up(result.impulses, 0), 0, 1e-12);
  EXPECT_EQ(up(result.impulses, 1), -2) << "an island without an answer is left in free motion";
  EXPECT_EQ(up(result.impulses, 2), -3);
  EXPECT_NEAR(up(result.impulses, 3), 0, 1e-12);
}

TYPED_TEST(SolveIslands, AnAnswerThatMissedTheToleranceCountsUpToTheAcceptedResidual) {
  const auto balls = Balls<TypeParam::D>::falling(1);
  this->settings.accepted_residual = 1e-6;
  for (const double residual : {1e-7, 1e-6, 1e-5}) {
    this->settings.solver = [&](const Problem& problem, const SolveSettings& how) {
      Solution solution = solve(problem, "auto", how);
      solution.status = SolveStatus::inaccurate, solution.residual = residual;
      return solution;
    };
    const auto result = this->solve_all(balls);
    EXPECT_EQ(result.solved, residual <= 1e-6) << residual;
    EXPECT_EQ(result.residual, residual) << "it is told as it is";
  }
}

/// A solver that gives up without an answer is no reason to read one.
TYPED_TEST(SolveIslands, ASolverWithoutAnAnswerFailsTheIsland) {
  this->settings.accepted_residual = 1;
  this->settings.solver = [](const Problem&, const SolveSettings&) {
    Solution none;
    none.status = SolveStatus::too_large;
    return none;
  };
  const auto result = this->solve_all(Balls<TypeParam::D>::falling(1));
  EXPECT_FALSE(result.solved);
  EXPECT_EQ(up(result.impulses, 0), -1);
}

/// Poisson: e times the impulse of compression comes back, so that a single ball leaves with e times its
/// speed.
TYPED_TEST(SolveIslands, AStrikeOfPoissonGivesItsShareBackInItsIslandAlone) {
  auto balls = Balls<TypeParam::D>::falling(3);
  balls.assembly.strikes = {{1, 0.5, Restitution::poisson}};
  const auto result = this->solve_all(balls);
  ASSERT_TRUE(result.solved) << result.message;
  EXPECT_NEAR(up(result.impulses, 0), 0, 1e-12);
  EXPECT_NEAR(up(result.impulses, 1), 0.5 * 2, 1e-12);
  EXPECT_NEAR(up(result.impulses, 2), 0, 1e-12);
  EXPECT_NEAR(result.impulses.unilateral[1], 1.5 * 2, 1e-12);
}

/// Three balls in a row: the first strikes the others, which touch, and asks for more than it brought.
TYPED_TEST(SolveIslands, ABounceThatWouldGiveEnergyIsLimitedToWhatGivesNone) {
  Balls<TypeParam::D> balls;
  for (const double speed : {1., 0., 0.}) balls.add_ball(speed);
  const int first = balls.add_row(0, 1), second = balls.add_row(1, 2);
  balls.assembly.equations.unilateral[first].offset = -1;   // leave each other as fast as they came
  balls.assembly.equations.unilateral[second].offset = -1;  // and so do these, which did not come
  balls.assembly.strikes = {{first, 1, Restitution::newton, 0}, {second, 1, Restitution::newton, 0}};
  for (Row<TypeParam::D>& row : balls.assembly.equations.unilateral) row.G_A *= -1, row.G_B *= -1;
  const auto result = this->solve_all(balls);
  ASSERT_TRUE(result.solved) << result.message;
  double twice_energy = 0, momentum = 0;
  for (int b = 0; b < 3; ++b) {
    twice_energy += up(result.impulses, b) * up(result.impulses, b), momentum += up(result.impulses, b);
  }
  EXPECT_NEAR(twice_energy, 1, 1e-10) << "all of the energy and no more";
  EXPECT_NEAR(momentum, -1, 1e-12);
}

/// What is tried again in one island does not change another: it keeps its solution, to the bit.
TYPED_TEST(SolveIslands, AnIslandThatIsKnownIsNotSolvedAgain) {
  auto balls = Balls<TypeParam::D>::falling(3);
  int solved = 0;
  this->settings.solver = [&](const Problem& problem, const SolveSettings& how) {
    ++solved;
    return solve(problem, "auto", how);
  };
  const auto first = this->solve_all(balls);
  EXPECT_EQ(solved, 3);
  balls.assembly.equations.unilateral[1].offset = 0.25;
  const auto again = solve_islands(balls.assembly, balls.guess, this->settings, kStep, first.parts);
  EXPECT_EQ(solved, 4);
  EXPECT_EQ(up(again.impulses, 0), up(first.impulses, 0));
  EXPECT_NEAR(up(again.impulses, 1), -0.25, 1e-12);
  EXPECT_EQ(up(again.impulses, 2), up(first.impulses, 2));
}

TYPED_TEST(SolveIslands, WithoutRowsThereIsNothingToSolve) {
  Balls<TypeParam::D> balls;
  balls.add_ball(2);
  const auto result = this->solve_all(balls);
  EXPECT_TRUE(result.solved);
  EXPECT_EQ(result.islands, 0);
  EXPECT_EQ(result.rows, 0);
  EXPECT_EQ(up(result.impulses, 0), -2);
}

}  // namespace
}  // namespace touchstone
