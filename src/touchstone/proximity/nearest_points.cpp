// Nearest points of points and segments [Thesis alg. 3 and 7; Checked 5].

#include <algorithm>
#include <cassert>

#include "touchstone/math/tolerance.h"
#include "touchstone/proximity/feature_contacts.h"

namespace touchstone {
namespace {

/// A point of the segment that begins at p and runs along d to q; the ends are met to the bit.
template <int D>
Vec<D> along(const Vec<D>& p, const Vec<D>& q, const Vec<D>& d, double s) {
  if (s <= 0) return p;
  if (s >= 1) return q;
  return s < 0.5 ? Vec<D>(p + s * d) : Vec<D>(q - (1 - s) * d);
}

/// Where the point at p + s d is nearest to c, for a segment of squared length dd.
template <int D>
double foot(const Vec<D>& p, const Vec<D>& d, double dd, const Vec<D>& c) {
  return dd > 0 ? std::clamp((c - p).dot(d) / dd, 0.0, 1.0) : 0.0;
}

/// Two segments p1 + s d1, p2 + t d2 and the search for the best s, t.
template <int D>
class SegmentPair {
 public:
  SegmentPair(const Vec<D>& p1, const Vec<D>& q1, const Vec<D>& p2, const Vec<D>& q2)
      : p1_(p1), q1_(q1), p2_(p2), q2_(q2), d1_(q1 - p1), d2_(q2 - p2), a_(d1_.dot(d1_)), e_(d2_.dot(d2_)) {}

  NearestOnSegments<D> nearest() const {
    const Spin<D> across = moment<D>(d1_, d2_);
    const double m = across.dot(across);
    NearestOnSegments<D> answer = from_s(m > 0 ? crossing(across, m) : 0.0);
    answer.parallel = !(m > kParallel * kParallel * a_ * e_);
    return answer;
  }

 private:
  /// s where the line 1 is nearest to the line 2: ((p2-p1) x d2) . (d1 x d2) / |d1 x d2|^2. The same as
  /// (b f - c e)/(a e - b b) of the algorithm, without the cancellation in a e - b b = |d1 x d2|^2. Of nearly
  /// parallel lines with the sine z between them, s is off by round-off / z, and the distance by z times
  /// that.
  double crossing(const Spin<D>& across, double m) const {
    return std::clamp(moment<D>(p2_ - p1_, d2_).dot(across) / m, 0.0, 1.0);
  }
  /// The best t for s; if t had to be clamped, the best s for that t.
  NearestOnSegments<D> from_s(double s) const {
    const Vec<D> x = along(p1_, q1_, d1_, s);
    const double t = foot(p2_, d2_, e_, x);
    return t > 0 && t < 1 ? pair(s, t) : from_t(t);
  }
  NearestOnSegments<D> from_t(double t) const {
    const Vec<D> x = along(p2_, q2_, d2_, t);
    return pair(foot(p1_, d1_, a_, x), t);
  }
  NearestOnSegments<D> pair(double s, double t) const {
    assert(s >= 0 && s <= 1 && t >= 0 && t <= 1);
    return {along(p1_, q1_, d1_, s), along(p2_, q2_, d2_, t), s, t, false};
  }

  const Vec<D>&p1_, &q1_, &p2_, &q2_;
  Vec<D> d1_, d2_;
  double a_, e_;  ///< squared lengths
};

}  // namespace

template <int D>
PointOnSegment<D> nearest_on_segment(const Vec<D>& a, const Vec<D>& b, const Vec<D>& c) {
  const Vec<D> e = b - a;
  const double t = foot(a, e, e.dot(e), c);
  return {along(a, b, e, t), t};
}

template <int D>
NearestOnSegments<D> nearest_on_segments(const Vec<D>& p1, const Vec<D>& q1, const Vec<D>& p2,
                                         const Vec<D>& q2) {
  return SegmentPair<D>(p1, q1, p2, q2).nearest();
}

template PointOnSegment<2> nearest_on_segment(const Vec<2>&, const Vec<2>&, const Vec<2>&);
template PointOnSegment<3> nearest_on_segment(const Vec<3>&, const Vec<3>&, const Vec<3>&);
template NearestOnSegments<2> nearest_on_segments(const Vec<2>&, const Vec<2>&, const Vec<2>&, const Vec<2>&);
template NearestOnSegments<3> nearest_on_segments(const Vec<3>&, const Vec<3>&, const Vec<3>&, const Vec<3>&);

}  // namespace touchstone
