// The step as an LCP in impulses [Thesis eq. 2.37, corrected], written as it is filled:
//
//       p_n   p_f   s
//     [ Wnn   Wnf   0 ]      [ q_n ]
//     [ Wfn   Wff   E ]      [ q_f ]
//     [ U    -E^T   0 ]      [ bound ]

#include <algorithm>
#include <cassert>
#include <optional>

#include "touchstone/dynamics/convex_step.h"
#include "touchstone/dynamics/delassus.h"
#include "touchstone/dynamics/eliminated.h"
#include "touchstone/dynamics/formulations.h"
#include "touchstone/dynamics/pyramid.h"
#include "touchstone/dynamics/pyramid_factors.h"

namespace touchstone {
namespace {

/// Up to this size a dense matrix is smaller and faster than a sparse one.
constexpr std::size_t kDenseSize = 80;

template <int D>
class ReducedLcp : public Formulation<D> {
 public:
  explicit ReducedLcp(const StepEquations<D>& equations)
      : equations_(equations), sides_(pyramid_sides(equations)) {
    if (auto factors = is_small() ? std::nullopt : pyramid_factors(equations, sides_)) {
      problem_ = Lcp{std::move(*factors), with_bounds(free_rates(equations, all_rows(equations)))};
    } else {
      eliminated_.emplace(equations, is_small());
      fill();
    }
  }
  const Problem& problem() const override { return problem_; }
  VectorX start(const StepImpulses<D>& guess) const override;
  StepImpulses<D> impulses(const VectorX& z) const override;

 private:
  int normals() const { return static_cast<int>(equations_.unilateral.size()); }
  int side_count() const { return static_cast<int>(sides_.size()); }
  int size() const { return normals() + side_count() + static_cast<int>(equations_.groups.size()); }
  bool is_small() const { return static_cast<std::size_t>(size()) <= kDenseSize; }
  /// Which unknown belongs to row i of W: for tangents the first of its sides.
  std::vector<std::vector<std::pair<int, double>>> unknowns_of_rows() const;
  template <class Put>
  void put_delassus(const Put& put) const;
  template <class Put>
  void put_cones(const Put& put) const;
  VectorX with_bounds(const VectorX& rates) const;
  void fill();

