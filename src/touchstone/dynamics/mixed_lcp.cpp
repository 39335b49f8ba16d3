// The step as a mixed LCP [Thesis eq. 2.34], its first row negated so that the matrix is positive
// semidefinite up to friction:
//
//        V      p_b   p_n   p_f   s
//     [  M     -G_b  -G_n  -G_f   0 ]      [ -M V_free ]     free
//     [ G_b^T   C     0     0     0 ]      [ offset_b  ]     free
//     [ G_n^T   0     0     0     0 ]      [ offset_n  ]
//     [ G_f^T   0     0     0     E ]      [ offset_f  ]
//     [  0      0     U   -E^T    0 ]      [ bound     ]

#include "touchstone/dynamics/formulations.h"

#include <cassert>

#include "touchstone/dynamics/pyramid.h"

#include <Eigen/LU>

namespace touchstone {
namespace {

template <int D>
class MixedLcp : public Formulation<D> {
 public:
  explicit MixedLcp(const StepEquations<D>& equations)
      : equations_(equations),
        sides_(pyramid_sides(equations)),
        b_(kDof<D> * equations.body_count()),
        n_(b_ + static_cast<int>(equations.bilateral.size())),
        f_(n_ + static_cast<int>(equations.unilateral.size())),
        s_(f_ + static_cast<int>(sides_.size())),
        q_(VectorX::Zero(s_ + equations.groups.size())) {
    fill();
  }
  const Problem& problem() const override { return problem_; }
  VectorX start(const StepImpulses<D>& guess) const override;
  StepImpulses<D> impulses(const VectorX& z) const override;

 private:
  void add_mass();
  void add_row(const Row<D>& row, int at, double sign);
  void add_part(int body, const Twist<D>& G, int at);
  void add_cones();
  void fill();

  const StepEquations<D>& equations_;
  std::vector<PyramidSide> sides_;
  int b_, n_, f_, s_;  ///< where p_b, p_n, p_f and s begin
  VectorX q_;
  std::vector<Eigen::Triplet<double>> triplets_;
  Problem problem_;
};

template <int D>
void MixedLcp<D>::add_mass() {
  for (int body = 0; body < equations_.body_count(); ++body) {
    const int at = kDof<D> * body;
    const double mass = 1 / equations_.inverse_mass[body];
    const SpinMat<D> inertia = equations_.inverse_inertia[body].inverse();
    for (int i = 0; i < D; ++i) triplets_.emplace_back(at + i, at + i, mass);
    for (int i = 0; i < kSpinSize<D>; ++i) {
      for (int j = 0; j < kSpinSize<D>; ++j) triplets_.emplace_back(at + D + i, at + D + j, inertia(i, j));
    }
    const Twist<D>& V = equations_.V_free[body];
    q_.segment<kDof<D>>(at) = -twist<D>(mass * linear<D>(V), inertia * angular<D>(V));
  }
}

template <int D>
void MixedLcp<D>::add_part(int body, const Twist<D>& G, int at) {
  if (body < 0) return;
  for (int i = 0; i < kDof<D>; ++i) {
    triplets_.emplace_back(kDof<D> * body + i, at, -G[i]);
    triplets_.emplace_back(at, kDof<D> * body + i, G[i]);
  }
}

template <int D>
void MixedLcp<D>::add_row(const Row<D>& row, int at, double sign) {
  assert(at >= b_ && at < s_ && (sign == 1 || sign == -1));
  add_part(row.body_A, sign * row.G_A, at);
  add_part(row.body_B, sign * row.G_B, at);
  if (row.compliance != 0) triplets_.emplace_back(at, at, row.compliance);
  q_[at] = sign * row.offset;
}

template <int D>
void MixedLcp<D>::add_cones() {
  for (int k = 0; k < static_cast<int>(sides_.size()); ++k) {
    triplets_.emplace_back(f_ + k, s_ + sides_[k].group, 1.);
    triplets_.emplace_back(s_ + sides_[k].group, f_ + k, -1.);
  }
  for (int g = 0; g < static_cast<int>(equations_.groups.size()); ++g) {
    const FrictionGroup& group = equations_.groups[g];
    if (group.normal >= 0) triplets_.emplace_back(s_ + g, n_ + group.normal, group.mu);
    q_[s_ + g] = group.bound;
  }
}

template <int D>
void MixedLcp<D>::fill() {
  add_mass();
  for (int i = 0; i < n_ - b_; ++i) add_row(equations_.bilateral[i], b_ + i, 1);
  for (int i = 0; i < f_ - n_; ++i) add_row(equations_.unilateral[i], n_ + i, 1);
  for (int k = 0; k < s_ - f_; ++k) add_row(equations_.tangent[sides_[k].row], f_ + k, sides_[k].sign);
  add_cones();
  SparseMatrix M(q_.size(), q_.size());
  M.setFromTriplets(triplets_.begin(), triplets_.end());
  std::vector<bool> free(q_.size(), false);
  std::fill(free.begin(), free.begin() + n_, true);
  problem_ = Mlcp{std::move(M), q_, std::move(free)};
}

template <int D>
VectorX MixedLcp<D>::start(const StepImpulses<D>& guess) const {
  assert(static_cast<int>(guess.V.size()) == equations_.body_count());
  VectorX z = VectorX::Zero(q_.size());
  for (int body = 0; body < equations_.body_count(); ++body)
    z.segment<kDof<D>>(kDof<D> * body) = guess.V[body];
  for (int i = 0; i < n_ - b_; ++i) z[b_ + i] = guess.bilateral[i];
  for (int i = 0; i < f_ - n_; ++i) z[n_ + i] = guess.unilateral[i];
  for (int k = 0; k < s_ - f_; ++k) z[f_ + k] = std::max(0., sides_[k].sign * guess.tangent[sides_[k].row]);
  for (std::size_t g = 0; g < guess.slip.size(); ++g) z[s_ + g] = guess.slip[g];
  return z;
}

template <int D>
StepImpulses<D> MixedLcp<D>::impulses(const VectorX& z) const {
  assert(z.size() == q_.size());
  StepImpulses<D> found;
  found.bilateral.assign(z.begin() + b_, z.begin() + n_);
  found.unilateral.assign(z.begin() + n_, z.begin() + f_);
  found.tangent.assign(equations_.tangent.size(), 0.);
  for (int k = 0; k < s_ - f_; ++k) found.tangent[sides_[k].row] += sides_[k].sign * z[f_ + k];
  found.slip.assign(z.begin() + s_, z.end());
  add_impulses(equations_, found);
  return found;
}

}  // namespace

template <int D>
std::unique_ptr<Formulation<D>> make_mixed_lcp(const StepEquations<D>& equations) {
  return std::make_unique<MixedLcp<D>>(equations);
}

template std::unique_ptr<Formulation<2>> make_mixed_lcp(const StepEquations<2>&);
template std::unique_ptr<Formulation<3>> make_mixed_lcp(const StepEquations<3>&);

}  // namespace touchstone
