#include "touchstone/solve/matrix/pyramid_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "support/memory.h"
#include "support/random_blocks.h"
#include "touchstone/math/random.h"
#include "touchstone/solve/factors/pyramid_cone.h"
#include "touchstone/solve/factors/pyramid_interior_point.h"
#include "touchstone/solve/linear/block_lu.h"
#include "touchstone/solve/problem_check.h"
#include "touchstone/solve/residual.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

using support::random_matrix;

/// Contacts between random pairs of blocks. Some have one block, some no friction, some no normal, some are
/// said twice; pyramids have three to eight sides, or two.
class RandomPyramids {
 public:
  RandomPyramids(Random& random, int block, int blocks, int contacts) : random_(random) {
    made.block = block, made.N = support::random_masses(random, block, blocks);
    for (int c = 0; c < contacts; ++c) add(blocks);
    made.side.resize(made.size, Eigen::Vector2d::Zero());
  }
  PyramidFactors made;
  int twins = 0, frictionless = 0, motors = 0, lines = 0;

 private:
  void add(int blocks) {
    const int B = made.block, kind = random_.index(8);
    PyramidContact contact;
    const bool twin = !made.contacts.empty() && random_.index(6) == 0;
    if (twin) contact.first = made.contacts.back().first, contact.second = made.contacts.back().second;
    if (!twin) std::tie(contact.first, contact.second) = support::random_pair(random_, blocks);
    MatrixX rows = random_matrix(random_, 2 * B, 3);
    if (twin) rows = Eigen::Map<const MatrixX>(made.rows(made.contact_count() - 1), 2 * B, 3);
    const bool motor = kind == 0 && !twin, plain = kind == 1, line = kind == 2;
    if (contact.second < 0) rows.bottomRows(B).setZero();
    if (contact.second < 0 && !twin && random_.index(2) == 0) {
      std::swap(contact.first, contact.second);
      rows.topRows(B).swap(rows.bottomRows(B));
    }
    if (motor) rows.col(0).setZero();
    if (line) rows.col(2).setZero();
    made.G.insert(made.G.end(), rows.data(), rows.data() + rows.size());
    if (!motor) contact.normal = made.size++;
    if (!plain) add_sides(contact, line ? 2 : 3 + random_.index(6));
    contact.mu = motor || plain || random_.index(20) == 0 ? 0 : random_.uniform(0.1, 1);
    made.contacts.push_back(contact);
    twins += twin, motors += motor, frictionless += plain, lines += line;
  }

  void add_sides(PyramidContact& contact, int count) {
    contact.sides = made.size, contact.side_count = count;
    made.size += count;
    made.side.resize(made.size, Eigen::Vector2d::Zero());
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * std::numbers::pi * k / count;
      made.side[contact.sides + k] = {std::cos(angle), count == 2 ? 0 : std::sin(angle)};
    }
    contact.slip = made.size++;
  }

  Random& random_;
};

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

/// A cone with `count` corners on the unit circle, kept alive by `corners`.
PyramidCone regular_cone(std::vector<Eigen::Vector2d>& corners, int count) {
  corners.clear();
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    corners.push_back({std::cos(angle), count == 2 ? 0 : std::sin(angle)});
  }
  PyramidCone cone;
  cone.corners = corners.data(), cone.corner_count = count;
  return cone;
}

TEST(PyramidCone, NoPointOfThePolygonIsNearer) {
  Random random(5);
  std::vector<Eigen::Vector2d> corners;
  int inside = 0, on_corner = 0, on_edge = 0;
  for (int round = 0; round < 3000; ++round) {
    const PyramidCone cone = regular_cone(corners, 3 + random.index(6));
    const double radius = random.uniform(0.1, 2);
    const Eigen::Vector2d y = random_matrix(random, 2, 1) * 3;
    int piece = -1;
    const Eigen::Vector2d nearest = nearest_in_pyramid(cone, radius, y, piece);
    (piece < 0 ? inside : piece % 2 == 0 ? on_corner : on_edge)++;
    // The nearest point of a convex set is the one from which no corner lies on the side of y.
    for (const Eigen::Vector2d& corner : corners)
      EXPECT_LE((y - nearest).dot(radius * corner - nearest), 1e-14 * (1 + y.squaredNorm()));
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Eigen::Vector2d a = corners[k], edge = corners[(k + 1) % corners.size()] - a,
                            to = nearest / radius - a;
      EXPECT_GE(edge.x() * to.y() - edge.y() * to.x(), -1e-14) << "it lies in the polygon";
    }
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(on_corner, 100);
  EXPECT_GT(on_edge, 100);
}

