// The step as a friction problem with round cones. Every unilateral row is the normal of a "contact" of D
// components; rows without friction have mu = 0, and components that nobody uses are decoupled (W = 1, q =
// 0).
//
// A bounded motor |p| <= P is a contact of its own whose normal impulse is held at P: its normal row reads
// u_n = r_n - P and mu = 1. Sliding or sticking, the cone's condition then gives u_n = 0, hence r_n = P.

#include "touchstone/dynamics/eliminated.h"

#include <cassert>

#include "touchstone/dynamics/formulations.h"

namespace touchstone {
namespace {

template <int D>
class Cones : public Formulation<D> {
 public:
  explicit Cones(const StepEquations<D>& equations) : equations_(equations), eliminated_(equations) {
    lay_out();
    fill();
  }
  const Problem& problem() const override { return problem_; }
  VectorX start(const StepImpulses<D>& guess) const override;
  StepImpulses<D> impulses(const VectorX& r) const override;

 private:
  int normals() const { return static_cast<int>(equations_.unilateral.size()); }
  int size() const { return D * static_cast<int>(mu_.size()); }
  void lay_out();
  void fill();

  const StepEquations<D>& equations_;
  Eliminated<D> eliminated_;
  std::vector<int> unknown_;   ///< of each row of W
  std::vector<double> mu_;     ///< per contact
  std::vector<double> bound_;  ///< per contact; < 0: none
  Problem problem_;
};

template <int D>
void Cones<D>::lay_out() {
  unknown_.assign(normals() + equations_.tangent.size(), -1);
  mu_.assign(normals(), 0.);
  bound_.assign(normals(), -1.);
  for (int i = 0; i < normals(); ++i) unknown_[i] = D * i;
  for (const FrictionGroup& group : equations_.groups) {
    int contact = group.normal;
    if (contact < 0) {
      contact = static_cast<int>(mu_.size());
      mu_.push_back(1), bound_.push_back(group.bound);
    } else {
      mu_[contact] = group.mu;
    }
    assert(group.count <= D - 1);
    for (int i = 0; i < group.count; ++i) unknown_[normals() + group.first + i] = D * contact + 1 + i;
  }
  assert(std::find(unknown_.begin(), unknown_.end(), -1) == unknown_.end());
}

template <int D>
void Cones<D>::fill() {
  std::vector<Eigen::Triplet<double>> triplets;
  VectorX q = VectorX::Zero(size());
  std::vector<bool> used(size(), false);
  const SparseMatrix& W = eliminated_.W();
  assert(W.rows() == W.cols() && W.rows() == eliminated_.q().size());
  for (int i = 0; i < W.outerSize(); ++i) {
    used[unknown_[i]] = true;
    q[unknown_[i]] = eliminated_.q()[i];
    for (SparseMatrix::InnerIterator it(W, i); it; ++it) {
      triplets.emplace_back(unknown_[it.row()], unknown_[it.col()], it.value());
    }
  }
  for (int i = 0; i < size(); ++i) {
    if (!used[i]) triplets.emplace_back(i, i, 1.);
  }
  for (std::size_t c = 0; c < bound_.size(); ++c) {
    if (bound_[c] >= 0) q[D * c] = -bound_[c];
  }
  SparseMatrix full(size(), size());
  full.setFromTriplets(triplets.begin(), triplets.end());
  problem_ =
      FrictionProblem{D, std::move(full), std::move(q), Eigen::Map<const VectorX>(mu_.data(), mu_.size())};
}

template <int D>
VectorX Cones<D>::start(const StepImpulses<D>& guess) const {
  assert(static_cast<int>(guess.unilateral.size()) == normals());
  VectorX r = VectorX::Zero(size());
  for (std::size_t c = 0; c < bound_.size(); ++c) r[D * c] = std::max(bound_[c], 0.);
  for (int i = 0; i < normals(); ++i) r[unknown_[i]] = guess.unilateral[i];
  for (std::size_t i = 0; i < guess.tangent.size(); ++i) r[unknown_[normals() + i]] = guess.tangent[i];
  return r;
}

template <int D>
StepImpulses<D> Cones<D>::impulses(const VectorX& r) const {
  assert(r.size() == size());
  StepImpulses<D> found;
  VectorX p(unknown_.size());
  for (std::size_t i = 0; i < unknown_.size(); ++i) p[i] = r[unknown_[i]];
  if (!equations_.bilateral.empty()) {
    const VectorX p_b = eliminated_.bilateral(p);
    found.bilateral.assign(p_b.begin(), p_b.end());
  }
  found.unilateral.assign(p.begin(), p.begin() + normals());
  found.tangent.assign(p.begin() + normals(), p.end());
  found.slip.assign(equations_.groups.size(), 0.);
  add_impulses(equations_, found);
  return found;
}

}  // namespace

template <int D>
std::unique_ptr<Formulation<D>> make_cones(const StepEquations<D>& equations) {
  return std::make_unique<Cones<D>>(equations);
}

template std::unique_ptr<Formulation<2>> make_cones(const StepEquations<2>&);
template std::unique_ptr<Formulation<3>> make_cones(const StepEquations<3>&);

}  // namespace touchstone
