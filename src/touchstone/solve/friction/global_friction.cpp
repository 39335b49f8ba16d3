// The global form is solved by way of the local one.

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cassert>
#include <numeric>

#include "touchstone/solve/friction/friction.h"
#include "touchstone/solve/residual.h"

namespace touchstone {
namespace {

using ColumnMajor = Eigen::SparseMatrix<double>;

/// A mass matrix of bodies falls into blocks; blocks up to this size are inverted as they are.
constexpr int kMaxBlock = 12;

/// The rows of M in groups that do not touch each other.
std::vector<std::vector<int>> blocks_of(const SparseMatrix& M) {
  assert(M.rows() == M.cols());
  std::vector<int> leader(M.rows());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  for (int i = 0; i < M.outerSize(); ++i)
    for (SparseMatrix::InnerIterator entry(M, i); entry; ++entry)
      if (entry.value() != 0) leader[find(static_cast<int>(entry.col()))] = find(i);
  std::vector<int> number(M.rows(), -1);
  std::vector<std::vector<int>> blocks;
  for (int i = 0; i < M.rows(); ++i) {
    int& block = number[find(i)];
    if (block < 0) {
      block = static_cast<int>(blocks.size());
      blocks.emplace_back();
    }
    blocks[block].push_back(i);
  }
  return blocks;
}

/// M^-1: as a matrix where M falls into small blocks, else as factors.
class MassInverse {
 public:
  explicit MassInverse(const SparseMatrix& M) : inverse_(M.rows(), M.cols()) {
    const auto blocks = blocks_of(M);
    in_blocks_ = std::all_of(blocks.begin(), blocks.end(),
                             [](const auto& block) { return static_cast<int>(block.size()) <= kMaxBlock; });
    if (in_blocks_) {
      invert(M, blocks);
    } else {
      factors_.compute(ColumnMajor(M));
      regular_ = factors_.info() == Eigen::Success;
    }
  }

  bool regular() const { return regular_; }
  template <class Operand>
  Operand operator*(const Operand& x) const {
    return in_blocks_ ? Operand(inverse_ * x) : Operand(factors_.solve(x));
  }

 private:
  void invert(const SparseMatrix& M, const std::vector<std::vector<int>>& blocks) {
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<int> place(M.rows());
    for (const std::vector<int>& rows : blocks) {
      const int n = static_cast<int>(rows.size());
      for (int a = 0; a < n; ++a) place[rows[a]] = a;
      MatrixX block = MatrixX::Zero(n, n);
      for (const int row : rows)
        for (SparseMatrix::InnerIterator entry(M, row); entry; ++entry)
          if (entry.value() != 0) block(place[row], place[entry.col()]) += entry.value();
      const MatrixX inverse = block.inverse();
      regular_ = regular_ && inverse.allFinite();
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          if (inverse(a, b) != 0) entries.emplace_back(rows[a], rows[b], inverse(a, b));
    }
    inverse_.setFromTriplets(entries.begin(), entries.end());
  }

  bool in_blocks_ = false, regular_ = true;
  ColumnMajor inverse_;
  Eigen::SparseLU<ColumnMajor> factors_;
};

FrictionProblem local_form(const GlobalFrictionProblem& problem, const MassInverse& inverse) {
  const ColumnMajor H = problem.H, moved = inverse * H;
  const SparseMatrix W = H.transpose() * moved;
  const VectorX v = inverse * problem.f;
  return {problem.dimension, W, problem.w + H.transpose() * v, problem.mu};
}

}  // namespace

Solution solve_friction(const GlobalFrictionProblem& problem, std::string_view solver,
                        const SolveSettings& settings) {
  const Eigen::Index n = problem.f.size(), m = problem.w.size();
  const MassInverse inverse(problem.M);
  if (!inverse.regular()) {
    const VectorX zero = VectorX::Zero(n + m);
    return {zero, SolveStatus::singular, 0, residual(problem, zero), std::string(solver)};
  }
  SolveSettings local_settings = settings;
  if (settings.start.size() > 0) local_settings.start = settings.start.tail(m);
  Solution solution = solve_friction(local_form(problem, inverse), solver, local_settings);
  assert(solution.z.size() == m);
  const VectorX r = solution.z;
  solution.z.resize(n + m);
  solution.z << inverse * VectorX(problem.f + problem.H * r), r;
  solution.residual = residual(problem, solution.z);
  const bool solved = solution.residual <= settings.tolerance;
  solution.status = solved ? SolveStatus::solved : SolveStatus::inaccurate;
  return solution;
}

}  // namespace touchstone
