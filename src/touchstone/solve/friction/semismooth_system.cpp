#include "touchstone/solve/friction/semismooth_system.h"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cassert>

namespace touchstone {
namespace {

/// Up to this number of rows a full matrix is solved faster than a sparse one.
constexpr int kDenseRows = 90;

}  // namespace

/// The factors of the last step: while the same contacts are closed, so are the places of the entries.
template <int D>
struct SemismoothSystem<D>::Factors {
  std::vector<int> active;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;

  bool factorise(const std::vector<int>& now, const Eigen::SparseMatrix<double>& J) {
    if (now != active) lu.analyzePattern(J);
    active = now;
    lu.factorize(J);
    return lu.info() == Eigen::Success;
  }
};

template <int D>
SemismoothSystem<D>::SemismoothSystem(const FrictionBlocks<D>& blocks)
    : blocks_(blocks), number_(blocks.contacts()) {}

template <int D>
SemismoothSystem<D>::~SemismoothSystem() = default;

/// Open contacts have no unknowns: their impulse goes.
template <int D>
void SemismoothSystem<D>::choose_active(const Equations& equations, const VectorX& r, VectorX& dr) {
  active_.clear();
  dr = -r;
  for (int i = 0; i < blocks_.contacts(); ++i) {
    number_[i] = equations[i].open ? -1 : static_cast<int>(active_.size());
    if (!equations[i].open) active_.push_back(i);
  }
}

/// What the impulses that go change at the others is known.
template <int D>
void SemismoothSystem<D>::fill_right_side(const Equations& equations, const VectorX& dr) {
  right_.resize(D * active_.size());
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const int i = active_[a];
    ContactVector<D> u = ContactVector<D>::Zero();
    const auto neighbours = blocks_.neighbours(i);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const int j = neighbours[k];
      if (number_[j] < 0) u += blocks_.block(i, static_cast<int>(k)) * dr.segment<D>(D * j);
    }
    right_.segment<D>(D * a) = equations[i].right - equations[i].L * u;
  }
}

template <int D>
ContactMatrix<D> SemismoothSystem<D>::diagonal_block(const ContactEquation<D>& equation, int contact,
                                                     double lift) const {
  ContactMatrix<D> W = blocks_.diagonal(contact);
  W.diagonal().array() += lift * blocks_.weight(contact);
  return equation.G + equation.L * W;
}

template <int D>
bool SemismoothSystem<D>::solve_dense(const Equations& equations, double lift) {
  const int count = static_cast<int>(active_.size());
  MatrixX J = MatrixX::Zero(D * count, D * count);
  for (int a = 0; a < count; ++a) {
    const int i = active_[a];
    J.block<D, D>(D * a, D * a) = diagonal_block(equations[i], i, lift);
    const auto neighbours = blocks_.neighbours(i);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const int b = number_[neighbours[k]];
      if (b >= 0) J.block<D, D>(D * a, D * b) = equations[i].L * blocks_.block(i, static_cast<int>(k));
    }
  }
  step_ = J.partialPivLu().solve(right_);
  return step_.allFinite();
}

template <int D>
bool SemismoothSystem<D>::solve_sparse(const Equations& equations, double lift) {
  const int count = static_cast<int>(active_.size());
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](int a, int b, const ContactMatrix<D>& block) {
    for (int row = 0; row < D; ++row)
      for (int col = 0; col < D; ++col) entries.emplace_back(D * a + row, D * b + col, block(row, col));
  };
  for (int a = 0; a < count; ++a) {
    const int i = active_[a];
    add(a, a, diagonal_block(equations[i], i, lift));
    const auto neighbours = blocks_.neighbours(i);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const int b = number_[neighbours[k]];
      if (b >= 0) add(a, b, equations[i].L * blocks_.block(i, static_cast<int>(k)));
    }
  }
  Eigen::SparseMatrix<double> J(D * count, D * count);
  J.setFromTriplets(entries.begin(), entries.end());
  if (!factors_) factors_ = std::make_unique<Factors>();
  if (!factors_->factorise(active_, J)) return false;
  step_ = factors_->lu.solve(right_);
  return step_.allFinite();
}

template <int D>
bool SemismoothSystem<D>::solve(const Equations& equations, const VectorX& r, double lift, VectorX& dr) {
  assert(static_cast<int>(equations.size()) == blocks_.contacts() && r.size() == blocks_.size());
  choose_active(equations, r, dr);
  assert(std::is_sorted(active_.begin(), active_.end()));
  if (active_.empty()) return true;
  fill_right_side(equations, dr);
  const bool small = D * static_cast<int>(active_.size()) <= kDenseRows;
  if (!(small ? solve_dense(equations, lift) : solve_sparse(equations, lift))) return false;
  for (std::size_t a = 0; a < active_.size(); ++a) dr.segment<D>(D * active_[a]) = step_.segment<D>(D * a);
  return true;
}

template class SemismoothSystem<2>;
template class SemismoothSystem<3>;

}  // namespace touchstone
