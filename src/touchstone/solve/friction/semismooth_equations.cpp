#include "touchstone/solve/friction/semismooth_equations.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/solve/friction/friction_contact.h"

namespace touchstone {
namespace {

/// A contact with its answer to the others' impulses.
template <int D>
struct AnsweredContact {
  OneContact<D> contact;
  ContactAnswer<D> answer;
  double weight = 0;
};

template <int D>
void write_sliding_law(const AnsweredContact<D>& at, ContactEquation<D>& equation) {
  constexpr int T = D - 1;
  const ContactVector<T> rt = at.answer.r.template tail<T>();
  const ContactVector<D> u = at.contact.W * at.answer.r + at.contact.q;
  const double length = rt.norm();
  equation.G.setZero();
  equation.L.setZero();
  equation.L(0, 0) = 1;
  if (length == 0) {  // without friction: r_t = 0
    equation.G.template bottomRightCorner<T, T>().diagonal().setConstant(at.weight);
    return;
  }
  const ContactVector<T> d = rt / length;
  const double lambda = std::max(0.0, -u.template tail<T>().dot(d) / length);
  const ContactMatrix<T> along = d * d.transpose(), across = ContactMatrix<T>::Identity() - along;
  equation.L.template bottomRightCorner<T, T>() = across;
  equation.G.template bottomRightCorner<T, T>() = lambda * across + at.weight * along;
  equation.G.template bottomLeftCorner<T, 1>() = -at.weight * at.contact.mu * d;
}

template <int D>
void write_law(const AnsweredContact<D>& at, const ContactVector<D>& defect, ContactEquation<D>& equation) {
  equation.open = at.answer.state == ContactState::open;
  if (equation.open) return;
  if (at.answer.state == ContactState::stick) {
    equation.G.setZero();
    equation.L.setIdentity();
  } else {
    write_sliding_law<D>(at, equation);
  }
  // G (r + dr - s) + L (u + W dr - u_s) = 0 with the answer s and u - u_s = W_ii (r - s).
  equation.right = equation.G * defect + equation.L * (at.contact.W * defect);
}

/// Writes A dr + B du = -F, divided by rho. Returns |F|^2 / rho.
template <int D>
double write_alart_curnier(const OneContact<D>& contact, const ContactVector<D>& r, double rho,
                           ContactEquation<D>& equation) {
  assert(rho > 0);
  constexpr int T = D - 1;
  const ContactVector<D> u = contact.W * r + contact.q, x = r - rho * u;
  equation.open = x[0] <= 0;
  if (equation.open) return r.squaredNorm() / rho;
  equation.G.setZero();
  equation.L.setIdentity();
  equation.right = -u;
  const double length = x.template tail<T>().norm(), radius = contact.mu * x[0];
  if (length > radius) {
    const ContactVector<T> d = x.template tail<T>() / length;
    const ContactMatrix<T> across = (radius / length) * (ContactMatrix<T>::Identity() - d * d.transpose());
    equation.G.template bottomLeftCorner<T, 1>() = -contact.mu / rho * d;
    equation.G.template bottomRightCorner<T, T>() = (ContactMatrix<T>::Identity() - across) / rho;
    equation.L.template bottomLeftCorner<T, 1>() = contact.mu * d;
    equation.L.template bottomRightCorner<T, T>() = across;
    equation.right.template tail<T>() = (radius * d - r.template tail<T>()) / rho;
  }
  return equation.right.squaredNorm() * rho;
}

}  // namespace

template <int D>
double linearise_local_answers(const FrictionBlocks<D>& blocks, const VectorX& r,
                               std::vector<ContactEquation<D>>& equations) {
  double energy = 0;
  AnsweredContact<D> at;
  assert(static_cast<int>(equations.size()) == blocks.contacts());
  for (int i = 0; i < blocks.contacts(); ++i) {
    const ContactVector<D> before = r.segment<D>(D * i);
    at.contact = {blocks.diagonal(i), blocks.free_velocity(i, r), blocks.mu(i)};
    at.answer = solve_contact<D>(at.contact, before);
    at.weight = blocks.weight(i);
    const ContactVector<D> defect = at.answer.r - before;
    energy += defect.dot(at.contact.W * defect);
    write_law<D>(at, defect, equations[i]);
  }
  return std::sqrt(std::max(0.0, energy));
}

template <int D>
double linearise_alart_curnier(const FrictionBlocks<D>& blocks, const VectorX& r,
                               std::vector<ContactEquation<D>>& equations) {
  assert(static_cast<int>(equations.size()) == blocks.contacts());
  double energy = 0;
  for (int i = 0; i < blocks.contacts(); ++i) {
    equations[i].open = true;
    if (!(blocks.weight(i) > 0)) continue;
    const OneContact<D> contact{blocks.diagonal(i), blocks.free_velocity(i, r), blocks.mu(i)};
    const ContactVector<D> r_i = r.segment<D>(D * i);
    energy += write_alart_curnier<D>(contact, r_i, 1 / blocks.weight(i), equations[i]);
  }
  return std::sqrt(energy);
}

template double linearise_local_answers<2>(const FrictionBlocks<2>&, const VectorX&,
                                           std::vector<ContactEquation<2>>&);
template double linearise_local_answers<3>(const FrictionBlocks<3>&, const VectorX&,
                                           std::vector<ContactEquation<3>>&);
template double linearise_alart_curnier<2>(const FrictionBlocks<2>&, const VectorX&,
                                           std::vector<ContactEquation<2>>&);
template double linearise_alart_curnier<3>(const FrictionBlocks<3>&, const VectorX&,
                                           std::vector<ContactEquation<3>>&);

}  // namespace touchstone
