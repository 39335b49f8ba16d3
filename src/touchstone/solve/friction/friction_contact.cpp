#include "touchstone/solve/friction/friction_contact.h"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

/// Newton's method with bisection ends in ten steps; a hundred is what bisection alone needs for all digits.
constexpr int kMaxRootSteps = 100;
/// Without a bracket Newton's method from nearby has found its root by then, or there is none.
constexpr int kMaxNearbySteps = 20;
/// The bracket of lambda and the law's violation, relative: a few units in the last place.
constexpr double kRootTolerance = 4 * std::numeric_limits<double>::epsilon();
/// Where r_n is a small difference its share may miss 1 by this much at every lambda.
constexpr double kShareNoise = 1e-12;
/// An impulse that uses this share of the friction that there is counts as one that slides.
constexpr double kNearSide = 0.9;
/// Where the tangential block has lost rank it is lifted by this share of W_nn, else sticking has no answer.
constexpr double kLift = 1e-14;

/// The tangential problem that remains when u_n = 0 has given r_n.
template <int D>
struct SlidingContact {
  static constexpr int T = D - 1;
  ContactMatrix<T> S;
  ContactVector<T> s, slope;  ///< r_n = top - slope . r_t
  double top = 0, mu = 0;

  explicit SlidingContact(const OneContact<D>& contact) : mu(contact.mu) {
    const double wnn = contact.W(0, 0);
    assert(wnn > 0);
    const ContactVector<T> wtn = contact.W.template bottomLeftCorner<T, 1>() / wnn;
    slope = contact.W.template topRightCorner<1, T>().transpose() / wnn;
    S = contact.W.template bottomRightCorner<T, T>() - (wtn * wnn) * slope.transpose();
    S.diagonal().array() += kLift * wnn;
    s = contact.q.template tail<T>() - wtn * contact.q[0];
    top = -contact.q[0] / wnn;
  }

  ContactVector<D> impulse(const ContactVector<T>& rt) const {
    ContactVector<D> r;
    r << top - slope.dot(rt), rt;
    return r;
  }
};

/// The share mu r_n / |r_t| of the friction that there is in the friction that is used, at one lambda: 1 on
/// the cone. It is nearly a line in lambda, so that Newton's method on it takes few steps.
template <int D>
struct SlidingLaw {
  ContactVector<D - 1> rt;
  double share = 0, derivative = 0;

  SlidingLaw(const SlidingContact<D>& contact, double lambda) {
    ContactMatrix<D - 1> shifted = contact.S;
    shifted.diagonal().array() += lambda;
    const ContactMatrix<D - 1> inverse = shifted.inverse();
    rt = -inverse * contact.s;
    const ContactVector<D - 1> change = -inverse * rt;  // d r_t / d lambda
    const double length = rt.norm(), limit = contact.mu * (contact.top - contact.slope.dot(rt));
    share = limit / length;
    derivative = (-contact.mu * contact.slope.dot(change) - share * rt.dot(change) / length) / length;
  }
};

/// A lambda beyond every root: there |r_t| <= |s| / lambda is too short to break the law.
template <int D>
double beyond_roots(const SlidingContact<D>& contact) {
  const double longest = contact.mu * contact.top / (1 + contact.mu * contact.slope.norm());
  return contact.s.norm() / longest;
}

/// The root in lambda between `low`, where more friction is used than there is, and `high`, where less.
template <int D>
ContactVector<D> slide_between(const SlidingContact<D>& contact, double low, double high) {
  assert(low >= 0 && high >= low && contact.mu > 0);
  double lambda = low;
  SlidingLaw<D> law(contact, lambda);
  for (int step = 0; step < kMaxRootSteps && std::abs(law.share - 1) > kRootTolerance; ++step) {
    (law.share < 1 ? low : high) = lambda;
    const double newton = lambda + (1 - law.share) / law.derivative;
    const bool inside = newton > low && newton < high;
    lambda = inside ? newton : 0.5 * (low + high);
    if (lambda <= low || lambda >= high) break;  // no number is left between them
    law = SlidingLaw<D>(contact, lambda);
  }
  ContactVector<D> r = contact.impulse(law.rt);
  r[0] = law.rt.norm() / contact.mu;  // on the cone to the last digit
  return r;
}

