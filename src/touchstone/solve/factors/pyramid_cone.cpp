#include "touchstone/solve/factors/pyramid_cone.h"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

using V2 = Eigen::Vector2d;

/// Pieces: open or pushing, and behind that without tangential impulse, sticking, or on the boundary of the
/// polygon: kOnBoundary + 2 b, where b is 2 i at corner i and 2 i + 1 on the edge that begins there.
constexpr int kOpen = 0, kPushes = 1, kSticks = 2, kOnBoundary = 4;

double cross(const V2& a, const V2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// The rates along the tangents that those along the sides tell of.
V2 tangent_rates(const PyramidCone& cone, const double* along_sides) {
  Eigen::Matrix2d sum = Eigen::Matrix2d::Zero();
  V2 moment = V2::Zero();
  for (int k = 0; k < cone.corner_count; ++k) {
    sum += cone.corners[k] * cone.corners[k].transpose();
    moment += along_sides[k] * cone.corners[k];
  }
  if (cone.corner_count == 2) return {moment.x() / sum(0, 0), 0};
  return sum.inverse() * moment;
}

/// The edge (its first corner) in whose sector y lies.
int sector_of(const PyramidCone& cone, const V2& y) {
  for (int k = 0; k < cone.corner_count; ++k) {
    const V2 &a = cone.corners[k], &b = cone.corners[(k + 1) % cone.corner_count];
    if (cross(a, y) >= 0 && cross(y, b) > 0) return k;
  }
  return 0;
}

const V2& corner_of(const PyramidCone& cone, int k) {
  return cone.corners[(k + cone.corner_count) % cone.corner_count];
}
V2 edge_of(const PyramidCone& cone, int k) { return corner_of(cone, k + 1) - corner_of(cone, k); }

/// Where a point lies to edge k of the polygon: hidden on its inner side, or seen by it. It is asked for
/// signs, not for the nearest edge: a contact that slides asks for impulses so far outside of its polygon
/// that their distances to all edges are one number.
enum class Side { hidden, before, within, beyond };
Side side_of(const PyramidCone& cone, int k, double radius, const V2& y) {
  const V2 edge = edge_of(cone, k), to = y - radius * corner_of(cone, k);
  if (cross(edge, to) >= 0) return Side::hidden;
  if (edge.dot(to) <= 0) return Side::before;
  return edge.dot(y - radius * corner_of(cone, k + 1)) >= 0 ? Side::beyond : Side::within;
}
bool is_past(Side side) { return side == Side::hidden || side == Side::beyond; }

/// How much of each side makes the tangential impulse p_t: of two neighbours at most.
void split(const PyramidCone& cone, const V2& p_t, double* sides) {
  std::fill(sides, sides + cone.corner_count, 0.);
  if (cone.corner_count == 2) {
    const double along = p_t.dot(cone.corners[0]) / cone.corners[0].squaredNorm();
    sides[along < 0 ? 1 : 0] = std::abs(along);
    return;
  }
  const int k = sector_of(cone, p_t), next = (k + 1) % cone.corner_count;
  const V2 &a = cone.corners[k], &b = cone.corners[next];
  const double whole = cross(a, b);
  assert(whole > 0);  // sides go round counter-clockwise
  sides[k] = std::max(0., cross(p_t, b) / whole);
  sides[next] = std::max(0., cross(a, p_t) / whole);
}

}  // namespace

std::vector<PyramidCone> pyramid_cones(const LinearProblem& problem) {
  assert(problem.M.pyramid());
  const PyramidFactors& factors = problem.M.pyramid()->factors();
  std::vector<PyramidCone> cones(factors.contact_count());
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    PyramidCone& cone = cones[c];
    cone.has_normal = contact.normal >= 0;
    if (cone.has_normal) cone.free[0] = problem.q[contact.normal];
    if (contact.slip < 0) continue;
    cone.corners = &factors.side[contact.sides], cone.corner_count = contact.side_count;
    cone.mu = contact.mu, cone.bound = problem.q[contact.slip];
    cone.free.tail<2>() = tangent_rates(cone, &problem.q[contact.sides]);
  }
  return cones;
}

