#include "touchstone/stepping/events/phase.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/math/checks.h"
#include "touchstone/stepping/events/joint_row.h"

namespace touchstone {
namespace {

constexpr double kRank = 1e-10;  ///< of the largest pivot: rows that depend on others more closely than this
constexpr double kCreeping = 1e-9;  ///< [m/s] a slip slower than this keeps the direction in which it began
constexpr double kJointStep =
    1e-3;  ///< [s] of the differences of joints' rows, for bodies that move at 1 m/s, 1 rad/s
constexpr double kBalanced = 5e-14;  ///< of the terms that make an acceleration: less than that is round-off
constexpr int kProjections = 4;
constexpr double kClosed = 1e-15;  ///< [m, rad] that projections leave

/// The solution of least norm of A x = b, and the dimension of its null space.
Eigen::VectorXd least_norm(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, int* redundant = nullptr) {
  assert(A.rows() == b.size());
  if (A.rows() == 0) return Eigen::VectorXd();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposed;
  decomposed.setThreshold(kRank);
  decomposed.compute(A);
  if (redundant) *redundant = static_cast<int>(A.cols() - decomposed.rank());
  return decomposed.solve(b);
}

}  // namespace

template <int D>
Phase<D>::Phase(const Flight<D>& flight, std::vector<HeldRow<D>> held, std::vector<Drive> drives)
    : flight_(&flight), held_(std::move(held)), drives_(std::move(drives)), scratch_(flight.world().bodies) {
  assert(std::all_of(held_.begin(), held_.end(), [&](const HeldRow<D>& h) {
    return (h.row.kind == TouchKind::limit || is_index(h.row.P, scratch_.size())) &&
           (h.grip != Grip::slip || is_unit(h.direction));
  }));
  for (const Joint<D>& joint : flight.world().joints) {
    joint_rows_ += static_cast<int>(joint_equations(joint, scratch_).rows.size());
    for (const JointAxis& axis : joint.axes) joint_rows_ += axis.motor && std::isinf(axis.motor_force);
  }
  for (const Drive& drive : drives_) drive_rows_ += drive.grip == Grip::stick;
}

template <int D>
void Phase<D>::scatter(int body, const Twist<D>& G,
                       Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row) const {
  assert(row.size() == flight_->count() * kDof<D>);
  const int i = flight_->place(body);
  if (i >= 0) row.segment<kDof<D>>(i * kDof<D>) += G.transpose();
}

template <int D>
Vec<D> Phase<D>::slip_direction(const HeldRow<D>& held, const RowNow<D>& now, const Moving<D>& E) const {
  const Vec<D> began = E.R * held.direction, slip = now.across * now.slip;
  return slip.norm() < kCreeping || slip.dot(began) <= 0 ? began : Vec<D>(slip.normalized());
}

template <int D>
typename Phase<D>::Rows Phase<D>::rows(const std::vector<Moving<D>>& bodies, bool tangents) const {
  const int n = flight_->count() * kDof<D>, k = D - 1, held = static_cast<int>(held_.size());
  const int first = joint_rows_ + drive_rows_;
  int count = first + held;
  Rows rows;
  rows.sticks.assign(held, -1);
  for (int i = 0; i < held; ++i) {
    if (tangents && held_[i].grip == Grip::stick) rows.sticks[i] = count, count += k;
  }
  rows.J = Eigen::MatrixXd::Zero(count, n);
  rows.error = rows.speed = rows.bend = Eigen::VectorXd::Zero(count);
  add_joints(bodies, true, rows);
  for (int i = 0; i < held; ++i) {
    const ContactRow<D>& row = held_[i].row;
    const RowNow<D> now = row_now<D>(row, flight_->world(), bodies);
    rows.now.push_back(now);
    const int at = first + i;
    scatter(row.P, now.N_P, rows.J.row(at)), scatter(row.E, now.N_E, rows.J.row(at));
    rows.error[at] = now.gap, rows.speed[at] = now.speed, rows.bend[at] = now.bend;
    for (int t = 0; t < k && rows.sticks[i] >= 0; ++t) {
      const int place = rows.sticks[i] + t;
      scatter(row.P, now.T_P.row(t).transpose(), rows.J.row(place));
      scatter(row.E, now.T_E.row(t).transpose(), rows.J.row(place));
      rows.speed[place] = now.slip[t], rows.bend[place] = now.slip_bend[t];
    }
  }
  rows.B = rows.J;
  for (int i = 0; i < held; ++i) {
    if (held_[i].grip != Grip::slip) continue;
    const ContactRow<D>& row = held_[i].row;
    const RowNow<D>& now = rows.now[i];
    const Eigen::Matrix<double, D - 1, 1> d =
        row.surface.mu * (now.across.transpose() * slip_direction(held_[i], now, bodies[row.E]));
    scatter(row.P, -now.T_P.transpose() * d, rows.B.row(first + i));
    scatter(row.E, -now.T_E.transpose() * d, rows.B.row(first + i));
  }
  return rows;
}

template <int D>
std::vector<JointEquations<D>> Phase<D>::joints_at(const std::vector<Moving<D>>& bodies) const {
  assert(bodies.size() == scratch_.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    scratch_[b].position = bodies[b].x, scratch_[b].attitude = bodies[b].attitude,
    scratch_[b].velocity = bodies[b].V;
  }
  std::vector<JointEquations<D>> all;
  for (const Joint<D>& joint : flight_->world().joints) all.push_back(joint_equations(joint, scratch_));
  return all;
}

template <int D>
typename Phase<D>::JointRows Phase<D>::joint_rows(const std::vector<Moving<D>>& bodies, bool drives) const {
  JointRows found;
  const std::vector<JointEquations<D>> joints = joints_at(bodies);
  const auto add = [&](const Row<D>& row, double target) {
    found.rows.push_back(row), found.targets.push_back(target);
  };
  for (const JointEquations<D>& joint : joints) {
    for (const Row<D>& row : joint.rows) add(row, 0);
  }
  const auto add_motor = [&](std::size_t j, std::size_t axis) {
    Row<D> row = joints[j].axes[axis];
    row.offset = 0;
    add(row, flight_->world().joints[j].axes[axis].motor_rate);
  };
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const std::vector<JointAxis>& axes = flight_->world().joints[j].axes;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      if (axes[k].motor && std::isinf(axes[k].motor_force)) add_motor(j, k);
    }
  }
  for (const Drive& drive : drives_) {
    if (drives && drive.grip == Grip::stick) add_motor(drive.joint, drive.axis);
  }
  return found;
}

