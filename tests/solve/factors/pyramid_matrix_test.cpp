#include "touchstone/solve/matrix/pyramid_matrix.h"

#include <gtest/gtest.h>

#include <limits>

#include "random_pyramids.h"
#include "touchstone/solve/problem_check.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

using support::random_matrix;

MatrixX dense_of(const PyramidFactors& factors) {
  const int B = factors.block, n = B * factors.block_count();
  MatrixX G = MatrixX::Zero(factors.size, n);
  MatrixX M = MatrixX::Zero(factors.size, factors.size);
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    const Eigen::Map<const MatrixX> rows(factors.rows(c), 2 * B, 3);
    const auto put = [&](int unknown, const VectorX& row) {
      if (contact.first >= 0) G.row(unknown).segment(B * contact.first, B) += row.head(B);
      if (contact.second >= 0) G.row(unknown).segment(B * contact.second, B) += row.tail(B);
    };
    if (contact.normal >= 0) put(contact.normal, rows.col(0));
    if (contact.normal >= 0 && contact.slip >= 0) M(contact.slip, contact.normal) = contact.mu;
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k) {
      put(k, rows.rightCols(2) * factors.side[k]);
      M(k, contact.slip) = 1, M(contact.slip, k) = -1;
    }
  }
  return M + G * support::block_diagonal(factors.N, B) * G.transpose();
}

TEST(PyramidMatrix, IsTheProductOfItsFactors) {
  Random random(1);
  for (int block : {3, 6})
    for (int round = 0; round < 30; ++round) {
      const RandomPyramids set(random, block, 1 + random.index(8), 1 + random.index(30));
      const MatrixX truth = dense_of(set.made);
      const ProblemMatrix M(set.made);
      const VectorX x = random_matrix(random, M.rows(), 1);
      EXPECT_LE((M * x - truth * x).norm(), 1e-12 * (1 + truth.norm()));
      EXPECT_LE((M.to_dense() - truth).norm(), 1e-12 * (1 + truth.norm()));
      EXPECT_LE((M.transpose_times(x) - truth.transpose() * x).norm(), 1e-12 * (1 + truth.norm()));
    }
}

TEST(PyramidMatrix, RefusesFactorsThatDoNotFitAndNamesThePart) {
  Random random(2);
  PyramidFactors good = RandomPyramids(random, 6, 3, 8).made;
  const auto has_friction = [](const PyramidContact& c) { return c.normal >= 0 && c.side_count > 2; };
  std::stable_partition(good.contacts.begin(), good.contacts.end(), has_friction);
  ASSERT_TRUE(has_friction(good.contacts[0]));
  const auto refusal = [&](const auto& spoil) -> std::string {
    PyramidFactors factors = good;
    spoil(factors);
    try {
      check_problem(Lcp{factors, VectorX::Zero(factors.size)});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  using Factors = PyramidFactors;
  EXPECT_EQ(refusal([](Factors&) {}), "");
  EXPECT_EQ(refusal([](Factors& f) { f.block = 4; }), "M.block is 4, expected 3 or 6");
  EXPECT_NE(refusal([](Factors& f) { f.N.pop_back(); }).find("M.N has 107 entries"), std::string::npos);
  EXPECT_NE(refusal([](Factors& f) { f.G.pop_back(); }).find("M.G has 287 entries"), std::string::npos);
  EXPECT_NE(refusal([](Factors& f) { f.side.pop_back(); }).find("M.side has"), std::string::npos);
  EXPECT_EQ(refusal([](Factors& f) { f.contacts[0].first = 3; }),
            "M.contacts[0].first is 3, expected -1 or one of 3 blocks");
  EXPECT_EQ(refusal([](Factors& f) { f.contacts[0].second = -2; }),
            "M.contacts[0].second is -2, expected -1 or one of 3 blocks");
  EXPECT_EQ(refusal([](Factors& f) { f.contacts[0].first = f.contacts[0].second = 1; }),
            "M.contacts[0].first and .second are the same block");
  EXPECT_NE(refusal([](Factors& f) { f.contacts[0].normal = f.size; }).find("M.contacts[0].normal is"),
            std::string::npos);
  EXPECT_EQ(refusal([](Factors& f) { f.contacts[0].mu = -0.1; }),
            "M.contacts[0].mu is not a number from 0 on");
  EXPECT_NE(refusal([](Factors& f) {
              ++f.size, f.side.push_back({0, 0});
            }).find("is that of 0 contacts"),
            std::string::npos);
  EXPECT_NE(
      refusal([](Factors& f) { f.contacts[1].normal = f.contacts[0].slip; }).find("contacts, expected one"),
      std::string::npos);
}

TEST(PyramidMatrix, RefusesSidesThatDoNotGoRoundOnce) {
  Random random(2);
  const PyramidFactors good = RandomPyramids(random, 6, 3, 20).made;
  const auto is_refused = [&](int contact, const auto& spoil) {
    PyramidFactors factors = good;
    spoil(factors, factors.contacts[contact]);
    try {
      check_problem(Lcp{factors, VectorX::Zero(factors.size)});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what()).find("sides with a slip") != std::string::npos;
    }
    return false;
  };
  int stars = 0;
  for (int c = 0; c < good.contact_count(); ++c) {
    const int count = good.contacts[c].side_count;
    if (count <= 2) continue;
    EXPECT_TRUE(is_refused(c, [](auto&, auto& contact) { contact.slip = -1; }));
    EXPECT_TRUE(is_refused(c, [](auto&, auto& contact) { contact.side_count = 1; }));
    EXPECT_TRUE(is_refused(c, [](auto& f, auto& contact) { contact.sides = f.size; }));
    EXPECT_TRUE(is_refused(c, [](auto& f, auto& contact) {
      std::swap(f.side[contact.sides], f.side[contact.sides + 1]);
    })) << "one is out of order";
    if (count != 5) continue;
    ++stars;
    EXPECT_TRUE(is_refused(c, [](auto& f, auto& contact) {
      const auto sides = std::vector(f.side.begin() + contact.sides, f.side.begin() + contact.sides + 5);
      for (int k = 0; k < 5; ++k) f.side[contact.sides + k] = sides[2 * k % 5];
    })) << "they go round twice, as a star";
  }
  EXPECT_GT(stars, 0);
}

TEST(PyramidMatrix, NamesANumberThatIsNotFinite) {
  Random random(3);
  PyramidFactors factors = RandomPyramids(random, 6, 3, 4).made;
  factors.N[1] = std::numeric_limits<double>::quiet_NaN();
  const Lcp problem{ProblemMatrix(factors), VectorX::Zero(factors.size)};
  EXPECT_THROW(solve(problem, "auto", {}), std::invalid_argument);
}

}  // namespace
}  // namespace touchstone
