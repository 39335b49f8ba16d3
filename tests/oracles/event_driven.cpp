#include "oracles/event_driven.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace touchstone::oracles {
namespace {

using Eigen::Vector2d, Eigen::Vector3d;

constexpr int kBisections = 50;
constexpr double kSettled = 1e-9;  // [m/s, m/s^2] a contact that opens slower than this stays

struct Contact {
  bool vertex_moves;
  int vertex, edge;
  bool operator==(const Contact&) const = default;
};

/// Gap, its gradient J in q, the rate of J along v times v, and where along the edge the vertex is.
struct Reading {
  double gap, along;
  Vector3d J;
  double bend;  ///< d/dt(J).v
};

Vector2d turned(const Vector2d& p, double angle) {
  return {std::cos(angle) * p.x() - std::sin(angle) * p.y(),
          std::sin(angle) * p.x() + std::cos(angle) * p.y()};
}
Vector2d left_of(const Vector2d& p) { return {-p.y(), p.x()}; }
Vector2d right_of(const Vector2d& p) { return {p.y(), -p.x()}; }

class Simulator {
 public:
  explicit Simulator(const EventDrivenProblem& problem) : p_(problem), q_(problem.q), v_(problem.v) {
    inverse_mass_ << 1 / p_.mass, 1 / p_.mass, 1 / p_.inertia;
    for (int i = 0; i < static_cast<int>(p_.moving.size()); ++i)
      for (int e = 0; e < static_cast<int>(p_.fixed.size()); ++e) all_.push_back({true, i, e});
    for (int i = 0; i < static_cast<int>(p_.fixed.size()); ++i)
      for (int e = 0; e < static_cast<int>(p_.moving.size()); ++e) all_.push_back({false, i, e});
  }

  EventDrivenResult run(const std::vector<double>& times, double dt) {
    EventDrivenResult result;
    events_ = &result.events;
    for (double time : times) {
      while (time_ < time - 1e-12) step(std::min(dt, time - time_));
      result.q.push_back(q_);
    }
    return result;
  }

 private:
  Reading read(const Contact& c, const Vector3d& q, const Vector3d& v) const {
    const auto corner = [](const Corners& of, int i) { return of[i % of.size()]; };
    Reading r;
    if (c.vertex_moves) {
      const Vector2d a = corner(p_.fixed, c.edge), b = corner(p_.fixed, c.edge + 1);
      const Vector2d n = right_of(b - a).normalized(), arm = turned(p_.moving[c.vertex], q[2]);
      const Vector2d x = q.head<2>() + arm;
      r.gap = n.dot(x - a), r.along = (x - a).dot(b - a) / (b - a).squaredNorm();
      r.J << n, n.dot(left_of(arm));
      r.bend = -n.dot(arm) * v[2] * v[2];
    } else {
      // In the frame of the moving polygon the fixed vertex is y = R^T (x - c).
      const Vector2d a = turned(corner(p_.moving, c.edge), q[2]),
                     b = turned(corner(p_.moving, c.edge + 1), q[2]);
      const Vector2d n = right_of(b - a).normalized(), d = p_.fixed[c.vertex] - q.head<2>();
      r.gap = n.dot(d - a), r.along = (d - a).dot(b - a) / (b - a).squaredNorm();
      // n turns with the body and n.a is constant: d/dt gap = w (left n).d - n.vc
      r.J << -n, left_of(n).dot(d);
      r.bend = -v[2] * v[2] * n.dot(d) - 2 * v[2] * left_of(n).dot(v.head<2>());
    }
    return r;
  }

  /// 0 <= x _|_ A x + b >= 0 for at most two rows, by trying every set.
  static Eigen::VectorXd complementary(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
    const int n = static_cast<int>(b.size());
    for (int mask = 0; mask < (1 << n); ++mask) {
      Eigen::MatrixXd S = Eigen::MatrixXd::Identity(n, n);
      Eigen::VectorXd rhs = Eigen::VectorXd::Zero(n);
      for (int i = 0; i < n; ++i)
        if (mask >> i & 1) S.row(i) = A.row(i), rhs[i] = -b[i];
      const Eigen::VectorXd x = S.fullPivLu().solve(rhs), w = A * x + b;
      if (x.minCoeff() >= -1e-12 && w.minCoeff() >= -1e-9) return x;
    }
    return Eigen::VectorXd::Zero(n);
  }