TEST(PyramidCone, APointFarOutsideIsNearestToTheEdgeThatItLiesBefore) {
  std::vector<Eigen::Vector2d> corners;
  const PyramidCone cone = regular_cone(corners, 8);
  for (int k = 0; k < 8; ++k) {
    const Eigen::Vector2d a = corners[k], edge = corners[(k + 1) % 8] - a, out(edge.y(), -edge.x());
    for (const double share : {-0.3, 0.3, 0.7, 1.3}) {
      int piece = -1;
      const Eigen::Vector2d nearest = nearest_in_pyramid(cone, 1, a + share * edge + 1e9 * out, piece);
      EXPECT_EQ(piece, share < 0 ? 2 * k : share < 1 ? 2 * k + 1 : 2 * ((k + 1) % 8));
      EXPECT_LE((nearest - a - std::clamp(share, 0., 1.) * edge).norm(), 1e-6)
          << "of 1e9 only six digits are left";
    }
  }
}

TEST(PyramidCone, AnImpulseChangesAlikeUntilItLeavesItsCone) {
  std::vector<Eigen::Vector2d> corners;
  PyramidCone cone = regular_cone(corners, 4);
  cone.mu = 0.5;
  constexpr int kOpen = 0, kSticks = 3, kFirstCorner = 5, kFirstEdge = 7;
  const double never = std::numeric_limits<double>::infinity();
  const auto repeats = [&](int piece, const LocalVector& p, const LocalVector& change) {
    return repeats_within(cone, piece, p, change);
  };
  EXPECT_EQ(repeats(kOpen, {0, 0, 0}, {0, 0, 0}), never);
  EXPECT_DOUBLE_EQ(repeats(kSticks, {2, 0, 0}, {-0.1, 0, 0}), 20) << "it ceases to push";
  EXPECT_DOUBLE_EQ(repeats(kSticks, {2, 0.2, 0}, {0, 0.1, 0}), 8) << "it slides";
  EXPECT_DOUBLE_EQ(repeats(kSticks, {2, 0.2, 0}, {-0.2, 0, 0}), 8) << "its cone becomes too narrow";
  EXPECT_DOUBLE_EQ(repeats(kFirstEdge, {2, 0.6, 0.4}, {0, 0.1, -0.1}), 4) << "the edge ends";
  EXPECT_EQ(repeats(kFirstCorner, {2, 1, 0}, {0.1, 0.05, 0}), never) << "it slides and goes on";
  cone = regular_cone(corners, 2);
  cone.mu = 0.5;
  EXPECT_DOUBLE_EQ(repeats(kSticks, {2, 0.2, 0}, {0, -0.1, 0}), 12) << "in the plane";
}

TEST(PyramidCone, RespondsAsItsSlopesSay) {
  Random random(6);
  std::vector<Eigen::Vector2d> corners;
  std::vector<int> met(20);
  for (int round = 0; round < 3000; ++round) {
    PyramidCone cone = regular_cone(corners, round % 7 == 0 ? 2 : 3 + random.index(6));
    cone.mu = random.uniform(0.1, 1);
    cone.bound = random.index(4) == 0 ? random.uniform(0, 1) : 0;
    cone.has_normal = random.index(6) != 0;
    LocalVector centre = random_matrix(random, 3, 1), w = random_matrix(random, 3, 1);
    centre[0] = std::abs(centre[0]);
    const PyramidResponse at = respond(cone, centre, w, 0.7, 0.4);
    const LocalVector dw = 1e-7 * random_matrix(random, 3, 1);
    const PyramidResponse beside = respond(cone, centre, w + dw, 0.7, 0.4);
    if (beside.piece != at.piece) continue;
    ++met[std::min(at.piece, 19)];
    EXPECT_LE((beside.p - at.p + at.K * dw).norm(), 1e-14) << "piece " << at.piece;
  }
  EXPECT_GT(met[0], 100) << "open";
  EXPECT_GT(met[3], 100) << "pushes and sticks";
  EXPECT_GT(met[2], 5) << "sticks by its own bound";
  EXPECT_GT(met[5], 20) << "at the first corner";
  EXPECT_GT(met[7], 20) << "on the first edge";
}

