#pragma once
// W of a problem with round friction cones in its factors,
//
//     W = G N G^T + C
//
// N is block-diagonal: the inverse masses of bodies. A contact meets at most two of them, by the three rows
// of its normal and its tangents (by two in the plane); C is diagonal: springs, dampers and rows that are
// not there. The entries of W, which couple every contact of a body with every other, are never needed.

#include <vector>

#include "touchstone/solve/matrix/factored_matrix.h"
#include "touchstone/solve/matrix/pyramid_matrix.h"

namespace touchstone {

/// Flat arrays, filled by the maker.
struct ConeFactors {
  int dimension = 3;  ///< 2 or 3: components per contact
  /// Blocks, rows and N. Its contacts name no unknowns (size 0, no sides): those of contact c are the
  /// `dimension` ones from dimension * c on, in the order of its rows.
  PyramidFactors rows;
  std::vector<Eigen::Vector3d> compliance;  ///< C, per contact; the third one is not used in the plane
  /// Per contact: how much it yields before the limit of rigid bodies, relative to the others, the same in
  /// all its components [docs/friction.md].
  std::vector<double> yielding;

  int row_count() const { return dimension * contact_count(); }
  int contact_count() const { return rows.contact_count(); }
};

Eigen::VectorXd multiply(const ConeFactors& factors, const Eigen::VectorXd& r);
/// W entry by entry.
Eigen::SparseMatrix<double, Eigen::RowMajor> expand(const ConeFactors& factors);
bool is_finite(const ConeFactors& factors);

using ConeMatrix = FactoredMatrix<ConeFactors>;

}  // namespace touchstone