  /// The change of u that makes J.u + b >= 0 at the touching contacts.
  Vector3d response(const Vector3d& q, const Vector3d& v, const Vector3d& u, bool bends) const {
    const int n = static_cast<int>(active_.size());
    if (n == 0) return Vector3d::Zero();
    Eigen::MatrixXd J(n, 3);
    Eigen::VectorXd b(n);
    for (int i = 0; i < n; ++i) {
      const Reading r = read(active_[i], q, v);
      J.row(i) = r.J, b[i] = r.J.dot(u) + (bends ? r.bend : 0);
    }
    const Eigen::MatrixXd MJ = inverse_mass_.asDiagonal() * J.transpose();
    return MJ * complementary(J * MJ, b);
  }
  Vector3d acceleration(const Vector3d& q, const Vector3d& v) const {
    const Vector3d free(0, -p_.gravity, 0);
    return free + response(q, v, free, true);
  }

  void integrate(double dt, Vector3d& q, Vector3d& v) const {
    const Vector3d a1 = acceleration(q_, v_), q2 = q_ + .5 * dt * v_, v2 = v_ + .5 * dt * a1;
    const Vector3d a2 = acceleration(q2, v2);
    q = q_ + dt * v2, v = v_ + dt * a2;
  }

  bool is_active(const Contact& c) const {
    return std::find(active_.begin(), active_.end(), c) != active_.end();
  }
  bool touches(const Contact& c, const Vector3d& q, const Vector3d& v) const {
    const Reading before = read(c, q_, v_), after = read(c, q, v);
    if (before.gap <= 0 || after.gap > 0 || after.along <= 0 || after.along >= 1) return false;
    // Below one edge's line and above another's is still outside.
    return std::all_of(all_.begin(), all_.end(), [&](const Contact& other) {
      const bool same_vertex = other.vertex_moves == c.vertex_moves && other.vertex == c.vertex;
      return !same_vertex || read(other, q, v).gap <= 0;
    });
  }

  void step(double dt) {
    open();
    Vector3d q, v;
    integrate(dt, q, v);
    const Contact* hit = nullptr;
    for (int i = 0; i < kBisections + 1; ++i) {
      // The first time at which anything touches: halve until the touch is at the end of the step.
      const Contact* now = find_touch(q, v);
      if (i == 0 && !now) break;
      if (now) hit = now;
      if (i == 0) low_ = 0, high_ = dt;
      (now ? high_ : low_) = i == 0 ? dt : middle_;
      middle_ = .5 * (low_ + high_);
      integrate(middle_, q, v);
    }
    if (hit) integrate(dt = high_, q, v);
    q_ = q, v_ = v, time_ += dt;
    if (hit) close(*hit);
    settle();
  }

  const Contact* find_touch(const Vector3d& q, const Vector3d& v) const {
    for (const Contact& c : all_) {
      if (!is_active(c) && touches(c, q, v)) return &c;
    }
    return nullptr;
  }

  void close(const Contact& c) {
    const double speed = read(c, q_, v_).J.dot(v_);
    events_->push_back({time_, Event::touch, c.vertex_moves, c.vertex, c.edge, speed});
    active_.push_back(c);
    v_ += response(q_, v_, v_, false);
  }

  /// Contacts that open, now that the forces are known, or whose vertex ran off the edge.
  void open() {
    const Vector3d a = acceleration(q_, v_);
    std::vector<Contact> kept;
    for (const Contact& c : active_) {
      const Reading r = read(c, q_, v_);
      const bool off = r.along <= 0 || r.along >= 1;
      const bool opens = r.J.dot(v_) > kSettled || r.J.dot(a) + r.bend > kSettled;
      if (!off && !opens) {
        kept.push_back(c);
      } else {
        events_->push_back({time_, off ? Event::run_off : Event::leave, c.vertex_moves, c.vertex, c.edge, 0});
      }
    }
    active_ = kept;
  }

  /// Takes the drift of the ODE out: gaps and speeds of active contacts are zero.
  void settle() {
    for (const Contact& c : active_) {
      const Reading r = read(c, q_, v_);
      const Vector3d MJ = inverse_mass_.cwiseProduct(r.J);
      q_ -= MJ * (r.gap / r.J.dot(MJ));
      v_ -= MJ * (r.J.dot(v_) / r.J.dot(MJ));
    }
  }

  const EventDrivenProblem& p_;
  Vector3d q_, v_, inverse_mass_;
  double time_ = 0, low_ = 0, high_ = 0, middle_ = 0;
  std::vector<Contact> all_, active_;
  std::vector<Event>* events_ = nullptr;
};

}  // namespace

EventDrivenResult run_events(const EventDrivenProblem& problem, const std::vector<double>& times, double dt) {
  return Simulator(problem).run(times, dt);
}

}  // namespace touchstone::oracles
