#include "touchstone/solve/factors/cone_law.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/solve/friction/cone.h"

namespace touchstone {
namespace {

/// What rates a contact's own impulse of 1 makes, in the direction in which it makes most.
template <int B>
double own_weight(const PyramidFactors& factors, int c) {
  Eigen::Matrix3d W = Eigen::Matrix3d::Zero();
  for (const int part : {0, 1}) {
    const int block = part == 0 ? factors.contacts[c].first : factors.contacts[c].second;
    if (block < 0) continue;
    const auto rows = contact_rows<B>(factors, c, part);
    W += rows * Eigen::Map<const SmallBlock<B>>(&factors.N[B * B * block]) * rows.transpose();
  }
  return W.diagonal().maxCoeff();
}

bool has_normal(const PyramidFactors& factors, int c) {
  const double* row = factors.rows(c);
  return std::any_of(row, row + 2 * factors.block, [](double x) { return x != 0; });
}

/// The tangential part of the law on each piece.
void stick(const LocalVector& S, const LocalVector& u, ConeResponse& response) {
  response.change.tail<2>() = -u.tail<2>().cwiseQuotient(S.tail<2>());
  response.K(1, 1) = 1 / S[1], response.K(2, 2) = 1 / S[2];
}
/// The answer is p itself, not its change: y lies in its direction, and the disk has this radius.
void slide(const Cone& cone, const LocalVector& S, double radius, const LocalVector& y,
           ConeResponse& response) {
  const double length = y.tail<2>().norm();
  if (!(length > 0)) return;
  const Eigen::Vector2d d = y.tail<2>() / length;
  response.change.tail<2>() = radius * d;
  const Eigen::Matrix2d across = (radius / length) * (Eigen::Matrix2d::Identity() - d * d.transpose());
  response.K.bottomRightCorner<2, 2>() = across * S.tail<2>().cwiseInverse().asDiagonal();
  if (cone.kind == Cone::Kind::contact) response.K.bottomLeftCorner<2, 1>() = cone.mu / S[0] * d;
}

/// The tangential part where the disk has this radius and y lies at c_t - u_t / S_t.
void add_friction(const Cone& cone, const LocalVector& S, double radius, const LocalVector& y,
                  const LocalVector& centre, const LocalVector& u, ConeResponse& response) {
  if (y.tail<2>().norm() <= radius) {
    response.piece = ConePiece::stick;
    stick(S, u, response);
    return;
  }
  response.piece = ConePiece::slide;
  slide(cone, S, radius, y, response);
  response.change.tail<2>() -= centre.tail<2>();
}

}  // namespace

std::vector<Cone> cones_of(const FrictionProblem& problem) {
  assert(problem.W.cones());
  const ConeFactors& factors = problem.W.cones()->factors();
  const int D = problem.dimension;
  std::vector<Cone> cones(factors.contact_count());
  double sum = 0;
  int counted = 0;
  for (int c = 0; c < factors.contact_count(); ++c) {
    Cone& cone = cones[c];
    cone.mu = problem.mu[c];
    cone.rates.head(D) = problem.q.segment(D * c, D);
    cone.compliance = factors.compliance[c];
    const double weight =
        factors.rows.block == 3 ? own_weight<3>(factors.rows, c) : own_weight<6>(factors.rows, c);
    cone.weight = weight > 0 ? weight : 1;
    if (problem.is_free(c)) {
      cone.kind = Cone::Kind::free;
    } else if (!has_normal(factors.rows, c) && cone.compliance[0] > 0) {
      cone.kind = Cone::Kind::bounded;
      cone.held = std::max(0., -cone.rates[0] / cone.compliance[0]);
    }
    if (cone.kind == Cone::Kind::contact) sum += cone.weight, ++counted;
  }
  for (int c = 0; c < factors.contact_count(); ++c)
    cones[c].size = factors.yielding[c] * (counted > 0 ? sum / counted : cones[c].weight);
  return cones;
}

ConeResponse respond(const Cone& cone, const LocalVector& centre, const LocalVector& u, double R) {
  assert(R > 0);
  ConeResponse response{LocalVector::Zero(), Eigen::Matrix3d::Zero(), ConePiece::stick};
  const LocalVector S = cone.compliance.array() + R;
  if (cone.kind == Cone::Kind::free) {
    response.change = -u.cwiseQuotient(S);
    response.K.diagonal() = S.cwiseInverse();
    return response;
  }
  const LocalVector y = centre - u.cwiseQuotient(S);
  if (cone.kind == Cone::Kind::bounded) {
    response.change[0] = cone.held - centre[0];
    add_friction(cone, S, cone.mu * cone.held, y, centre, u, response);
    return response;
  }
  if (!(y[0] > 0)) return {-centre, Eigen::Matrix3d::Zero(), ConePiece::open};
  response.change[0] = -u[0] / S[0];
  response.K(0, 0) = 1 / S[0];
  add_friction(cone, S, cone.mu * y[0], y, centre, u, response);
  return response;
}

ConeResponse respond_on(const Cone& cone, ConePiece piece, const LocalVector& u, double R) {
  ConeResponse response{LocalVector::Zero(), Eigen::Matrix3d::Zero(), piece};
  if (cone.kind == Cone::Kind::free) return respond(cone, LocalVector::Zero(), u, R);
  if (piece == ConePiece::open) return response;
  const LocalVector S = cone.compliance.array() + R;
  double radius = cone.mu * cone.held;
  if (cone.kind == Cone::Kind::contact) {
    response.change[0] = -u[0] / S[0], response.K(0, 0) = 1 / S[0];
    radius = cone.mu * response.change[0];
  } else {
    response.change[0] = cone.held;
  }
  if (piece == ConePiece::stick) {
    stick(S, u, response);
  } else {
    slide(cone, S, radius, -u.cwiseQuotient(S), response);
  }
  return response;
}

LocalVector rates_answered(const Cone& cone, const LocalVector& p, const LocalVector& u, double R,
                           ConePiece& piece) {
  const ConeResponse near = respond(cone, p, u, cone.weight);
  piece = near.piece;
  if (near.piece == ConePiece::open) return LocalVector::Zero();
  const LocalVector S = cone.compliance.array() + R;
  const LocalVector next = p + near.change;
  LocalVector rates = -S.cwiseProduct(next);
  if (near.piece == ConePiece::slide) {  // beyond the border of the disk by the slip
    const Eigen::Vector2d d = next.tail<2>().norm() > 0 ? Eigen::Vector2d(next.tail<2>().normalized())
                                                        : Eigen::Vector2d(-u.tail<2>().normalized());
    const double slip = std::max(-d.dot(u.tail<2>()), R * (1e-3 * cone.mu * next[0]));
    rates.tail<2>() -= slip * d;
  }
  return rates;
}

ConeResponse remembered(const Cone& cone, const LocalVector& p, const LocalVector& u, double R) {
  ConePiece piece;
  const LocalVector rates = rates_answered(cone, p, u, R, piece);
  if (piece == ConePiece::open) return {LocalVector::Zero(), Eigen::Matrix3d::Zero(), piece};
  ConeResponse response = respond(cone, LocalVector::Zero(), rates, R);
  response.change += response.K * rates;
  return response;
}

LocalVector natural_error(const Cone& cone, const LocalVector& p, const LocalVector& u) {
  if (cone.kind == Cone::Kind::free) return u;
  return natural_map<3>(p, u, cone.mu);
}

}  // namespace touchstone
