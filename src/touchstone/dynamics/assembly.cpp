#include "touchstone/dynamics/assembly.h"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include "touchstone/dynamics/sticking.h"
#include "touchstone/dynamics/yielding.h"
#include "touchstone/math/checks.h"
#include "touchstone/math/tolerance.h"

namespace touchstone {
namespace {

/// A contact bounces only if it is faster than what the external forces make of it in two steps: slower ones
/// would bounce within the step and are at rest as far as the step can tell.
constexpr double kStepsOfFall = 2;

template <int D>
class Assembler {
 public:
  Assembler(const StepInput<D>& input, const ConstraintSet<D>& set)
      : in_(input), set_(set), sliding_(find_sliding(input, set)), eq_(out_.equations) {}

  Assembly<D> run() {
    assert(in_.h > 0 && in_.joint_equations.size() == in_.joints.size());
    const std::size_t contacts = set_.unilateral.size();
    eq_.unilateral.reserve(contacts), out_.unilateral.reserve(contacts);
    out_.row_of_contact.reserve(contacts), out_.group_of_contact.reserve(contacts);
    add_bodies();
    for (std::size_t j = 0; j < in_.joints.size(); ++j) add_joint(static_cast<int>(j));
    free_bodies();
    for (std::size_t i = 0; i < set_.unilateral.size(); ++i) add_contact(static_cast<int>(i));
    if (!eq_.groups.empty())  // else no cone asks for it
      eq_.yielding =
          yielding_of(set_, out_.row_of_contact, eq_.unilateral.size(), in_.formulation.closed_gap);
    assert(is_complete());
    return std::move(out_);
  }

 private:
  /// A note beside each row, a row or none for each contact, and cones over rows that are there.
  bool is_complete() const {
    const auto fits = [&](const FrictionGroup& group) {
      return group.normal < static_cast<int>(eq_.unilateral.size()) && group.first >= 0 && group.count > 0 &&
             group.first + group.count <= static_cast<int>(eq_.tangent.size());
    };
    return out_.bilateral.size() == eq_.bilateral.size() && out_.unilateral.size() == eq_.unilateral.size() &&
           out_.tangent.size() == eq_.tangent.size() && eq_.V_free.size() == out_.dynamic.size() &&
           out_.row_of_contact.size() == set_.unilateral.size() &&
           out_.group_of_contact.size() == set_.unilateral.size() &&
           std::all_of(eq_.groups.begin(), eq_.groups.end(), fits);
  }
  void add_bodies();
  void free_bodies();
  void add_joint(int index);
  void add_axis(int index, const Row<D>& axis, std::size_t i);
  void add_bounded(const Row<D>& row, const RowNote& note, double most);
  void add_servo(const Servo& servo, Row<D> row, const RowNote& note, double value);
  void add_limits(int index, const Row<D>& axis, std::size_t i);
  double value_of(int index, const Row<D>& axis, std::size_t i) const {
    const Joint<D>& joint = in_.joints[index];
    return i < joint.value.size() ? joint.value[i] : axis.offset;
  }
  const Contact<D>& known_contact(int k) const;
  double known_offset(const Contact<D>& contact) const;
  void add_contact(int i);
  void add_normal(const Contact<D>& contact, const Surface& surface);
  void add_friction(const Contact<D>& contact, const Surface& surface, int index);
  void add_cone(const Contact<D>& contact, const Surface& surface, int index);
  void add_brake(const Contact<D>& contact, double compliance, int index);

  /// The row over dynamic bodies only; the speed of the others goes into the offset.
  Row<D> folded(Row<D> row, RowNote& note) const;
  void fold(int& body, Twist<D>& G, double& carried) const;
  Row<D> contact_row(const Contact<D>& contact, const Vec<D>& direction) const;
  static void put(std::vector<Row<D>>& rows, std::vector<RowNote>& notes, const Row<D>& row,
                  const RowNote& note) {
    rows.push_back(row), notes.push_back(note);
  }
  bool is_closed(const Contact<D>& contact) const { return contact.offset <= in_.formulation.closed_gap; }
  bool strikes(const Contact<D>& contact, const Row<D>& row, const RowNote& note) const;
  bool holds(const Contact<D>& contact, const Surface& surface) const;
  double lost_by_falling(const Contact<D>& contact, const Surface& surface, const Row<D>& row) const;

