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

}  // namespace

template <int B>
PyramidSystem<B>::PyramidSystem(const PyramidFactors& factors)
    : factors_(factors),
      edges_(edges_of(factors)),
      mass_(inverse_blocks<B>(factors.N)),
      lu_(factors.block_count(), edges_.pairs) {}

template <int B>
void PyramidSystem<B>::add(int c, const Eigen::Matrix3d& K) {
  const PyramidContact& contact = factors_.contacts[c];
  const auto A = contact_rows<B>(factors_, c, 0), Z = contact_rows<B>(factors_, c, 1);
  using Rows = Eigen::Matrix<double, 3, B>;
  const Rows KA = K * A, KZ = K * Z;
  if (contact.first >= 0) lu_.diagonal(contact.first).noalias() += A.transpose().lazyProduct(KA);
  if (contact.second >= 0) lu_.diagonal(contact.second).noalias() += Z.transpose().lazyProduct(KZ);
  const int edge = edges_.of_row[c];
  if (edge < 0) return;
  const bool rising = contact.first < contact.second;
  (rising ? lu_.upper(edge) : lu_.lower(edge)).noalias() += A.transpose().lazyProduct(KZ);
  (rising ? lu_.lower(edge) : lu_.upper(edge)).noalias() += Z.transpose().lazyProduct(KA);
}

template <int B>
bool PyramidSystem<B>::factor(const std::vector<Eigen::Matrix3d>& K) {
  assert(K.size() == factors_.contacts.size());
  lu_.clear();
  for (std::size_t b = 0; b < mass_.size(); ++b) lu_.diagonal(static_cast<int>(b)) = mass_[b];
  for (int c = 0; c < factors_.contact_count(); ++c)
    if (!K[c].isZero(0)) add(c, K[c]);
  return lu_.factor();
}

template class PyramidSystem<3>;
template class PyramidSystem<6>;

}  // namespace touchstone
