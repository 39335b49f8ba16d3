#include "touchstone/solve/friction/friction_linearised.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "touchstone/solve/friction/semismooth_newton.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

/// Edges of the first pyramid in space; each further one has twice as many. In the plane the cone has two.
constexpr int kFirstEdges = 8;
/// A tableau is full: a thousand rows cost seconds.
constexpr int kMaxRows = 500;
constexpr int kNewtonSteps = 30;

/// Directions in the tangent space, evenly spread.
template <int D>
Eigen::Matrix<double, D - 1, Eigen::Dynamic> edge_directions(int edges) {
  Eigen::Matrix<double, D - 1, Eigen::Dynamic> directions(D - 1, edges);
  for (int k = 0; k < edges; ++k) {
    const double angle = 2 * std::numbers::pi * k / edges;
    directions(D - 2, k) = std::sin(angle);
    directions(0, k) = std::cos(angle);  // in the plane 1 and -1
  }
  return directions;
}

/// With r_t = sum_k b_k d_k, in the unknowns (r_n, b, lambda) of each contact:
///     u_n,   d_k . u_t + lambda,   mu r_n - sum_k b_k   >= 0, complementary to r_n, b_k, lambda.
template <int D>
class PyramidProblem {
 public:
  PyramidProblem(const FrictionBlocks<D>& blocks, int edges)
      : blocks_(blocks), rows_(edges + 2), basis_(MatrixX::Zero(D, rows_)) {
    assert(edges >= 2 && (D == 3 || edges == 2));
    basis_(0, 0) = 1;
    basis_.block(1, 1, D - 1, edges) = edge_directions<D>(edges);
    MatrixX M = MatrixX::Zero(rows_ * blocks.contacts(), rows_ * blocks.contacts());
    lcp_.q.resize(M.rows());
    for (int i = 0; i < blocks.contacts(); ++i) fill_row(i, M);
    lcp_.M = std::move(M);
  }

  /// Overwrites r. Returns the number of iterations; `most_iterations` 0: as many as it takes.
  int solve(int most_iterations, VectorX& r) const {
    SolveSettings settings;
    settings.max_iterations = most_iterations;
    const Solution solution = touchstone::solve(lcp_, D == 2 ? "auto" : "lemke", settings);
    if (!solution.z.allFinite()) return solution.iterations;
    for (int i = 0; i < blocks_.contacts(); ++i)
      r.segment<D>(D * i) = impulse_unit() * (basis_ * solution.z.segment(rows_ * i, rows_));
    return solution.iterations;
  }

 private:
  /// Impulses and velocities are measured in units in which W and q are about 1.
  double impulse_unit() const { return blocks_.scale() / std::max(blocks_.weight(0), kLeastWeight); }

  void fill_row(int i, MatrixX& M) {
    const double unit = impulse_unit() / blocks_.scale();
    const auto add = [&](int j, const ContactMatrix<D>& W) {
      M.block(rows_ * i, rows_ * j, rows_, rows_) += unit * (basis_.transpose() * W * basis_);
    };
    add(i, blocks_.diagonal(i));
    const auto neighbours = blocks_.neighbours(i);
    for (std::size_t k = 0; k < neighbours.size(); ++k)
      add(neighbours[k], blocks_.block(i, static_cast<int>(k)));
    const int edges = rows_ - 2, speed = rows_ * i + edges + 1;
    M(speed, rows_ * i) = blocks_.mu(i);
    M.block(rows_ * i + 1, speed, edges, 1).setOnes();
    M.block(speed, rows_ * i + 1, 1, edges).setConstant(-1);
    lcp_.q.segment(rows_ * i, rows_) = basis_.transpose() * blocks_.q(i) / blocks_.scale();
  }

  static constexpr double kLeastWeight = std::numeric_limits<double>::min();
  const FrictionBlocks<D>& blocks_;
  int rows_;       ///< per contact
  MatrixX basis_;  ///< of a contact's impulse in its unknowns
  Lcp lcp_;
};

}  // namespace

template <int D>
void step_linearised(const FrictionBlocks<D>& blocks, const FrictionLimits& limits,
                     FrictionIterate& iterate) {
  VectorX u(blocks.size());
  int edges = D == 2 ? 2 : kFirstEdges;
  for (int k = 0; k < limits.iterations && !iterate.reached(limits); ++k, edges *= 2) {
    if ((edges + 2) * blocks.contacts() > kMaxRows || (D == 2 && k > 0)) return;
    const bool limited = limits.last < std::numeric_limits<int>::max();
    const int left = limited ? limits.last - iterate.iterations : 0;
    if (limited && left <= 0) return;
    iterate.iterations += PyramidProblem<D>(blocks, edges).solve(left, iterate.r);
    take_note<D>(blocks, iterate, u);
    step_newton<D>(blocks, iterate.next(limits, kNewtonSteps), iterate, linearise_alart_curnier<D>);
  }
}

template void step_linearised<2>(const FrictionBlocks<2>&, const FrictionLimits&, FrictionIterate&);
template void step_linearised<3>(const FrictionBlocks<3>&, const FrictionLimits&, FrictionIterate&);

}  // namespace touchstone
