#include "touchstone/dynamics/swing.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/dynamics/joint_impulses.h"
#include "touchstone/dynamics/motion.h"

namespace touchstone {
namespace {

template <int D>
class Swinging {
 public:
  explicit Swinging(const SwingInput<D>& input)
      : in_(input), half_(0.5 * input.h), end_(input.bodies), start_(input.joints, input.bodies, half_) {
    for (const Body<D>& body : in_.bodies) {
      assert(body.is_dynamic() || body.velocity.isZero(0));
      V_start_.push_back(body.velocity);
    }
  }

  Swing<D> run() {
    swing_.settled = kick_and_drift();
    if (!swing_.settled) return swing_;
    const JointImpulses<D> end(in_.joints, end_, half_);
    kick_again(end);
    account(end);
    return swing_;
  }

 private:
  bool kick_and_drift();
  std::vector<Twist<D>> kicked(const std::vector<Twist<D>>& V, const JointImpulses<D>& joints,
                               const VectorX& p) const;
  void drift(const std::vector<Twist<D>>& V);
  double largest_way(const std::vector<Twist<D>>& impulses) const;
  double reach() const;
  void kick_again(const JointImpulses<D>& end);
  void account(const JointImpulses<D>& end);

  const SwingInput<D>& in_;
  double half_;  ///< [s] of the step
  std::vector<Body<D>> end_;
  JointImpulses<D> start_;
  std::vector<Twist<D>> V_start_, V_turned_;  ///< at the start, and V' after the free rotation
  VectorX p_start_, p_end_;
  Swing<D> swing_;
};

/// V after half of the forces of the step and the impulses p.
template <int D>
std::vector<Twist<D>> Swinging<D>::kicked(const std::vector<Twist<D>>& V, const JointImpulses<D>& joints,
                                          const VectorX& p) const {
  const std::vector<Twist<D>> by_joints = joints.by_joints(p), by_dampers = joints.by_dampers(p);
  std::vector<Twist<D>> after = V;
  for (int b = 0; b < static_cast<int>(V.size()); ++b) {
    const Twist<D> forces = half_ * (in_.external[b] + joints.axis_forces()[b]);
    after[b] += joints.change(b, forces + by_joints[b] + by_dampers[b]);
  }
  return after;
}

/// Moves the bodies to the end of the step, if V' is V.
template <int D>
void Swinging<D>::drift(const std::vector<Twist<D>>& V) {
  V_turned_ = V;
  for (std::size_t b = 0; b < V.size(); ++b) {
    const Body<D>& body = in_.bodies[b];
    if (!body.is_dynamic()) continue;
    const Path<D> path = free_path(body, V[b], in_.h);
    end_[b].position = path.centre_at(1), end_[b].attitude = path.end;
    V_turned_[b] = end_velocity(body, path);
  }
}

/// [m] How much further some point at the radius of gyration goes within the step by these impulses.
template <int D>
double Swinging<D>::largest_way(const std::vector<Twist<D>>& impulses) const {
  double most = 0;
  for (int b = 0; b < static_cast<int>(impulses.size()); ++b) {
    const Body<D>& body = in_.bodies[b];
    if (!body.is_dynamic()) continue;
    const Twist<D> change = start_.change(b, impulses[b]);
    const double radius = std::sqrt(body.inertia.trace() / body.mass);
    most = std::max(most, in_.h * (linear<D>(change).norm() + radius * angular<D>(change).norm()));
  }
  return most;
}

/// [m] What the round-off of positions is relative to.
template <int D>
double Swinging<D>::reach() const {
  double most = 0;
  for (const Body<D>& body : in_.bodies) {
    const double radius = body.is_dynamic() ? std::sqrt(body.inertia.trace() / body.mass) : 0;
    most = std::max(most, body.position.norm() + radius);
  }
  return most;
}

/// Newton's method for p with the factors of the start: its error falls by about the angle of the step in
/// each pass, until round-off is all that is left.
template <int D>
bool Swinging<D>::kick_and_drift() {
  constexpr double kRoundOff = 1e-15, kEnough = 1e-13;  // of reach()
  constexpr double kSlow = 0.5;                         // of the correction before
  constexpr int kMost = 40;
  const VectorX open = (1 - in_.joint_stabilisation) * start_.errors();
  const Eigen::Index joint_rows = open.size();
  const double size = reach();
  p_start_ = VectorX::Zero(start_.count());
  VectorX missing = -start_.rates(kicked(V_start_, start_, p_start_), p_start_);
  missing.head(joint_rows) -= (start_.errors() - open) / in_.h;
  double last = HUGE_VAL;
  for (int pass = 0; pass < kMost; ++pass) {
    const VectorX change = start_.solve(missing);
    const double way = largest_way(start_.by_joints(change));
    const bool is_slow = pass > 1 && way > kSlow * last;
    if (is_slow && last > kEnough * size) return false;
    if (is_slow) return true;
    p_start_ += change;
    swing_.V_drift = kicked(V_start_, start_, p_start_);
    drift(swing_.V_drift);
    if (pass > 0 && way <= kRoundOff * size) return true;
    missing = -start_.rates(swing_.V_drift, p_start_);
    missing.head(joint_rows) = (open - joint_errors(in_.joints, end_)) / in_.h;
    last = way;
  }
  return false;
}

/// Twice, because the first solution leaves its round-off in the rates.
template <int D>
void Swinging<D>::kick_again(const JointImpulses<D>& end) {
  p_end_ = VectorX::Zero(end.count());
  for (int pass = 0; pass < 2; ++pass) {
    p_end_ -= end.solve(end.rates(kicked(V_turned_, end, p_end_), p_end_));
  }
  swing_.V_end = kicked(V_turned_, end, p_end_);
  const std::vector<Twist<D>> by_joints = end.by_joints(p_end_), by_dampers = end.by_dampers(p_end_);
  for (std::size_t b = 0; b < end_.size(); ++b) {
    const Twist<D> forces = half_ * (in_.external[b] + end.axis_forces()[b]);
    swing_.end_kick.push_back(angular<D>(Twist<D>(forces + by_joints[b] + by_dampers[b])));
  }
}

/// Each kick P from V to V+ adds P.(V + V+)/2, and the free rotation between them adds nothing. Forces f are
/// said to do f.(x+ - x); joints have the rest of their kicks, h f.(v - 2 v' + v+)/4, because it is zero
/// where joints do not push.
template <int D>
void Swinging<D>::account(const JointImpulses<D>& end) {
  swing_.works.resize(in_.bodies.size());
  const auto add = [&](const JointImpulses<D>& joints, const VectorX& p, const std::vector<Twist<D>>& V,
                       const std::vector<Twist<D>>& V_after) {
    const std::vector<Twist<D>> by_joints = joints.by_joints(p), by_dampers = joints.by_dampers(p);
    for (std::size_t b = 0; b < V.size(); ++b) {
      const Twist<D> mean = 0.5 * (V[b] + V_after[b]);
      SwingWork& work = swing_.works[b];
      work.external += half_ * angular<D>(mean).dot(angular<D>(in_.external[b]));
      work.motors += half_ * mean.dot(joints.axis_forces()[b]);
      work.dampers += mean.dot(by_dampers[b]);
      work.joints += mean.dot(by_joints[b]);
    }
  };
  add(start_, p_start_, V_start_, swing_.V_drift);
  add(end, p_end_, V_turned_, swing_.V_end);
  for (std::size_t b = 0; b < in_.bodies.size(); ++b) {
    const Vec<D> f = linear<D>(in_.external[b]), v = linear<D>(swing_.V_drift[b]);
    const Vec<D> bent = 0.25 * linear<D>(Twist<D>(V_start_[b] + swing_.V_end[b])) - 0.5 * v;
    swing_.works[b].external += in_.h * f.dot(v);
    swing_.works[b].joints += in_.h * f.dot(bent);
  }
}

}  // namespace

template <int D>
Swing<D> swing(const SwingInput<D>& input) {
  assert(input.h > 0 && input.external.size() == input.bodies.size());
  return Swinging<D>(input).run();
}

template Swing<2> swing(const SwingInput<2>&);
template Swing<3> swing(const SwingInput<3>&);

}  // namespace touchstone
