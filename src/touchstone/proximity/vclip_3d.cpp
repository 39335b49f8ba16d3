// V-Clip in space [Mirtich 1998]: a walk over pairs of features (one of A, one of B) towards the closest
// ones.
//
// A pair is closest when each feature's closest point lies in the other's Voronoi region. If it does not, the
// plane of the region that it violates names a neighbouring feature that is nearer:
//
//      vertex --(an edge leads nearer)--> edge --(a face leads nearer)--> face
//      vertex <--(beyond the end)-------- edge <--(beyond the border)---- face
//
// States: V-V, V-E, V-F, E-E, and E-F in passing. For V-E and E-E we test the closest points themselves
// rather than clip the edge: the answer is the same, and parallel edges need no special care beyond one
// choice. E-F clips the edge against the face's prism as the paper does.
//
// In exact arithmetic the distance falls with every step, so the walk ends. Round-off could lead in a circle
// of equal distances: a step is taken only if it gains more than `noise`, and a state seen before ends the
// walk.

#include <cmath>

#include "touchstone/proximity/walk.h"

namespace touchstone {
namespace {

using V3 = Vec<3>;

/// Squared sine below which two edges are walked along as if parallel.
constexpr double kParallelSquared = 1e-20;

struct Segment {
  V3 tail, head;
  V3 direction;  ///< from tail to head
  V3 at(double t) const { return tail + t * direction; }
};

/// Where a segment lies inside a face's prism: t from low to high, cut off by the face's edges (-1: by
/// nothing).
struct ClippedInterval {
  double low = 0, high = 1;
  int low_edge = -1, high_edge = -1;
  bool empty = false;
};

class SpaceWalk : public Walk<3, SpaceWalk> {
 public:
  using Walk::Walk;

  Move step() {
    const int a = static_cast<int>(feature_[0].kind), b = static_cast<int>(feature_[1].kind);
    const int low = a <= b ? 0 : 1;  // the side of the feature of lower dimension
    switch (3 * std::min(a, b) + std::max(a, b)) {
      case 0:
        return vertex_vertex();
      case 1:
        return vertex_edge(low);
      case 2:
        return vertex_face(low);
      case 4:
        return edge_edge();
      case 5:
        return edge_face(low);
      default:
        return Move::lost;  // face-face is no state of the walk
    }
  }

 private:
  Move vertex_vertex() {
    const V3 x = view_[0].vertex(feature_[0].index), y = view_[1].vertex(feature_[1].index);
    if (leave_vertex(0, x, y) || leave_vertex(1, y, x)) return Move::go;
    return closest_at(0, x, y);
  }

  Move vertex_edge(int s) {
    const int t = 1 - s;
    const V3 x = view_[s].vertex(feature_[s].index);
    const Segment e = segment(t);
    const V3 d = e.direction;
    const double along = (x - e.tail).dot(d);
    if (along <= 0) return to_vertex(t, view_[t].edge(feature_[t].index).tail);
    if (along >= d.squaredNorm()) return to_vertex(t, view_[t].edge(feature_[t].index).head);
    if (leave_edge(t, e, x)) return Move::go;
    const V3 c = e.at(along / d.squaredNorm());
    if (leave_vertex(s, x, c)) return Move::go;
    return closest_at(s, x, c);
  }

  Move vertex_face(int s) {
    const int t = 1 - s;
    const V3 x = view_[s].vertex(feature_[s].index);
    const int f = feature_[t].index;
    if (leave_face(t, f, x)) return Move::go;
    const Plane<3> plane = view_[t].plane(f);
    const double height = plane.height(x);
    if (height < -on_facet_) return escape_below(s, x);
    if (descend(s, plane.normal)) return Move::go;
    return closest_at(s, x, x - height * plane.normal);
  }

  Move edge_edge() {
    const Segment e[2] = {segment(0), segment(1)};
    double at[2];
    closest_parameters(e, at);
    bool dropped = false;
    for (int s : {0, 1}) {
      if (at[s] > 0 && at[s] < 1) continue;
      const Edge& edge = view_[s].edge(feature_[s].index);
      to_vertex(s, at[s] <= 0 ? edge.tail : edge.head);
      dropped = true;
    }
    if (dropped) return Move::go;
    const V3 c[2] = {e[0].at(at[0]), e[1].at(at[1])};
    if (leave_edge(0, e[0], c[1]) || leave_edge(1, e[1], c[0])) return Move::go;
    return closest_at(0, c[0], c[1]);
  }

