#pragma once
// Coulomb's law for all closed contacts of a group at once, in accelerations or in velocities: one small
// dense problem.
//
//     M x = f + N^T p_n + T^T p_t + G^T l        x: accelerations, or velocities after an impact
//     G x + g = 0                                joints
//     u_n = N x + b_n,   u_t = T x + b_t         of each contact
//     0 <= p_n, u_n;  p_n u_n = 0;  |p_t| <= mu p_n, against u_t where it is not zero
//
// Of several solutions the one of vanishing compliance is meant [docs/friction.md]: all contacts yield alike,
// by e R per impulse, and e tends to zero from where the solution is unique. A contact that slides already
// keeps the direction of its friction: p_t = -mu p_n d.

#include <Eigen/Core>
#include <vector>

namespace touchstone {

struct LawContact {
  double mu = 0;
  bool slides = false;  ///< with a speed that is not zero: friction acts against `direction`
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  ///< d, unit; of the one or two tangents
  /// Not negative: no contact but a drive along the first tangent, |p_t| <= bound, whose normal is empty.
  double bound = -1;

  bool is_drive() const { return bound >= 0; }
};

struct LawProblem {
  int tangents = 1;   ///< per contact: 1 in the plane, 2 in space
  Eigen::MatrixXd M;  ///< positive definite
  Eigen::VectorXd f;
  Eigen::MatrixXd N, T, G;  ///< T: the tangents of one contact after those of the other
  Eigen::VectorXd bn, bt, g;
  std::vector<LawContact> contacts;
};

enum class LawPiece { open, stick, slide };

struct LawAnswer {
  bool found = false;  ///< false: no solution lies at the end of the path from soft contacts
  Eigen::VectorXd x, pn, pt;
  std::vector<LawPiece> pieces;
};

LawAnswer solve_law(const LawProblem& problem);

}  // namespace touchstone