/// Their bend, the rate of dC/dt while velocities stay, by central differences of order 4 along the motion.
template <int D>
void Phase<D>::add_joints(const std::vector<Moving<D>>& bodies, bool drives, Rows& rows) const {
  const int count = joint_rows_ + (drives ? drive_rows_ : 0);
  if (count == 0) return;
  const auto velocity = [&](int b) -> const Twist<D>& { return bodies[b].V; };
  const auto given = [&](int b) -> const Twist<D>& { return bodies[b].given; };
  const JointRows joints = joint_rows(bodies, drives);
  assert(static_cast<int>(joints.rows.size()) == count);
  for (int at = 0; at < count; ++at) {
    const Row<D>& row = joints.rows[at];
    scatter(row.body_A, row.G_A, rows.J.row(at)), scatter(row.body_B, row.G_B, rows.J.row(at));
    rows.error[at] = row.offset, rows.speed[at] = rate_by(row, velocity) - joints.targets[at],
    rows.bend[at] = rate_by(row, given);
  }
  double fastest = 0;
  for (const Moving<D>& m : bodies) fastest = std::max(fastest, m.V.norm());
  const double e = kJointStep / (1 + fastest);
  for (const auto& [steps, factor] : {std::pair{-2., 1.}, {-1., -8.}, {1., 8.}, {2., -1.}}) {
    std::vector<Moving<D>> moved = bodies;
    for (Moving<D>& m : moved) shift<D>(m, steps * e * m.V);
    const JointRows then = joint_rows(moved, drives);
    for (int at = 0; at < count; ++at) rows.bend[at] += factor / (12 * e) * rate_by(then.rows[at], velocity);
  }
}

template <int D>
typename Phase<D>::Rows Phase<D>::joints_alone(const std::vector<Moving<D>>& bodies) const {
  Rows joints;
  joints.J = Eigen::MatrixXd::Zero(joint_rows_, flight_->count() * kDof<D>);
  joints.error = joints.speed = joints.bend = Eigen::VectorXd::Zero(joint_rows_);
  add_joints(bodies, false, joints);
  return joints;
}

template <int D>
double Phase<D>::joint_slip(const std::vector<Moving<D>>& bodies) const {
  return joint_rows_ == 0 ? 0 : joints_alone(bodies).speed.cwiseAbs().maxCoeff();
}

template <int D>
Eigen::MatrixXd Phase<D>::inverse_times(const std::vector<Moving<D>>& bodies,
                                        const Eigen::MatrixXd& columns) const {
  assert(columns.rows() == flight_->count() * kDof<D>);
  Eigen::MatrixXd product(columns.rows(), columns.cols());
  for (int i = 0; i < flight_->count(); ++i) {
    product.middleRows(i * kDof<D>, kDof<D>).noalias() =
        flight_->inverse_inertia(i, bodies[flight_->body(i)]) * columns.middleRows(i * kDof<D>, kDof<D>);
  }
  return product;
}

