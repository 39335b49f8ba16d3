#include "touchstone/solve/dual_qp.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

/// A row is violated by more than round-off, relative to the sizes of its terms. A few hundred round-offs:
/// sums of a hundred terms stay below it, and 1e-12 is reached with room to spare.
constexpr double kFeasible = 1e-13;
/// A row depends on the active ones when its sine to them (in the metric of P^-1) is at most this. Above the
/// loss of orthogonality of the basis, far below any angle that contacts have on purpose.
constexpr double kDependent = 1e-11;
/// Rows that contradict the active ones by no more than this (relative to their terms) do so by the round-off
/// of whoever computed them, such as a body that just fits between two walls; they are set aside. More is a
/// contradiction.
constexpr double kForgiven = 1e-10;
/// One pass of orthogonalisation is enough where at least this part of a row's squared length is left.
constexpr double kNoCancellation = 0.5;
/// The basis is made anew after this number of changes, before their round-offs add up.
constexpr int kChangesPerBasis = 200;
constexpr int kMostRounds = 50;
constexpr int kFirstCapacity = 8;
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Rotates the pair so that b becomes 0.
struct Rotation {
  double c = 1, s = 0;
  Rotation(double a, double b) {
    const double r = std::hypot(a, b);
    if (r > 0) c = a / r, s = b / r;
  }
  template <class First, class Second>
  void apply(First first, Second second) const {
    for (Eigen::Index i = 0; i < first.size(); ++i) {
      const double a = first[i], b = second[i];
      first[i] = c * a + s * b;
      second[i] = c * b - s * a;
    }
  }
};

}  // namespace

DualQp::DualQp(Inverse inverse, VectorX c)
    : inverse_(std::move(inverse)),
      U_(c.size(), kFirstCapacity),
      G_(c.size(), kFirstCapacity),
      R_(kFirstCapacity, kFirstCapacity) {
  set_linear(std::move(c));
}

void DualQp::set_linear(VectorX c) {
  assert(c_.size() == 0 || c.size() == c_.size());
  c_ = std::move(c);
  free_x_ = -c_;
  inverse_(free_x_);
  assert(free_x_.size() == c_.size());
  x_ = free_x_;
  size_ = x_.cwiseAbs();
}

int DualQp::add_row(Row row) {
  assert(row.a.size() == c_.size() && std::isfinite(row.b));
  KeptRow kept;
  static_cast<Row&>(kept) = std::move(row);
  VectorX y = kept.a;
  inverse_(y);
  kept.norm = std::sqrt(std::max(0.0, kept.a.dot(y)));
  rows_.push_back(std::move(kept));
  return static_cast<int>(rows_.size()) - 1;
}

void DualQp::guess_active(int row) {
  assert(row >= 0 && row < static_cast<int>(rows_.size()));
  if (rows_[row].place >= 0) return;
  const Direction direction = direction_of(rows_[row]);
  if (direction.curvature > 0) append(row, direction);
}

double DualQp::multiplier(int row) const {
  assert(row >= 0 && row < static_cast<int>(rows_.size()));
  const KeptRow& kept = rows_[row];
  if (kept.place < 0) return 0;
  return kept.equality ? kept.multiplier : std::max(0.0, kept.multiplier);
}

/// The sum of the sizes of the terms of a^T x + b, each with the terms that it is a difference of.
double DualQp::scale(const KeptRow& row) const {
  double sum = std::abs(row.b);
  for (Eigen::SparseVector<double>::InnerIterator it(row.a); it; ++it)
    sum += std::abs(it.value()) * size_[it.index()];
  return sum;
}

/// Beyond round-off; 0 when satisfied.
double DualQp::violation(const KeptRow& row) const {
  const double signed_value = value(row);
  const double amount = row.equality ? std::abs(signed_value) : -signed_value;
  return amount > kFeasible * scale(row) ? amount : 0;
}

/// Equalities first: they stay, so nothing is let in twice for them.
int DualQp::most_violated() const {
  int best = -1;
  double worst = 0;
  bool best_equality = false;
  for (int i = 0; i < static_cast<int>(rows_.size()); ++i) {
    const KeptRow& row = rows_[i];
    const double amount = row.place >= 0 || row.set_aside ? 0 : violation(row);
    if (amount == 0 || (best_equality && !row.equality)) continue;
    const double relative = row.norm > 0 ? amount / row.norm : kNoLimit;
    if (relative > worst || (row.equality && !best_equality))
      best = i, worst = relative, best_equality = row.equality;
  }
  return best;
}