/// q of a problem that has a solution (perhaps others too) in which contacts are open, stick and slide.
VectorX solvable(Random& random, const PyramidFactors& factors) {
  VectorX z = VectorX::Zero(factors.size), w = z;
  LocalVectors rates(factors.contact_count(), LocalVector::Zero());
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    const bool pushes = random.index(3) != 0;
    if (contact.normal >= 0) (pushes ? z : w)[contact.normal] = random.uniform(0.1, 1);
    if (contact.slip < 0) continue;
    // w of the slip holds the bound of the cone for now.
    w[contact.slip] = contact.normal < 0 ? 1 : random.index(4) == 0 ? random.uniform(0.1, 1) : 0;
    const double radius = w[contact.slip] + (contact.normal >= 0 ? contact.mu * z[contact.normal] : 0);
    const int k = random.index(contact.side_count);
    if (radius == 0 || random.index(2) == 0) {  // slides against side k
      rates[c].tail<2>() = -random.uniform(0.1, 1) * factors.side[contact.sides + k];
      z[contact.slip] = rates[c].tail<2>().norm();
      z[contact.sides + k] = radius;
    } else {
      z[contact.sides + k] = random.uniform(0, 1) * radius;
    }
  }
  const VectorX image = PyramidMatrix(factors) * z;
  VectorX q = w - image;
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    if (contact.slip < 0) continue;
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k)
      q[k] = factors.side[k].dot(rates[c].tail<2>()) - (image[k] - z[contact.slip]);
    q[contact.slip] = w[contact.slip];
  }
  return q;
}

TEST(PyramidNewton, SolvesRandomProblemsToTheLastDigits) {
  Random random(7);
  int solved = 0, all = 0, sticking = 0, sliding = 0, open = 0;
  RandomPyramids seen(random, 6, 1, 0);
  for (int block : {3, 6})
    for (int round = 0; round < 100; ++round) {
      const RandomPyramids set(random, block, 2 + random.index(20), 8 + random.index(40));
      const PyramidFactors& factors = set.made;
      seen.twins += set.twins, seen.motors += set.motors, seen.lines += set.lines;
      const Lcp problem{ProblemMatrix(factors), solvable(random, factors)};
      SolveSettings settings;
      settings.tolerance = 1e-12;
      const Solution found = solve(problem, "proximal-newton", settings);
      ++all, solved += found.status == SolveStatus::solved;
      const Lcp entries{ProblemMatrix(problem.M.to_sparse()), problem.q};
      EXPECT_NEAR(residual(entries, found.z), found.residual, 1e-13) << "the factors tell the truth";
      const Solution certain = solve(problem, "auto", settings);
      EXPECT_EQ(certain.status, SolveStatus::solved) << "residual " << certain.residual;
      for (const PyramidContact& contact : factors.contacts) {
        if (contact.slip < 0 || contact.normal < 0) continue;
        const bool pushes = found.z[contact.normal] > 0;
        (!pushes ? open : found.z[contact.slip] > 1e-9 ? sliding : sticking)++;
      }
    }
  EXPECT_GE(solved, all * 95 / 100) << "of " << all;
  EXPECT_GT(sticking, 200);
  EXPECT_GT(sliding, 200);
  EXPECT_GT(open, 200);
  EXPECT_GT(seen.twins, 200);
  EXPECT_GT(seen.motors, 200);
  EXPECT_GT(seen.lines, 200);
}

/// Two feet of each body on the ground, which ought to move by a little less or more along the same line.
PyramidFactors pairs_of_feet(int bodies) {
  PyramidFactors factors;
  factors.block = 3;
  for (int b = 0; b < bodies; ++b) {
    const MatrixX N = MatrixX::Identity(3, 3);
    factors.N.insert(factors.N.end(), N.data(), N.data() + N.size());
    for (const double arm : {-1, 1}) {
      MatrixX rows = MatrixX::Zero(6, 3);
      rows.col(0).head(3) << 0, 1, arm;
      rows.col(1).head(3) << 1, 0, 0.3;
      factors.G.insert(factors.G.end(), rows.data(), rows.data() + rows.size());
      PyramidContact foot;
      foot.first = b, foot.mu = 0.5, foot.normal = factors.size, foot.sides = factors.size + 1;
      foot.side_count = 2, foot.slip = factors.size + 3;
      factors.size += 4;
      factors.side.insert(factors.side.end(), {{0, 0}, {1, 0}, {-1, 0}, {0, 0}});
      factors.contacts.push_back(foot);
    }
  }
  return factors;
}

