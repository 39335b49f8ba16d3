#include "oracles/signed_distance.h"

#include <algorithm>
#include <optional>

#include "oracles/axis_search.h"
#include "oracles/closest_search.h"
#include "oracles/exact_points.h"

namespace touchstone::oracle {
namespace {

/// 113 bits, in software: for the few pairs that 64 bits do not settle.
__extension__ typedef __float128 Quad;

template <class Real>
constexpr long double kRoundOff = 0x1p-63L;
template <>
constexpr long double kRoundOff<Quad> = 0x1p-112L;

/// Round-offs of a separation: three products and sums for a point, as many for its height, for either body.
constexpr long double kRoundOffs = 32;
/// The truth must be known to this [sizes], a hundredth of the errors that are judged; else 113 bits are
/// used.
constexpr long double kGoodEnough = 1e-16L;
/// Axes closer than this are one direction [rad].
constexpr double kSameDirection = 1e-6;
/// Edges with a smaller sine between them are no axis of their own: their facet of A - B is a sliver.
constexpr double kSliver = 1e-9;
/// Edges make a facet of A - B if they are the extreme parts of their bodies along the axis [sizes]. (Where
/// corners kiss, s(n) is the same for a whole cone of directions; only the facets' are listed.)
constexpr double kExtreme = 1e-12;

template <class Real, int D>
struct Pair {
  ExactBody<Real, D> A, B;
  double size;  ///< [m] of the larger body
  Pair(const Placed<D>& a, const Placed<D>& b) : A(a, a.X_WB.p), B(b, a.X_WB.p), size(pair_size(a, b)) {}
};

template <class Real, int D>
struct FoundAxis {
  RealVec<Real, D> normal;
  Real separation{0};
  Real doubt{0};         ///< [m] how uneven its facet is
  bool is_facet = true;  ///< of A - B, and no sliver
};

template <class Real>
FoundAxis<Real, 2> edge_axis(const Pair<Real, 2>&, const AxisCandidate&) {
  return {};  // polygons have facets only
}

template <class Real>
FoundAxis<Real, 3> edge_axis(const Pair<Real, 3>& pair, const AxisCandidate& c) {
  const RealVec<Real, 3> u = pair.A.along(c.a), v = pair.B.along(c.b);
  const RealVec<Real, 3> n = cross_product<Real>(u, v) * Real(c.sign);
  const Real l = length<Real, 3>(n);
  FoundAxis<Real, 3> axis{n / l};
  const RealVec<Real, 3> w =
      pair.A.point(pair.A.polytope().edge(c.a).tail) - pair.B.point(pair.B.polytope().edge(c.b).tail);
  const Real behind =
      product<Real, 3>(axis.normal, w) - exact_separation<Real, 3>(pair.A, pair.B, axis.normal);
  axis.is_facet =
      l > Real(kSliver) * length<Real, 3>(u) * length<Real, 3>(v) && behind <= Real(pair.size * kExtreme);
  return axis;
}

template <class Real, int D>
FoundAxis<Real, D> find_axis(const Pair<Real, D>& pair, const AxisCandidate& c) {
  FoundAxis<Real, D> axis;
  if (c.kind == AxisKind::edges) {
    axis = edge_axis(pair, c);
  } else {
    const bool of_A = c.kind == AxisKind::facet_of_A;
    const ExactBody<Real, D>& body = of_A ? pair.A : pair.B;
    const int f = of_A ? c.a : c.b;
    const RealVec<Real, D> outward = facet_normal<Real>(body, f);
    axis.doubt = unevenness<Real, D>(body, f, outward);
    axis.normal = of_A ? RealVec<Real, D>(-outward) : outward;
  }
  axis.separation = exact_separation<Real, D>(pair.A, pair.B, axis.normal);
  return axis;
}

/// A pair of points with their distance, and the direction in which it is least, if one is known.
template <class Real, int D>
struct Approach {
  Real distance;  ///< [m] an upper bound of the gap
  std::optional<RealVec<Real, D>> normal;
};

template <class Real, int D>
Approach<Real, D> approach_along(const RealVec<Real, D>& w) {
  const Real d = length<Real, D>(w);
  if (!(d > Real(0))) return {d, std::nullopt};
  return {d, RealVec<Real, D>(w / d)};
}

template <class Real, int D>
struct Span {
  RealVec<Real, D> tail, along;
};

template <class Real, int D>
Span<Real, D> span_of(const ExactBody<Real, D>& body, int e) {
  return {body.point(body.polytope().edge(e).tail), body.along(e)};
}

/// From the segment to the point x.
template <class Real, int D>
Approach<Real, D> point_from_span(const RealVec<Real, D>& x, const Span<Real, D>& s) {
  const Real uu = product<Real, D>(s.along, s.along);
  const Real t = product<Real, D>(RealVec<Real, D>(x - s.tail), s.along) / uu;
  if (t <= Real(0)) return approach_along<Real, D>(x - s.tail);
  if (t >= Real(1)) return approach_along<Real, D>(x - s.tail - s.along);
  RealVec<Real, D> w = x - s.tail - s.along * t;
  // Taken off once more, so that the direction is across the segment even where the distance is all
  // round-off.
  w -= s.along * (product<Real, D>(w, s.along) / uu);
  return approach_along<Real, D>(w);
}

template <class Real, int D>
Approach<Real, D> reversed(Approach<Real, D> approach) {
  if (approach.normal) approach.normal = RealVec<Real, D>(-*approach.normal);
  return approach;
}

template <class Real, int D>
using Approaches = std::vector<Approach<Real, D>>;

/// From q to p, in all ways; the shortest is the distance. (By round-off another may seem as short, whose
/// direction is not as good: the caller tells them apart by their separation.)
template <class Real>
Approaches<Real, 3> span_from_span(const Span<Real, 3>& p, const Span<Real, 3>& q) {
  Approaches<Real, 3> ways{point_from_span<Real, 3>(p.tail, q), point_from_span<Real, 3>(p.tail + p.along, q),
                           reversed(point_from_span<Real, 3>(q.tail, p)),
                           reversed(point_from_span<Real, 3>(q.tail + q.along, p))};
  const RealVec<Real, 3> n = cross_product<Real>(p.along, q.along), w = q.tail - p.tail;
  const Real nn = product<Real, 3>(n, n);
  if (!(nn > Real(0))) return ways;
  const Real s = product<Real, 3>(cross_product<Real>(w, q.along), n) / nn;
  const Real t = product<Real, 3>(cross_product<Real>(w, p.along), n) / nn;
  if (s < Real(0) || s > Real(1) || t < Real(0) || t > Real(1)) return ways;
  const RealVec<Real, 3> gap = p.tail + p.along * s - q.tail - q.along * t;
  const Real side = product<Real, 3>(n, w) <= Real(0) ? Real(1) : Real(-1);
  ways.push_back({length<Real, 3>(gap), RealVec<Real, 3>(n * (side / root(nn)))});
  return ways;
}

/// From the facet to x, if x lies straight above it.
template <class Real>
Approaches<Real, 3> point_from_facet(const RealVec<Real, 3>& x, const ExactBody<Real, 3>& body, int f) {
  const auto loop = body.polytope().facet_vertices(f);
  const RealVec<Real, 3> n = facet_normal<Real>(body, f);
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const RealVec<Real, 3> e = body.between(loop[i], loop[(i + 1) % loop.size()]);
    const RealVec<Real, 3> to_x = x - body.point(loop[i]);
    if (product<Real, 3>(cross_product<Real>(e, to_x), n) < Real(0)) return {};
  }
  const Real height = product<Real, 3>(n, RealVec<Real, 3>(x - body.point(loop[0])));
  if (height < Real(0)) return {};
  return {{height, n}};
}

template <class Real>
Approaches<Real, 2> point_from_facet(const RealVec<Real, 2>& x, const ExactBody<Real, 2>& body, int f) {
  return {point_from_span<Real, 2>(x, span_of(body, f))};
}

template <class Real>
Approaches<Real, 2> edge_approaches(const Pair<Real, 2>&, const ClosestCandidate&) {
  return {};
}

template <class Real>
Approaches<Real, 3> edge_approaches(const Pair<Real, 3>& pair, const ClosestCandidate& c) {
  return span_from_span<Real>(span_of(pair.A, c.a), span_of(pair.B, c.b));
}

template <class Real, int D>
Approaches<Real, D> find_approaches(const Pair<Real, D>& pair, const ClosestCandidate& c) {
  using Kind = ClosestCandidate::Kind;
  if (c.kind == Kind::edges) return edge_approaches(pair, c);
  if (c.kind == Kind::vertex_facet) return point_from_facet<Real>(pair.A.point(c.a), pair.B, c.b);
  Approaches<Real, D> ways = point_from_facet<Real>(pair.B.point(c.b), pair.A, c.a);
  for (Approach<Real, D>& way : ways) way = reversed(way);
  return ways;
}

template <class Real, int D>
LongVec<D> narrowed(const RealVec<Real, D>& x) {
  LongVec<D> y;
  for (int k = 0; k < D; ++k) y[k] = static_cast<long double>(x[k]);
  return y;
}

template <class Real, int D>
long double round_off(const Pair<Real, D>& pair) {
  long double reach = 0;
  for (const auto* body : {&pair.A, &pair.B}) {
    for (const auto& x : body->points()) reach = std::max(reach, narrowed<Real, D>(x).norm());
  }
  return kRoundOffs * kRoundOff<Real> * reach;
}

/// What the searches in double have found, to be judged.
struct Shortlists {
  std::vector<AxisCandidate> axes;
  std::vector<ClosestCandidate> closest;  ///< empty for bodies that overlap
};

template <class Real, int D>
void list_axes(std::vector<FoundAxis<Real, D>> found, SignedDistance<D>& result) {
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& x, const auto& y) { return x.separation > y.separation; });
  for (const auto& axis : found) {
    const LongVec<D> n = narrowed<Real, D>(axis.normal);
    const bool listed = std::any_of(result.axes.begin(), result.axes.end(), [&](const Axis<D>& other) {
      return (other.normal - n).norm() < kSameDirection;
    });
    if (!listed && axis.is_facet) result.axes.push_back({n, static_cast<long double>(axis.separation)});
  }
}

