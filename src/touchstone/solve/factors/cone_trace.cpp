#include "touchstone/solve/factors/cone_trace.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
/// Corrections of one step, and how often they may have new factors; the error that they leave, relative to
/// the momentum; a correction with factors at hand must leave no more than kMostOfTheError (a square).
constexpr int kCorrections = 10, kRenewals = 2;
constexpr double kCorrected = 1e-6, kMostOfTheError = 1e-2;
/// The least share of the way to the next event, and by how much a share grows after a step.
constexpr double kLeastShare = 1e-4, kLonger = 4;
/// Changes of pieces without a step between: two contacts on the border of their pieces that go in circles.
constexpr int kMostIdle = 8;
/// Corrections of the place where a contact changes its piece, and what they leave, relative to y.
constexpr int kMeetings = 6;
constexpr double kOnBorder = 1e-9;
/// How often a step is shortened because another contact has left its piece before.
constexpr int kMostOverlooked = 4;
constexpr double kNoStep = 1e-14;
constexpr double kLeastUnit = 1e-150;
/// Where t has gone back so far, it does not come back.
constexpr double kMostBack = -1, kMostSofter = 9;
/// The longest step of -ln softness.
constexpr double kLongest = 2;
/// How far from their borders the contacts begin, as a share of what decides: between these two, each at
/// another place, so that no two of them change together.
constexpr double kNearest = 0.05, kFurthest = 0.5;

/// Numbers between 0 and 1 that differ from each other as much as so many can: by the golden section.
double spread(int i) {
  const double x = 0.6180339887498949 * (i + 1);
  return x - std::floor(x);
}
double distance_of(int c) { return kNearest + (kFurthest - kNearest) * spread(c); }

/// The least positive x where a x^2 + 2 b x + g = 0, written so that nothing cancels.
double least_root(double a, double b, double g) {
  const double root = b * b - a * g;
  if (!(root >= 0)) return kEndless;
  const double q = -(b + std::copysign(std::sqrt(root), b));
  double least = kEndless;
  for (const double x : {q / a, g / q})
    if (x > 0) least = std::min(least, x);
  return least;
}

struct Change {
  double far = kEndless;
  ConePiece piece = ConePiece::open;
};

/// Where |y_t + x dy_t| = mu (y_n + x dy_n): sticking ends, or sliding.
Change end_of_friction(const Cone& cone, ConePiece piece, LocalVector y, LocalVector dy) {
  if (cone.kind == Cone::Kind::bounded) y[0] = cone.held, dy[0] = 0;
  const double squared = cone.mu * cone.mu;
  const double a = dy.tail<2>().squaredNorm() - squared * dy[0] * dy[0];
  const double b = y.tail<2>().dot(dy.tail<2>()) - squared * y[0] * dy[0];
  const double g = y.tail<2>().squaredNorm() - squared * y[0] * y[0];
  const bool sticks = piece == ConePiece::stick;
  const ConePiece other = sticks ? ConePiece::slide : ConePiece::stick;
  const bool beyond = sticks ? g >= 0 : g <= 0, leaves = sticks ? b > 0 : b < 0;
  if (beyond) return {leaves ? 0 : kEndless, other};
  return {least_root(a, b, g), other};
}

/// Where a contact whose y = -u/S goes on by dy leaves its piece.
Change end_of_piece(const Cone& cone, ConePiece piece, const LocalVector& y, const LocalVector& dy) {
  if (cone.kind == Cone::Kind::free) return {};
  if (piece == ConePiece::open) return {dy[0] > 0 ? std::max(0., -y[0] / dy[0]) : kEndless, ConePiece::slide};
  Change first;
  if (cone.mu > 0) first = end_of_friction(cone, piece, y, dy);
  if (cone.kind == Cone::Kind::bounded || !(dy[0] < 0)) return first;
  const double opens = std::max(0., -y[0] / dy[0]);
  return opens < first.far ? Change{opens, ConePiece::open} : first;
}

