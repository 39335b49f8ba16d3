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
    const bool many = static_cast<std::size_t>(size()) > kDenseSize;
    if (auto factors = many ? pyramid_factors(equations, sides_) : std::nullopt) {
      problem_ = Lcp{std::move(*factors), with_bounds(free_rates(equations, all_rows(equations)))};
    } else {
      eliminated_.emplace(equations);
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
  /// Which unknown belongs to row i of W: for tangents the first of its sides.
  std::vector<std::vector<std::pair<int, double>>> unknowns_of_rows() const;
  void add_delassus(std::vector<Eigen::Triplet<double>>& triplets) const;
  void add_cones(std::vector<Eigen::Triplet<double>>& triplets) const;
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

/// An entry of W between two rows, for every pair of their unknowns.
void add_signed(const std::vector<std::pair<int, double>>& rows,
                const std::vector<std::pair<int, double>>& columns, double value,
                std::vector<Eigen::Triplet<double>>& triplets) {
  for (const auto& [a, sign_a] : rows) {
    for (const auto& [b, sign_b] : columns) triplets.emplace_back(a, b, sign_a * sign_b * value);
  }
}

template <int D>
void ReducedLcp<D>::add_delassus(std::vector<Eigen::Triplet<double>>& triplets) const {
  const auto unknowns = unknowns_of_rows();
  const SparseMatrix& W = eliminated_->W();
  for (int i = 0; i < W.outerSize(); ++i) {
    for (SparseMatrix::InnerIterator it(W, i); it; ++it) {
      add_signed(unknowns[it.row()], unknowns[it.col()], it.value(), triplets);
    }
  }
}

template <int D>
void ReducedLcp<D>::add_cones(std::vector<Eigen::Triplet<double>>& triplets) const {
  const int s = normals() + side_count();
  for (int k = 0; k < side_count(); ++k) {
    triplets.emplace_back(normals() + k, s + sides_[k].group, 1.);
    triplets.emplace_back(s + sides_[k].group, normals() + k, -1.);
  }
  for (int g = 0; g < static_cast<int>(equations_.groups.size()); ++g) {
    const FrictionGroup& group = equations_.groups[g];
    if (group.normal >= 0) triplets.emplace_back(s + g, group.normal, group.mu);
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
    // Without friction W is the matrix as it stands.
    const SparseMatrix& W = eliminated_->W();
    if (static_cast<std::size_t>(size()) <= kDenseSize) {
      problem_ = Lcp{MatrixX(W), eliminated_->q()};
    } else {
      problem_ = Lcp{W, eliminated_->q()};
    }
    return;
  }
  std::vector<Eigen::Triplet<double>> triplets;
  add_delassus(triplets);
  add_cones(triplets);
  VectorX q = with_bounds(eliminated_->q());
  SparseMatrix M(size(), size());
  M.setFromTriplets(triplets.begin(), triplets.end());
  if (static_cast<std::size_t>(size()) <= kDenseSize) {
    problem_ = Lcp{MatrixX(M), std::move(q)};
  } else {
    problem_ = Lcp{std::move(M), std::move(q)};
  }
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
