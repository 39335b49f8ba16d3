// Coulomb's law for what touches, in accelerations and in velocities.

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/stepping/events/joint_row.h"
#include "touchstone/stepping/events/phase.h"

namespace touchstone {
namespace {

constexpr double kOpen = 2e-11;  ///< [m] a gap that is wider closes only in the time that it takes

}  // namespace

template <int D>
std::vector<Drive> limited_motors(const World<D>& world) {
  std::vector<Drive> drives;
  for (std::size_t j = 0; j < world.joints.size(); ++j) {
    const std::vector<JointAxis>& axes = world.joints[j].axes;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      if (axes[k].motor && std::isfinite(axes[k].motor_force))
        drives.push_back({static_cast<int>(j), static_cast<int>(k), Grip::stick, 0});
    }
  }
  return drives;
}

/// Rows and joints of a law, without what the law speaks of.
template <int D>
LawProblem Phase<D>::problem(const std::vector<Moving<D>>& bodies, const std::vector<RowNow<D>>& now,
                             const std::vector<const ContactRow<D>*>& which) const {
  const int n = flight_->count() * kDof<D>, k = D - 1, count = static_cast<int>(now.size());
  assert(now.size() == which.size());
  LawProblem P;
  P.tangents = k;
  P.M = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < flight_->count(); ++i) {
    P.M.block<kDof<D>, kDof<D>>(i * kDof<D>, i * kDof<D>) = flight_->inertia(i, bodies[flight_->body(i)]);
  }
  P.N = Eigen::MatrixXd::Zero(count, n), P.T = Eigen::MatrixXd::Zero(count * k, n);
  for (int i = 0; i < count; ++i) {
    const int bodies_of_row[] = {which[i]->P, which[i]->E};
    for (int side = 0; side < 2; ++side) {
      scatter(bodies_of_row[side], side ? now[i].N_E : now[i].N_P, P.N.row(i));
      for (int t = 0; t < k; ++t) {
        scatter(bodies_of_row[side], (side ? now[i].T_E : now[i].T_P).row(t).transpose(), P.T.row(i * k + t));
      }
    }
    P.contacts.push_back({which[i]->surface.mu});
  }
  return P;
}

/// Adds a motor of limited force as a contact without normal; `bend`: of its rate, the part without x.
template <int D>
void Phase<D>::add_drive(const Drive& drive, const AxisNow<D>& axis, double bend, LawProblem& P) const {
  const int k = D - 1;
  const auto n = P.M.rows(), rows = P.N.rows();
  P.N.conservativeResize(rows + 1, n), P.T.conservativeResize((rows + 1) * k, n);
  P.bn.conservativeResize(rows + 1), P.bt.conservativeResize((rows + 1) * k);
  P.N.row(rows).setZero(), P.T.bottomRows(k).setZero(), P.bn[rows] = 0, P.bt.tail(k).setZero();
  scatter(axis.row.body_A, axis.row.G_A, P.T.row(rows * k));
  scatter(axis.row.body_B, axis.row.G_B, P.T.row(rows * k));
  P.bt[rows * k] = bend;
  P.contacts.push_back({});
  P.contacts.back().bound = flight_->world().joints[drive.joint].axes[drive.axis].motor_force;
}

template <int D>
LawProblem Phase<D>::law(const std::vector<Moving<D>>& bodies, const std::vector<HeldRow<D>>& closed,
                         const std::vector<Drive>& drives) const {
  std::vector<RowNow<D>> now;
  std::vector<const ContactRow<D>*> which;
  for (const HeldRow<D>& c : closed) {
    now.push_back(row_now<D>(c.row, flight_->world(), bodies));
    which.push_back(&c.row);
  }
  LawProblem P = problem(bodies, now, which);
  const int k = D - 1, count = static_cast<int>(now.size());
  P.bn.resize(count), P.bt.resize(count * k);
  for (int i = 0; i < count; ++i) {
    P.bn[i] = now[i].bend, P.bt.segment(i * k, k) = now[i].slip_bend;
    if (closed[i].grip != Grip::slip) continue;
    P.contacts[i].slides = true;
    P.contacts[i].direction.head(k) =
        now[i].across.transpose() * slip_direction(closed[i], now[i], bodies[closed[i].row.E]);
  }
  for (const Drive& drive : drives) {
    const AxisNow<D> axis = axis_now<D>(flight_->world(), drive.joint, drive.axis, bodies);
    add_drive(drive, axis, axis.bend, P);
    P.contacts.back().slides = drive.grip == Grip::slip;
    P.contacts.back().direction = Eigen::Vector2d(drive.sense, 0);
  }
  P.f = loads(bodies, false);
  const Rows joints = joints_alone(bodies);
  P.G = joints.J, P.g = joints.bend;
  return P;
}

template <int D>
LawProblem Phase<D>::impact(const std::vector<Moving<D>>& bodies, const std::vector<ContactRow<D>>& closed,
                            double ahead) const {
  std::vector<RowNow<D>> now;
  std::vector<const ContactRow<D>*> which;
  assert(ahead >= 0);
  for (const ContactRow<D>& row : closed)
    now.push_back(row_now<D>(row, flight_->world(), bodies)), which.push_back(&row);
  LawProblem P = problem(bodies, now, which);
  Eigen::VectorXd V(P.M.rows());
  for (int i = 0; i < flight_->count(); ++i) V.segment<kDof<D>>(i * kDof<D>) = bodies[flight_->body(i)].V;
  P.f = P.M * V + ahead * loads(bodies, false);
  const int k = D - 1, count = static_cast<int>(now.size());
  P.bn.resize(count), P.bt.resize(count * k);
  const Eigen::VectorXd un = P.N * V, ut = P.T * V;
  for (int i = 0; i < count; ++i) {  // what scripted bodies do, and the bounce
    P.bn[i] = now[i].speed - un[i] + which[i]->surface.bounce * std::min(now[i].speed, 0.);
    if (ahead > 0) P.bn[i] += std::max(now[i].gap - kOpen, 0.) / ahead;
    P.bt.segment(i * k, k) = now[i].slip - ut.segment(i * k, k);
  }
  for (const Drive& drive : ahead > 0 ? limited_motors(flight_->world()) : std::vector<Drive>()) {
    const AxisNow<D> axis = axis_now<D>(flight_->world(), drive.joint, drive.axis, bodies);
    add_drive(drive, axis, 0, P);
    const double given = axis.rate - P.T.row(P.T.rows() - k).dot(V);
    P.bt[P.bt.size() - k] = given - flight_->world().joints[drive.joint].axes[drive.axis].motor_rate;
    P.contacts.back().bound *= ahead;
  }
  const Rows joints = joints_alone(bodies);
  P.G = joints.J, P.g = joints.speed - joints.J * V;
  return P;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                        \
  template std::vector<Drive> limited_motors(const World<D>&);                                           \
  template LawProblem Phase<D>::problem(const std::vector<Moving<D>>&, const std::vector<RowNow<D>>&,    \
                                        const std::vector<const ContactRow<D>*>&) const;                 \
  template void Phase<D>::add_drive(const Drive&, const AxisNow<D>&, double, LawProblem&) const;         \
  template LawProblem Phase<D>::law(const std::vector<Moving<D>>&, const std::vector<HeldRow<D>>&,       \
                                    const std::vector<Drive>&) const;                                    \
  template LawProblem Phase<D>::impact(const std::vector<Moving<D>>&, const std::vector<ContactRow<D>>&, \
                                       double) const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
