#include "oracles/axis_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/exact_points.h"

namespace touchstone::oracle {
namespace {

/// Crossing arcs are accepted when they miss each other by less than this [1]: it only costs time.
constexpr double kArcSlack = 1e-6;
/// Edges whose cross product is below this times their lengths are parallel; a sliver of a facet that they
/// make could beat its neighbours by no more than this times the size.
constexpr double kNoCross = 1e-15;
/// A sharp edge whose facets' normals add to less than this has an arc of half a turn; no middle is known.
constexpr double kHalfTurn = 1e-6;

using LongVec3 = RealVec<long double, 3>;

template <int D>
using Points = Eigen::Matrix<double, D, Eigen::Dynamic>;

template <int D>
struct Body {
  const Polytope<D>& polytope;
  Points<D> points;   ///< relative to A's position
  Points<D> normals;  ///< of the facets, outward
  ExactBody<long double, D> exact;
};

template <int D>
Body<D> body_of(const Placed<D>& body, const Vec<D>& origin) {
  const Polytope<D>& P = *body.polytope;
  Body<D> result{P, Points<D>(D, P.vertex_count()), Points<D>(D, P.facet_count()), {body, origin}};
  for (int v = 0; v < P.vertex_count(); ++v)
    result.points.col(v) = result.exact.point(v).template cast<double>();
  for (int f = 0; f < P.facet_count(); ++f) result.normals.col(f) = body.X_WB.R * P.plane(f).normal;
  return result;
}

template <int D>
double separation_of(const Body<D>& A, const Body<D>& B, const Vec<D>& n) {
  return (n.transpose() * A.points).minCoeff() - (n.transpose() * B.points).maxCoeff();
}

/// Keeps the axes within the slack of the best one so far.
class Shortlist {
 public:
  explicit Shortlist(double slack) : slack_(slack) {}
  double floor() const { return best_ - slack_; }
  void offer(const AxisCandidate& candidate) {
    if (candidate.separation < floor()) return;
    best_ = std::max(best_, candidate.separation);
    list_.push_back(candidate);
  }
  std::vector<AxisCandidate> take() {
    std::erase_if(list_, [&](const AxisCandidate& c) { return c.separation < floor(); });
    return std::move(list_);
  }