/// What vanishes on the border between the piece and the next one, and by how much it grows with dy.
std::pair<double, double> border_of(const Cone& cone, ConePiece piece, ConePiece next, LocalVector y,
                                    LocalVector dy) {
  if (piece == ConePiece::open || next == ConePiece::open) return {y[0], dy[0]};
  if (cone.kind == Cone::Kind::bounded) y[0] = cone.held, dy[0] = 0;
  const double length = y.tail<2>().norm();
  const double grows = length > 0 ? y.tail<2>().dot(dy.tail<2>()) / length : dy.tail<2>().norm();
  return {length - cone.mu * y[0], grows - cone.mu * dy[0]};
}

/// How far beyond the border to the next piece a contact is; negative: it has not come there.
double beyond(const Cone& cone, ConePiece piece, ConePiece next, const LocalVector& y) {
  const double value = border_of(cone, piece, next, y, LocalVector::Zero()).first;
  const bool falls = next == ConePiece::open || next == ConePiece::stick;
  return falls ? -value : value;
}

/// The pieces that lie beside one.
std::vector<ConePiece> neighbours(const Cone& cone, ConePiece piece) {
  if (cone.kind == Cone::Kind::free) return {};
  if (piece == ConePiece::open) return {ConePiece::slide};
  std::vector<ConePiece> next;
  if (cone.mu > 0) next.push_back(piece == ConePiece::stick ? ConePiece::slide : ConePiece::stick);
  if (cone.kind == Cone::Kind::contact) next.push_back(ConePiece::open);
  return next;
}

/// Where between y and its value afterwards a contact left its piece, as a share of the way.
Change passed(const Cone& cone, ConePiece piece, const LocalVector& y, const LocalVector& after) {
  Change first;
  for (const ConePiece next : neighbours(cone, piece)) {
    const double here = beyond(cone, piece, next, y), there = beyond(cone, piece, next, after);
    if (!(there > kOnBorder * after.norm())) continue;
    const double share = here < 0 ? here / (here - there) : 0;
    if (share < first.far) first = {share, next};
  }
  return first;
}

}  // namespace

template <int B>
double ConeTrace<B>::product(const BlockVector<B>& x, const BlockVector<B>& y) const {
  double sum = 0;
  for (std::size_t b = 0; b < x.size(); ++b) sum += x[b].dot(step_.system().mass()[b] * y[b]);
  return sum / (unit_ * unit_);
}

/// The rates which the contact answers with its impulse, brought into its cone; not on the border of a piece.
template <int B>
LocalVector ConeTrace<B>::aim_of(int c, const LocalVector& from, const LocalVector& u) {
  const Cone& cone = step_.cones()[c];
  LocalVector aim = rates_answered(cone, from, u, step_.compliance_of(c), here_.pieces[c]);
  if (here_.pieces[c] == ConePiece::slide && cone.kind == Cone::Kind::contact)
    aim.tail<2>() *= 1 + distance_of(c);
  return aim;
}

template <int B>
void ConeTrace<B>::begin(const LocalVectors& from) {
  const int n = step_.count();
  here_ = step_.place();
  shift_.assign(n, LocalVector::Zero()), rates_.resize(n);
  LocalVectors u, p(n), aim(n);
  step_.rates_of_impulses(from, u);
  for (int c = 0; c < n; ++c) {
    aim[c] = aim_of(c, from[c], u[c]);
    p[c] = respond_on(step_.cones()[c], here_.pieces[c], aim[c], step_.compliance_of(c)).change;
  }
  velocities_of<B>(step_.factors().rows, p, here_.v);
  for (int c = 0; c < n; ++c) {
    const LocalVector now = step_.cones()[c].rates + rate_of<B>(step_.factors().rows, c, here_.v);
    if (here_.pieces[c] != ConePiece::open) {
      shift_[c] = aim[c] - now;
    } else if (now[0] < 0) {
      shift_[c][0] = -now[0] * (1 + distance_of(c));
    }
  }
}

/// p and K at the present place, each contact on its piece.
template <int B>
void ConeTrace<B>::look() {
  if (hardens_) step_.set_softness(std::exp(-t_));
  for (int c = 0; c < step_.count(); ++c) {
    const Cone& cone = step_.cones()[c];
    rates_[c] = cone.rates + rate_of<B>(step_.factors().rows, c, here_.v) + (1 - t_) * shift_[c];
    const ConeResponse response = respond_on(cone, here_.pieces[c], rates_[c], step_.compliance_of(c));
    here_.change[c] = response.change, here_.K[c] = response.K;
  }
}