  Move edge_face(int s) {
    const int t = 1 - s, f = feature_[t].index;
    const Segment e = segment(s);
    const ClippedInterval clipped = clip_to_prism(t, f, e);
    if (clipped.empty) return to_nearest_border(s, e);
    const Plane<3> plane = view_[t].plane(f);
    const double low = plane.height(e.at(clipped.low)), high = plane.height(e.at(clipped.high));
    const double zero = on_facet_;
    if ((low > zero && high < -zero) || (low < -zero && high > zero)) return Move::penetrating;
    const bool take_low =
        std::abs(low - high) <= noise_ ? clipped.low_edge < 0 : std::abs(low) < std::abs(high);
    const int cut = take_low ? clipped.low_edge : clipped.high_edge;
    if (cut >= 0) return to_edge(t, cut);
    const Edge& edge = view_[s].edge(feature_[s].index);
    return to_vertex(s, take_low ? edge.tail : edge.head);
  }

  // ---- the Voronoi planes of each kind of feature -----------------------------------------------------

  /// Does an edge at the vertex (at x, of side s) lead towards y? Then the state moves to the best one.
  bool leave_vertex(int s, const V3& x, const V3& y) {
    const int v = feature_[s].index;
    const auto neighbours = view_[s].polytope().neighbours(v);
    const V3 toward = view_[s].to_local_direction(y - x);
    const V3& here = view_[s].polytope().vertex(v);
    double best = 0;
    int best_edge = -1;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const V3 d = view_[s].polytope().vertex(neighbours[i]) - here;
      const double along = toward.dot(d);
      if (along <= 0) continue;
      const double score = along * along / d.squaredNorm();
      if (score > best) {
        best = score;
        best_edge = view_[s].polytope().vertex_edges(v)[i];
      }
    }
    if (best <= noise_ * noise_) return false;
    to_edge(s, best_edge);
    return true;
  }

  /// Does y lie beyond the edge's Voronoi region on the side of one of its two faces?
  bool leave_edge(int s, const Segment& e, const V3& y) {
    const Edge& edge = view_[s].edge(feature_[s].index);
    const V3 d = e.direction, r = y - e.tail;
    const double threshold = noise_ * d.norm();
    // Into the face on the left: N x d; on the right: d x N.
    const double left = r.dot(view_[s].plane_normal(edge.left).cross(d));
    const double right = r.dot(d.cross(view_[s].plane_normal(edge.right)));
    if (std::max(left, right) <= threshold) return false;
    to(s, FeatureKind::face, left > right ? edge.left : edge.right);
    return true;
  }

  /// Does y lie outside the prism over the face? Then the state moves to the edge that it is furthest beyond.
  bool leave_face(int s, int f, const V3& y) {
    const Polytope<3>& P = view_[s].polytope();
    const V3 local = view_[s].to_local(y);
    const V3& N = P.plane(f).normal;
    const auto loop = P.facet_vertices(f);
    double worst = noise_;
    int worst_edge = -1;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const V3& p = P.vertex(loop[i]);
      const V3 d = P.vertex(loop[i + 1 < loop.size() ? i + 1 : 0]) - p;
      const double out = (local - p).dot(d.cross(N));
      if (out <= 0) continue;
      const double beyond = out / d.norm();
      if (beyond > worst) {
        worst = beyond;
        worst_edge = P.facet_edges(f)[i];
      }
    }
    if (worst_edge < 0) return false;
    to_edge(s, worst_edge);
    return true;
  }

