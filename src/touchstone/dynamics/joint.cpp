#include "touchstone/dynamics/joint.h"

#include <Eigen/QR>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "touchstone/dynamics/joint_frames.h"

namespace touchstone {

namespace {

/// Rows that are dependent up to this (relative) count as dependent: redundant joints of a closed loop are so
/// to round-off and drift.
constexpr double kDependent = 1e-9;

template <int D>
double rate_of(const Row<D>& row, const std::vector<Body<D>>& bodies) {
  return rate_by(row, [&](int body) -> const Twist<D>& { return bodies[body].velocity; });
}

template <int D>
std::vector<Row<D>> all_rows(const std::vector<Joint<D>>& joints, const std::vector<Body<D>>& bodies) {
  std::vector<Row<D>> rows;
  for (const Joint<D>& joint : joints) {
    const JointEquations<D> equations = joint_equations<D>(joint, bodies);
    rows.insert(rows.end(), equations.rows.begin(), equations.rows.end());
  }
  return rows;
}

/// Columns M^-1 G and G of the rows, over the dynamic bodies.
template <int D>
struct Stacked {
  Eigen::MatrixXd G, MinvG;

  Stacked(const std::vector<Row<D>>& rows, const std::vector<Body<D>>& bodies) {
    G.setZero(kDof<D> * bodies.size(), rows.size());
    MinvG = G;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      put(bodies, rows[i].body_A, rows[i].G_A, static_cast<int>(i));
      put(bodies, rows[i].body_B, rows[i].G_B, static_cast<int>(i));
    }
  }
  void put(const std::vector<Body<D>>& bodies, int body, const Twist<D>& g, int column) {
    if (body < 0 || !bodies[body].is_dynamic()) return;
    const int at = kDof<D> * body;
    G.col(column).template segment<kDof<D>>(at) += g;
    const Spin<D> turn = world_inertia(bodies[body]).inverse() * angular<D>(g);
    MinvG.col(column).template segment<kDof<D>>(at) += twist<D>(linear<D>(g) / bodies[body].mass, turn);
  }
  /// The least change of velocity (in the metric of M) that changes the rows' rates by -c.
  Eigen::VectorXd change(const Eigen::VectorXd& c) const {
    assert(c.size() == G.cols());
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> K;
    K.setThreshold(kDependent);
    K.compute(G.transpose() * MinvG);
    return -MinvG * K.solve(c);
  }
};

template <int D>
Eigen::VectorXd offsets(const std::vector<Row<D>>& rows) {
  Eigen::VectorXd c(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) c[i] = rows[i].offset;
  return c;
}

template <int D>
void shift(std::vector<Body<D>>& bodies, const Eigen::VectorXd& change) {
  assert(change.size() == static_cast<int>(kDof<D> * bodies.size()));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].is_dynamic()) continue;
    const Twist<D> d = change.segment<kDof<D>>(kDof<D> * b);
    bodies[b].position += linear<D>(d);
    bodies[b].attitude = bodies[b].attitude.turned(angular<D>(d));
  }
}

template <int D>
void remove_rates(const std::vector<Joint<D>>& joints, std::vector<Body<D>>& bodies) {
  const std::vector<Row<D>> rows = all_rows(joints, bodies);
  Eigen::VectorXd rates(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rates[i] = rate_of(rows[i], bodies);
  const Eigen::VectorXd change = Stacked<D>(rows, bodies).change(rates);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].is_dynamic()) bodies[b].velocity += change.segment<kDof<D>>(kDof<D> * b);
  }
}

}  // namespace

template <int D>
std::vector<double> joint_rates(const Joint<D>& joint, const std::vector<Body<D>>& bodies) {
  std::vector<double> rates;
  for (const Row<D>& axis : joint_equations<D>(joint, bodies).axes) rates.push_back(rate_of(axis, bodies));
  return rates;
}

template <int D>
void measure_joint(Joint<D>& joint, const std::vector<Body<D>>& bodies) {
  const JointEquations<D> equations = joint_equations<D>(joint, bodies);
  joint.value.resize(equations.axes.size(), 0);
  for (std::size_t i = 0; i < equations.axes.size(); ++i) {
    const double value = equations.axes[i].offset;
    const double turn = 2 * std::numbers::pi;
    const bool angle = is_angle<D>(joint.kind, static_cast<int>(i));
    joint.value[i] = angle ? value + turn * std::round((joint.value[i] - value) / turn) : value;
  }
}

template <int D>
int correct_joints(const std::vector<Joint<D>>& joints, std::vector<Body<D>>& bodies,
                   const JointCorrection& settings) {
  assert(settings.tolerance > 0);
  for (int pass = 0; pass <= settings.max_passes; ++pass) {
    const std::vector<Row<D>> rows = all_rows(joints, bodies);
    const Eigen::VectorXd c = offsets(rows);
    if (c.size() == 0) return pass;
    if (c.cwiseAbs().maxCoeff() <= settings.tolerance) {
      remove_rates(joints, bodies);
      return pass;
    }
    shift(bodies, Stacked<D>(rows, bodies).change(c));
  }
  return -1;
}

template std::vector<double> joint_rates(const Joint<2>&, const std::vector<Body<2>>&);
template std::vector<double> joint_rates(const Joint<3>&, const std::vector<Body<3>>&);
template void measure_joint(Joint<2>&, const std::vector<Body<2>>&);
template void measure_joint(Joint<3>&, const std::vector<Body<3>>&);
template int correct_joints(const std::vector<Joint<2>>&, std::vector<Body<2>>&, const JointCorrection&);
template int correct_joints(const std::vector<Joint<3>>&, std::vector<Body<3>>&, const JointCorrection&);

}  // namespace touchstone
