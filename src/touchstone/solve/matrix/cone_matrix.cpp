#include "touchstone/solve/matrix/cone_matrix.h"

#include <cassert>
#include <cmath>

#include "touchstone/solve/matrix/cone_products.h"
#include "touchstone/solve/matrix/gram_matrix.h"

namespace touchstone {
namespace {

/// One row per unknown.
GramFactors rows_of_unknowns(const ConeFactors& factors) {
  const int B = factors.rows.block, D = factors.dimension;
  GramFactors made;
  made.block = B, made.N = factors.rows.N;
  made.G.assign(2 * B * factors.row_count(), 0), made.NG.assign(2 * B * factors.row_count(), 0);
  for (int i = 0; i < factors.row_count(); ++i) {
    const PyramidContact& contact = factors.rows.contacts[i / D];
    const double* row = factors.rows.rows(i / D) + 2 * B * (i % D);
    made.first.push_back(contact.first), made.second.push_back(contact.second);
    std::copy_n(row, 2 * B, &made.G[2 * B * i]);
    for (const int part : {0, 1}) {
      const int block = part == 0 ? contact.first : contact.second;
      if (block < 0) continue;
      const Eigen::Map<const Eigen::MatrixXd> N(&factors.rows.N[B * B * block], B, B);
      Eigen::Map<Eigen::VectorXd>(&made.NG[(2 * i + part) * B], B) =
          N * Eigen::Map<const Eigen::VectorXd>(row + part * B, B);
    }
  }
  return made;
}

template <int B>
Eigen::VectorXd multiply_blocks(const ConeFactors& factors, const Eigen::VectorXd& r) {
  LocalVectors p(factors.contact_count());
  local_of(factors, r, p);
  BlockVector<B> v(factors.rows.block_count());
  velocities_of<B>(factors.rows, p, v);
  for (int c = 0; c < factors.contact_count(); ++c)
    p[c] = rate_of<B>(factors.rows, c, v) + LocalVector(factors.compliance[c].cwiseProduct(p[c]));
  return unknowns_of(factors, p);
}

}  // namespace

Eigen::SparseMatrix<double, Eigen::RowMajor> expand(const ConeFactors& factors) {
  const int D = factors.dimension;
  Eigen::SparseMatrix<double, Eigen::RowMajor> W = expand(rows_of_unknowns(factors));
  for (int i = 0; i < factors.row_count(); ++i)
    if (factors.compliance[i / D][i % D] != 0) W.coeffRef(i, i) += factors.compliance[i / D][i % D];
  W.makeCompressed();
  return W;
}

/// A sum is NaN or infinite if a term is.
bool is_finite(const ConeFactors& factors) {
  double sum = 0;
  for (const Eigen::Vector3d& x : factors.compliance) sum += x.lpNorm<1>();
  for (double x : factors.yielding) sum += std::abs(x);
  return std::isfinite(sum) && is_finite(factors.rows);
}

Eigen::VectorXd multiply(const ConeFactors& factors, const Eigen::VectorXd& r) {
  assert(factors.rows.block == 3 || factors.rows.block == 6);
  return factors.rows.block == 3 ? multiply_blocks<3>(factors, r) : multiply_blocks<6>(factors, r);
}

}  // namespace touchstone
