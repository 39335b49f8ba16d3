#include "touchstone/solve/factors/pyramid_system.h"

#include <cassert>

namespace touchstone {
namespace {

BlockEdges edges_of(const PyramidFactors& factors) {
  std::vector<int> first, second;
  for (const PyramidContact& contact : factors.contacts)
    first.push_back(contact.first), second.push_back(contact.second);
  return {first, second};
}

/// H += A^T S, where A and S are three rows of B numbers each; those of one stand 2 B apart.
template <int B>
TOUCHSTONE_INLINE void add_product(const double* A, const double* S, double* H) {
  BlockColumn<B> a[3];
  for (int i = 0; i < 3; ++i) a[i] = BlockColumn<B>::load(A + 2 * B * i);
  for (int j = 0; j < B; ++j) {
    auto column = BlockColumn<B>::load(H + B * j);
    for (int i = 0; i < 3; ++i) column.subtract(-S[2 * B * i + j], a[i]);
    column.store(H + B * j);
  }
}

/// S = K [A Z].
template <int B>
TOUCHSTONE_INLINE void scale_rows(const Eigen::Matrix3d& K, const double* rows, double* S) {
  for (int i = 0; i < 3; ++i)
    for (int part = 0; part < 2 * B; part += B) {
      BlockColumn<B> sum;
      for (int k = 0; k < 3; ++k) sum.subtract(-K(i, k), BlockColumn<B>::load(rows + 2 * B * k + part));
      sum.store(S + 2 * B * i + part);
    }
}

/// G^T K G is added to the system, contact by contact.
template <int B>
TOUCHSTONE_INLINE void add_contacts(const PyramidFactors& factors, const BlockEdges& edges,
                                    const std::vector<Eigen::Matrix3d>& K, BlockLu<B>& lu) {
  double S[6 * B];
  for (int c = 0; c < factors.contact_count(); ++c) {
    if (K[c].isZero(0)) continue;
    const PyramidContact& contact = factors.contacts[c];
    const double* A = factors.rows(c);
    scale_rows<B>(K[c], A, S);
    if (contact.first >= 0) add_product<B>(A, S, lu.diagonal(contact.first).data());
    if (contact.second >= 0) add_product<B>(A + B, S + B, lu.diagonal(contact.second).data());
    const int edge = edges.of_row[c];
    if (edge < 0) continue;
    const bool rising = contact.first < contact.second;
    add_product<B>(A, S + B, (rising ? lu.upper(edge) : lu.lower(edge)).data());
    add_product<B>(A + B, S, (rising ? lu.lower(edge) : lu.upper(edge)).data());
  }
}

template <int B>
TOUCHSTONE_WIDE void add_wide(const PyramidFactors& factors, const BlockEdges& edges,
                              const std::vector<Eigen::Matrix3d>& K, BlockLu<B>& lu) {
  add_contacts<B>(factors, edges, K, lu);
}
template <int B>
void add_narrow(const PyramidFactors& factors, const BlockEdges& edges, const std::vector<Eigen::Matrix3d>& K,
                BlockLu<B>& lu) {
  add_contacts<B>(factors, edges, K, lu);
}

}  // namespace

template <int B>
PyramidSystem<B>::PyramidSystem(const PyramidFactors& factors)
    : factors_(factors),
      edges_(edges_of(factors)),
      mass_(inverse_blocks<B>(factors.N)),
      lu_(factors.block_count(), edges_.pairs) {}

template <int B>
void PyramidSystem<B>::open_edges(const std::vector<Eigen::Matrix3d>& K) {
  for (int c = 0; c < factors_.contact_count(); ++c)
    if (edges_.of_row[c] >= 0 && !K[c].isZero(0)) lu_.open_edge(edges_.of_row[c]);
}

template <int B>
bool PyramidSystem<B>::factor(const std::vector<Eigen::Matrix3d>& K) {
  assert(K.size() == factors_.contacts.size());
  lu_.clear();
  for (std::size_t b = 0; b < mass_.size(); ++b) lu_.diagonal(static_cast<int>(b)) = mass_[b];
  open_edges(K);
  has_wide_registers() ? add_wide<B>(factors_, edges_, K, lu_) : add_narrow<B>(factors_, edges_, K, lu_);
  return lu_.factor();
}

template class PyramidSystem<3>;
template class PyramidSystem<6>;

}  // namespace touchstone
