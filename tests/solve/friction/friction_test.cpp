// Friction problems of bodies, by name and by auto.

#include "touchstone/solve/friction/friction.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/friction_sets.h"
#include "touchstone/problems/problem_file.h"
#include "touchstone/solve/residual.h"

namespace touchstone {
namespace {

using support::FrictionSet;

SolveSettings tight() {
  SolveSettings settings;
  settings.tolerance = 1e-10;
  return settings;
}

/// What the contacts of a solution do.
struct States {
  int open = 0, stick = 0, slide = 0;

  States& operator+=(const States& other) {
    open += other.open;
    stick += other.stick;
    slide += other.slide;
    return *this;
  }
};

States states_of(const GlobalFrictionProblem& problem, const VectorX& z) {
  const int D = problem.dimension;
  const VectorX r = z.tail(problem.w.size()),
                u = problem.H.transpose() * z.head(problem.f.size()) + problem.w;
  States states;
  for (Eigen::Index i = 0; i < problem.mu.size(); ++i) {
    const bool closed = r[D * i] > 0, slides = u.segment(D * i + 1, D - 1).norm() > 1e-6;
    ++(!closed ? states.open : slides ? states.slide : states.stick);
  }
  return states;
}

class FrictionClasses : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(FrictionClasses, AreSolvedByAutoToTenDigits) {
  constexpr int kProblems = 250, kBodies = 8;
  const auto& [name, dimension] = GetParam();
  Random random(21);
  States states;
  int frictionless = 0;
  for (int k = 0; k < kProblems; ++k) {
    const FrictionSet set{name, dimension, 1 + random.index(kBodies)};
    const GlobalFrictionProblem problem = support::make_friction(set, random);
    const Solution solution = solve_friction(problem, "auto", tight());
    ASSERT_EQ(solution.status, SolveStatus::solved) << k << ": " << solution.residual;
    ASSERT_EQ(solution.residual, residual(problem, solution.z));
    states += states_of(problem, solution.z);
    frictionless += problem.mu.maxCoeff() == 0;
  }
  EXPECT_GT(states.open, 100);
  EXPECT_GT(states.stick, 100);
  EXPECT_GT(states.slide, 100);
  EXPECT_GT(frictionless, 10);
}

INSTANTIATE_TEST_SUITE_P(Friction, FrictionClasses,
                         testing::Combine(testing::ValuesIn(support::friction_classes()),
                                          testing::Values(2, 3)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + std::to_string(std::get<1>(info.param)) + "d";
                         });

class FrictionSolvers : public testing::TestWithParam<std::string> {};

TEST_P(FrictionSolvers, AgreeOnTheVelocitiesOfABoxOnItsCorners) {
  for (const int dimension : {2, 3}) {
    Random random(22);
    const FrictionSet set{"stack", dimension, 1, false, 0.5};
    GlobalFrictionProblem problem = support::make_friction(set, random);
    problem.f[0] = 0.02 * problem.M.coeff(0, 0);  // a push that friction holds: g h mu = 0.049
    Solution solution = solve_friction(problem, GetParam(), tight());
    EXPECT_EQ(solution.status, SolveStatus::solved) << solution.residual;
    EXPECT_LT(solution.z.head(problem.f.size()).norm(), 1e-9) << "the box rests";
    problem.f[0] = 0.06 * problem.M.coeff(0, 0);
    solution = solve_friction(problem, GetParam(), tight());
    EXPECT_EQ(solution.status, SolveStatus::solved) << solution.residual;
    EXPECT_NEAR(solution.z[0], 0.06 - 0.5 * 0.0981, 1e-9) << "the box slides";
  }
}

TEST_P(FrictionSolvers, EndAndTellWhatTheyReached) {
  Random random(23);
  for (int k = 0; k < 20; ++k) {
    const FrictionSet set{k % 2 ? "random" : "wall", 2 + k % 2, 5};
    const GlobalFrictionProblem problem = support::make_friction(set, random);
    SolveSettings settings;
    settings.max_iterations = 1 + k;
    const Solution solution = solve_friction(problem, GetParam(), settings);
    EXPECT_EQ(solution.residual, residual(problem, solution.z));
    EXPECT_EQ(solution.status == SolveStatus::solved, solution.residual <= settings.tolerance);
    EXPECT_LE(solution.iterations, settings.max_iterations + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Friction, FrictionSolvers,
                         testing::Values("auto", "nsgs", "semismooth-newton", "interior-point",
                                         "fixed-point"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Four times as many impulses as a stack can feel, and a system that plain sweeps need n^2 of.
TEST(Friction, ATallStackIsSolved) {
  for (const bool hit : {false, true}) {
    Random random(24);
    const FrictionSet set{"stack", 3, 40, hit, 0.5};
    const GlobalFrictionProblem problem = support::make_friction(set, random);
    const Solution solution = solve_friction(problem, "auto", tight());
    EXPECT_EQ(solution.status, SolveStatus::solved) << solution.residual;
    if (!hit) {
      EXPECT_LT(solution.z.head(problem.f.size()).norm(), 1e-8) << "it rests";
    }
  }
}

TEST(Friction, BothFormsGiveTheSameImpulses) {
  Random random(25);
  const GlobalFrictionProblem global = support::make_friction({"random", 3, 3, true, 0.2}, random);
  const FrictionProblem local = support::local_form(global);
  const VectorX r = solve_friction(local, "auto", tight()).z, z = solve_friction(global, "auto", tight()).z;
  EXPECT_LT((r - z.tail(r.size())).norm(), 1e-6 * r.norm());
  FrictionProblem sparse = local;
  sparse.W = local.W.to_sparse();
  EXPECT_EQ(solve_friction(sparse, "auto", tight()).z, r) << "a zero more or less changes no bit";
}

/// In the plane the cone is a pyramid: complementarity by enumeration is an independent oracle.
TEST(Friction, InThePlaneAgreesWithEnumeration) {
  Random random(26);
  int compared = 0, slides = 0;
  for (int k = 0; k < 60; ++k) {
    const FrictionProblem problem =
        support::local_form(support::make_friction({"random", 2, 3, true, 0.1}, random));
    const int n = static_cast<int>(problem.mu.size());
    if (n > 4) continue;
    // Unknowns (r_n, b+, b-, lambda) per contact, r_t = b+ - b-.
    MatrixX T = MatrixX::Zero(2 * n, 4 * n), M(4 * n, 4 * n);
    for (int i = 0; i < n; ++i) T.block<2, 4>(2 * i, 4 * i) << 1, 0, 0, 0, 0, 1, -1, 0;
    M = T.transpose() * problem.W.to_dense() * T;
    for (int i = 0; i < n; ++i) {
      M.block<2, 1>(4 * i + 1, 4 * i + 3).setOnes();
      M.block<1, 3>(4 * i + 3, 4 * i) << problem.mu[i], -1, -1;
    }
    const Solution enumerated = solve(Lcp{M, T.transpose() * problem.q}, "enumeration");
    ASSERT_EQ(enumerated.status, SolveStatus::solved);
    const VectorX u = problem.W * solve_friction(problem, "auto", tight()).z + problem.q;
    const VectorX oracle = problem.W * (T * enumerated.z) + problem.q;
    EXPECT_LT((u - oracle).norm(), 1e-7 * problem.q.norm()) << k;
    ++compared;
    for (int i = 0; i < n; ++i) slides += enumerated.z[4 * i + 3] > 1e-9;
  }
  EXPECT_GT(compared, 10);
  EXPECT_GT(slides, 10);
}

TEST(Friction, RoundOffIsNoApproach) {
  FrictionProblem problem;
  problem.W = MatrixX(MatrixX::Identity(6, 6));
  problem.q = VectorX::Zero(6);
  problem.mu = VectorX::Constant(2, 0.5);
  problem.q[0] = -5e-18;
  problem.q[3] = -1;
  const Solution solution = solve_friction(problem, "auto", tight());
  EXPECT_EQ(solution.status, SolveStatus::solved);
  EXPECT_NEAR(solution.z[3], 1, 1e-12);
  problem.q.setZero();
  EXPECT_EQ(solve_friction(problem, "auto", tight()).status, SolveStatus::solved);
  EXPECT_TRUE(solve_friction(problem, "auto", tight()).z.isZero(0));
}

TEST(Friction, AGoodStartIsKept) {
  Random random(27);
  const FrictionProblem problem =
      support::local_form(support::make_friction({"stack", 3, 10, true, 0.5}, random));
  const Solution cold = solve_friction(problem, "auto", tight());
  SolveSettings settings = tight();
  settings.start = cold.z;
  const Solution warm = solve_friction(problem, "auto", settings);
  EXPECT_EQ(warm.iterations, 0);
  EXPECT_EQ(warm.z, cold.z);
  settings.start = 1e6 * VectorX::Ones(cold.z.size());
  EXPECT_EQ(solve_friction(problem, "auto", settings).status, SolveStatus::solved) << "a bad one is dropped";
}

/// Two contacts of one body that cannot both stick: the distance between their points would have to change by
/// 1.5e-8 m/s. From the last step's impulses, one between them must grow by a thousandth until one slides,
/// and nothing but that last 1e-9 of the residual tells so. (Of a world of tests/stepping/energy_test.cpp.)
TEST(Friction, ContactsThatContradictEachOtherByALittleSlideByALittle) {
  const auto file = std::filesystem::path(TOUCHSTONE_SOURCE_DIR) / "tests/corpus/problems";
  const auto problem = std::get<FrictionProblem>(read_problem(file / "step-3d-round-joints-1298.json"));
  SolveSettings settings;
  settings.tolerance = 1e-12;
  settings.start.setZero(12);
  settings.start.segment<3>(3) << 0.004003128421777078, -0.0014254782811384098, 0.0007021765757787281;
  settings.start.segment<3>(9) << 0.0034775055564254067, 0.0015472617277583513, 0.00010763201686683757;
  const Solution solution = solve_friction(problem, "auto", settings);
  EXPECT_EQ(solution.status, SolveStatus::solved) << solution.residual;
  const VectorX u = problem.W * solution.z + problem.q;
  const double slip = std::max(u.segment<2>(4).norm(), u.segment<2>(10).norm());
  EXPECT_GT(slip, 1e-9);
  EXPECT_LT(slip, 1e-7);
}

/// One impulse cannot keep two opposite walls from closing in on a body.
TEST(Friction, AProblemWithoutSolutionIsCalledInaccurate) {
  FrictionProblem problem;
  MatrixX W = MatrixX::Zero(4, 4);
  W(0, 0) = W(2, 2) = 1;
  W(0, 2) = W(2, 0) = -1;
  W(1, 1) = W(3, 3) = 1;
  problem.dimension = 2;
  problem.W = W;
  problem.q = VectorX::Zero(4);
  problem.q[0] = problem.q[2] = -1;
  problem.mu = VectorX::Zero(2);
  const Solution solution = solve_friction(problem, "auto", tight());
  EXPECT_EQ(solution.status, SolveStatus::inaccurate);
  EXPECT_GT(solution.residual, 0.1);
}

TEST(Friction, AnEmptyProblemIsSolved) {
  FrictionProblem problem;
  problem.W = MatrixX(0, 0);
  EXPECT_EQ(solve_friction(problem, "auto", tight()).status, SolveStatus::solved);
}

TEST(Friction, ASingularMassIsToldOf) {
  GlobalFrictionProblem problem;
  problem.M.resize(3, 3);
  problem.H.resize(3, 3);
  problem.f = problem.w = VectorX::Zero(3);
  problem.mu = VectorX::Zero(1);
  EXPECT_EQ(solve_friction(problem, "auto", tight()).status, SolveStatus::singular);
}

}  // namespace
}  // namespace touchstone
