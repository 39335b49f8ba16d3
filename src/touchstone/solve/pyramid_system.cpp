#include "touchstone/solve/pyramid_system.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <utility>

namespace touchstone {
namespace {

std::pair<int, int> blocks_of(const PyramidContact& contact) {
  return std::minmax(contact.first, contact.second);
}

std::vector<std::pair<int, int>> find_edges(const PyramidFactors& factors) {
  std::vector<std::pair<int, int>> edges;
  for (const PyramidContact& contact : factors.contacts)
    if (contact.first >= 0 && contact.second >= 0) edges.push_back(blocks_of(contact));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace

template <int B>
PyramidSystem<B>::PyramidSystem(const PyramidFactors& factors)
    : PyramidSystem(factors, find_edges(factors)) {}

template <int B>
PyramidSystem<B>::PyramidSystem(const PyramidFactors& factors, std::vector<std::pair<int, int>> edges)
    : factors_(factors),
      edges_(std::move(edges)),
      mass_(factors.block_count()),
      lu_(factors.block_count(), edges_) {
  for (const PyramidContact& contact : factors.contacts) {
    const auto pair = blocks_of(contact);
    const auto at = std::lower_bound(edges_.begin(), edges_.end(), pair);
    edge_of_contact_.push_back(pair.first < 0 ? -1 : static_cast<int>(at - edges_.begin()));
  }
  for (std::size_t b = 0; b < mass_.size(); ++b) {
    const Eigen::Map<const SmallBlock<B>> N(&factors.N[B * B * b]);
    mass_[b] = N.llt().solve(SmallBlock<B>::Identity());
  }
}

template <int B>
void PyramidSystem<B>::add(int c, const Eigen::Matrix3d& K) {
  const PyramidContact& contact = factors_.contacts[c];
  const auto A = contact_rows<B>(factors_, c, 0), Z = contact_rows<B>(factors_, c, 1);
  using Rows = Eigen::Matrix<double, 3, B>;
  const Rows KA = K * A, KZ = K * Z;
  if (contact.first >= 0) lu_.diagonal(contact.first).noalias() += A.transpose().lazyProduct(KA);
  if (contact.second >= 0) lu_.diagonal(contact.second).noalias() += Z.transpose().lazyProduct(KZ);
  const int edge = edge_of_contact_[c];
  if (edge < 0) return;
  const bool rising = contact.first < contact.second;
  (rising ? lu_.upper(edge) : lu_.lower(edge)).noalias() += A.transpose().lazyProduct(KZ);
  (rising ? lu_.lower(edge) : lu_.upper(edge)).noalias() += Z.transpose().lazyProduct(KA);
}

template <int B>
bool PyramidSystem<B>::factor(const std::vector<Eigen::Matrix3d>& K) {
  lu_.clear();
  for (std::size_t b = 0; b < mass_.size(); ++b) lu_.diagonal(static_cast<int>(b)) = mass_[b];
  for (int c = 0; c < factors_.contact_count(); ++c)
    if (!K[c].isZero(0)) add(c, K[c]);
  return lu_.factor();
}

template class PyramidSystem<3>;
template class PyramidSystem<6>;

}  // namespace touchstone