double DualQp::worst_violation() const {
  double worst = 0;
  for (const KeptRow& row : rows_)
    if (const double amount = violation(row); amount > 0) worst = std::max(worst, amount / scale(row));
  return worst;
}

/// U^T a; a row of contacts has twelve entries.
VectorX DualQp::coefficients_of(const KeptRow& row) const {
  VectorX part = VectorX::Zero(active_count());
  for (int j = 0; j < active_count(); ++j)
    for (Eigen::SparseVector<double>::InnerIterator it(row.a); it; ++it)
      part[j] += U_(it.index(), j) * it.value();
  return part;
}

/// Gram and Schmidt, a second time where the first cancelled digits: "twice is enough" (Kahan, Parlett) for a
/// basis that is orthogonal to round-off. Needs no product with P, for with every vector its image under P is
/// kept.
DualQp::Direction DualQp::direction_of(const KeptRow& row) const {
  const int k = active_count();
  const auto U = U_.leftCols(k), G = G_.leftCols(k);
  Direction d;
  d.image = row.a;
  d.primal = d.image;
  inverse_(d.primal);
  d.coefficients = coefficients_of(row);
  VectorX part = d.coefficients;
  for (int pass = 0; pass < 2; ++pass) {
    d.primal.noalias() -= U * part;
    d.image.noalias() -= G * part;
    d.curvature = d.primal.dot(d.image);
    if (pass == 1 || d.curvature > kNoCancellation * row.norm * row.norm) break;
    part.noalias() = U.transpose() * d.image;
    d.coefficients += part;
  }
  const double limit = kDependent * row.norm;
  if (!(d.curvature > limit * limit)) d.curvature = 0;
  d.dual = R_.topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(d.coefficients);
  return d;
}

void DualQp::make_room() {
  const int needed = active_count() + 1;
  if (needed <= U_.cols()) return;
  const int capacity = static_cast<int>(2 * U_.cols());
  U_.conservativeResize(c_.size(), capacity);
  G_.conservativeResize(c_.size(), capacity);
  R_.conservativeResize(capacity, capacity);
}

void DualQp::append(int row, const Direction& direction) {
  assert(direction.curvature > 0 && rows_[row].place < 0);
  make_room();
  const int k = active_count();
  const double length = std::sqrt(direction.curvature);
  U_.col(k) = direction.primal / length;
  G_.col(k) = direction.image / length;
  R_.col(k).head(k) = direction.coefficients;
  R_.row(k).head(k).setZero();
  R_(k, k) = length;
  rows_[row].place = k;
  active_.push_back(row);
  ++changes_;
}

/// Without its column R is upper Hessenberg; rotations make it triangular again.
void DualQp::drop(int place) {
  assert(place >= 0 && place < active_count());
  const int k = active_count();
  KeptRow& gone = rows_[active_[place]];
  gone.place = -1;
  gone.multiplier = 0;
  active_.erase(active_.begin() + place);
  for (int j = place; j + 1 < k; ++j) {
    R_.col(j).head(j + 2) = R_.col(j + 1).head(j + 2).eval();
    rows_[active_[j]].place = j;
  }
  for (int j = place; j + 1 < k; ++j) {
    const Rotation rotation(R_(j, j), R_(j + 1, j));
    rotation.apply(R_.row(j).segment(j, k - 1 - j), R_.row(j + 1).segment(j, k - 1 - j));
    rotation.apply(U_.col(j), U_.col(j + 1));
    rotation.apply(G_.col(j), G_.col(j + 1));
    R_(j + 1, j) = 0;
  }
  ++changes_;
}

/// x and the multipliers of the active rows taken as equations: x = x0 + U t, R^T t = -(b + N^T x0), and
/// R y = t. Repeated with the rows' own values, which removes what round-off left in U and R.
void DualQp::settle() {
  for (int j = 0; j < active_count(); ++j) assert(rows_[active_[j]].place == j);
  const int k = active_count();
  const auto R = R_.topLeftCorner(k, k).triangularView<Eigen::Upper>();
  VectorX t = VectorX::Zero(k), error(k);
  x_ = free_x_;
  for (int pass = 0; pass < 2; ++pass) {
    for (int j = 0; j < k; ++j) error[j] = value(rows_[active_[j]]);
    const VectorX correction = R.transpose().solve(error);
    t -= correction;
    x_.noalias() -= U_.leftCols(k) * correction;
  }
  size_ = free_x_.cwiseAbs();
  size_.noalias() += U_.leftCols(k).cwiseAbs() * t.cwiseAbs();
  const VectorX multipliers = R.solve(t);
  for (int j = 0; j < k; ++j) rows_[active_[j]].multiplier = multipliers[j];
}

