#include "touchstone/stepping/events/dense_step.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/math/checks.h"
#include "touchstone/stepping/events/dop853_table.h"

namespace touchstone {
namespace {

using dop853::Term;

Eigen::VectorXd sum_of(std::span<const Term> terms, const Eigen::MatrixXd& K) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(K.rows());
  for (const Term& term : terms) sum += term.factor * K.col(term.stage);
  return sum;
}

constexpr double kSafety = 0.9;             ///< of the step that the error allows
constexpr double kLeast = 0.2, kMost = 10;  ///< factors from one step to the next
constexpr double kShortest = 1e-15;         ///< [s] a step below this is none
constexpr double kOrder = 8;

}  // namespace

Eigen::VectorXd DenseStep::at(double time) const {
  assert(F.rows() == from.size() && from.size() == to.size() && h >= 0);
  const double s = h > 0 ? (time - begin) / h : 0;
  if (s == 0) return from;
  if (s == 1) return to;
  Eigen::VectorXd y = F.col(6);
  for (int i = 5; i >= 0; --i) y = F.col(i) + (i % 2 ? s : 1 - s) * y;
  return from + s * y;
}

Eigen::Matrix<double, Eigen::Dynamic, 8> DenseStep::control_points() const {
  assert(F.rows() == from.size());
  Eigen::Matrix<double, Eigen::Dynamic, 8> b(F.rows(), 8);
  b.col(0) = F.col(6);
  for (int i = 5; i >= -1; --i) {  // times s or 1-s, which raises the degree to n, then plus F_i
    const int n = 6 - i;
    const bool times_s = (i + 2) % 2;
    for (int k = n; k >= 0; --k) {
      const double share = double(times_s ? k : n - k) / n;
      if (times_s) {
        b.col(k) = k > 0 ? Eigen::VectorXd(share * b.col(k - 1)) : Eigen::VectorXd::Zero(F.rows());
      } else {
        b.col(k) = k < n ? Eigen::VectorXd(share * b.col(k)) : Eigen::VectorXd::Zero(F.rows());
      }
    }
    for (int k = 0; k <= n; ++k) b.col(k) += i >= 0 ? F.col(i) : from;
  }
  return b;
}

void OdeStepper::evaluate(int stage, double time, const Eigen::VectorXd& y) {
  assert(is_index(stage, K_.cols()) && y.size() == K_.rows());
  ++rates_;
  rate_(time, y, scratch_);
  assert(scratch_.size() == y.size());
  K_.col(stage) = scratch_;
}

void OdeStepper::start(double time, const Eigen::VectorXd& y) {
  assert(y.allFinite());
  time_ = time, y_ = y, h_ = 0;
  K_.resize(y.size(), dop853::kDenseStages);
  scratch_.resize(y.size());
  evaluate(0, time, y);
}

void OdeStepper::correct(const Eigen::VectorXd& y) {
  assert(y.size() == y_.size());
  y_ = y;
  evaluate(0, time_, y);
}

/// By the sizes of the rate and of its change over a small step (Hairer and others, section II.4).
double OdeStepper::first_step(double longest) {
  const Eigen::ArrayXd scale = tolerance_.absolute + tolerance_.relative * y_.array().abs();
  const double size = std::sqrt((y_.array() / scale).square().mean());
  const double speed = std::sqrt((K_.col(0).array() / scale).square().mean());
  double h = size > 1e-5 && speed > 1e-5 ? 0.01 * size / speed : 1e-6;
  h = std::min(h, longest);
  const Eigen::VectorXd first = K_.col(0);
  evaluate(1, time_ + h, y_ + h * first);
  const double bend = std::sqrt(((K_.col(1) - first).array() / scale).square().mean()) / h;
  const double most = std::max(speed, bend);
  const double next = most > 1e-15 ? std::pow(0.01 / most, 1 / kOrder) : std::max(1e-6, 1e-3 * h);
  return std::min({100 * h, next, longest});
}

double OdeStepper::error(const Eigen::VectorXd& end, double h) const {
  const Eigen::ArrayXd scale =
      tolerance_.absolute + tolerance_.relative * y_.array().abs().max(end.array().abs());
  const double e5 = (sum_of(dop853::kErrorOf5, K_).array() / scale).square().sum();
  const double e3 = (sum_of(dop853::kErrorOf3, K_).array() / scale).square().sum();
  if (e5 == 0 && e3 == 0) return 0;
  return std::abs(h) * e5 / std::sqrt((e5 + 0.01 * e3) * end.size());
}

bool OdeStepper::step(double longest, DenseStep& done) {
  assert(longest > 0);
  double h = std::min(h_ > 0 ? h_ : first_step(longest), longest);
  for (bool refused = false; h > kShortest; refused = true) {
    for (int s = 1; s < dop853::kStages; ++s) {
      evaluate(s, time_ + dop853::kTimes[s] * h, y_ + h * sum_of(dop853::kRows[s], K_));
    }
    const Eigen::VectorXd end = y_ + h * sum_of(dop853::kStep, K_);
    evaluate(dop853::kStages, time_ + h, end);
    const double wrong = error(end, h);
    if (!std::isfinite(wrong)) {
      h *= kLeast;
      continue;
    }
    const double factor = wrong > 0 ? kSafety * std::pow(wrong, -1 / kOrder) : kMost;
    if (wrong > 1) {
      h *= std::max(kLeast, factor);
      continue;
    }
    keep(end, h, done);
    if (h < longest || h_ == 0 || factor < 1) h_ = h * std::clamp(factor, kLeast, refused ? 1. : kMost);
    return true;
  }
  return false;
}

void OdeStepper::keep(const Eigen::VectorXd& end, double h, DenseStep& done) {
  assert(h > 0 && end.allFinite());
  for (int s = dop853::kStages + 1; s < dop853::kDenseStages; ++s) {
    evaluate(s, time_ + dop853::kTimes[s] * h, y_ + h * sum_of(dop853::kRows[s], K_));
  }
  const Eigen::VectorXd change = end - y_;
  done.begin = time_, done.h = h, done.from = y_, done.to = end;
  done.F.resize(y_.size(), 7);
  done.F.col(0) = change;
  done.F.col(1) = h * K_.col(0) - change;
  done.F.col(2) = 2 * change - h * (K_.col(dop853::kStages) + K_.col(0));
  for (int i = 0; i < 4; ++i) done.F.col(3 + i) = h * sum_of(dop853::kDense[i], K_);
  time_ += h, y_ = end, ++steps_;
  K_.col(0) = Eigen::VectorXd(K_.col(dop853::kStages));
}

}  // namespace touchstone
