#include "touchstone/stepping/events/first_contact.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/math/checks.h"
#include "touchstone/proximity/box.h"
#include "touchstone/proximity/feature_contacts.h"
#include "touchstone/stepping/events/touching.h"

namespace touchstone {
namespace {

constexpr double kShortest = 1e-14;      ///< [s] a part of a step that is not made shorter
constexpr double kSlightOverlap = 1e-9;  ///< [m] that projections may leave
constexpr double kHeld =
    1e-10;  ///< [m] points of a pair in contact that lie so near to its plane at both ends are held by it

/// Points of a part whose hull, grown by the radius, is the part; in the frame at the body's centre of mass.
template <int D>
struct Points {
  std::vector<Vec<D>> points;
  double radius = 0;
  bool bounded = true;
};

template <int D>
Points<D> points_of(const ContactShape<D>& part) {
  if (const auto* ball = std::get_if<Sphere<D>>(part.shape.get())) return {{part.X_CS.p}, ball->radius, true};
  if (std::holds_alternative<HalfSpace<D>>(*part.shape)) return {{}, 0, false};
  Points<D> found;
  for (const Vec<D>& v : std::get<Polytope<D>>(*part.shape).vertices()) found.points.push_back(part.X_CS * v);
  return found;
}

template <int D>
class Search {
 public:
  Search(const StepView<D>& view, std::pair<int, int> parts, ContactSearch& effort)
      : view_(view), world_(view.phase().flight().world()), parts_(parts), effort_(effort) {
    const int part[] = {parts.first, parts.second};
    for (int side = 0; side < 2; ++side) {
      sides_[side] = points_of(world_.shapes[part[side]]), body_[side] = world_.shapes[part[side]].body;
    }
    for (const HeldRow<D>& held : view.phase().held()) {
      if (is_of_pair(held.row)) held_.push_back(held.row);
    }
  }

  /// [m] What overlaps already, and opens, has not struck: as much as that is allowed.
  void allow(double gap) {
    if (gap < -kOverlap && gap > -kSlightOverlap) overlap_ = kOverlap - gap;
  }

  struct Instant {
    double time;
    std::vector<Moving<D>> bodies;
    Gap<D> gap;
  };
  Instant look(double time) {
    ++effort_.gaps;
    Instant at{time, view_.at(time), {}};
    at.gap = gap_of(world_, at.bodies, parts_);
    return at;
  }

  std::optional<double> first(const Instant& a, const Instant& b) {
    assert(a.time <= b.time);
    if (is_clear(a, b) || (effort_.stop && *effort_.stop)) return {};
    if (b.time - a.time <= kShortest * std::max(1., std::abs(b.time))) {
      return b.gap.gap < -overlap_ ? std::optional(b.time) : std::nullopt;
    }
    const Instant middle = look(0.5 * (a.time + b.time));
    if (const auto found = first(a, middle)) return found;
    return first(middle, b);
  }

 private:
  bool is_of_pair(const ContactRow<D>& row) const {
    return std::minmax(row.shape_P, row.shape_E) == std::minmax(parts_.first, parts_.second);
  }

  /// What is nearest to a ball is one point, so a ball that is held there touches nothing else of the part;
  /// it leaves that feature by a `border`.
  bool is_clear(const Instant& a, const Instant& b) {
    ++effort_.proofs;
    for (const ContactRow<D>& row : held_) {
      if (row.kind == TouchKind::point_point || row.kind == TouchKind::point_edge) return true;
      if (row.kind != TouchKind::point_plane) {
        if (edges_stay(row, a, b)) return true;
        continue;
      }
      if (plane_holds(row.P == body_[0] ? 0 : 1, row.along_E, a, b)) return true;
    }
    for (const Instant* at : {&a, &b}) {
      const Vec<D>& n = at->gap.normal;
      if (plane_holds(0, Vec<D>(at->bodies[body_[1]].R.transpose() * n), a, b)) return true;
      if (plane_holds(1, Vec<D>(at->bodies[body_[0]].R.transpose() * -n), a, b)) return true;
    }
    return edges_keep_apart(a, b);
  }

  /// A plane that one body carries, with the normal n in its frame, stands on it for ever. Do the points of
  /// the other
  /// (`side`) stay above?
  ///     h'' >= -K,   h(t) >= min(h(a), h(b)) - K dt^2/8   and   h(t) >= min(h(a), h(a) + h'(a) dt - K
  ///     dt^2/2)
  bool plane_holds(int side, const Vec<D>& n, const Instant& a, const Instant& b) const {
    const Points<D>&V = sides_[side], &E = sides_[1 - side];
    if (!V.bounded) return false;
    const int v = body_[side], e = body_[1 - side];
    double top = -std::numeric_limits<double>::infinity();
    if (E.bounded) {
      for (const Vec<D>& p : E.points) top = std::max(top, n.dot(p) + E.radius);
    } else {
      const ContactShape<D>& part = world_.shapes[side == 0 ? parts_.second : parts_.first];
      const Plane<D> plane = part.X_CS * std::get<HalfSpace<D>>(*part.shape).plane;
      if ((plane.normal - n).norm() > 1e-14) return top_is_clear(plane.normal, plane.offset, side, a, b);
      top = plane.offset;
    }
    return points_are_clear(n, top, side, v, e, a, b);
  }
  bool top_is_clear(const Vec<D>& n, double top, int side, const Instant& a, const Instant& b) const {
    return points_are_clear(n, top, side, body_[side], body_[1 - side], a, b);
  }