  const StepEquations<D>& equations_;
  std::optional<Eliminated<D>> eliminated_;  ///< where the problem is not in factors
  std::vector<PyramidSide> sides_;
  Problem problem_;
};

template <int D>
std::vector<std::vector<std::pair<int, double>>> ReducedLcp<D>::unknowns_of_rows() const {
  std::vector<std::vector<std::pair<int, double>>> unknowns(normals() + equations_.tangent.size());
  for (int i = 0; i < normals(); ++i) unknowns[i] = {{i, 1.}};
  for (int k = 0; k < side_count(); ++k) {
    unknowns[normals() + sides_[k].row].push_back({normals() + k, sides_[k].sign});
  }
  return unknowns;
}

/// Acts on every entry of the matrix that may not be zero.
template <class Act>
void each_entry(const ProblemMatrix& W, const Act& act) {
  for (int i = 0; i < W.rows(); ++i) {
    if (W.is_sparse()) {
      for (SparseMatrix::InnerIterator it(W.sparse(), i); it; ++it)
        act(i, static_cast<int>(it.col()), it.value());
    } else {
      for (int j = 0; j < W.cols(); ++j) {
        if (W.dense()(i, j) != 0) act(i, j, W.dense()(i, j));
      }
    }
  }
}

/// An entry of W between two rows stands for every pair of their unknowns.
template <int D>
template <class Put>
void ReducedLcp<D>::put_delassus(const Put& put) const {
  const auto unknowns = unknowns_of_rows();
  each_entry(eliminated_->W(), [&](int i, int j, double value) {
    for (const auto& [a, sign_a] : unknowns[i]) {
      for (const auto& [b, sign_b] : unknowns[j]) put(a, b, sign_a * sign_b * value);
    }
  });
}

template <int D>
template <class Put>
void ReducedLcp<D>::put_cones(const Put& put) const {
  const int s = normals() + side_count();
  for (int k = 0; k < side_count(); ++k) {
    put(normals() + k, s + sides_[k].group, 1.);
    put(s + sides_[k].group, normals() + k, -1.);
  }
  for (int g = 0; g < static_cast<int>(equations_.groups.size()); ++g) {
    const FrictionGroup& group = equations_.groups[g];
    if (group.normal >= 0) put(s + g, group.normal, group.mu);
  }
}

/// q of the rates of unilateral and tangent rows.
template <int D>
VectorX ReducedLcp<D>::with_bounds(const VectorX& rates) const {
  assert(rates.size() == static_cast<int>(normals() + equations_.tangent.size()));
  VectorX q(size());
  q.head(normals()) = rates.head(normals());
  for (int k = 0; k < side_count(); ++k) q[normals() + k] = sides_[k].sign * rates[normals() + sides_[k].row];
  for (std::size_t g = 0; g < equations_.groups.size(); ++g)
    q[normals() + side_count() + g] = equations_.groups[g].bound;
  return q;
}

template <int D>
void ReducedLcp<D>::fill() {
  if (equations_.groups.empty()) {
    problem_ = eliminated_->take_problem();  // without friction W is the matrix as it stands
    return;
  }
  VectorX q = with_bounds(eliminated_->q());
  if (is_small()) {
    MatrixX M = MatrixX::Zero(size(), size());
    const auto put = [&](int row, int column, double value) { M(row, column) += value; };
    put_delassus(put), put_cones(put);
    problem_ = Lcp{std::move(M), std::move(q)};
    return;
  }
  std::vector<Eigen::Triplet<double>> triplets;
  const auto put = [&](int row, int column, double value) { triplets.emplace_back(row, column, value); };
  put_delassus(put), put_cones(put);
  SparseMatrix M(size(), size());
  M.setFromTriplets(triplets.begin(), triplets.end());
  problem_ = Lcp{std::move(M), std::move(q)};
}

template <int D>
VectorX ReducedLcp<D>::start(const StepImpulses<D>& guess) const {
  assert(static_cast<int>(guess.unilateral.size()) == normals());
  VectorX z = VectorX::Zero(size());
  for (int i = 0; i < normals(); ++i) z[i] = guess.unilateral[i];
  for (int k = 0; k < side_count(); ++k) {
    z[normals() + k] = std::max(0., sides_[k].sign * guess.tangent[sides_[k].row]);
  }
  for (std::size_t g = 0; g < guess.slip.size(); ++g) z[normals() + side_count() + g] = guess.slip[g];
  return z;
}

template <int D>
StepImpulses<D> ReducedLcp<D>::impulses(const VectorX& z) const {
  assert(z.size() == size());
  StepImpulses<D> found;
  VectorX p = VectorX::Zero(normals() + equations_.tangent.size());
  p.head(normals()) = z.head(normals());
  for (int k = 0; k < side_count(); ++k) p[normals() + sides_[k].row] += sides_[k].sign * z[normals() + k];
  if (!equations_.bilateral.empty()) {
    const VectorX p_b = eliminated_->bilateral(p);
    found.bilateral.assign(p_b.begin(), p_b.end());
  }
  found.unilateral.assign(p.begin(), p.begin() + normals());
  found.tangent.assign(p.begin() + normals(), p.end());
  found.slip.assign(z.begin() + normals() + side_count(), z.end());
  add_impulses(equations_, found);
  return found;
}

/// Contact normals alone, and many: W in its factors, for its entries are many more.
template <int D>
class FactoredLcp : public Formulation<D> {
 public:
  explicit FactoredLcp(const StepEquations<D>& equations) : equations_(equations) {
    const auto rows = all_rows(equations);
    problem_ = Lcp{gram_factors(equations, rows), free_rates(equations, rows)};
  }
  const Problem& problem() const override { return problem_; }
  VectorX start(const StepImpulses<D>& guess) const override {
    return Eigen::Map<const VectorX>(guess.unilateral.data(), guess.unilateral.size());
  }
  StepImpulses<D> impulses(const VectorX& z) const override {
    StepImpulses<D> found;
    found.unilateral.assign(z.begin(), z.end());
    add_impulses(equations_, found);
    return found;
  }

 private:
  const StepEquations<D>& equations_;
  Problem problem_;
};

}  // namespace

template <int D>
std::unique_ptr<Formulation<D>> make_reduced_lcp(const StepEquations<D>& equations) {
  const bool many = equations.unilateral.size() > kDenseSize;
  if (many && is_convex(equations)) return std::make_unique<FactoredLcp<D>>(equations);
  return std::make_unique<ReducedLcp<D>>(equations);
}

template std::unique_ptr<Formulation<2>> make_reduced_lcp(const StepEquations<2>&);
template std::unique_ptr<Formulation<3>> make_reduced_lcp(const StepEquations<3>&);

}  // namespace touchstone
