#pragma once
// The passes over the contacts of a PyramidMatrix. Inside solve only.
//
// What a contact carries is a local vector (normal, first tangent, second tangent): an impulse, or a rate.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "touchstone/solve/matrix/gram_products.h"
#include "touchstone/solve/matrix/pyramid_matrix.h"

namespace touchstone {

using LocalVector = Eigen::Vector3d;
using LocalVectors = std::vector<LocalVector>;

/// The three rows of a contact in its first (part 0) or second block.
template <int B>
using ContactRows =
    Eigen::Map<const Eigen::Matrix<double, 3, B, Eigen::RowMajor>, 0, Eigen::OuterStride<2 * B>>;
template <int B>
ContactRows<B> contact_rows(const PyramidFactors& factors, int contact, int part) {
  assert(factors.block == B && contact >= 0 && contact < factors.contact_count() && (part == 0 || part == 1));
  return ContactRows<B>(factors.rows(contact) + part * B);
}

/// p: the impulses that unknowns stand for.
inline void impulses_of(const PyramidFactors& factors, const Eigen::VectorXd& z, LocalVectors& p) {
  assert(z.size() == factors.size && static_cast<int>(p.size()) == factors.contact_count());
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    Eigen::Vector2d tangent = Eigen::Vector2d::Zero();
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k)
      tangent += z[k] * factors.side[k];
    p[c] << (contact.normal >= 0 ? z[contact.normal] : 0), tangent;
  }
}

/// w = G^T p: what they do to each block.
template <int B>
void gather(const PyramidFactors& factors, const LocalVectors& p, BlockVector<B>& w) {
  assert(static_cast<int>(p.size()) == factors.contact_count());
  assert(static_cast<int>(w.size()) == factors.block_count());
  std::fill(w.begin(), w.end(), Eigen::Matrix<double, B, 1>::Zero());
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    if (contact.first >= 0) w[contact.first].noalias() += contact_rows<B>(factors, c, 0).transpose() * p[c];
    if (contact.second >= 0) w[contact.second].noalias() += contact_rows<B>(factors, c, 1).transpose() * p[c];
  }
}

/// v = N G^T p.
template <int B>
void velocities_of(const PyramidFactors& factors, const LocalVectors& p, BlockVector<B>& v) {
  gather<B>(factors, p, v);
  for (std::size_t b = 0; b < v.size(); ++b)
    v[b] = (Eigen::Map<const SmallBlock<B>>(&factors.N[B * B * b]) * v[b]).eval();
}

/// The rate of one contact.
template <int B>
LocalVector rate_of(const PyramidFactors& factors, int c, const BlockVector<B>& v) {
  assert(static_cast<int>(v.size()) == factors.block_count());
  const PyramidContact& contact = factors.contacts[c];
  LocalVector rate = LocalVector::Zero();
  if (contact.first >= 0) rate.noalias() += contact_rows<B>(factors, c, 0) * v[contact.first];
  if (contact.second >= 0) rate.noalias() += contact_rows<B>(factors, c, 1) * v[contact.second];
  return rate;
}

template <int B>
void rates_of(const PyramidFactors& factors, const BlockVector<B>& v, LocalVectors& rates) {
  assert(static_cast<int>(rates.size()) == factors.contact_count());
  for (int c = 0; c < factors.contact_count(); ++c) rates[c] = rate_of<B>(factors, c, v);
}

/// How much the rate of a contact changes by an impulse of 1: along the normal, and along the tangents at
/// most. 1 where there is no row.
template <int B>
LocalVector local_sizes(const PyramidFactors& factors, int c) {
  Eigen::Matrix3d W = Eigen::Matrix3d::Zero();
  for (const int part : {0, 1}) {
    const int block = part == 0 ? factors.contacts[c].first : factors.contacts[c].second;
    if (block < 0) continue;
    const auto rows = contact_rows<B>(factors, c, part);
    W += rows * Eigen::Map<const SmallBlock<B>>(&factors.N[B * B * block]) * rows.transpose();
  }
  const double mean = 0.5 * (W(1, 1) + W(2, 2)), half = 0.5 * (W(1, 1) - W(2, 2));
  const double normal = W(0, 0), tangent = mean + std::hypot(half, W(1, 2));
  return {normal > 0 ? normal : 1, tangent > 0 ? tangent : 1, tangent > 0 ? tangent : 1};
}

/// w += M z, where `rates` are the rates that follow from the impulses of z.
inline void add_rows(const PyramidFactors& factors, const LocalVectors& rates, const Eigen::VectorXd& z,
                     Eigen::VectorXd& w) {
  assert(static_cast<int>(rates.size()) == factors.contact_count());
  assert(z.size() == factors.size && w.size() == factors.size);
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    if (contact.normal >= 0) w[contact.normal] += rates[c][0];
    if (contact.slip < 0) continue;
    double bound = contact.normal >= 0 ? contact.mu * z[contact.normal] : 0;
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k) {
      w[k] += factors.side[k].dot(rates[c].tail<2>()) + z[contact.slip];
      bound -= z[k];
    }
    w[contact.slip] += bound;
  }
}

}  // namespace touchstone
