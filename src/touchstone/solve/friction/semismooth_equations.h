#pragma once
// Coulomb's law at every contact as semismooth equations in r, and their derivative. Two forms:
//
// local answers   r_i = S_i(r), where S_i solves the law exactly at contact i with the others' impulses held.
// At
//                 an open contact S_i is constant; at one that sticks u = 0; at one that slides along d with
//                 u_t = -lambda r_t, to first order, u_n = 0, r_t . d = mu r_n, (u_t + lambda r_t) across d =
//                 0. No parameter, and steps of the right length; but S_i jumps where a contact has several
//                 answers.
// Alart-Curnier   with x = r - rho u:  r_n = [x_n]+,  r_t = the point of the disc of radius mu [x_n]+ next to
// x_t
//                 [Alart and Curnier 1991]. Continuous everywhere.

#include <vector>

#include "touchstone/solve/friction/friction_blocks.h"

namespace touchstone {

/// To first order the law at one contact is  G dr_i + L (W dr)_i = right;  an open contact's is dr_i = -r_i.
template <int D>
struct ContactEquation {
  bool open = true;
  ContactMatrix<D> G, L;
  ContactVector<D> right;
};

/// Linearises at r. Returns the norm of the defect, whose square is an energy; zero exactly at solutions.
template <int D>
using Linearisation = double (*)(const FrictionBlocks<D>& blocks, const VectorX& r,
                                 std::vector<ContactEquation<D>>& equations);

template <int D>
double linearise_local_answers(const FrictionBlocks<D>& blocks, const VectorX& r,
                               std::vector<ContactEquation<D>>& equations);
template <int D>
double linearise_alart_curnier(const FrictionBlocks<D>& blocks, const VectorX& r,
                               std::vector<ContactEquation<D>>& equations);

}  // namespace touchstone
