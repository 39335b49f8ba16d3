#include "touchstone/solve/semismooth_system.h"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

/// Up to so many rows a full matrix is solved faster than a sparse one.
constexpr int kDenseRows = 90;

}  // namespace

template <int D>
double LocalAnswers<D>::solve(const FrictionBlocks<D>& blocks, const VectorX& r) {
  double energy = 0;
  OneContact<D> one;
  for (int i = 0; i < blocks.contacts(); ++i) {
    one.W = blocks.diagonal(i);
    one.q = blocks.free_velocity(i, r);
    one.mu = blocks.mu(i);
    contact[i] = solve_contact<D>(one);
    velocity[i] = one.W * contact[i].r + one.q;
    const ContactVector<D> defect = contact[i].r - r.segment<D>(D * i);
    energy += defect.dot(one.W * defect);
  }
  return std::sqrt(std::max(0.0, energy));
}

template <int D>
SemismoothSystem<D>::SemismoothSystem(const FrictionBlocks<D>& blocks)
    : blocks_(blocks), number_(blocks.contacts()) {}

template <int D>
auto SemismoothSystem<D>::law_at(const ContactAnswer<D>& answer, const ContactVector<D>& velocity,
                                 int contact) const -> Law {
  constexpr int T = D - 1;
  if (answer.state == ContactState::stick) return {ContactMatrix<D>::Zero(), ContactMatrix<D>::Identity()};
  const ContactVector<T> rt = answer.r.template tail<T>();
  const double length = rt.norm(), weight = blocks_.weight(contact), mu = blocks_.mu(contact);
  Law law{ContactMatrix<D>::Zero(), ContactMatrix<D>::Zero()};
  law.L(0, 0) = 1;
  if (length == 0) {  // without friction: r_t = 0
    law.G.template bottomRightCorner<T, T>().diagonal().setConstant(weight);
    return law;
  }
  const ContactVector<T> d = rt / length;
  const double lambda = std::max(0.0, -velocity.template tail<T>().dot(d) / length);
  const ContactMatrix<T> along = d * d.transpose(), across = ContactMatrix<T>::Identity() - along;
  law.L.template bottomRightCorner<T, T>() = across;
  law.G.template bottomRightCorner<T, T>() = lambda * across + weight * along;
  law.G.template bottomLeftCorner<T, 1>() = -weight * mu * d;
  return law;
}

/// Open contacts have no unknowns: their impulse goes.
template <int D>
void SemismoothSystem<D>::choose_active(const LocalAnswers<D>& answers, const VectorX& r, VectorX& dr) {
  active_.clear();
  law_.clear();
  for (int i = 0; i < blocks_.contacts(); ++i) {
    const bool open = answers.contact[i].state == ContactState::open;
    number_[i] = open ? -1 : static_cast<int>(active_.size());
    dr.segment<D>(D * i) = -r.segment<D>(D * i);
    if (open) continue;
    active_.push_back(i);
    law_.push_back(law_at(answers.contact[i], answers.velocity[i], i));
  }
}

/// G (r + dr - s) + L (u + W dr - u_s) = 0 with s = S_i(r) and u - u_s = W_ii (r - s).
template <int D>
void SemismoothSystem<D>::fill_right_side(const LocalAnswers<D>& answers, const VectorX& r,
                                          const VectorX& dr) {
  right_.resize(D * active_.size());
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const int i = active_[a];
    const ContactVector<D> defect = answers.contact[i].r - r.segment<D>(D * i);
    ContactVector<D> u = blocks_.diagonal(i) * defect;
    const auto neighbours = blocks_.neighbours(i);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const int j = neighbours[k];
      if (number_[j] < 0) u -= blocks_.block(i, static_cast<int>(k)) * dr.segment<D>(D * j);
    }
    right_.segment<D>(D * a) = law_[a].G * defect + law_[a].L * u;
  }
}

template <int D>
ContactMatrix<D> SemismoothSystem<D>::diagonal_block(int a, double lift) const {
  const int i = active_[a];
  ContactMatrix<D> W = blocks_.diagonal(i);
  W.diagonal().array() += lift * blocks_.weight(i);
  return law_[a].G + law_[a].L * W;
}

template <int D>
bool SemismoothSystem<D>::solve_dense(double lift) {
  const int count = static_cast<int>(active_.size());
  MatrixX J = MatrixX::Zero(D * count, D * count);
  for (int a = 0; a < count; ++a) {
    J.block<D, D>(D * a, D * a) = diagonal_block(a, lift);
    const auto neighbours = blocks_.neighbours(active_[a]);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const int b = number_[neighbours[k]];
      if (b >= 0) J.block<D, D>(D * a, D * b) = law_[a].L * blocks_.block(active_[a], static_cast<int>(k));
    }
  }
  step_ = J.partialPivLu().solve(right_);
  return step_.allFinite();
}

template <int D>
bool SemismoothSystem<D>::solve_sparse(double lift) {
  const int count = static_cast<int>(active_.size());
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](int a, int b, const ContactMatrix<D>& block) {
    for (int row = 0; row < D; ++row)
      for (int col = 0; col < D; ++col) entries.emplace_back(D * a + row, D * b + col, block(row, col));
  };
  for (int a = 0; a < count; ++a) {
    add(a, a, diagonal_block(a, lift));
    const auto neighbours = blocks_.neighbours(active_[a]);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const int b = number_[neighbours[k]];
      if (b >= 0) add(a, b, law_[a].L * blocks_.block(active_[a], static_cast<int>(k)));
    }
  }
  Eigen::SparseMatrix<double> J(D * count, D * count);
  J.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(J);
  if (factors.info() != Eigen::Success) return false;
  step_ = factors.solve(right_);
  return step_.allFinite();
}

template <int D>
bool SemismoothSystem<D>::solve(const LocalAnswers<D>& answers, const VectorX& r, double lift, VectorX& dr) {
  choose_active(answers, r, dr);
  if (active_.empty()) return true;
  fill_right_side(answers, r, dr);
  const bool small = D * static_cast<int>(active_.size()) <= kDenseRows;
  if (!(small ? solve_dense(lift) : solve_sparse(lift))) return false;
  for (std::size_t a = 0; a < active_.size(); ++a) dr.segment<D>(D * active_[a]) = step_.segment<D>(D * a);
  return true;
}

template struct LocalAnswers<2>;
template struct LocalAnswers<3>;
template class SemismoothSystem<2>;
template class SemismoothSystem<3>;

}  // namespace touchstone
