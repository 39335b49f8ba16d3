#include "touchstone/stepping/events/flight.h"

#include <Eigen/LU>
#include <cassert>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

constexpr double kScriptStep =
    1e-4;  ///< [s] of the differences that give a script's velocity and acceleration

/// Places of numbers within the part of one body.
template <int D>
inline constexpr int kAttitudeAt = D;
template <int D>
inline constexpr int kSpeedAt = kStateSize<D> - kDof<D>;

void write_attitude(const Attitude<2>& a, double* to) { to[0] = a.angle; }
void write_attitude(const Attitude<3>& a, double* to) {
  to[0] = a.q.w(), to[1] = a.q.x(), to[2] = a.q.y(), to[3] = a.q.z();
}
Attitude<2> read_attitude(const double* from, Attitude<2>*) { return {from[0]}; }
Attitude<3> read_attitude(const double* from, Attitude<3>*) {
  return {Eigen::Quaterniond(from[0], from[1], from[2], from[3]).normalized()};
}
/// dq/dt = q (0, w)/2 with the spin w in body axes.
void write_turning(const Attitude<2>&, const Spin<2>& w, const double*, double* to) { to[0] = w[0]; }
void write_turning(const Attitude<3>&, const Spin<3>& w, const double* q, double* to) {
  to[0] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
  to[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
  to[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
  to[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}
Spin<2> to_body(const Mat<2>&, const Spin<2>& w) { return w; }
Spin<3> to_body(const Mat<3>& R, const Spin<3>& w) { return R.transpose() * w; }
Spin<2> to_world(const Mat<2>&, const Spin<2>& w) { return w; }
Spin<3> to_world(const Mat<3>& R, const Spin<3>& w) { return R * w; }
SpinMat<2> turned(const Mat<2>&, const SpinMat<2>& J) { return J; }
SpinMat<3> turned(const Mat<3>& R, const SpinMat<3>& J) { return R * J * R.transpose(); }
Spin<2> gyroscopic(const Spin<2>&, const Spin<2>&) { return Spin<2>::Zero(); }
Spin<3> gyroscopic(const Spin<3>& w, const Spin<3>& momentum) { return -w.cross(momentum); }

template <int D>
Pose<D> com_pose(const Body<D>& body, double time) {
  const Pose<D> X = body.script(time);
  return {X.R, X * body.com};
}

/// A scripted body at a time; its velocity and acceleration by central differences of order 4.
template <int D>
Moving<D> scripted(const Body<D>& body, double time) {
  const double e = kScriptStep;
  Pose<D> X[5];
  for (int i = -2; i <= 2; ++i) X[i + 2] = com_pose(body, time + i * e);
  Moving<D> m;
  m.x = X[2].p, m.attitude = Attitude<D>::from(X[2].R), m.R = X[2].R;
  Spin<D> turn[5];
  for (int i = 0; i < 5; ++i) turn[i] = turn_between(m.attitude, Attitude<D>::from(X[i].R));
  m.V = twist<D>((X[0].p - 8 * X[1].p + 8 * X[3].p - X[4].p) / (12 * e),
                 (turn[0] - 8 * turn[1] + 8 * turn[3] - turn[4]) / (12 * e));
  m.given = twist<D>((-X[0].p + 16 * X[1].p - 30 * X[2].p + 16 * X[3].p - X[4].p) / (12 * e * e),
                     (-turn[0] + 16 * turn[1] + 16 * turn[3] - turn[4]) / (12 * e * e));
  return m;
}

}  // namespace

template <int D>
Flight<D>::Flight(const World<D>& world) : world_(world), place_(world.bodies.size(), -1) {
  for (int b = 0; b < static_cast<int>(world.bodies.size()); ++b) {
    if (!world.bodies[b].is_dynamic()) continue;
    assert(world.bodies[b].mass > 0 && is_self_adjoint(world.bodies[b].inertia));
    place_[b] = count();
    free_.push_back(b);
    inverse_.push_back(world.bodies[b].inertia.inverse());
  }
}

template <int D>
void Flight<D>::measure(const std::vector<Moving<D>>& bodies) {
  if (world_.joints.empty()) return;
  std::vector<Body<D>> at = world_.bodies;
  for (std::size_t b = 0; b < at.size(); ++b)
    at[b].position = bodies[b].x, at[b].attitude = bodies[b].attitude;
  for (Joint<D>& joint : world_.joints) measure_joint(joint, at);
}

template <int D>
Eigen::VectorXd Flight<D>::read() const {
  std::vector<Moving<D>> bodies(world_.bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body<D>& body = world_.bodies[b];
    bodies[b] = {body.position, body.attitude, body.attitude.matrix(), body.velocity, Twist<D>::Zero()};
  }
  Eigen::VectorXd y(count() * kStateSize<D>);
  write(bodies, y);
  return y;
}

template <int D>
void Flight<D>::write(const std::vector<Moving<D>>& bodies, Eigen::VectorXd& y) const {
  assert(bodies.size() == world_.bodies.size() && y.size() == count() * kStateSize<D>);
  for (int i = 0; i < count(); ++i) {
    const Moving<D>& m = bodies[free_[i]];
    double* at = y.data() + i * kStateSize<D>;
    Eigen::Map<Vec<D>>{at} = m.x;
    write_attitude(m.attitude, at + kAttitudeAt<D>);
    Eigen::Map<Vec<D>>(at + kSpeedAt<D>) = linear<D>(m.V);
    Eigen::Map<Spin<D>>(at + kSpeedAt<D> + D) = to_body(m.R, angular<D>(m.V));
  }
}

template <int D>
std::vector<Moving<D>> Flight<D>::bodies(double time, const Eigen::VectorXd& y) const {
  assert(y.size() == count() * kStateSize<D>);
  std::vector<Moving<D>> all(world_.bodies.size());
  for (std::size_t b = 0; b < all.size(); ++b) {
    const Body<D>& body = world_.bodies[b];
    if (body.kind == BodyKind::scripted && body.script) {
      all[b] = scripted(body, time);
    } else if (!body.is_dynamic()) {
      all[b].x = body.position, all[b].attitude = body.attitude, all[b].R = body.attitude.matrix();
    } else {
      const double* at = y.data() + place_[b] * kStateSize<D>;
      Moving<D>& m = all[b];
      m.x = Eigen::Map<const Vec<D>>(at);
      m.attitude = read_attitude(at + kAttitudeAt<D>, static_cast<Attitude<D>*>(nullptr));
      m.R = m.attitude.matrix();
      const Spin<D> w = Eigen::Map<const Spin<D>>(at + kSpeedAt<D> + D);
      m.V = twist<D>(Eigen::Map<const Vec<D>>(at + kSpeedAt<D>), to_world(m.R, w));
    }
  }
  return all;
}

template <int D>
void Flight<D>::rate(const std::vector<Moving<D>>& bodies, const Eigen::VectorXd& a,
                     Eigen::VectorXd& rate) const {
  assert(a.size() == count() * kDof<D> && rate.size() == count() * kStateSize<D>);
  for (int i = 0; i < count(); ++i) {
    const Moving<D>& m = bodies[free_[i]];
    double* to = rate.data() + i * kStateSize<D>;
    Eigen::Map<Vec<D>>{to} = linear<D>(m.V);
    double q[4];
    write_attitude(m.attitude, q);
    write_turning(m.attitude, to_body(m.R, angular<D>(m.V)), q, to + kAttitudeAt<D>);
    Eigen::Map<Vec<D>>(to + kSpeedAt<D>) = a.segment<D>(i * kDof<D>);
    // w and its image in body axes have rates that differ by w x w = 0 only.
    const Spin<D> turning = a.segment<kSpinSize<D>>(i * kDof<D> + D);
    Eigen::Map<Spin<D>>(to + kSpeedAt<D> + D) = to_body(m.R, turning);
  }
}

template <int D>
void Flight<D>::put(double time, const Eigen::VectorXd& y, World<D>& world) const {
  assert(world.bodies.size() == world_.bodies.size());
  const std::vector<Moving<D>> all = bodies(time, y);
  for (std::size_t b = 0; b < all.size(); ++b) {
    Body<D>& body = world.bodies[b];
    if (body.kind == BodyKind::fixed) continue;
    body.position = all[b].x, body.attitude = all[b].attitude, body.velocity = all[b].V;
  }
  world.time = time;
}

template <int D>
Eigen::Matrix<double, kDof<D>, kDof<D>> Flight<D>::inertia(int i, const Moving<D>& m) const {
  assert(is_index(i, free_.size()) && is_rotation<D>(m.R));
  const Body<D>& body = world_.bodies[free_[i]];
  Eigen::Matrix<double, kDof<D>, kDof<D>> M = Eigen::Matrix<double, kDof<D>, kDof<D>>::Zero();
  M.template topLeftCorner<D, D>() = body.mass * Mat<D>::Identity();
  M.template bottomRightCorner<kSpinSize<D>, kSpinSize<D>>() = turned(m.R, body.inertia);
  return M;
}

template <int D>
Eigen::Matrix<double, kDof<D>, kDof<D>> Flight<D>::inverse_inertia(int i, const Moving<D>& m) const {
  Eigen::Matrix<double, kDof<D>, kDof<D>> M = Eigen::Matrix<double, kDof<D>, kDof<D>>::Zero();
  M.template topLeftCorner<D, D>() = Mat<D>::Identity() / world_.bodies[free_[i]].mass;
  M.template bottomRightCorner<kSpinSize<D>, kSpinSize<D>>() = turned(m.R, inverse_[i]);
  return M;
}

template <int D>
Twist<D> Flight<D>::load(int i, const Moving<D>& m) const {
  assert(is_index(i, free_.size()));
  const Body<D>& body = world_.bodies[free_[i]];
  const Spin<D> w = angular<D>(m.V);
  const Spin<D> momentum = to_world(m.R, Spin<D>(body.inertia * to_body(m.R, w)));
  Twist<D> f = body.force;
  f.template head<D>() += body.mass * world_.gravity;
  f.template tail<kSpinSize<D>>() += gyroscopic(w, momentum);
  return f;
}

template <int D>
void shift(Moving<D>& body, const Twist<D>& d) {
  body.x += linear<D>(d);
  body.attitude = body.attitude.turned(angular<D>(d));
  body.R = body.attitude.matrix();
}

template void shift(Moving<2>&, const Twist<2>&);
template void shift(Moving<3>&, const Twist<3>&);
template class Flight<2>;
template class Flight<3>;

}  // namespace touchstone
