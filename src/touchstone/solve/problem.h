#pragma once
// The problems that this room solves. Numbers only: nothing here knows of bodies.

#include <string>
#include <variant>
#include <vector>

#include "touchstone/solve/problem_matrix.h"

namespace touchstone {

/// Find z with 0 <= z _|_ w = M z + q >= 0.
struct Lcp {
  ProblemMatrix M;
  VectorX q;
};

/// As Lcp, but where free[i] the row is an equation: z_i of any sign and w_i = 0.
struct Mlcp {
  ProblemMatrix M;
  VectorX q;
  std::vector<bool> free;
};

/// Coulomb friction in local form: u = W r + q, and per contact, whose normal component comes first,
///     K* >= u + mu |u_t| e_n _|_ r in K,    K = { r : |r_t| <= mu r_n }    [FCLIB]
struct FrictionProblem {
  int dimension = 3;  ///< 2 or 3: components per contact
  ProblemMatrix W;
  VectorX q;
  VectorX mu;  ///< per contact
  /// Per contact: its components are equations, u = 0 and r of any size (joints); empty: none is.
  std::vector<bool> free = {};

  bool is_free(int contact) const { return !free.empty() && free[contact]; }
};

/// The same in global form: M v = H r + f, u = H^T v + w.
struct GlobalFrictionProblem {
  int dimension = 3;
  SparseMatrix M, H;
  VectorX f, w;
  VectorX mu;
};

/// min 1/2 x^T P x + c^T x  subject to  A x + b >= 0, with equality where equality[i]. P is positive
/// semidefinite; the multipliers y of the rows satisfy P x + c = A^T y, y_i >= 0 on the inequalities.
struct Qp {
  ProblemMatrix P;
  VectorX c;
  ProblemMatrix A;
  VectorX b;
  std::vector<bool> equality;  ///< per row of A
};

using Problem = std::variant<Lcp, Mlcp, FrictionProblem, GlobalFrictionProblem, Qp>;

/// The class of a problem, as `touchstone solve` prints it: lcp, mlcp, friction, global-friction, qp.
std::string kind_of(const Problem& problem);
/// The number of unknowns that its solution z has.
int size_of(const Problem& problem);

}  // namespace touchstone