/// Bodies that overlap: the largest separation is the gap.
template <class Real, int D>
SignedDistance<D> judge_axes(const Pair<Real, D>& pair, const Shortlists& lists) {
  std::vector<FoundAxis<Real, D>> found;
  for (const AxisCandidate& c : lists.axes) found.push_back(find_axis(pair, c));
  const auto best = *std::max_element(
      found.begin(), found.end(), [](const auto& x, const auto& y) { return x.separation < y.separation; });
  SignedDistance<D> result;
  result.gap = static_cast<long double>(best.separation);
  result.error = static_cast<long double>(best.doubt) + round_off(pair);
  result.normal = narrowed<Real, D>(best.normal);
  list_axes(std::move(found), result);
  return result;
}

/// Disjoint bodies: between the best separation and the least distance. The direction is that of the closest
/// points; an axis as good as it to the second order is not.
template <class Real, int D>
void judge_closest(const Pair<Real, D>& pair, const Shortlists& lists, SignedDistance<D>& result) {
  Approaches<Real, D> ways;
  for (const ClosestCandidate& c : lists.closest) {
    for (const auto& way : find_approaches(pair, c)) ways.push_back(way);
  }
  if (ways.empty()) return;  // only round-off separates them
  Real upper = ways[0].distance;
  for (const auto& way : ways) upper = way.distance < upper ? way.distance : upper;
  std::optional<Real> along;
  for (const auto& way : ways) {
    if (!way.normal || way.distance > upper + Real(kTie * pair.size)) continue;
    const Real s = exact_separation<Real, D>(pair.A, pair.B, *way.normal);
    if (along && s <= *along) continue;
    along = s;
    result.normal = narrowed<Real, D>(*way.normal);
  }
  const Real lower = along && *along > Real(result.gap) ? *along : Real(result.gap);
  result.gap = static_cast<long double>((lower + upper) / Real(2));
  result.error = std::abs(static_cast<long double>((upper - lower) / Real(2))) + round_off(pair);
}

