// With n the contacts that push, the primary members of the lists among them, and c the slacks of the lists,
//
//        V      p_b   p_n   p_f   s     c
//     [  M     -G_b  -G_n  -G_f   0     0   ]      [ -M V_free   ]     free
//     [ G_b^T   C     0     0     0     0   ]      [ offset_b    ]     free
//     [ G_n^T   0     0     0     0    E_I2 ]      [ offset_n    ]     c in the rows of the primary members
//     [ G_f^T   0     0     0     E     0   ]      [ offset_f    ]
//     [  0      0     U   -E^T    0     0   ]      [ bound       ]
//     [ G_I^T   0     0     0     0    E_I1 ]      [ psi_I       ]
//
// G_I and psi_I: the primary member minus another one; E_I1 lower triangular, E_I2 a row, of ones per list.
// The thesis prints E_I2 in the column of p_n and E_I1 two columns too far left [PEG 6]. Then the sum of a
// list's c is max(0, w_2 - w_1, ... , w_k - w_1), and the row of the primary member is the maximum over the
// list.

#include "touchstone/dynamics/peg_lcp.h"

#include <cassert>

#include "touchstone/dynamics/formulations.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

template <int D>
class PegLcp : public Formulation<D> {
 public:
  PegLcp(const StepEquations<D>& equations, const std::vector<ListRows<D>>& lists)
      : equations_(equations), inner_(make_mixed_lcp(equations)) {
    fill(lists);
  }
  const Problem& problem() const override { return problem_; }
  VectorX start(const StepImpulses<D>& guess) const override {
    VectorX z = VectorX::Zero(size_of(problem_));
    const VectorX known = inner_->start(guess);
    z.head(known.size()) = known;
    return z;
  }
  StepImpulses<D> impulses(const VectorX& z) const override {
    assert(z.size() == size_of(problem_));
    return inner_->impulses(z.head(size_of(inner_->problem())));
  }

 private:
  void fill(const std::vector<ListRows<D>>& lists);
  void add_list(const ListRows<D>& list, int at, Triplets& triplets, VectorX& q) const;
  static void add_row(const Row<D>& row, double sign, int at, Triplets& triplets) {
    const auto put = [&](int body, const Twist<D>& G) {
      for (int i = 0; body >= 0 && i < kDof<D>; ++i)
        triplets.emplace_back(at, kDof<D> * body + i, sign * G[i]);
    };
    put(row.body_A, row.G_A), put(row.body_B, row.G_B);
  }

  const StepEquations<D>& equations_;
  std::unique_ptr<Formulation<D>> inner_;
  Problem problem_;
};

template <int D>
void PegLcp<D>::add_list(const ListRows<D>& list, int at, Triplets& triplets, VectorX& q) const {
  const int normals = kDof<D> * equations_.body_count() + static_cast<int>(equations_.bilateral.size());
  assert(is_index(list.primary, equations_.unilateral.size()));
  const Row<D>& primary = equations_.unilateral[list.primary];
  const int count = static_cast<int>(list.others.size());
  for (int i = 0; i < count; ++i) {
    add_row(primary, +1, at + i, triplets), add_row(list.others[i], -1, at + i, triplets);
    q[at + i] = primary.offset - list.others[i].offset;
    for (int j = 0; j <= i; ++j) triplets.emplace_back(at + i, at + j, 1.);  // E_I1
    triplets.emplace_back(normals + list.primary, at + i, 1.);               // E_I2
  }
}

template <int D>
void PegLcp<D>::fill(const std::vector<ListRows<D>>& lists) {
  const Mlcp& mixed = std::get<Mlcp>(inner_->problem());
  const int first = static_cast<int>(mixed.q.size());
  int size = first;
  for (const ListRows<D>& list : lists) size += static_cast<int>(list.others.size());
  Triplets triplets;
  const SparseMatrix inner = mixed.M.to_sparse();
  for (int i = 0; i < inner.outerSize(); ++i) {
    for (SparseMatrix::InnerIterator it(inner, i); it; ++it)
      triplets.emplace_back(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
  }
  VectorX q = VectorX::Zero(size);
  q.head(first) = mixed.q;
  int at = first;
  for (const ListRows<D>& list : lists) {
    add_list(list, at, triplets, q);
    at += static_cast<int>(list.others.size());
  }
  assert(at == size);
  SparseMatrix M(size, size);
  M.setFromTriplets(triplets.begin(), triplets.end());
  std::vector<bool> free = mixed.free;
  free.resize(size, false);
  problem_ = Mlcp{std::move(M), std::move(q), std::move(free)};
}

}  // namespace

template <int D>
std::unique_ptr<Formulation<D>> make_peg_lcp(const StepEquations<D>& equations,
                                             const std::vector<ListRows<D>>& lists) {
  return std::make_unique<PegLcp<D>>(equations, lists);
}

/// Each pushing contact has one row for its normal and, with friction, n_d + 1 for its cone.
PegSizes peg_sizes(const PegCounts& n) {
  assert(n.in_lists >= 0 && n.in_lists <= n.contacts);
  const int cone = n.directions > 0 ? n.directions + 1 : 0;
  const auto size = [&](int in_lists, int lists) {
    return n.velocities + n.bilateral + (n.contacts - in_lists) * (1 + cone) + in_lists + lists * cone;
  };
  PegSizes sizes;
  sizes.standard = size(0, 0);
  sizes.peg = size(n.in_lists, n.in_lists / 2);
  sizes.most = n.contacts < 2 ? sizes.standard : size(2, 1);
  sizes.least = size(n.contacts, n.contacts / 2);
  return sizes;
}

template std::unique_ptr<Formulation<2>> make_peg_lcp(const StepEquations<2>&,
                                                      const std::vector<ListRows<2>>&);
template std::unique_ptr<Formulation<3>> make_peg_lcp(const StepEquations<3>&,
                                                      const std::vector<ListRows<3>>&);

}  // namespace touchstone