/// J dv = G^T K d dt, or J dv = G^T p dt, at the present place.
template <int B>
bool ConeTrace<B>::find_slope() {
  if (!step_.factor(here_)) return false;
  LocalVectors p(step_.count());
  if (hardens_) step_.falling_impulses(here_, p);
  for (int c = 0; c < step_.count() && !hardens_; ++c) p[c] = here_.K[c] * shift_[c];
  slope_.resize(here_.v.size());
  gather<B>(step_.factors().rows, p, slope_);
  step_.system().solve(slope_);
  return std::all_of(slope_.begin(), slope_.end(), [](const auto& x) { return x.allFinite(); });
}

template <int B>
bool ConeTrace<B>::find_tangent(Tangent& tangent) {
  if (!find_slope()) return false;
  if (orientation_ == 0) orientation_ = step_.system().sign();
  const double largest = product(slope_, slope_) + product(here_.v, here_.v);
  unit_ = std::max(kLeastUnit, unit_ * std::sqrt(largest));
  const double length = std::sqrt(1 + product(slope_, slope_));
  tangent.t = step_.system().sign() * orientation_ / length;
  const int way = tangent.t > 0 ? 1 : -1;
  turns_ += way != way_, way_ = way;
  tangent.v = slope_;
  for (auto& v : tangent.v) v *= tangent.t;
  return true;
}

template <int B>
typename ConeTrace<B>::Event ConeTrace<B>::next_event(const Tangent& tangent) const {
  Event first{longest_ / std::abs(tangent.t)};
  if (tangent.t > 0 && (end_ - t_) / tangent.t <= first.far) first = {(end_ - t_) / tangent.t};
  first.is_end = tangent.t > 0 && first.far == (end_ - t_) / tangent.t;
  for (int c = 0; c < step_.count(); ++c) {
    const auto [y, dy] = way_of(c, tangent);
    const Change change = end_of_piece(step_.cones()[c], here_.pieces[c], y, dy);
    if (change.far < first.far) first = {change.far, c, change.piece};
  }
  return first;
}

/// y of a contact and, along the tangent, dy.
template <int B>
std::pair<LocalVector, LocalVector> ConeTrace<B>::way_of(int c, const Tangent& tangent) const {
  const LocalVector S = step_.cones()[c].compliance.array() + step_.compliance_of(c);
  const LocalVector du = rate_of<B>(step_.factors().rows, c, tangent.v) - tangent.t * shift_[c];
  return {-rates_[c].cwiseQuotient(S), -du.cwiseQuotient(S)};
}

template <int B>
void ConeTrace<B>::go(const Tangent& tangent, double far) {
  for (std::size_t b = 0; b < here_.v.size(); ++b) here_.v[b] += far * tangent.v[b];
  t_ += far * tangent.t;
}

/// The curve is bent a little: forwards or back to where the contact stands on the border.
template <int B>
bool ConeTrace<B>::meet(const Tangent& tangent, Event& event) {
  for (int k = 0; k < kMeetings; ++k) {
    const auto [y, dy] = way_of(event.contact, tangent);
    const auto [value, grows] =
        border_of(step_.cones()[event.contact], here_.pieces[event.contact], event.piece, y, dy);
    if (std::abs(value) <= kOnBorder * y.norm()) return true;
    const double far = -value / grows;
    if (!(std::abs(far) < event.far)) return false;
    go(tangent, far);
    if (!correct(tangent, false)) return false;
  }
  event.contact = -1;  // it is not there yet
  return true;
}

/// From the predicted place to the curve, in the plane across the tangent, or at the end: by the factors at
/// hand as long as they take most of the error away.
template <int B>
bool ConeTrace<B>::correct(const Tangent& tangent, bool at_end) {
  BlockVector<B> f;
  double before = kEndless;
  for (int k = 0, renewals = 0; k < kCorrections; ++k) {
    look();
    step_.defect(here_, f);
    const double error = step_.energy(f, f);
    if (error <= kCorrected * kCorrected * unit_ * unit_) return true;
    if (!(error < before)) return false;
    if (k > 0 && !(error < kMostOfTheError * before) && (++renewals > kRenewals || !find_slope()))
      return false;
    before = error;
    step_.system().solve(f);
    double dt = 0;
    if (!at_end) dt = -product(tangent.v, f) / (product(tangent.v, slope_) + tangent.t);
    t_ += dt;
    for (std::size_t b = 0; b < f.size(); ++b) here_.v[b] += f[b] + dt * slope_[b];
  }
  return false;
}