  const StepInput<D>& in_;
  const ConstraintSet<D>& set_;
  const BodyPairs sliding_;  ///< where the law asks for it
  Assembly<D> out_;
  StepEquations<D>& eq_;
};

template <int D>
void Assembler<D>::add_bodies() {
  const std::size_t count = in_.inverse_inertia.size();
  out_.local.assign(in_.bodies.size(), -1);
  out_.dynamic.reserve(count), out_.V_start.reserve(count), out_.external.reserve(count);
  eq_.inverse_mass.reserve(count), eq_.V_free.reserve(count);
  for (int b = 0; b < static_cast<int>(in_.bodies.size()); ++b) {
    const Body<D>& body = in_.bodies[b];
    if (!body.is_dynamic()) continue;
    assert(body.mass > 0);
    out_.local[b] = static_cast<int>(out_.dynamic.size());
    out_.dynamic.push_back(b);
    out_.V_start.push_back(in_.velocities[b]);
    const Twist<D> weight = twist<D>(body.mass * in_.gravity, Spin<D>::Zero());
    out_.external.push_back(body.force + weight);
    eq_.inverse_mass.push_back(1 / body.mass);
  }
  eq_.inverse_inertia = in_.inverse_inertia;
  assert(eq_.inverse_inertia.size() == out_.dynamic.size());
  assert(std::all_of(eq_.inverse_inertia.begin(), eq_.inverse_inertia.end(),
                     [](const SpinMat<D>& inverse) { return is_self_adjoint(inverse); }));
}

template <int D>
void Assembler<D>::free_bodies() {
  for (int b = 0; b < eq_.body_count(); ++b) {
    eq_.V_free.push_back(out_.V_start[b] + eq_.apply_inverse_mass(b, in_.h * out_.external[b]));
  }
}

template <int D>
void Assembler<D>::fold(int& body, Twist<D>& G, double& carried) const {
  if (body < 0) return;
  assert(is_index(body, in_.bodies.size()));
  const int local = out_.local[body];
  if (local < 0) {
    carried += G.dot(in_.velocities[body]);
    G.setZero();
  }
  body = local;
}

template <int D>
Row<D> Assembler<D>::folded(Row<D> row, RowNote& note) const {
  note.carried = 0;
  fold(row.body_A, row.G_A, note.carried);
  fold(row.body_B, row.G_B, note.carried);
  row.offset += note.carried;
  return row;
}

template <int D>
void Assembler<D>::add_joint(int index) {
  for (Row<D> row : in_.joint_equations[index].rows) {
    RowNote note{RowKind::joint, index};
    row.offset *= in_.joint_stabilisation / in_.h;
    row = folded(row, note);
    if (row.body_A >= 0 || row.body_B >= 0) put(eq_.bilateral, out_.bilateral, row, note);
  }
  const auto& axes = in_.joint_equations[index].axes;
  for (std::size_t i = 0; i < axes.size() && i < in_.joints[index].axes.size(); ++i)
    add_axis(index, axes[i], i);
}

/// Damping p = -d h rate and motors: rows that the rate itself obeys.
template <int D>
void Assembler<D>::add_axis(int index, const Row<D>& axis, std::size_t i) {
  assert(i < in_.joints[index].axes.size());
  const JointAxis& drive = in_.joints[index].axes[i];
  RowNote note{RowKind::drive, index};
  Row<D> row = axis;
  row.offset = 0;
  row = folded(row, note);
  if (row.body_A < 0 && row.body_B < 0) return;
  if (row.body_A >= 0) out_.external[row.body_A] += drive.force * row.G_A;
  if (row.body_B >= 0) out_.external[row.body_B] += drive.force * row.G_B;
  if (drive.damping > 0) {
    Row<D> damper = row;
    damper.compliance = 1 / (drive.damping * in_.h);
    put(eq_.bilateral, out_.bilateral, damper, note);
  }
  for (const Servo& servo : drive.servos) add_servo(servo, row, note, value_of(index, axis, i));
  if (drive.motor) {
    row.offset -= drive.motor_rate;
    add_bounded(row, note, drive.motor_force);
  }
  add_limits(index, axis, i);
}

/// A row of a drive whose force is at most so large.
template <int D>
void Assembler<D>::add_bounded(const Row<D>& row, const RowNote& note, double most) {
  if (std::isinf(most)) {
    put(eq_.bilateral, out_.bilateral, row, note);
    return;
  }
  eq_.groups.push_back({-1, 0, in_.h * most, static_cast<int>(eq_.tangent.size()), 1, true});
  put(eq_.tangent, out_.tangent, row, note);
}

/// p = h (kp (target - value - h rate) + kd (rate of the target - rate)), solved for the rate:
///     rate + (kp (value - target) - kd rate of the target)/(kd + h kp) + p/(h (kd + h kp)) = 0
template <int D>
void Assembler<D>::add_servo(const Servo& servo, Row<D> row, const RowNote& note, double value) {
  const double gain = servo.kd + in_.h * servo.kp;
  if (!(gain > 0)) return;
  row.offset += (servo.kp * (value - servo.target) - servo.kd * servo.rate) / gain;
  row.compliance = 1 / (in_.h * gain);
  add_bounded(row, note, servo.max_force);
}

template <int D>
void Assembler<D>::add_limits(int index, const Row<D>& axis, std::size_t i) {
  const Joint<D>& joint = in_.joints[index];
  const double value = value_of(index, axis, i);
  const auto add = [&](double sign, double room) {
    if (!std::isfinite(room)) return;
    RowNote note{RowKind::limit, index};
    Row<D> row = axis;
    row.G_A *= sign, row.G_B *= sign;
    // What the last step exceeded a limit by is not pushed back, which would give energy; nor may it grow.
    row.offset = std::max(room, 0.) / in_.h;
    put(eq_.unilateral, out_.unilateral, folded(row, note), note);
  };
  add(+1, value - joint.axes[i].lower);
  add(-1, joint.axes[i].upper - value);
}

template <int D>
Row<D> Assembler<D>::contact_row(const Contact<D>& contact, const Vec<D>& direction) const {
  Row<D> row;
  assert(is_unit(direction));
  row.body_A = contact.body_A, row.body_B = contact.body_B;
  row.G_A = point_wrench<D>(contact.point - in_.bodies[contact.body_A].position, direction);
  row.G_B = -point_wrench<D>(contact.point - in_.bodies[contact.body_B].position, direction);
  return row;
}

/// A set may be that of a user's model.
template <int D>
const Contact<D>& Assembler<D>::known_contact(int k) const {
  if (!is_index(k, set_.contacts.size()))
    throw std::invalid_argument("the contact model names contact " + std::to_string(k) +
                                ", which it did not make");
  const Contact<D>& contact = set_.contacts[k];
  for (const int body : {contact.body_A, contact.body_B}) {
    if (!is_index(body, in_.bodies.size()))
      throw std::invalid_argument("a contact names body " + std::to_string(body) + ", which there is not");
  }
  return contact;
}

template <int D>
void Assembler<D>::add_contact(int i) {
  const Contact<D>& contact = known_contact(set_.unilateral[i]);
  assert(is_unit(contact.normal));
  const bool left_out = in_.formulation.scheme == Scheme::anitescu_potra && !is_closed(contact);
  const bool nobody_moves = out_.local[contact.body_A] < 0 && out_.local[contact.body_B] < 0;
  out_.row_of_contact.push_back(-1), out_.group_of_contact.push_back(-1);
  if (left_out || nobody_moves) return;
  const Surface& surface = surface_at(in_.surfaces, contact);
  out_.row_of_contact.back() = static_cast<int>(eq_.unilateral.size());
  add_normal(contact, surface);
  out_.unilateral.back().index = i;
  add_friction(contact, surface, i);
}

/// Zero where bodies touch and the offset is the round-off of their places, which nobody is to close: bodies
/// at rest would go to and fro by it.
template <int D>
double Assembler<D>::known_offset(const Contact<D>& contact) const {
  constexpr double kGap = 8 * std::numeric_limits<double>::epsilon();
  const double reach = in_.bodies[contact.body_A].position.norm() +
                       in_.bodies[contact.body_B].position.norm() + contact.point.norm();
  const bool touches = std::abs(contact.gap) <= kTouching * reach;
  return touches && std::abs(contact.offset) <= kGap * reach ? 0 : contact.offset;
}

/// Do the bodies approach, faster than forces make them, and would meet within the step?
template <int D>
bool Assembler<D>::strikes(const Contact<D>& contact, const Row<D>& row, const RowNote& note) const {
  const double before = rate(row, out_.V_start) + note.carried;
  const double free = rate(row, eq_.V_free) + note.carried;
  return contact.offset + in_.h * free < 0 && before < -kStepsOfFall * std::abs(free - before);
}

/// Forces go on pushing the bodies together through the gap that is left: (1 - e^2) of the energy of that is
/// lost as well, m a gap with the mass m that the row feels.
template <int D>
double Assembler<D>::lost_by_falling(const Contact<D>& contact, const Surface& surface,
                                     const Row<D>& row) const {
  double inverse_mass = 0;
  if (row.body_A >= 0) inverse_mass += row.G_A.dot(eq_.apply_inverse_mass(row.body_A, row.G_A));
  if (row.body_B >= 0) inverse_mass += row.G_B.dot(eq_.apply_inverse_mass(row.body_B, row.G_B));
  const double closing = (rate(row, out_.V_start) - rate(row, eq_.V_free)) / in_.h;  // [m/s^2]
  const double energy = std::max(contact.offset, 0.) * std::max(closing, 0.) / inverse_mass;
  return (1 - surface.bounce * surface.bounce) * energy;
}

template <int D>
void Assembler<D>::add_normal(const Contact<D>& contact, const Surface& surface) {
  assert(surface.bounce >= 0 && surface.bounce <= 1);
  RowNote note{RowKind::contact, 0};
  Row<D> row = folded(contact_row(contact, contact.normal), note);
  const bool closing = in_.formulation.scheme == Scheme::stewart_trinkle;
  const double asked =
      closing ? known_offset(contact) : in_.formulation.stabilisation * std::min(contact.offset, 0.);
  double offset = asked / in_.h;
  if (surface.bounce > 0 && strikes(contact, row, note)) {
    out_.strikes.push_back({static_cast<int>(eq_.unilateral.size()), surface.bounce, surface.restitution,
                            row.offset + std::min(offset, 0.), lost_by_falling(contact, surface, row)});
    // Newton: the speed after is at least -e times the speed before.
    const double before = rate(row, out_.V_start) + note.carried;
    if (surface.restitution == Restitution::newton) offset = std::min(offset, surface.bounce * before);
    // Poisson: compression takes all of the approach, also where a gap is left, for its impulse comes back.
    if (surface.restitution == Restitution::poisson) offset = std::min(offset, 0.);
  }
  row.offset += offset;
  put(eq_.unilateral, out_.unilateral, row, note);
}

/// No slip and viscosity act on closed contacts. A body that turns with w about its contact, or rolls, has
/// left it by n.(w x (w x r)) h^2/2 after each step, because the step takes the contact for straight, and is
/// still held there; twice that is allowed. A contact that bounces is closed within the step.
template <int D>
bool Assembler<D>::holds(const Contact<D>& contact, const Surface& surface) const {
  const auto bent = [&](int body) {
    const Spin<D> w = angular<D>(in_.velocities[body]);
    const Vec<D> r = contact.point - in_.bodies[body].position;
    return std::abs(contact.normal.dot(spin_velocity<D>(w, spin_velocity<D>(w, r))));
  };
  const double left = in_.h * in_.h * (bent(contact.body_A) + bent(contact.body_B));
  if (contact.offset <= in_.formulation.closed_gap + left) return true;
  return surface.bounce > 0 && strikes(contact, eq_.unilateral.back(), out_.unilateral.back());
}

template <int D>
void Assembler<D>::add_friction(const Contact<D>& contact, const Surface& surface, int index) {
  switch (surface.friction) {
    case FrictionLaw::none:
      return;
    case FrictionLaw::linear:
    case FrictionLaw::quadratic:
    case FrictionLaw::static_kinetic:
      if (surface.mu > 0) add_cone(contact, surface, index);
      return;
    case FrictionLaw::no_slip:
      if (holds(contact, surface)) add_brake(contact, 0, index);
      return;
    case FrictionLaw::viscous:
      if (surface.viscosity > 0 && holds(contact, surface))
        add_brake(contact, 1 / (surface.viscosity * in_.h), index);
      return;
  }
}

/// Rows that hold the sliding speed at zero, rigidly or by a damper.
template <int D>
void Assembler<D>::add_brake(const Contact<D>& contact, double compliance, int index) {
  assert(compliance >= 0);
  const auto T = tangents<D>(contact.normal);
  for (int k = 0; k < D - 1; ++k) {
    RowNote note{RowKind::friction, index};
    Row<D> row = folded(contact_row(contact, T.col(k)), note);
    row.compliance = compliance;
    put(eq_.bilateral, out_.bilateral, row, note);
  }
}

template <int D>
void Assembler<D>::add_cone(const Contact<D>& contact, const Surface& surface, int index) {
  assert(surface.mu > 0 && !eq_.unilateral.empty());
  const double mu = contains(sliding_, contact.body_A, contact.body_B) ? sliding_mu(surface) : surface.mu;
  const Eigen::Matrix<double, D, D - 1> T = tangents<D>(contact.normal);
  // In the plane pyramid and cone are one: a single direction, either way.
  const bool round = D == 2 || surface.friction != FrictionLaw::linear;
  const int count = round ? D - 1 : surface.directions;
  const int normal = static_cast<int>(eq_.unilateral.size()) - 1;
  out_.group_of_contact.back() = static_cast<int>(eq_.groups.size());
  eq_.groups.push_back({normal, mu, 0, static_cast<int>(eq_.tangent.size()), count, round});
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    Vec<D> direction = T.col(std::min(k, D - 2));
    if (!round) direction = std::cos(angle) * T.col(0) + std::sin(angle) * T.col(D - 2);
    RowNote note{RowKind::friction, index};
    put(eq_.tangent, out_.tangent, folded(contact_row(contact, direction), note), note);
  }
}

}  // namespace

template <int D>
void prepare(StepInput<D>& input) {
  assert(input.h > 0 && input.velocities.size() == input.bodies.size());
  input.joint_equations.reserve(input.joints.size()), input.inverse_inertia.reserve(input.bodies.size());
  for (const Joint<D>& joint : input.joints) {
    input.joint_equations.push_back(joint_equations<D>(joint, input.bodies));
  }
  for (const Body<D>& body : input.bodies) {
    if (body.is_dynamic()) input.inverse_inertia.push_back(world_inertia(body).inverse());
  }
}

template <int D>
Assembly<D> assemble(const StepInput<D>& input, const ConstraintSet<D>& set) {
  assert(input.joint_equations.size() == input.joints.size() && "prepare() was called");
  return Assembler<D>(input, set).run();
}

#define TOUCHSTONE_INSTANTIATE(D)       \
  template void prepare(StepInput<D>&); \
  template Assembly<D> assemble(const StepInput<D>&, const ConstraintSet<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
