// What does not fit together is refused before any solver sees it, and the message says what was expected.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::string refusal(const Problem& problem, const std::string& solver = "auto",
                    const SolveSettings& settings = {}) {
  try {
    solve(problem, solver, settings);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

Lcp good() { return {MatrixX(MatrixX::Identity(3, 3)), VectorX::Constant(3, -1)}; }

TEST(BadProblem, MatrixOfTheWrongSizeIsNamedWithBothSizes) {
  Lcp problem = good();
  problem.M = MatrixX(MatrixX::Identity(3, 2));
  EXPECT_EQ(refusal(problem), "M is 3 x 2, expected 3 x 3");
  EXPECT_EQ(refusal(Mlcp{good().M, good().q, {true}}), "free has 1 entries, expected 3");
}

TEST(BadProblem, EntryThatIsNoNumberIsNamed) {
  Lcp problem = good();
  problem.q[1] = kNoNumber;
  EXPECT_EQ(refusal(problem), "q[1] is not a finite number");
  problem = good();
  MatrixX M = MatrixX::Identity(3, 3);
  M(2, 1) = std::numeric_limits<double>::infinity();
  problem.M = M;
  EXPECT_EQ(refusal(problem), "M column 1[2] is not a finite number");
  problem.M = SparseMatrix(M.sparseView());
  EXPECT_EQ(refusal(problem), "M(2, 1) is not a finite number");
}

/// Two rows: one between two blocks, one with the second block alone.
GramFactors good_factors(int block) {
  GramFactors factors;
  factors.block = block;
  factors.first = {0, 1}, factors.second = {1, -1};
  const MatrixX N = MatrixX::Identity(block, block);
  for (int b = 0; b < 2; ++b) factors.N.insert(factors.N.end(), N.data(), N.data() + N.size());
  factors.G.assign(4 * block, 0.5);
  std::fill(factors.G.end() - block, factors.G.end(), 0);
  factors.NG = factors.G;
  return factors;
}

std::string refusal_of(const GramFactors& factors) { return refusal(Lcp{factors, VectorX::Constant(2, -1)}); }

TEST(BadProblem, FactorsOfAMatrixMustFit) {
  for (const int block : {3, 6}) {
    EXPECT_EQ(refusal_of(good_factors(block)), "");
    const auto spoilt = [&](const auto& spoil) {
      GramFactors factors = good_factors(block);
      spoil(factors);
      return refusal_of(factors);
    };
    const std::string parts = std::to_string(4 * block), one_less = std::to_string(4 * block - 1);
    const std::string entries = std::to_string(2 * block * block - 1), whole = std::to_string(block * block);
    EXPECT_EQ(spoilt([](auto& f) { f.block = 4; }), "M.block is 4, expected 3 or 6");
    EXPECT_EQ(spoilt([](auto& f) { f.block = 0; }), "M.block is 0, expected 3 or 6");
    EXPECT_EQ(spoilt([](auto& f) { f.second.pop_back(); }), "M.second has 1 entries, expected 2");
    EXPECT_EQ(spoilt([](auto& f) { f.G.pop_back(); }), "M.G has " + one_less + " entries, expected " + parts);
    EXPECT_EQ(spoilt([](auto& f) { f.NG.pop_back(); }),
              "M.NG has " + one_less + " entries, expected " + parts);
    EXPECT_EQ(spoilt([](auto& f) { f.N.pop_back(); }), "M.N has " + entries + " entries, expected " + whole);
    EXPECT_EQ(spoilt([](auto& f) { f.first[1] = 2; }), "M.first[1] is 2, expected -1 or one of 2 blocks");
    EXPECT_EQ(spoilt([](auto& f) { f.second[0] = -2; }), "M.second[0] is -2, expected -1 or one of 2 blocks");
    EXPECT_EQ(spoilt([](auto& f) { f.second[0] = 0; }), "M.first[0] and .second[0] are the same block");
    EXPECT_EQ(spoilt([](auto& f) { f.G[0] = kNoNumber; }), "M(0, 0) is not a finite number");
  }
}

/// A friction problem and a mixed one take their matrix in factors, too.
TEST(BadProblem, FactorsMustFitInEveryClass) {
  GramFactors factors = good_factors(6);
  factors.NG.clear();
  const VectorX q = VectorX::Constant(2, -1);
  const std::string expected = " has 0 entries, expected 24";
  EXPECT_EQ(refusal(Mlcp{factors, q, {true, false}}), "M.NG" + expected);
  EXPECT_EQ(refusal(Qp{factors, q, {}, {}, {}}), "P.NG" + expected);
  EXPECT_EQ(refusal(FrictionProblem{2, factors, q, VectorX::Constant(1, 0.3)}), "W.NG" + expected);
}

TEST(BadProblem, PartsOfAQpMustFit) {
  Qp problem{good().M, VectorX::Zero(3), MatrixX(MatrixX::Ones(2, 3)), VectorX::Zero(2), {false, false}};
  EXPECT_EQ(refusal(problem), "");
  problem.equality.pop_back();
  EXPECT_EQ(refusal(problem), "equality has 1 entries, expected 2");
  problem.equality.push_back(true);
  problem.A = MatrixX(MatrixX::Ones(2, 2));
  EXPECT_EQ(refusal(problem), "A is 2 x 2, expected 2 x 3");
}

TEST(BadProblem, FrictionNeedsTwoOrThreeDimensionsAndOneMuPerContact) {
  FrictionProblem problem{3, MatrixX(MatrixX::Identity(6, 6)), VectorX::Ones(6), VectorX::Constant(2, 0.3)};
  EXPECT_EQ(refusal(problem), "");
  problem.mu[1] = -0.1;
  EXPECT_EQ(refusal(problem), "mu[1] is negative");
  problem.mu = VectorX::Constant(3, 0.3);
  EXPECT_EQ(refusal(problem), "mu has 3 entries, expected 2");
  problem.dimension = 4;
  EXPECT_EQ(refusal(problem), "dimension is 4, expected 2 or 3");
}

TEST(BadProblem, UnknownSolverIsAnsweredWithTheNamesThereAre) {
  const std::string message = refusal(good(), "lemk");
  EXPECT_NE(message.find("there is no solver 'lemk'"), std::string::npos) << message;
  for (const SolverEntry& entry : solvers())
    EXPECT_NE(message.find(entry.name), std::string::npos) << "misses " << entry.name;
}

TEST(BadProblem, SettingsAreCheckedToo) {
  SolveSettings settings;
  settings.start = VectorX::Zero(2);
  EXPECT_EQ(refusal(good(), "auto", settings), "start has 2 entries, expected 3");
  settings.start = VectorX::Constant(3, kNoNumber);
  EXPECT_EQ(refusal(good(), "auto", settings), "start[0] is not a finite number");
  settings = {};
  settings.tolerance = 0;
  EXPECT_NE(refusal(good(), "auto", settings), "");
  settings = {};
  settings.relaxation = 2;
  EXPECT_NE(refusal(good(), "psor", settings), "");
  settings = {};
  settings.max_iterations = -1;
  EXPECT_NE(refusal(good(), "auto", settings), "");
}

TEST(BadProblem, SolverOfAnotherClassSaysSo) {
  EXPECT_EQ(solve(good(), "nsgs").status, SolveStatus::not_applicable);
  const FrictionProblem friction{3, MatrixX(MatrixX::Identity(3, 3)), VectorX::Ones(3), VectorX::Ones(1)};
  EXPECT_EQ(solve(friction, "lemke").status, SolveStatus::not_applicable);
  EXPECT_FALSE(treats("lemke", friction));
  EXPECT_TRUE(treats("auto", friction));
}

TEST(BadProblem, PathIsAbsentWhereItsLibraryIs) {
  const Solution solution = solve(good(), "path");
  EXPECT_TRUE(solution.status == SolveStatus::absent || solution.status == SolveStatus::solved);
}

TEST(EmptyProblem, IsSolvedByEverySolver) {
  for (const SolverEntry& entry : solvers())
    for (const Problem& problem :
         {Problem(Lcp{MatrixX(0, 0), VectorX(0)}), Problem(Mlcp{MatrixX(0, 0), VectorX(0), {}})})
      if (treats(entry.name, problem)) {
        EXPECT_EQ(solve(problem, entry.name).status, SolveStatus::solved) << entry.name;
      }
}

}  // namespace
}  // namespace touchstone