TEST(PyramidNewton, ContactsThatContradictEachOtherByALittleSlideByALittle) {
  const PyramidFactors factors = pairs_of_feet(10);
  for (const double little : {1e-12, 1e-11, 1e-10, 1e-8}) {
    VectorX q = VectorX::Zero(factors.size);
    for (int c = 0; c < factors.contact_count(); ++c) {
      const PyramidContact& foot = factors.contacts[c];
      const double rate = 0.1 + (c % 2 == 0 ? little : -little) * (1 + c);
      q[foot.normal] = -1, q[foot.sides] = rate, q[foot.sides + 1] = -rate;
    }
    SolveSettings settings;
    settings.tolerance = 1e-14;
    const Solution found = solve(Lcp{ProblemMatrix(factors), q}, "proximal-newton", settings);
    EXPECT_EQ(found.status, SolveStatus::solved) << "they differ by " << little << ": " << found.residual;
    EXPECT_LE(found.iterations, 20);
    for (int c = 0; c < factors.contact_count(); c += 2) {
      const double slips = found.z[factors.contacts[c].slip] + found.z[factors.contacts[c + 1].slip];
      EXPECT_NEAR(slips, (3 + 2 * c) * little, 1e-14) << "one of them slides";
    }
  }
}

TEST(PyramidNewton, BeginsWhereItIsToldTo) {
  Random random(8);
  const PyramidFactors factors = RandomPyramids(random, 6, 12, 40).made;
  const Lcp problem{ProblemMatrix(factors), solvable(random, factors)};
  SolveSettings settings;
  settings.tolerance = 1e-12;
  const Solution cold = solve(problem, "proximal-newton", settings);
  ASSERT_EQ(cold.status, SolveStatus::solved);
  EXPECT_GT(cold.iterations, 0);
  settings.start = cold.z;
  EXPECT_EQ(solve(problem, "proximal-newton", settings).iterations, 0);
}

TEST(PyramidNewton, KeepsToItsBudgetAndAutoIsNeverWorse) {
  Random random(11);
  int cut_short = 0;
  for (int round = 0; round < 40; ++round) {
    const PyramidFactors factors = RandomPyramids(random, 6, 4, 40).made;
    const Lcp problem{ProblemMatrix(factors), solvable(random, factors)};
    SolveSettings settings;
    settings.tolerance = 1e-13;
    settings.max_iterations = 1 + random.index(4);
    const Solution few = solve(problem, "proximal-newton", settings);
    EXPECT_LE(few.iterations, settings.max_iterations);
    cut_short += few.status != SolveStatus::solved;
    EXPECT_LE(solve(problem, "auto", settings).residual, few.residual);
  }
  EXPECT_GT(cut_short, 5);
}

TEST(PyramidNewton, FindsTheSameBitsWhateverMemoryHeldBefore) {
  Random random(10);
  const PyramidFactors factors = RandomPyramids(random, 6, 20, 60).made;
  const Lcp problem{ProblemMatrix(factors), solvable(random, factors)};
  support::leave_in_memory(0);
  const Solution first = solve(problem, "proximal-newton", {});
  support::leave_in_memory(0xff);  // numbers that are none
  const Solution second = solve(problem, "proximal-newton", {});
  EXPECT_EQ(first.z, second.z);
  EXPECT_EQ(first.iterations, second.iterations);
}

TEST(PyramidInteriorPoint, ComesNearASolutionAlone) {
  Random random(9);
  int near = 0;
  constexpr int kRounds = 60;
  for (int round = 0; round < kRounds; ++round) {
    const PyramidFactors factors = RandomPyramids(random, 6, 2 + random.index(20), 8 + random.index(40)).made;
    const Lcp problem{ProblemMatrix(factors), solvable(random, factors)};
    PyramidSystem<6> system(problem.M.pyramid()->factors());
    const auto no_guess = [](const VectorX&, const VectorX&, VectorX&, double&) {};
    const Candidate attempt = pyramid_interior_point<6>(problem, system, 60, 1e-7, no_guess);
    near += residual(problem, attempt.z) <= 1e-7;
  }
  EXPECT_GE(near, kRounds * 9 / 10);
}

}  // namespace
}  // namespace touchstone