template <class Real, int D>
SignedDistance<D> judge(const Placed<D>& A, const Placed<D>& B, const Shortlists& lists) {
  const Pair<Real, D> pair(A, B);
  SignedDistance<D> result = judge_axes(pair, lists);
  if (result.gap > 0) judge_closest(pair, lists, result);
  result.size = pair.size;
  return result;
}

template <int D>
Shortlists search(const Placed<D>& A, const Placed<D>& B) {
  const double slack = kTie * pair_size(A, B);
  Shortlists lists{search_axes(A, B, slack), {}};
  const SignedDistance<D> by_axes = judge_axes(Pair<long double, D>(A, B), lists);
  if (by_axes.gap > 0)
    lists.closest = search_closest<D>(A, B, {by_axes.normal.template cast<double>(), slack});
  return lists;
}

}  // namespace

template <int D>
SignedDistance<D> signed_distance(const Placed<D>& A, const Placed<D>& B) {
  const Shortlists lists = search<D>(A, B);
  const SignedDistance<D> result = judge<long double>(A, B, lists);
  return result.error <= kGoodEnough * result.size ? result : judge<Quad>(A, B, lists);
}

template <int D>
SignedDistance<D> signed_distance_113(const Placed<D>& A, const Placed<D>& B) {
  return judge<Quad>(A, B, search<D>(A, B));
}

template <int D>
long double separation(const Placed<D>& A, const Placed<D>& B, const Vec<D>& n) {
  const Pair<long double, D> pair(A, B);
  const LongVec<D> unit = n.template cast<long double>().normalized();
  return exact_separation<long double, D>(pair.A, pair.B, unit);
}

template <int D>
long double height_over(const Placed<D>& P, const Vec<D>& x) {
  const ExactBody<long double, D> body(P, x);
  long double highest = -std::numeric_limits<long double>::infinity();
  for (int f = 0; f < P.polytope->facet_count(); ++f) {
    const LongVec<D> n = facet_normal<long double>(body, f);
    long double offset = -std::numeric_limits<long double>::infinity();
    for (int v : P.polytope->facet_vertices(f)) offset = std::max(offset, n.dot(body.point(v)));
    highest = std::max(highest, -offset);
  }
  return highest;
}

template SignedDistance<2> signed_distance(const Placed<2>&, const Placed<2>&);
template SignedDistance<3> signed_distance(const Placed<3>&, const Placed<3>&);
template SignedDistance<2> signed_distance_113(const Placed<2>&, const Placed<2>&);
template SignedDistance<3> signed_distance_113(const Placed<3>&, const Placed<3>&);
template long double separation(const Placed<2>&, const Placed<2>&, const Vec<2>&);
template long double separation(const Placed<3>&, const Placed<3>&, const Vec<3>&);
template long double height_over(const Placed<2>&, const Vec<2>&);
template long double height_over(const Placed<3>&, const Vec<3>&);

}  // namespace touchstone::oracle
