#pragma once
// Complementarity problems to try a solver on, by class, size and seed. Each is solvable: either a solution
// was there before q, or bodies at rest satisfy every row.
//
//   pd         symmetric positive definite
//   pd-skew    positive definite, not symmetric
//   psd        symmetric, half the rank
//   psd-skew   semidefinite of half the rank, not symmetric
//   banded     a chain: tridiagonal, sparse
//   contact    normals between random bodies: G^T M^-1 G, as many rows as degrees of freedom
//   redundant  the same with twice as many rows as degrees of freedom
//   stack      one stack of boxes, four contacts between neighbours, sparse; n / 4 boxes
//   wall       bricks that rest on two others each, sparse
//   friction   Stewart and Trinkle's LCP (Gn, Gf, E, U) with four directions: 6 rows a contact, random bodies
//   stack-friction, wall-friction   the same for those two, sparse

#include <cstdint>
#include <string>
#include <vector>

#include "touchstone/math/random.h"
#include "touchstone/solve/problem.h"

namespace touchstone::support {

const std::vector<std::string>& lcp_classes();
/// About n rows: rounded to what the class allows.
Lcp make_lcp(const std::string& name, int n, std::uint64_t seed);

/// What contact problems are made of: M (v+ - v) = Gn^T l + Gf^T f, all per step.
struct ContactSystem {
  SparseMatrix Gn;       ///< rows: contacts; columns: 6 per body (linear, angular velocity)
  SparseMatrix Gf;       ///< rows: contacts times directions
  SparseMatrix inverse;  ///< M^-1, block diagonal
  SparseMatrix mass;
  VectorX velocity;  ///< [m/s, rad/s] of the free motion at the end of the step
  VectorX gap_rate;  ///< [m/s] gap / h
  VectorX mu;        ///< per contact
  int directions = 4;
};
/// `name` is contact, redundant, stack or wall.
ContactSystem make_contacts(const std::string& name, int contacts, std::uint64_t seed);

Lcp frictionless(const ContactSystem& system);
/// The same as a mixed problem in (v, l): M v - Gn^T l = M v_f, w = Gn v + gap/h.
Mlcp frictionless_mixed(const ContactSystem& system);
/// The same as min |v - v_f|_M^2 / 2 subject to Gn v + gap/h >= 0.
Qp frictionless_qp(const ContactSystem& system);
Lcp stewart_trinkle(const ContactSystem& system);
Mlcp stewart_trinkle_mixed(const ContactSystem& system);

/// The same numbers in a dense matrix.
Lcp dense(const Lcp& problem);

}  // namespace touchstone::support
