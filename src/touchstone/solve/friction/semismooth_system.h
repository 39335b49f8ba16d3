#pragma once
// The linear system of one Newton step on the equations of semismooth_equations.h.

#include <memory>

#include "touchstone/solve/friction/semismooth_equations.h"

namespace touchstone {

template <int D>
class SemismoothSystem {
 public:
  explicit SemismoothSystem(const FrictionBlocks<D>& blocks);
  ~SemismoothSystem();

  /// The step dr from r, with W's diagonal lifted by the share `lift`. False when the system cannot be
  /// solved.
  bool solve(const std::vector<ContactEquation<D>>& equations, const VectorX& r, double lift, VectorX& dr);

 private:
  using Equations = std::vector<ContactEquation<D>>;
  void choose_active(const Equations& equations, const VectorX& r, VectorX& dr);
  void fill_right_side(const Equations& equations, const VectorX& dr);
  bool solve_dense(const Equations& equations, double lift);
  bool solve_sparse(const Equations& equations, double lift);
  ContactMatrix<D> diagonal_block(const ContactEquation<D>& equation, int contact, double lift) const;

  const FrictionBlocks<D>& blocks_;
  std::vector<int> number_;  ///< of a contact among the active ones; -1: open
  std::vector<int> active_;
  VectorX right_, step_;
  struct Factors;
  std::unique_ptr<Factors> factors_;  ///< of the sparse system
};

}  // namespace touchstone
