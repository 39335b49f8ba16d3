#pragma once
// Impulses of joints at given poses, which change the rates of their rows as asked; inside dynamics only.

#include <Eigen/Cholesky>
#include <optional>
#include <vector>

#include "touchstone/dynamics/body.h"
#include "touchstone/dynamics/equations.h"
#include "touchstone/dynamics/joint.h"
#include "touchstone/solve/pseudo_inverse.h"

namespace touchstone {

/// [m or rad] How far the joints are open: C of all their rows.
template <int D>
VectorX joint_errors(const std::vector<Joint<D>>& joints, const std::vector<Body<D>>& bodies);

/// The rows of joints, and behind them those of their dampers, at the present poses, with the factors of
///
///     K = G M^-1 G^T + C         C: compliances of the dampers
///
/// Where rows say the same thing twice, as in closed loops, K is singular, and its least solution is taken.
template <int D>
class JointImpulses {
 public:
  /// `h`: [s] for which dampers act.
  JointImpulses(const std::vector<Joint<D>>& joints, const std::vector<Body<D>>& bodies, double h);

  const VectorX& errors() const { return errors_; }  ///< as joint_errors()
  int count() const { return static_cast<int>(rows_.size()); }
  /// Impulses after which joints have the rates that are missing, and dampers their force.
  VectorX solve(const VectorX& missing) const;
  /// G.V + C p of each row.
  VectorX rates(const std::vector<Twist<D>>& V, const VectorX& p) const;
  /// [N s; N m s] per body, of the joints alone and of the dampers alone.
  std::vector<Twist<D>> by_joints(const VectorX& p) const { return wrenches(p, 0, errors_.size()); }
  std::vector<Twist<D>> by_dampers(const VectorX& p) const { return wrenches(p, errors_.size(), count()); }
  /// [N; N m] per body: the forces that were set on axes.
  const std::vector<Twist<D>>& axis_forces() const { return axis_forces_; }
  /// The change of the velocity of a body by an impulse.
  Twist<D> change(int body, const Twist<D>& impulse) const;

 private:
  void add_axis(const JointAxis& axis, Row<D> row, double h);
  std::vector<Twist<D>> wrenches(const VectorX& p, Eigen::Index first, Eigen::Index last) const;
  void factorize();

  std::vector<double> inverse_mass_;         ///< per body; 0: it does not move by forces
  std::vector<SpinMat<D>> inverse_inertia_;  ///< world axes
  std::vector<Row<D>> rows_;
  VectorX errors_;
  std::vector<Twist<D>> axis_forces_;
  Eigen::LLT<MatrixX> cholesky_;
  std::optional<PseudoInverse> least_;  ///< where rows say the same thing twice
};

}  // namespace touchstone