/// Gravity, forces on bodies, gyroscopic torques, forces and dampers of joints, and drives that give way.
template <int D>
Eigen::VectorXd Phase<D>::loads(const std::vector<Moving<D>>& bodies, bool drives) const {
  Eigen::VectorXd f(flight_->count() * kDof<D>);
  for (int i = 0; i < flight_->count(); ++i) {
    f.segment<kDof<D>>(i * kDof<D>) = flight_->load(i, bodies[flight_->body(i)]);
  }
  if (flight_->world().joints.empty()) return f;
  const std::vector<JointEquations<D>> joints = joints_at(bodies);
  const auto velocity = [&](int b) -> const Twist<D>& { return bodies[b].V; };
  const auto push = [&](const Row<D>& row, double force) {
    const int A = flight_->place(row.body_A), B = flight_->place(row.body_B);
    if (A >= 0) f.segment<kDof<D>>(A * kDof<D>) += force * row.G_A;
    if (B >= 0) f.segment<kDof<D>>(B * kDof<D>) += force * row.G_B;
  };
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Joint<D>& joint = flight_->world().joints[j];
    for (std::size_t k = 0; k < joint.axes.size(); ++k) {
      const Row<D>& row = joints[j].axes[k];
      const double speed = rate_by(row, velocity), value = continued(joint, static_cast<int>(k), row.offset);
      double force = joint.axes[k].force - joint.axes[k].damping * speed;
      for (const Servo& servo : joint.axes[k].servos) {
        const double wished = servo.kp * (servo.target - value) + servo.kd * (servo.rate - speed);
        force += std::clamp(wished, -servo.max_force, servo.max_force);
      }
      if (force != 0) push(row, force);
    }
  }
  for (const Drive& drive : drives_) {
    if (!drives || drive.grip != Grip::slip) continue;
    const double most = flight_->world().joints[drive.joint].axes[drive.axis].motor_force;
    push(joints[drive.joint].axes[drive.axis], -drive.sense * most);
  }
  return f;
}

template <int D>
Forces Phase<D>::forces(const std::vector<Moving<D>>& bodies) const {
  const Rows rows = this->rows(bodies, true);
  const Eigen::VectorXd free = inverse_times(bodies, loads(bodies, true));
  Forces found;
  found.a = free;
  found.normal = Eigen::VectorXd::Zero(held_.size());
  found.friction = Eigen::MatrixXd::Zero(D - 1, held_.size());
  found.drives = Eigen::VectorXd::Zero(drives_.size());
  if (rows.J.rows() == 0) return found;
  const Eigen::MatrixXd response = inverse_times(bodies, rows.B.transpose());
  const Eigen::VectorXd l = least_norm(rows.J * response, -(rows.J * free + rows.bend), &found.redundant);
  found.a += response * l;
  // Bodies at rest stay: what loads and forces leave is round-off of the terms that cancel.
  const Eigen::VectorXd terms = free.cwiseAbs() + response.cwiseAbs() * l.cwiseAbs();
  found.a = (found.a.cwiseAbs().array() <= kBalanced * terms.array()).select(0, found.a);
  found.joints = l.head(joint_rows_);
  int holding = joint_rows_;
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    if (drives_[i].grip == Grip::stick) found.drives[i] = l[holding++];
  }
  for (std::size_t i = 0; i < held_.size(); ++i) {
    found.normal[i] = l[joint_rows_ + drive_rows_ + i];
    if (held_[i].grip == Grip::stick) found.friction.col(i) = l.segment(rows.sticks[i], D - 1);
    if (held_[i].grip == Grip::slip) {
      const ContactRow<D>& row = held_[i].row;
      found.friction.col(i) =
          -row.surface.mu * found.normal[i] *
          (rows.now[i].across.transpose() * slip_direction(held_[i], rows.now[i], bodies[row.E]));
    }
  }
  return found;
}

template <int D>
void Phase<D>::rate(double time, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const {
  const std::vector<Moving<D>> bodies = flight_->bodies(time, y);
  rate.resize(y.size());
  flight_->rate(bodies, forces(bodies).a, rate);
}

template <int D>
void Phase<D>::project(double time, Eigen::VectorXd& y) const {
  if (held_.empty() && joint_rows_ + drive_rows_ == 0)
    return flight_->write(flight_->bodies(time, y), y);  // unit quaternions
  std::vector<Moving<D>> bodies = flight_->bodies(time, y);
  for (int pass = 0; pass < kProjections; ++pass) {
    const Rows rows = this->rows(bodies, false);
    if (rows.error.cwiseAbs().maxCoeff() <= kClosed) break;
    const Eigen::MatrixXd response = inverse_times(bodies, rows.J.transpose());
    const Eigen::VectorXd d = response * least_norm(rows.J * response, -rows.error);
    for (int i = 0; i < flight_->count(); ++i)
      shift<D>(bodies[flight_->body(i)], d.segment<kDof<D>>(i * kDof<D>));
  }
  const Rows rows = this->rows(bodies, true);
  const Eigen::MatrixXd response = inverse_times(bodies, rows.J.transpose());
  const Eigen::VectorXd d = response * least_norm(rows.J * response, -rows.speed);
  for (int i = 0; i < flight_->count(); ++i) bodies[flight_->body(i)].V += d.segment<kDof<D>>(i * kDof<D>);
  flight_->write(bodies, y);
}

template class Phase<2>;
template class Phase<3>;

}  // namespace touchstone
