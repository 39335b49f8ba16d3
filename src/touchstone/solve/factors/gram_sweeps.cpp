#include "touchstone/solve/factors/gram_sweeps.h"

#include <algorithm>
#include <cassert>

#include "touchstone/solve/matrix/gram_products.h"

namespace touchstone {
namespace {

/// Every eighth sweep visits all rows; the others visit only the rows that had a positive impulse after it.
/// Most of the rest stay open, and a row that closes is noticed soon enough for a start.
constexpr int kAllRows = 8;

template <int B>
class Sweeps {
 public:
  Sweeps(const LinearProblem& problem, const VectorX& sizes, VectorX z);
  VectorX run(int count);

 private:
  using Part = Eigen::Matrix<double, B, 1>;
  bool visit(int row);
  void visit_all();
  void begin_again();
  void follow_direction(double beta);

  const GramFactors& factors_;
  const VectorX& q_;
  VectorX shares_;                             ///< 1 / M_ii
  VectorX z_, z_before_, z_direction_;         ///< now, before the sweep, and where the last steps led
  BlockVector<B> v_, v_before_, v_direction_;  ///< N G^T of each, and a last block that stands for none
  std::vector<int> pushing_;
};

template <int B>
Sweeps<B>::Sweeps(const LinearProblem& problem, const VectorX& sizes, VectorX z)
    : factors_(problem.M.gram()->factors()),
      q_(problem.q),
      shares_(sizes.cwiseInverse()),
      z_(std::move(z)),
      z_direction_(z_.size()),
      v_(factors_.block_count()) {
  velocities_of<B>(factors_, z_, v_);
  v_.push_back(Part::Zero());
  v_direction_.resize(v_.size());
  begin_again();
}

/// Gauss-Seidel in one row; true: it pushes. (A row that meets one block has zeros for the other.)
template <int B>
bool Sweeps<B>::visit(int i) {
  const double *G = &factors_.G[2 * B * i], *NG = &factors_.NG[2 * B * i];
  const int none = factors_.block_count(), a = factors_.first[i], b = factors_.second[i];
  Part &v_a = v_[a < 0 ? none : a], &v_b = v_[b < 0 ? none : b];
  const double w = q_[i] + (BlockPart<B>(G).cwiseProduct(v_a) + BlockPart<B>(G + B).cwiseProduct(v_b)).sum();
  const double next = std::max(0., z_[i] - w * shares_[i]), change = next - z_[i];
  if (change != 0) {
    z_[i] = next;
    if (a >= 0) v_a += change * BlockPart<B>(NG);
    if (b >= 0) v_b += change * BlockPart<B>(NG + B);
  }
  return next > 0;
}

template <int B>
void Sweeps<B>::visit_all() {
  pushing_.clear();
  for (int i = 0; i < factors_.row_count(); ++i)
    if (visit(i)) pushing_.push_back(i);
}

/// Directions are set to zero, not multiplied by it: memory that was never written may hold numbers that no
/// product makes zero.
template <int B>
void Sweeps<B>::begin_again() {
  z_direction_.setZero();
  for (auto& v : v_direction_) v.setZero();
  z_before_ = z_, v_before_ = v_;
}

/// The next direction is this step and beta of the last direction; beta of that is gone at once.
template <int B>
void Sweeps<B>::follow_direction(double beta) {
  const auto follow = [beta](auto& now, auto& before, auto& direction) {
    const auto step = std::decay_t<decltype(now)>(now - before);
    direction *= beta;
    now += direction;
    direction += step;
    before = now;
  };
  for (int i = 0; i < z_.size(); ++i) follow(z_[i], z_before_[i], z_direction_[i]);
  for (std::size_t b = 0; b < v_.size(); ++b) follow(v_[b], v_before_[b], v_direction_[b]);
}

template <int B>
VectorX Sweeps<B>::run(int count) {
  double last = 0;  // squared length of the last step
  for (int k = 0; k < count; ++k) {
    if (k % kAllRows == 0) {
      visit_all();
    } else {
      for (int i : pushing_) visit(i);
    }
    const double length = (z_ - z_before_).squaredNorm(), beta = last > 0 ? length / last : 0;
    last = length;
    if (beta > 1) {
      begin_again();  // the steps grew
    } else {
      follow_direction(beta);
    }
  }
  return z_.cwiseMax(0.);
}

}  // namespace

template <int B>
VectorX conjugate_gram_sweeps(const LinearProblem& problem, const VectorX& sizes, VectorX z, int count) {
  assert(problem.M.gram() && problem.free_count() == 0);
  assert(z.size() == problem.size() && sizes.size() == problem.size() && (sizes.array() > 0).all());
  return Sweeps<B>(problem, sizes, std::move(z)).run(count);
}

template VectorX conjugate_gram_sweeps<3>(const LinearProblem&, const VectorX&, VectorX, int);
template VectorX conjugate_gram_sweeps<6>(const LinearProblem&, const VectorX&, VectorX, int);

}  // namespace touchstone