V2 nearest_in_pyramid(const PyramidCone& cone, double radius, const V2& y, int& piece) {
  assert(cone.corner_count >= 2 && radius >= 0);
  piece = -1;
  if (cone.corner_count == 2) {
    const double most = radius * std::abs(cone.corners[0].x());
    if (std::abs(y.x()) <= most) return {y.x(), 0};
    piece = (y.x() > 0) == (cone.corners[0].x() > 0) ? 0 : 2;
    return {std::copysign(most, y.x()), 0};
  }
  bool inside = true;
  for (int k = 0; k < cone.corner_count && piece < 0; ++k) {
    const Side side = side_of(cone, k, radius, y);
    inside = inside && side == Side::hidden;
    if (side == Side::within) piece = 2 * k + 1;
    if (side == Side::before && is_past(side_of(cone, k - 1, radius, y))) piece = 2 * k;
    if (side == Side::beyond && side_of(cone, k + 1, radius, y) == Side::hidden)
      piece = 2 * ((k + 1) % cone.corner_count);
  }
  if (inside) return y;
  piece = std::max(0, piece);
  const V2 corner = radius * cone.corners[piece / 2];
  if (piece % 2 == 0) return corner;
  const V2 edge = edge_of(cone, piece / 2);
  return corner + edge.dot(y - corner) / edge.squaredNorm() * edge;
}

PyramidResponse respond(const PyramidCone& cone, const LocalVector& centre, const LocalVector& w, double R_n,
                        double R_t) {
  assert(R_n > 0 && R_t > 0);
  const bool pushes = cone.has_normal && centre[0] - w[0] / R_n > 0;
  const double radius = cone.radius(pushes ? centre[0] - w[0] / R_n : 0);
  if (cone.corner_count == 0 || radius <= 0)
    return respond_on(cone, pushes ? kPushes : kOpen, centre, w, R_n, R_t);
  int boundary = -1;
  const V2 y = centre.tail<2>() - w.tail<2>() / R_t;
  const V2 nearest = nearest_in_pyramid(cone, radius, y, boundary);
  const int piece = (boundary < 0 ? kSticks : kOnBoundary + 2 * boundary) + (pushes ? kPushes : kOpen);
  PyramidResponse response = respond_on(cone, piece, centre, w, R_n, R_t);
  response.p.tail<2>() = nearest;
  return response;
}

PyramidResponse respond_on(const PyramidCone& cone, int piece, const LocalVector& centre,
                           const LocalVector& w, double R_n, double R_t) {
  assert(piece >= 0 && (piece < kSticks || piece < kOnBoundary + 4 * cone.corner_count));
  PyramidResponse response{LocalVector::Zero(), Eigen::Matrix3d::Zero(), piece};
  if (piece % 2 == kPushes) response.p[0] = centre[0] - w[0] / R_n, response.K(0, 0) = 1 / R_n;
  if (piece < kSticks) return response;
  const V2 y = centre.tail<2>() - w.tail<2>() / R_t;
  if (piece < kOnBoundary) {
    const bool has_second = cone.corner_count > 2;
    response.p.tail<2>() << y.x(), has_second ? y.y() : 0;
    response.K(1, 1) = 1 / R_t, response.K(2, 2) = has_second ? 1 / R_t : 0;
    return response;
  }
  const int boundary = (piece - kOnBoundary) / 2;
  const V2& unit = cone.corners[boundary / 2];
  const V2 corner = cone.radius(response.p[0]) * unit;
  V2 along = V2::Zero();
  if (boundary % 2 == 1) along = (cone.corners[(boundary / 2 + 1) % cone.corner_count] - unit).normalized();
  response.p.tail<2>() = corner + along.dot(y - corner) * along;
  response.K.bottomRightCorner<2, 2>() = along * along.transpose() / R_t;
  response.K.bottomLeftCorner<2, 1>() = cone.mu * response.K(0, 0) * (unit - along.dot(unit) * along);
  return response;
}

