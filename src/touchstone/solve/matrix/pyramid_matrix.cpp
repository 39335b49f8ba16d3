#include "touchstone/solve/matrix/pyramid_matrix.h"

#include <cassert>
#include <cmath>

#include "touchstone/solve/matrix/gram_matrix.h"
#include "touchstone/solve/matrix/pyramid_products.h"

namespace touchstone {
namespace {

/// One row per unknown, sides combined; those of s are zero.
GramFactors rows_of_unknowns(const PyramidFactors& factors) {
  const int B = factors.block;
  GramFactors made;
  made.block = B, made.N = factors.N;
  made.first.assign(factors.size, -1), made.second.assign(factors.size, -1);
  made.G.assign(2 * B * factors.size, 0), made.NG.assign(2 * B * factors.size, 0);
  using Part = Eigen::VectorXd;
  const auto put = [&](int unknown, const PyramidContact& contact, const Part& row) {
    made.first[unknown] = contact.first, made.second[unknown] = contact.second;
    Eigen::Map<Part>(&made.G[2 * B * unknown], 2 * B) = row;
    for (const int part : {0, 1}) {
      const int block = part == 0 ? contact.first : contact.second;
      if (block < 0) continue;
      const Eigen::Map<const Eigen::MatrixXd> N(&factors.N[B * B * block], B, B);
      Eigen::Map<Part>(&made.NG[(2 * unknown + part) * B], B) = N * row.segment(part * B, B);
    }
  };
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    const Eigen::Map<const Eigen::MatrixXd> rows(factors.rows(c), 2 * B, 3);
    if (contact.normal >= 0) put(contact.normal, contact, rows.col(0));
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k)
      put(k, contact, rows.rightCols(2) * factors.side[k]);
  }
  return made;
}

template <int B>
Eigen::VectorXd multiply_blocks(const PyramidFactors& factors, const Eigen::VectorXd& z) {
  LocalVectors p(factors.contact_count()), rates(factors.contact_count());
  impulses_of(factors, z, p);
  BlockVector<B> v(factors.block_count());
  velocities_of<B>(factors, p, v);
  rates_of<B>(factors, v, rates);
  Eigen::VectorXd w = Eigen::VectorXd::Zero(factors.size);
  add_rows(factors, rates, z, w);
  return w;
}

}  // namespace

Eigen::SparseMatrix<double, Eigen::RowMajor> expand(const PyramidFactors& factors) {
  assert(static_cast<int>(factors.side.size()) == factors.size);
  Eigen::SparseMatrix<double, Eigen::RowMajor> cones(factors.size, factors.size);
  std::vector<Eigen::Triplet<double>> entries;
  for (const PyramidContact& contact : factors.contacts) {
    if (contact.slip < 0) continue;
    if (contact.normal >= 0) entries.emplace_back(contact.slip, contact.normal, contact.mu);
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k) {
      entries.emplace_back(k, contact.slip, 1.);
      entries.emplace_back(contact.slip, k, -1.);
    }
  }
  cones.setFromTriplets(entries.begin(), entries.end());
  return expand(rows_of_unknowns(factors)) + cones;
}

/// A sum is NaN or infinite if a term is.
bool is_finite(const PyramidFactors& factors) {
  double sum = 0;
  for (double x : factors.G) sum += std::abs(x);
  for (double x : factors.N) sum += std::abs(x);
  for (const Eigen::Vector2d& x : factors.side) sum += x.lpNorm<1>();
  for (const PyramidContact& contact : factors.contacts) sum += std::abs(contact.mu);
  return std::isfinite(sum);
}

Eigen::VectorXd multiply(const PyramidFactors& factors, const Eigen::VectorXd& z) {
  assert(factors.block == 3 || factors.block == 6);
  return factors.block == 3 ? multiply_blocks<3>(factors, z) : multiply_blocks<6>(factors, z);
}

}  // namespace touchstone