/// The active set of an earlier problem may push the wrong way: rows leave until the rest only pushes.
void DualQp::drop_negative() {
  for (;;) {
    settle();
    int worst = -1;
    double least = 0;
    for (int j = 0; j < active_count(); ++j) {
      const KeptRow& row = rows_[active_[j]];
      if (!row.equality && row.multiplier * row.norm < least) worst = j, least = row.multiplier * row.norm;
    }
    if (worst < 0) return;
    drop(worst);
    ++iterations_;
  }
}

/// The active inequality whose multiplier reaches 0 first; -1: none. `step` becomes how far that is.
int DualQp::blocking(const Direction& direction, double sign, double& step) const {
  int first = -1;
  step = kNoLimit;
  for (int j = 0; j < active_count(); ++j) {
    const KeptRow& row = rows_[active_[j]];
    const double rate = sign * direction.dual[j];
    if (row.equality || rate <= 0) continue;
    const double limit = std::max(0.0, row.multiplier) / rate;
    if (limit < step) first = j, step = limit;
  }
  return first;
}

void DualQp::move(int row, const Direction& direction, double step) {
  assert(direction.dual.size() == active_count());
  if (direction.curvature > 0) {
    x_ += step * direction.primal;
    size_ += std::abs(step) * direction.primal.cwiseAbs();
  }
  for (int j = 0; j < active_count(); ++j) rows_[active_[j]].multiplier -= step * direction.dual[j];
  rows_[row].multiplier += step;
}

/// Raises the multiplier of a violated row until the row holds; rows whose multipliers reach 0 on the way
/// leave. False: the row cannot be satisfied.
bool DualQp::let_in(int index) {
  assert(rows_[index].place < 0);
  const double sign = value(rows_[index]) < 0 ? 1 : -1;
  rows_[index].multiplier = 0;
  for (;;) {
    const Direction direction = direction_of(rows_[index]);
    double step = kNoLimit;
    const int leaving = blocking(direction, sign, step);
    const double left = std::max(0.0, -sign * value(rows_[index]));
    const double full = direction.curvature > 0 ? left / direction.curvature : kNoLimit;
    if (full == kNoLimit && leaving < 0) return false;
    ++iterations_;
    move(index, direction, sign * std::min(step, full));
    if (full <= step) {
      append(index, direction);
      return true;
    }
    drop(leaving);
  }
}

void DualQp::rebuild() {
  std::vector<int> rows;
  rows.swap(active_);
  for (const int row : rows) rows_[row].place = -1;
  for (const int row : rows) guess_active(row);
  changes_ = 0;
}

/// Lets rows in until none is violated, as far as the moving x can tell.
SolveStatus DualQp::let_in_all(int limit, const std::atomic<bool>* stop) {
  for (int row = most_violated(); row >= 0; row = most_violated()) {
    if (iterations_ >= limit || (stop && stop->load(std::memory_order_relaxed)))
      return SolveStatus::inaccurate;
    if (!let_in(row)) {
      rows_[row].multiplier = 0;
      if (violation(rows_[row]) > kForgiven * scale(rows_[row])) return SolveStatus::unsolvable;
      rows_[row].set_aside = true;
    }
    if (changes_ <= kChangesPerBasis) continue;
    rebuild();
    drop_negative();
  }
  return SolveStatus::solved;
}

/// After the moves x and the multipliers are computed afresh; should that show a violation that round-off had
/// hidden, it goes on.
SolveStatus DualQp::solve(const std::atomic<bool>* stop) {
  iterations_ = 0;
  for (KeptRow& row : rows_) row.set_aside = false;
  const int limit = 100 + 20 * static_cast<int>(rows_.size() + c_.size());
  if (changes_ > kChangesPerBasis) rebuild();
  drop_negative();
  for (int round = 0; round < kMostRounds; ++round) {
    if (most_violated() < 0) return SolveStatus::solved;
    const SolveStatus status = let_in_all(limit, stop);
    if (status != SolveStatus::solved) return status;
    settle();
  }
  return SolveStatus::inaccurate;
}

}  // namespace touchstone
