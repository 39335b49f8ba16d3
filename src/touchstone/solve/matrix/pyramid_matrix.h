#pragma once
// The matrix of a step with linearised friction [Thesis eq. 2.37, corrected] in its factors,
//
//       p_n   p_f   s
//     [ Wnn   Wnf   0 ]
//     [ Wfn   Wff   E ]          W = G N G^T
//     [ U    -E^T   0 ]
//
// N is block-diagonal: the inverse masses of bodies. A contact meets at most two of them, by three rows of G:
// its normal and two tangents, of which the directions of its pyramid (its *sides*) are combinations. Eight
// sides make ten unknowns per contact and matrices W of hundreds of entries a row; three rows and the bodies
// are all that is behind them.

#include <vector>

#include "touchstone/solve/matrix/factored_matrix.h"

namespace touchstone {

/// Which unknowns are a contact's. One without sides has no friction; one without a normal has a constant
/// bound (a motor of limited force).
struct PyramidContact {
  int first = -1, second = -1;    ///< its blocks; -1: none
  int normal = -1;                ///< unknown p_n; -1: none
  int sides = 0, side_count = 0;  ///< unknowns p_f: the first, and how many
  int slip = -1;                  ///< unknown s; -1: no friction
  double mu = 0;
};

/// Flat arrays, filled by the maker. Small blocks stand one after another, by columns.
struct PyramidFactors {
  int block = 6;  ///< unknowns per block: 3 or 6
  int size = 0;   ///< of z
  std::vector<PyramidContact> contacts;
  std::vector<double> G;  ///< per contact: normal, first and second tangent, each first its part in the first
                          ///< block, then in the second; zeros where there is none
  std::vector<double> N;  ///< per block: symmetric and positive definite
  /// Per unknown that is a side (of others it is not asked): its direction in the two tangents. Those of a
  /// contact go round once, in the order of their angles, or are the two ways along the first tangent.
  std::vector<Eigen::Vector2d> side;

  int row_count() const { return size; }
  int contact_count() const { return static_cast<int>(contacts.size()); }
  int block_count() const { return static_cast<int>(N.size()) / (block * block); }
  const double* rows(int contact) const { return &G[6 * block * contact]; }
};

Eigen::VectorXd multiply(const PyramidFactors& factors, const Eigen::VectorXd& z);
/// M entry by entry.
Eigen::SparseMatrix<double, Eigen::RowMajor> expand(const PyramidFactors& factors);
bool is_finite(const PyramidFactors& factors);

/// A problem with this matrix has q of the sides as it follows from two rates along the tangents; others are
/// solved by their entries.
using PyramidMatrix = FactoredMatrix<PyramidFactors>;

}  // namespace touchstone
