#include "touchstone/dynamics/joint_impulses.h"

#include <Eigen/LU>
#include <cassert>

namespace touchstone {
namespace {

/// Relative size below which a row counts as said already by those before it: closed loops are dependent up
/// to the errors of their joints.
constexpr double kRedundant = 1e-9;

}  // namespace

template <int D>
VectorX joint_errors(const std::vector<Joint<D>>& joints, const std::vector<Body<D>>& bodies) {
  std::vector<double> errors;
  for (const Joint<D>& joint : joints) {
    for (const Row<D>& row : joint_equations<D>(joint, bodies).rows) errors.push_back(row.offset);
  }
  return Eigen::Map<const VectorX>(errors.data(), static_cast<Eigen::Index>(errors.size()));
}

template <int D>
JointImpulses<D>::JointImpulses(const std::vector<Joint<D>>& joints, const std::vector<Body<D>>& bodies,
                                double h)
    : axis_forces_(bodies.size(), Twist<D>::Zero()) {
  assert(h > 0);
  for (const Body<D>& body : bodies) {
    inverse_mass_.push_back(body.is_dynamic() ? 1 / body.mass : 0);
    inverse_inertia_.push_back(body.is_dynamic() ? SpinMat<D>(world_inertia(body).inverse())
                                                 : SpinMat<D>(SpinMat<D>::Zero()));
  }
  std::vector<JointEquations<D>> equations;
  for (const Joint<D>& joint : joints) equations.push_back(joint_equations<D>(joint, bodies));
  for (JointEquations<D>& of_joint : equations)
    rows_.insert(rows_.end(), of_joint.rows.begin(), of_joint.rows.end());
  errors_.resize(count());
  for (int i = 0; i < count(); ++i) errors_[i] = rows_[i].offset;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    for (std::size_t k = 0; k < joints[j].axes.size(); ++k)
      add_axis(joints[j].axes[k], equations[j].axes[k], h);
  }
  factorize();
}

template <int D>
void JointImpulses<D>::add_axis(const JointAxis& axis, Row<D> row, double h) {
  if (row.body_A >= 0) axis_forces_[row.body_A] += axis.force * row.G_A;
  if (row.body_B >= 0) axis_forces_[row.body_B] += axis.force * row.G_B;
  if (!(axis.damping > 0)) return;
  row.compliance = 1 / (axis.damping * h);
  rows_.push_back(row);
}

template <int D>
Twist<D> JointImpulses<D>::change(int body, const Twist<D>& impulse) const {
  return twist<D>(inverse_mass_[body] * linear<D>(impulse), inverse_inertia_[body] * angular<D>(impulse));
}

template <int D>
void JointImpulses<D>::factorize() {
  const int n = count();
  const int size = kDof<D> * static_cast<int>(inverse_mass_.size());
  MatrixX G = MatrixX::Zero(size, n), MinvG = MatrixX::Zero(size, n);
  MatrixX K = MatrixX::Zero(n, n);
  std::vector<std::vector<int>> of_body(inverse_mass_.size());
  for (int i = 0; i < n; ++i) {
    const Row<D>& row = rows_[i];
    const auto put = [&](int body, const Twist<D>& g) {
      if (body < 0) return;
      const auto at = Eigen::seqN(kDof<D> * body, kDof<D>);
      G(at, i) = g, MinvG(at, i) = change(body, g);
      of_body[body].push_back(i);
    };
    put(row.body_A, row.G_A), put(row.body_B, row.G_B);
    K(i, i) = row.compliance;
  }
  for (std::size_t b = 0; b < of_body.size(); ++b) {
    const int at = kDof<D> * static_cast<int>(b);
    for (const int i : of_body[b]) {
      for (const int j : of_body[b])
        K(i, j) += G.col(i).template segment<kDof<D>>(at).dot(MinvG.col(j).template segment<kDof<D>>(at));
    }
  }
  cholesky_.compute(K);
  const VectorX pivots = cholesky_.matrixLLT().diagonal().cwiseAbs2();
  const bool is_redundant =
      cholesky_.info() != Eigen::Success || !(pivots.array() > kRedundant * K.diagonal().array()).all();
  if (is_redundant) least_.emplace(K);
}

template <int D>
VectorX JointImpulses<D>::solve(const VectorX& missing) const {
  assert(missing.size() == count());
  if (count() == 0) return missing;
  return least_ ? VectorX(least_->times(missing)) : VectorX(cholesky_.solve(missing));
}

template <int D>
VectorX JointImpulses<D>::rates(const std::vector<Twist<D>>& V, const VectorX& p) const {
  assert(V.size() == inverse_mass_.size() && p.size() == count());
  VectorX rates(count());
  for (int i = 0; i < count(); ++i) rates[i] = rate(rows_[i], V) + rows_[i].compliance * p[i];
  return rates;
}

template <int D>
std::vector<Twist<D>> JointImpulses<D>::wrenches(const VectorX& p, Eigen::Index first,
                                                 Eigen::Index last) const {
  assert(p.size() == count());
  std::vector<Twist<D>> sum(inverse_mass_.size(), Twist<D>::Zero());
  for (Eigen::Index i = first; i < last; ++i) {
    const Row<D>& row = rows_[i];
    if (row.body_A >= 0) sum[row.body_A] += p[i] * row.G_A;
    if (row.body_B >= 0) sum[row.body_B] += p[i] * row.G_B;
  }
  return sum;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                           \
  template VectorX joint_errors(const std::vector<Joint<D>>&, const std::vector<Body<D>>&); \
  template class JointImpulses<D>;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
