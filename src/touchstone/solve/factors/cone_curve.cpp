#include "touchstone/solve/factors/cone_curve.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

constexpr double kFirstLength = 0.3, kLongest = 2.5, kShortest = 1e-7, kAtKink = 1e-4;
constexpr double kLonger = 1.6, kShorter = 0.4;
constexpr int kMostCorrections = 8, kFewCorrections = 3;
/// F has vanished, relative to the impulses; and how far from the predicted point its zero may lie.
constexpr double kSolved = 1e-9, kNear = 1.5;
constexpr double kMostSoft = 1e4;

}  // namespace

template <int B>
ConeCurve<B>::ConeCurve(ConeStep<B>& step)
    : step_(step), here_(step.place()), next_(here_), s_(std::log(step.softness())), length_(kFirstLength) {
  step_.look(here_);
}

template <int B>
double ConeCurve<B>::product(const BlockVector<B>& x, const BlockVector<B>& y) const {
  double sum = 0;
  for (std::size_t b = 0; b < x.size(); ++b) sum += x[b].dot(step_.system().mass()[b] * y[b]);
  return sum / (unit_ * unit_);
}

template <int B>
void ConeCurve<B>::normalise(Tangent& tangent) const {
  const double length = std::sqrt(product(tangent.v, tangent.v) + tangent.s * tangent.s);
  for (auto& v : tangent.v) v /= length;
  tangent.s /= length;
}

template <int B>
bool ConeCurve<B>::tangent_at(const Place& place, Tangent& tangent) {
  if (!step_.factor(place)) return false;
  LocalVectors p;
  step_.falling_impulses(place, p);
  tangent.v.resize(place.v.size());
  gather<B>(step_.factors().rows, p, tangent.v);
  step_.system().solve(tangent.v);
  tangent.s = -1;
  if (step_.system().sign() < 0) {
    for (auto& v : tangent.v) v = -v;
    tangent.s = 1;
  }
  normalise(tangent);
  return std::isfinite(tangent.s);
}

template <int B>
void ConeCurve<B>::advance(const Tangent& tangent, double length, Place& place, double& s) const {
  for (std::size_t b = 0; b < place.v.size(); ++b) place.v[b] = here_.v[b] + length * tangent.v[b];
  s = s_ + length * tangent.s;
}

/// From the predicted point to the curve, in the plane across the tangent.
template <int B>
bool ConeCurve<B>::correct(const Tangent& tangent, double length, Place& place, double& s) {
  const Place predicted = place;
  const double predicted_s = s;
  BlockVector<B> a, b;
  LocalVectors p;
  for (int k = 0; k < kMostCorrections; ++k) {
    step_.set_softness(std::exp(s));
    step_.look(place);
    step_.falling_impulses(place, p);
    b.resize(place.v.size());
    gather<B>(step_.factors().rows, p, b);
    if (place.error <= std::max(place.least, kSolved * kSolved * step_.energy(b, b))) {
      if (k <= kFewCorrections) length_ = std::min(kLongest, kLonger * length);
      return true;
    }
    if (!step_.factor(place)) return false;
    step_.defect(place, a);
    step_.system().solve(a), step_.system().solve(b);
    const double change = -product(tangent.v, a) / (tangent.s - product(tangent.v, b));
    if (!std::isfinite(change)) return false;
    for (std::size_t i = 0; i < a.size(); ++i) place.v[i] += a[i] - change * b[i];
    s += change;
    BlockVector<B> off = place.v;
    for (std::size_t i = 0; i < off.size(); ++i) off[i] -= predicted.v[i];
    const double far = std::hypot(std::sqrt(product(off, off)), s - predicted_s);
    if (!(far <= kNear * length)) return false;
  }
  return false;
}

/// One step of the present length, or shorter, along the tangent. False: the corrector fails however short.
template <int B>
bool ConeCurve<B>::move(const Tangent& tangent) {
  for (double length = length_; length >= kShortest; length *= kShorter) {
    length_ = length;
    advance(tangent, length, next_, next_s_);
    if (!correct(tangent, length, next_, next_s_)) continue;
    std::swap(here_, next_), s_ = next_s_;
    return true;
  }
  return false;
}

/// A contact stands on the border of its piece. A little ahead it has the other one: the tangent there, from
/// here.
template <int B>
bool ConeCurve<B>::cross_kink(const Tangent& ahead) {
  for (double length = kShortest; length <= kAtKink; length *= 10) {
    advance(ahead, length, next_, next_s_);
    step_.set_softness(std::exp(next_s_));
    step_.look(next_);
    if (next_.pieces == here_.pieces) continue;
    Tangent other;
    if (!tangent_at(next_, other)) continue;
    length_ = kAtKink;
    if (move(other)) {
      length_ = std::max(length_, kAtKink);
      return true;
    }
  }
  return false;
}

template <int B>
bool ConeCurve<B>::follow(double softness, int limit) {
  const double end = std::log(softness);
  while (s_ > end && s_ < std::log(kMostSoft) && step_.may_go_on(limit)) {
    unit_ = std::sqrt(std::max(product(here_.v, here_.v) * unit_ * unit_, 1e-300));
    step_.set_softness(std::exp(s_));
    step_.look(here_);
    Tangent tangent;
    if (!tangent_at(here_, tangent)) return false;
    const int way = tangent.s < 0 ? -1 : 1;
    if (way != way_) ++turns_;
    way_ = way;
    if (!move(tangent) && !cross_kink(tangent)) return false;
  }
  if (!(s_ <= end)) return false;
  step_.set_softness(softness);
  step_.put(here_.v);
  return step_.solve_rigid_joints(limit + 40);
}

template class ConeCurve<3>;
template class ConeCurve<6>;

}  // namespace touchstone
