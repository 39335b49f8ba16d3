#pragma once
// Anderson's acceleration of a fixed point r = g(r): the next r is the combination of the last few g for
// which the defects g - r nearly cancel. It needs no matrix and makes Gauss-Seidel sweeps several times
// fewer.

#include <Eigen/Core>

#include "touchstone/solve/problem_matrix.h"

namespace touchstone {

class Extrapolation {
 public:
  /// `weight` makes the entries of a defect comparable.
  explicit Extrapolation(VectorX weight);

  /// `g` is the image of `r`; it is replaced by the extrapolated point. A defect that has not become smaller
  /// ends the memory: then g stays as it is.
  void advance(const VectorX& r, VectorX& g);

 private:
  static constexpr int kMemory = 5;
  using Gram = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMemory, kMemory>;

  void remember(const VectorX& g);
  void combine(VectorX& g) const;

  VectorX weight_, defect_, last_defect_, last_g_;
  MatrixX defect_change_, g_change_;              ///< a column per remembered step
  Eigen::Matrix<double, kMemory, kMemory> gram_;  ///< of the columns of defect_change_
  double last_norm_ = 0;
  int steps_ = 0;  ///< remembered since the last restart; -1: not even one point
};

}  // namespace touchstone
