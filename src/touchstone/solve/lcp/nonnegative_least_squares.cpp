#include "touchstone/solve/lcp/nonnegative_least_squares.h"

#include <Eigen/QR>
#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

/// A column may enter when it lessens the error: its slope exceeds this, relative to its size and b's.
constexpr double kSlope = 1e-13;
/// An unknown that went back to less than this part of the way it was to go is 0.
constexpr double kVanished = 1e-15;
constexpr int kRoundsPerColumn = 5;

class Fit {
 public:
  Fit(const MatrixX& A, const VectorX& b, const std::vector<char>& is_free)
      : A_(A), b_(b), is_free_(is_free), in_(is_free) {}

  NonnegativeFit run() {
    x_ = VectorX::Zero(A_.cols());
    retreat(least_squares());
    const long most = kRoundsPerColumn * (A_.cols() + 1);
    bool converged = false;
    for (long round = 0; round < most && !converged; ++round) {
      const int column = entering();
      converged = column < 0;
      if (converged) break;
      in_[column] = 1;
      settle();
      // Round-off let it in, and the fit puts it out again: the slope was none.
      if (!in_[column]) barred_ = column;
    }
    return {x_, (A_ * x_ - b_).norm(), converged};
  }

 private:
  int entering() {
    const VectorX slope = A_.transpose() * (b_ - A_ * x_);
    int best = -1;
    double most = 0;
    for (int j = 0; j < A_.cols(); ++j)
      if (!in_[j] && j != barred_ && slope[j] > most && slope[j] > kSlope * A_.col(j).norm() * b_.norm())
        best = j, most = slope[j];
    return best;
  }

  VectorX least_squares() const {
    std::vector<int> columns;
    for (int j = 0; j < A_.cols(); ++j)
      if (in_[j]) columns.push_back(j);
    VectorX x = VectorX::Zero(A_.cols());
    if (columns.empty()) return x;
    const MatrixX part = A_(Eigen::all, columns);
    const VectorX solution = part.completeOrthogonalDecomposition().solve(b_);
    for (std::size_t k = 0; k < columns.size(); ++k) x[columns[k]] = solution[static_cast<long>(k)];
    return x;
  }

  /// As far towards the target as x stays >= 0; columns that reach 0 leave. True: the target was reached.
  bool retreat(const VectorX& target) {
    double t = 1;
    for (int j = 0; j < A_.cols(); ++j)
      if (in_[j] && !is_free_[j] && target[j] < 0) t = std::min(t, x_[j] / (x_[j] - target[j]));
    x_ += t * (target - x_);
    if (t == 1) return true;
    for (int j = 0; j < A_.cols(); ++j)
      if (in_[j] && !is_free_[j] && target[j] < 0 && x_[j] <= kVanished * std::abs(target[j]))
        in_[j] = 0, x_[j] = 0;
    return false;
  }

  void settle() {
    for (long guard = 0; guard <= A_.cols(); ++guard)
      if (retreat(least_squares())) return;
  }

  const MatrixX& A_;
  const VectorX& b_;
  const std::vector<char>& is_free_;
  std::vector<char> in_;
  VectorX x_;
  int barred_ = -1;
};

}  // namespace

NonnegativeFit fit_nonnegative(const MatrixX& A, const VectorX& b, const std::vector<char>& is_free) {
  assert(A.rows() == b.size() && A.cols() == static_cast<Eigen::Index>(is_free.size()));
  return Fit(A, b, is_free).run();
}

}  // namespace touchstone