  /// Does an edge at the vertex (of side s, above a face with normal N) go down? Then to the steepest.
  bool descend(int s, const V3& N) {
    const int v = feature_[s].index;
    const Polytope<3>& P = view_[s].polytope();
    const V3 down = -view_[s].to_local_direction(N);
    const auto neighbours = P.neighbours(v);
    double best = 0;
    int best_edge = -1;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const V3 d = P.vertex(neighbours[i]) - P.vertex(v);
      const double drop = down.dot(d);
      if (drop <= noise_) continue;
      const double steepness = drop * drop / d.squaredNorm();
      if (steepness > best) {
        best = steepness;
        best_edge = P.vertex_edges(v)[i];
      }
    }
    if (best_edge < 0) return false;
    to_edge(s, best_edge);
    return true;
  }

  // ---- edges against faces and edges ------------------------------------------------------------------

  ClippedInterval clip_to_prism(int t, int f, const Segment& e) const {
    const Polytope<3>& P = view_[t].polytope();
    const V3& N = P.plane(f).normal;
    const V3 tail = view_[t].to_local(e.tail), head = view_[t].to_local(e.head);
    const auto loop = P.facet_vertices(f);
    ClippedInterval clipped;
    for (std::size_t i = 0; i < loop.size() && !clipped.empty; ++i) {
      const V3& p = P.vertex(loop[i]);
      const V3 inward = N.cross(P.vertex(loop[i + 1 < loop.size() ? i + 1 : 0]) - p);
      const double at_tail = inward.dot(tail - p), at_head = inward.dot(head - p);
      if (at_tail >= 0 && at_head >= 0) continue;
      const double cut = at_tail / (at_tail - at_head);
      if (at_tail < 0 && at_head < 0) {
        clipped.empty = true;
      } else if (at_tail < 0 && cut > clipped.low) {
        clipped.low = cut;
        clipped.low_edge = P.facet_edges(f)[i];
      } else if (at_head < 0 && cut < clipped.high) {
        clipped.high = cut;
        clipped.high_edge = P.facet_edges(f)[i];
      }
      clipped.empty = clipped.empty || clipped.low > clipped.high;
    }
    return clipped;
  }

  /// The edge misses the face's prism: go on with the face's edge that is nearest to it.
  Move to_nearest_border(int s, const Segment& e) {
    const int t = 1 - s;
    double best = std::numeric_limits<double>::infinity();
    int best_edge = -1;
    for (int candidate : view_[t].polytope().facet_edges(feature_[t].index)) {
      const Segment pair[2] = {e, segment(t, candidate)};
      double at[2];
      closest_parameters(pair, at);
      const double distance = (pair[0].at(at[0]) - pair[1].at(at[1])).squaredNorm();
      if (distance < best) {
        best = distance;
        best_edge = candidate;
      }
    }
    return to_edge(t, best_edge);
  }

  /// Closest points of two segments by their parameters in [0, 1] [Thesis alg. 7, corrected].
  static void closest_parameters(const Segment (&e)[2], double (&at)[2]) {
    const V3 d1 = e[0].direction, d2 = e[1].direction, r = e[0].tail - e[1].tail;
    const double a = d1.squaredNorm(), c = d2.squaredNorm(), b = d1.dot(d2);
    const double f = d1.dot(r), g = d2.dot(r);
    const double determinant = d1.cross(d2).squaredNorm();
    double s = 0;
    if (determinant > kParallelSquared * a * c)
      s = std::clamp(d1.cross(d2).dot(d2.cross(r)) / determinant, 0.0, 1.0);
    double t = (b * s + g) / c;
    if (t <= 0) {
      t = 0;
      s = std::clamp(-f / a, 0.0, 1.0);
    } else if (t >= 1) {
      t = 1;
      s = std::clamp((b - f) / a, 0.0, 1.0);
    }
    at[0] = s;
    at[1] = t;
  }

  // ---- moves ------------------------------------------------------------------------------------------

  Segment segment(int s) const { return segment(s, feature_[s].index); }
  Segment segment(int s, int e) const {
    const Edge& edge = view_[s].edge(e);
    return {view_[s].vertex(edge.tail), view_[s].vertex(edge.head), view_[s].along(edge)};
  }
  Move to_vertex(int s, int v) { return to(s, FeatureKind::vertex, v); }
  Move to_edge(int s, int e) { return to(s, FeatureKind::edge, e); }
};

}  // namespace

template <>
ClosestFeatures<3> walk_to_closest_features(const Polytope<3>& A, const Polytope<3>& B, const Pose<3>& X_AB,
                                            const FeaturePair& start) {
  return SpaceWalk(A, B, X_AB, start).run();
}

}  // namespace touchstone
