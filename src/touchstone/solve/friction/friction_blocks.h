#pragma once
// W of a friction problem by blocks of one contact on another, as sweeps want it: flat, of fixed size, no
// zeros.

#include <cassert>
#include <span>
#include <vector>

#include "touchstone/solve/friction/cone.h"
#include "touchstone/solve/problem.h"

namespace touchstone {

template <int D>
class FrictionBlocks {
 public:
  explicit FrictionBlocks(const FrictionProblem& problem);
  /// The problem of a proximal step: W_ii + share w_i and q_i - share w_i centre_i, with w_i = weight(i). It
  /// keeps its scale.
  FrictionBlocks lifted(double share, const VectorX& centre) const;

  int contacts() const { return static_cast<int>(mu_.size()); }
  int size() const { return D * contacts(); }
  double mu(int i) const { return mu_[i]; }
  ContactVector<D> q(int i) const { return q_.segment<D>(D * i); }
  /// |q|, to which residuals are relative; 1 where q vanishes.
  double scale() const { return scale_; }
  const ContactMatrix<D>& diagonal(int i) const { return diagonal_[i]; }
  /// The mean of the diagonal of W_ii: what an impulse at contact i moves there.
  double weight(int i) const { return weight_[i]; }

  /// The other contacts on which contact i depends, and their blocks, without the diagonal.
  std::span<const int> neighbours(int i) const {
    return {column_.data() + first_[i], column_.data() + first_[i + 1]};
  }
  const ContactMatrix<D>& block(int i, int k) const {
    assert(k >= 0 && first_[i] + k < first_[i + 1]);
    return blocks_[first_[i] + k];
  }

  /// q_i + sum over the other contacts of W_ij r_j: the velocity of contact i without its own impulse.
  ContactVector<D> free_velocity(int i, const VectorX& r) const {
    assert(i >= 0 && i < contacts() && r.size() == size());
    ContactVector<D> u = q_.segment<D>(D * i);
    for (int k = first_[i]; k < first_[i + 1]; ++k) u += blocks_[k] * r.segment<D>(D * column_[k]);
    return u;
  }
  /// u = W r + q.
  void velocities(const VectorX& r, VectorX& u) const {
    assert(u.size() == size());
    for (int i = 0; i < contacts(); ++i)
      u.segment<D>(D * i) = free_velocity(i, r) + diagonal_[i] * r.segment<D>(D * i);
  }

 private:
  VectorX q_, mu_, weight_;
  double scale_ = 1;
  std::vector<ContactMatrix<D>> diagonal_;
  std::vector<int> first_, column_;
  std::vector<ContactMatrix<D>> blocks_;
};

}  // namespace touchstone