double repeats_within(const PyramidCone& cone, int piece, const LocalVector& p, const LocalVector& change) {
  assert(piece >= 0 && (piece < kSticks || piece < kOnBoundary + 4 * cone.corner_count));
  double repeats = std::numeric_limits<double>::infinity();
  const auto keep_positive = [&](double value, double rate) {
    if (rate < 0) repeats = std::min(repeats, std::max(0., -value / rate));
  };
  if (piece % 2 == kPushes) keep_positive(p[0], change[0]);
  if (piece < kSticks) return repeats;
  const int boundary = piece < kOnBoundary ? -1 : (piece - kOnBoundary) / 2;
  if (boundary >= 0 && boundary % 2 == 0) return repeats;  // a corner moves with its polygon
  for (int k = 0; k < cone.corner_count; ++k) {
    if (boundary == 2 * k + 1) continue;  // so does an edge
    const V2 &corner = cone.corners[k], edge = edge_of(cone, k);
    const V2 out = cone.corner_count == 2 ? corner : V2(edge.y(), -edge.x());
    const double reach = out.dot(corner);
    keep_positive(cone.radius(p[0]) * reach - out.dot(p.tail<2>()),
                  cone.mu * change[0] * reach - out.dot(change.tail<2>()));
  }
  return repeats;
}

int piece_of(const PyramidCone& cone, const PyramidContact& contact, const VectorX& z, const VectorX& w) {
  const bool pushes = contact.normal >= 0 && z[contact.normal] > w[contact.normal];
  const int normal = pushes ? kPushes : kOpen;
  if (contact.slip < 0 || (cone.bound <= 0 && (!pushes || cone.mu <= 0))) return normal;
  if (z[contact.slip] <= w[contact.slip]) return kSticks + normal;
  int most = 0;
  const int count = contact.side_count;
  for (int k = 1; k < count; ++k)
    if (z[contact.sides + k] > z[contact.sides + most]) most = k;
  const auto size_of = [&](int k) {
    const int side = contact.sides + (k + count) % count;
    return count > 2 && z[side] > w[side] ? z[side] : 0;
  };
  int boundary = 2 * most;
  if (size_of(most + 1) > 0 || size_of(most - 1) > 0)
    boundary = size_of(most + 1) >= size_of(most - 1) ? 2 * most + 1 : 2 * ((most + count - 1) % count) + 1;
  return kOnBoundary + 2 * boundary + normal;
}

VectorX unknowns_of(const PyramidFactors& factors, const std::vector<PyramidCone>& cones,
                    const LocalVectors& p, const LocalVectors& w) {
  assert(p.size() == factors.contacts.size() && w.size() == p.size() && cones.size() == p.size());
  VectorX z = VectorX::Zero(factors.size);
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    if (contact.normal >= 0) z[contact.normal] = p[c][0];
    if (contact.slip < 0) continue;
    split(cones[c], p[c].tail<2>(), &z[contact.sides]);
    double slip = 0;
    for (int k = 0; k < contact.side_count; ++k)
      slip = std::max(slip, -cones[c].corners[k].dot(w[c].tail<2>()));
    z[contact.slip] = slip;
  }
  return z;
}

double worst_of_unknowns(const PyramidFactors& factors, const std::vector<PyramidCone>& cones,
                         const VectorX& z, const LocalVectors& w) {
  assert(z.size() == factors.size && w.size() == factors.contacts.size() && cones.size() == w.size());
  double worst = 0;
  bool finite = z.allFinite();
  const auto pair = [&](double z_i, double w_i) { worst = std::max(worst, std::abs(std::min(z_i, w_i))); };
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    finite = finite && w[c].allFinite();
    if (contact.normal >= 0) pair(z[contact.normal], w[c][0]);
    if (contact.slip < 0) continue;
    double left = cones[c].radius(contact.normal >= 0 ? z[contact.normal] : 0);
    for (int k = 0; k < contact.side_count; ++k) {
      pair(z[contact.sides + k], cones[c].corners[k].dot(w[c].tail<2>()) + z[contact.slip]);
      left -= z[contact.sides + k];
    }
    pair(z[contact.slip], left);
  }
  return finite ? worst : std::numeric_limits<double>::infinity();
}

}  // namespace touchstone