  bool points_are_clear(const Vec<D>& n, double top, int side, int v, int e, const Instant& a,
                        const Instant& b) const {
    assert(is_unit(n) && !std::isnan(top));
    const double dt = b.time - a.time;
    const Moving<D>&Va = a.bodies[v], &Vb = b.bodies[v], &Ea = a.bodies[e], &Eb = b.bodies[e];
    const Vec<D> na = Ea.R * n, nb = Eb.R * n;
    const double below_a = top + na.dot(Ea.x), below_b = top + nb.dot(Eb.x);
    const Pace &pv = view_.pace(v), &pe = view_.pace(e);
    for (const Vec<D>& p : sides_[side].points) {
      const Vec<D> xa = Va.x + Va.R * p;
      const double ha = na.dot(xa) - below_a - sides_[side].radius;
      const double hb = nb.dot(Vb.x + Vb.R * p) - below_b - sides_[side].radius;
      if (!held_.empty() && std::abs(ha) <= kHeld && std::abs(hb) <= kHeld) continue;
      const double rho = p.norm();
      const double reach = (xa - Ea.x).norm() + (pv.v + pe.v + pv.w * rho) * dt;
      const double K = height_bend(pv, pe, rho, reach);
      if (std::min(ha, hb) - K * dt * dt / 8 >= -overlap_) continue;
      const double speed =
          na.dot(point_velocity<D>(Va.V, Vec<D>(xa - Va.x)) - point_velocity<D>(Ea.V, Vec<D>(xa - Ea.x)));
      if (ha >= -overlap_ && ha + speed * dt - K * dt * dt / 2 >= -overlap_) continue;
      return false;
    }
    return true;
  }

  bool edges_stay(const ContactRow<2>&, const Instant&, const Instant&) const { return false; }
  bool edges_keep_apart(const Instant&, const Instant&) const requires(D == 2) { return false; }

