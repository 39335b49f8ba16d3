#pragma once
// An Mlcp without its free rows: the Lcp that is left, and the way back.
//
// The rows w = M z + q are pivoted until no free z_i and no equation is left among the unknowns:
//  1. free z_c enter for equations w_r = 0, largest pivot first (a rank-revealing elimination);
//  2. an equation that is left depends on complementary z_i only. If there is a free z_j that only
//     complementary rows feel, z_i enters for the equation and z_j for w_i: the pair (z_i, w_i) has then
//     changed its roles. This is what the rank-deficient blocks of circuits and of saddle points need;
//  3. equations and free unknowns that are still there, redundant equations (0 = 0) included, are split:
//     z_j = t+ - t-, w_r = s+ and -w_r = s-.

#include "touchstone/solve/linear/masked_system.h"
#include "touchstone/solve/linear_problem.h"

namespace touchstone {

class FreeRows {
 public:
  explicit FreeRows(const LinearProblem& problem);

  /// An equation says 0 = number: the problem has no solution.
  bool contradict() const { return contradict_; }
  const Lcp& lcp() const { return lcp_; }
  /// The z of the problem, of a solution of lcp().
  VectorX expand(const VectorX& t) const;
  /// The start of lcp() that a start z of the problem, with w = M z + q, stands for.
  VectorX restrict(const VectorX& z, const VectorX& w) const;

 private:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// A complementary pair of lcp(): the unknown is sign * (what the column stands for).
  struct Pair {
    int row, col;
    double sign;
    int owner;       ///< of its z and w in the problem
    bool exchanged;  ///< the unknown is w
  };

  bool vanishes(int row, int col) const;
  void pivot(int row, int col);
  void eliminate(int row, int col);
  int best_column(int row, double least) const;
  void eliminate_free();
  void exchange_roles();
  bool exchange_one(int row);
  void look_for_contradiction();
  void pair_up(const LinearProblem& problem);
  void build();

  int n_;
  RowMajor table_;    ///< T and rhs side by side: basic = T nonbasic + rhs
  VectorX row_size_;  ///< of the rows of M, for what counts as 0
  double q_size_;
  std::vector<int> basic_row_;                  ///< per z_i: its row; -1: it is not basic
  std::vector<int> rows_, cols_;                ///< equations and free unknowns that are not eliminated yet
  std::vector<int> partner_row_, partner_col_;  ///< per complementary i: where its basic and its nonbasic
                                                ///  half stand: w_i and z_i, until they change their roles
  Mask dead_;                                   ///< columns that stand for w_r = 0
  std::vector<Pair> pairs_;
  bool contradict_ = false;
  Lcp lcp_;
};

}  // namespace touchstone