 private:
  double slack_;
  double best_ = -std::numeric_limits<double>::infinity();
  std::vector<AxisCandidate> list_;
};

template <int D>
void offer_facets(const Body<D>& A, const Body<D>& B, Shortlist& list) {
  for (int f = 0; f < A.polytope.facet_count(); ++f) {
    list.offer({AxisKind::facet_of_A, f, -1, 1, separation_of<D>(A, B, -A.normals.col(f))});
  }
  for (int f = 0; f < B.polytope.facet_count(); ++f) {
    list.offer({AxisKind::facet_of_B, -1, f, 1, separation_of<D>(A, B, B.normals.col(f))});
  }
}

/// An edge as an arc of directions n (from B to A) that its body's edge supports.
struct Arc {
  int edge;
  Vec<3> begin, end;   ///< the normals of its two facets, as n
  Vec<3> middle;       ///< of the chord
  double reach;        ///< from the middle to either end
  LongVec3 direction;  ///< of the edge, unit
  Vec<3> foot;         ///< a point of the edge
};

Arc arc_of(const Body<3>& body, int e, double side) {
  const Edge& edge = body.polytope.edge(e);
  const Vec<3> begin = side * body.normals.col(edge.left), end = side * body.normals.col(edge.right);
  const Vec<3> sum = begin + end;
  const bool sharp = sum.norm() < kHalfTurn;
  const Vec<3> middle = sharp ? begin : Vec<3>(sum.normalized());
  const double reach = sharp ? 2 : std::max((begin - middle).norm(), (end - middle).norm());
  return {e, begin, end, middle, reach, body.exact.along(e).normalized(), body.points.col(edge.tail)};
}

/// The largest n.w for n on the arc.
double largest_along(const Arc& arc, const Vec<3>& w) {
  const double ends = std::max(arc.begin.dot(w), arc.end.dot(w));
  const Vec<3> u = arc.direction.cast<double>();
  const Vec<3> across = w - u * u.dot(w);
  const Vec<3> axis = arc.begin.cross(arc.end);
  const bool within = arc.begin.cross(across).dot(axis) >= -kArcSlack * across.norm() &&
                      across.cross(arc.end).dot(axis) >= -kArcSlack * across.norm();
  return within ? std::max(ends, across.norm()) : ends;
}

/// The edges of one body on whose arcs s(n) may reach the floor: s(n) <= n.(a - b) for any a, b.
std::vector<Arc> arcs_above(const Body<3>& A, const Body<3>& B, bool of_A, double floor) {
  const Body<3>& own = of_A ? A : B;
  std::vector<Arc> arcs;
  for (int e = 0; e < own.polytope.edge_count(); ++e) {
    const Arc arc = arc_of(own, e, of_A ? -1 : 1);
    int other = 0;
    if (of_A) {
      (arc.middle.transpose() * B.points).maxCoeff(&other);
    } else {
      (arc.middle.transpose() * A.points).minCoeff(&other);
    }
    const Vec<3> w = of_A ? Vec<3>(arc.foot - B.points.col(other)) : Vec<3>(A.points.col(other) - arc.foot);
    if (largest_along(arc, w) >= floor) arcs.push_back(arc);
  }
  return arcs;
}

/// Whether two arcs may cross on the sphere of directions; true in doubt [Checked 1.1].
bool may_cross(const Arc& p, const Arc& q) {
  const double reach = p.reach + q.reach + kArcSlack;
  if ((p.middle - q.middle).squaredNorm() > reach * reach) return false;
  const Vec<3> axis_p = p.begin.cross(p.end), axis_q = q.begin.cross(q.end);
  const double q0 = axis_p.dot(q.begin), q1 = axis_p.dot(q.end);
  const double p0 = axis_q.dot(p.begin), p1 = axis_q.dot(p.end);
  const double slack_q = kArcSlack * axis_p.norm(), slack_p = kArcSlack * axis_q.norm();
  return std::min(q0, q1) <= slack_q && std::max(q0, q1) >= -slack_q &&  //
         std::min(p0, p1) <= slack_p && std::max(p0, p1) >= -slack_p;
}

void offer_edge_pair(const Body<3>& A, const Body<3>& B, const std::pair<const Arc&, const Arc&>& arcs,
                     Shortlist& list) {
  const auto& [p, q] = arcs;
  const LongVec3 cross = p.direction.cross(q.direction);
  if (cross.norm() <= kNoCross) return;
  const Vec<3> axis = cross.normalized().cast<double>();
  const double across = axis.dot(p.foot - q.foot);
  for (double sign : {1.0, -1.0}) {
    if (sign * across < list.floor()) continue;
    const Vec<3> n = sign * axis;
    list.offer({AxisKind::edges, p.edge, q.edge, sign, separation_of<3>(A, B, n)});
  }
}

void offer_edges(const Body<2>&, const Body<2>&, Shortlist&) {}  // the edges of polygons are their facets

void offer_edges(const Body<3>& A, const Body<3>& B, Shortlist& list) {
  const std::vector<Arc> arcs_A = arcs_above(A, B, true, list.floor());
  const std::vector<Arc> arcs_B = arcs_above(A, B, false, list.floor());
  for (const Arc& p : arcs_A) {
    for (const Arc& q : arcs_B) {
      if (may_cross(p, q)) offer_edge_pair(A, B, {p, q}, list);
    }
  }
}

}  // namespace

template <int D>
std::vector<AxisCandidate> search_axes(const Placed<D>& A, const Placed<D>& B, double slack) {
  const Body<D> body_A = body_of(A, A.X_WB.p), body_B = body_of(B, A.X_WB.p);
  Shortlist list(slack);
  offer_facets(body_A, body_B, list);
  offer_edges(body_A, body_B, list);
  return list.take();
}

template std::vector<AxisCandidate> search_axes(const Placed<2>&, const Placed<2>&, double);
template std::vector<AxisCandidate> search_axes(const Placed<3>&, const Placed<3>&, double);

}  // namespace touchstone::oracle