  /// Do the arcs of the two edges keep crossing on the Gauss sphere? Then the gap of the bodies is that of
  /// the edges.
  bool arcs_cross(const Instant& a, double dt, int edge_a, int edge_b) const requires(D == 3) {
    const Polytope<3>*A = std::get_if<Polytope<3>>(world_.shapes[parts_.first].shape.get()),
          *B = std::get_if<Polytope<3>>(world_.shapes[parts_.second].shape.get());
    if (!A || !B) return false;
    const Placed<3> PA{A, a.bodies[body_[0]].pose() * world_.shapes[parts_.first].X_CS};
    const Placed<3> PB{B, a.bodies[body_[1]].pose() * world_.shapes[parts_.second].X_CS};
    if (edge_edge_applicability(PA, edge_a, PB, edge_b) <= 0) return false;
    const double turn = (view_.pace(body_[0]).w + view_.pace(body_[1]).w) * dt;
    return least_lean(PA, edge_a, PB, edge_b) > turn && least_lean(PB, edge_b, PA, edge_a) > turn;
  }
  static double least_lean(const Placed<3>& A, int edge_a, const Placed<3>& B, int edge_b) {
    const Edge &ea = A.polytope->edge(edge_a), &eb = B.polytope->edge(edge_b);
    const Vec<3> u = (A.X_WB.R * (A.polytope->vertex(ea.head) - A.polytope->vertex(ea.tail))).normalized();
    return std::min(std::abs(u.dot(B.X_WB.R * B.polytope->plane(eb.left).normal)),
                    std::abs(u.dot(B.X_WB.R * B.polytope->plane(eb.right).normal)));
  }
  bool edges_stay(const ContactRow<3>& row, const Instant& a, const Instant& b) const {
    if (row.kind != TouchKind::edge_edge) return false;
    const bool first = row.shape_P == parts_.first;
    return arcs_cross(a, b.time - a.time, (first ? row.feature_P : row.feature_E).index,
                      (first ? row.feature_E : row.feature_P).index);
  }
  /// K_ee = ((alpha + W^2)/s + 3 W^2/s^2)(d + v dt) + 2 W v/s + a,  s = sin(angle) - W dt.
  bool edges_keep_apart(const Instant& a, const Instant& b) const requires(D == 3) {
    const FeaturePair& f = a.gap.features;
    const double dt = b.time - a.time;
    if (f.a.kind != FeatureKind::edge || f.b.kind != FeatureKind::edge ||
        !arcs_cross(a, dt, f.a.index, f.b.index))
      return false;
    const double sign = edge_normal(a, f).dot(a.gap.normal) >= 0 ? 1 : -1;
    const double phi_a = sign * edge_gap(a, f), phi_b = sign * edge_gap(b, f);
    const Pace &pa = view_.pace(body_[0]), &pb = view_.pace(body_[1]);
    const double W = pa.w + pb.w, alpha = pa.alpha + pb.alpha;
    const double s = edge_sine(a, f) - W * dt;
    if (s <= 0) return false;
    const double ra = radius(0), rb = radius(1), v = pa.v + pb.v + pa.w * ra + pb.w * rb;
    const double acceleration = pa.a + pb.a + (pa.alpha + pa.w * pa.w) * ra + (pb.alpha + pb.w * pb.w) * rb;
    const double distance = (a.gap.point_A - a.gap.point_B).norm() + 2 * (ra + rb) * W * dt;
    const double K = edge_bend({s, distance + v * dt, v, acceleration, W, alpha});
    return std::min(phi_a, phi_b) - K * dt * dt / 8 >= -overlap_;
  }
  double radius(int side) const {
    double most = 0;
    for (const Vec<D>& p : sides_[side].points) most = std::max(most, p.norm());
    return most;
  }
  std::pair<Vec<3>, Vec<3>> edge(const Instant& at, int side, int e) const {
    const ContactShape<D>& part = world_.shapes[side == 0 ? parts_.first : parts_.second];
    const Polytope<3>& A = std::get<Polytope<3>>(*part.shape);
    const Pose<3> X = at.bodies[body_[side]].pose() * part.X_CS;
    return {X * A.vertex(A.edge(e).tail),
            (X.R * (A.vertex(A.edge(e).head) - A.vertex(A.edge(e).tail))).normalized()};
  }
  Vec<3> edge_cross(const Instant& at, const FeaturePair& f) const {
    return edge(at, 0, f.a.index).second.cross(edge(at, 1, f.b.index).second);
  }
  double edge_sine(const Instant& at, const FeaturePair& f) const { return edge_cross(at, f).norm(); }
  Vec<3> edge_normal(const Instant& at, const FeaturePair& f) const { return edge_cross(at, f).normalized(); }
  /// [m] along the normal, up to its sign.
  double edge_gap(const Instant& at, const FeaturePair& f) const {
    return edge_normal(at, f).dot(edge(at, 0, f.a.index).first - edge(at, 1, f.b.index).first);
  }

  const StepView<D>& view_;
  const World<D>& world_;
  std::pair<int, int> parts_;
  ContactSearch& effort_;
  double overlap_ = kOverlap;  ///< [m] more is a strike
  Points<D> sides_[2];
  int body_[2];
  std::vector<ContactRow<D>> held_;
};

}  // namespace

template <int D>
std::optional<double> first_contact(const StepView<D>& view, std::pair<int, int> parts, double end,
                                    ContactSearch& effort) {
  Search<D> search(view, parts, effort);
  const auto begin = search.look(view.begin());
  search.allow(begin.gap.gap);
  return search.first(begin, search.look(end));
}

template <int D>
bool may_meet(const StepView<D>& view, const std::vector<Moving<D>>& begin, std::pair<int, int> parts,
              double end) {
  const World<D>& world = view.phase().flight().world();
  Box<D> boxes[2];
  const int part[] = {parts.first, parts.second};
  for (int side = 0; side < 2; ++side) {
    const ContactShape<D>& shape = world.shapes[part[side]];
    const Pace& pace = view.pace(shape.body);
    boxes[side] = bounding_box<D>(*shape.shape, begin[shape.body].pose() * shape.X_CS);
    const double reach = pace.w > 0 ? (boxes[side].high - boxes[side].low).norm() +
                                          (boxes[side].low - begin[shape.body].x).norm()
                                    : 0;
    const double way = (pace.v + pace.w * reach) * (end - view.begin()) + kOverlap;
    boxes[side].low.array() -= way, boxes[side].high.array() += way;
  }
  return (boxes[0].low.array() <= boxes[1].high.array()).all() &&
         (boxes[1].low.array() <= boxes[0].high.array()).all();
}

template std::optional<double> first_contact(const StepView<2>&, std::pair<int, int>, double, ContactSearch&);
template std::optional<double> first_contact(const StepView<3>&, std::pair<int, int>, double, ContactSearch&);
template bool may_meet(const StepView<2>&, const std::vector<Moving<2>>&, std::pair<int, int>, double);
template bool may_meet(const StepView<3>&, const std::vector<Moving<3>>&, std::pair<int, int>, double);

}  // namespace touchstone