template <int D>
ContactVector<D> slide(const SlidingContact<D>& contact) {
  const double high = beyond_roots<D>(contact);
  if (!std::isfinite(high)) return contact.impulse(ContactVector<D - 1>::Zero());
  return slide_between<D>(contact, 0, high);
}

template <int D>
bool holds_friction(const ContactVector<D>& r, double mu) {
  return r.template tail<D - 1>().norm() <= mu * r[0];
}

/// Did it slide before? An impulse from a pyramid lies a little inside the cone.
template <int D>
bool slid(const ContactVector<D>& before, double mu) {
  return before[0] > 0 && before.template tail<D - 1>().norm() >= kNearSide * mu * before[0];
}

/// Newton's method in lambda from the impulse so far; zero where it finds no root.
template <int D>
ContactVector<D> slide_from(const SlidingContact<D>& contact, const ContactVector<D>& before) {
  const ContactVector<D - 1> rt = before.template tail<D - 1>();
  const double square = rt.squaredNorm();
  if (square == 0) return ContactVector<D>::Zero();
  double lambda = std::max(0.0, -(contact.S * rt + contact.s).dot(rt) / square), last = 1;
  for (int step = 0; step < kMaxNearbySteps; ++step) {
    const SlidingLaw<D> law(contact, lambda);
    const double miss = std::abs(law.share - 1);
    const bool rounded = miss <= kShareNoise && miss >= last;  // as near 1 as digits allow
    if (miss <= kRootTolerance || rounded) return contact.impulse(law.rt);
    last = miss;
    lambda += (1 - law.share) / law.derivative;
    if (!(lambda >= 0)) break;
  }
  return ContactVector<D>::Zero();
}

/// The sliding answer near an impulse that slid; open where there is none.
template <int D>
ContactAnswer<D> slide_on(const SlidingContact<D>& contact, const ContactVector<D>& before) {
  const ContactVector<D> sliding = slide_from<D>(contact, before);
  if (sliding[0] > 0) return {sliding, ContactState::slide};
  return {ContactVector<D>::Zero(), ContactState::open};
}

/// The answers beside r = 0 of a contact with q_n >= 0 that was closed before: first the one of its kind.
template <int D>
ContactAnswer<D> stay_closed(const OneContact<D>& contact, const ContactVector<D>& before) {
  const SlidingContact<D> tangential(contact);
  if (slid<D>(before, contact.mu)) {
    const ContactAnswer<D> sliding = slide_on<D>(tangential, before);
    if (sliding.state == ContactState::slide) return sliding;
  }
  const ContactVector<D> stuck = tangential.impulse(-tangential.S.inverse() * tangential.s);
  if (stuck[0] > 0 && holds_friction<D>(stuck, contact.mu)) return {stuck, ContactState::stick};
  return slide_on<D>(tangential, before);
}

}  // namespace

template <int D>
ContactAnswer<D> solve_contact(const OneContact<D>& contact, const ContactVector<D>& before) {
  assert(contact.mu >= 0);
  ContactAnswer<D> answer{ContactVector<D>::Zero(), ContactState::open};
  if (!(contact.W(0, 0) > 0)) return answer;
  if (contact.q[0] >= 0) return before[0] > 0 && contact.mu > 0 ? stay_closed<D>(contact, before) : answer;
  answer.state = ContactState::slide;
  if (contact.mu == 0) {
    answer.r[0] = -contact.q[0] / contact.W(0, 0);
    return answer;
  }
  const SlidingContact<D> tangential(contact);
  answer.r = tangential.impulse(-tangential.S.inverse() * tangential.s);
  if (slid<D>(before, contact.mu)) {
    const ContactAnswer<D> sliding = slide_on<D>(tangential, before);
    if (sliding.state == ContactState::slide) return sliding;
  }
  if (!holds_friction<D>(answer.r, contact.mu)) return {slide<D>(tangential), ContactState::slide};
  answer.state = ContactState::stick;
  return answer;
}

template ContactAnswer<2> solve_contact<2>(const OneContact<2>&, const ContactVector<2>&);
template ContactAnswer<3> solve_contact<3>(const OneContact<3>&, const ContactVector<3>&);

}  // namespace touchstone
