#include "tilting_plane.h"

#include <Eigen/LU>
#include <cmath>

namespace touchstone {
namespace {

/// The dual: weights l on A and m on B, each summing to 1, with the same centroid across n, that make
/// sum l z_A - sum m z_B least. A basic solution has at most D + 1 points with weight (2 sums, D - 1
/// coordinates).
template <int D>
class Dual {
 public:
  Dual(const std::vector<LiftedPoint<D>>& A, const std::vector<LiftedPoint<D>>& B) : count_A_(A.size()) {
    columns_.resize(D + 1, A.size() + B.size());
    costs_.resize(A.size() + B.size());
    for (std::size_t i = 0; i < A.size(); ++i) set(i, {1, 0}, A[i], +1);
    for (std::size_t i = 0; i < B.size(); ++i) set(count_A_ + i, {0, 1}, B[i], -1);
    right_.setZero();
    right_.template head<2>().setOnes();
  }
  std::optional<double> minimum() {
    choose(0, 0);
    return best_;
  }

 private:
  using Column = Eigen::Matrix<double, D + 1, 1>;

  void set(std::size_t i, const Eigen::Vector2d& sums, const LiftedPoint<D>& point, double sign) {
    columns_.col(i).template head<2>() = sums;
    columns_.col(i).template tail<D - 1>() = sign * point.across;
    costs_[i] = sign * point.height;
  }
  void choose(int depth, int from) {
    if (depth == D + 1) return try_basis();
    for (int i = from; i < columns_.cols(); ++i) {
      basis_[depth] = i;
      choose(depth + 1, i + 1);
    }
  }
  void try_basis() {
    Eigen::Matrix<double, D + 1, D + 1> M;
    for (int k = 0; k <= D; ++k) M.col(k) = columns_.col(basis_[k]);
    const Eigen::FullPivLU<Eigen::Matrix<double, D + 1, D + 1>> lu(M);
    if (!lu.isInvertible()) return;
    const Column weights = lu.solve(right_);
    constexpr double kRoundOff = 1e-11;
    if (weights.minCoeff() < -kRoundOff) return;
    double cost = 0;
    for (int k = 0; k <= D; ++k) cost += weights[k] * costs_[basis_[k]];
    if (!best_ || cost < *best_) best_ = cost;
  }

  std::size_t count_A_;
  Eigen::Matrix<double, D + 1, Eigen::Dynamic> columns_;
  Eigen::VectorXd costs_;
  Column right_;
  int basis_[D + 1] = {};
  std::optional<double> best_;
};

}  // namespace

template <int D>
std::optional<double> widest_slab(const std::vector<LiftedPoint<D>>& A,
                                  const std::vector<LiftedPoint<D>>& B) {
  return Dual<D>(A, B).minimum();
}

template std::optional<double> widest_slab(const std::vector<LiftedPoint<2>>&,
                                           const std::vector<LiftedPoint<2>>&);
template std::optional<double> widest_slab(const std::vector<LiftedPoint<3>>&,
                                           const std::vector<LiftedPoint<3>>&);

}  // namespace touchstone