/// The curve being bent, another contact may have left its piece on the way: the first one that did. `event`
/// is changed, and true returned, if there is one.
template <int B>
bool ConeTrace<B>::overlooked(const LocalVectors& from, Event& event) const {
  Change first{1 - kOnBorder};
  int contact = -1;
  for (int c = 0; c < step_.count(); ++c) {
    if (c == event.contact) continue;
    const Cone& cone = step_.cones()[c];
    const LocalVector S = cone.compliance.array() + step_.compliance_of(c);
    const Change change =
        passed(cone, here_.pieces[c], -from[c].cwiseQuotient(S), -rates_[c].cwiseQuotient(S));
    if (change.far < first.far) first = change, contact = c;
  }
  if (contact < 0) return false;
  event = {first.far * share_ * event.far, contact, first.piece};
  return true;
}

/// To the next event, or a part of the way.
template <int B>
bool ConeTrace<B>::advance(const Tangent& tangent, Event& event, int limit) {
  const BlockVector<B> from = here_.v;
  const LocalVectors rates = rates_;
  const double from_t = t_;
  int found = 0;
  for (share_ = std::min(1., kLonger * share_); share_ >= kLeastShare && step_.may_go_on(limit);) {
    go(tangent, share_ * event.far);
    const bool at_end = event.is_end && share_ == 1;
    if (at_end) t_ = end_;
    const bool meets = event.contact >= 0 && share_ == 1 && event.far > 0;
    const bool done = correct(tangent, at_end) && (!meets || meet(tangent, event));
    const bool earlier = done && found < kMostOverlooked && overlooked(rates, event);
    if (done && !earlier) return true;
    here_.v = from, t_ = from_t;
    look();
    if (!find_slope()) return false;
    share_ = earlier ? 1 : 0.5 * share_;
    found += earlier;
  }
  return false;
}

template <int B>
bool ConeTrace<B>::follow(int limit) {
  share_ = unit_ = 1, idle_ = turns_ = 0, way_ = 1;
  look();
  Tangent tangent;
  while (t_ < end_ && t_ > least_ && idle_ < kMostIdle && step_.may_go_on(limit)) {
    if (!find_tangent(tangent)) return false;
    Event event = next_event(tangent);
    if (!std::isfinite(event.far) || !advance(tangent, event, limit)) return false;
    idle_ = event.far > kNoStep ? 0 : idle_ + 1;
    if (share_ < 1 || event.contact < 0) continue;
    here_.pieces[event.contact] = event.piece;
    look();
  }
  if (t_ < end_) return false;
  step_.put(here_.v);
  return step_.solve_rigid_joints(limit);
}

template <int B>
bool ConeTrace<B>::cross(const LocalVectors& from, int limit) {
  begin(from);
  hardens_ = false, orientation_ = 0;
  t_ = 0, end_ = 1, least_ = kMostBack, longest_ = kEndless;
  return follow(limit);
}

template <int B>
bool ConeTrace<B>::harden(double softness, int limit) {
  const LocalVectors p = step_.impulses();
  step_.move_centre(LocalVectors(step_.count(), LocalVector::Zero()));  // that of joints was their answer
  here_ = step_.place();
  velocities_of<B>(step_.factors().rows, p, here_.v);
  step_.look(here_);
  shift_.assign(step_.count(), LocalVector::Zero()), rates_.resize(step_.count());
  hardens_ = true, orientation_ = 1;
  t_ = -std::log(step_.softness()), end_ = -std::log(softness);
  least_ = std::min(t_, 0.) - kMostSofter, longest_ = kLongest;
  if (!follow(limit)) return false;
  step_.set_softness(softness);
  return step_.solve_rigid_joints(limit);
}

template class ConeTrace<3>;
template class ConeTrace<6>;

}  // namespace touchstone
