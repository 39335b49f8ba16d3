#include "touchstone/record/metrics.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdio>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// Share of the energies in a step that it may gain by round-off and by the tolerance of the solver.
constexpr double kEnergyRoundOff = 1e-9;

class Fnv {
 public:
  void add_byte(std::uint64_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }
  void add(std::uint64_t bits) {
    for (int i = 0; i < 8; ++i, bits >>= 8) add_byte(bits & 0xff);
  }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

void add(std::vector<double>& numbers, const Attitude<2>& attitude) { numbers.push_back(attitude.angle); }
template <class V>
void add(std::vector<double>& numbers, const Eigen::MatrixBase<V>& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) numbers.push_back(values[i]);
}
void add(std::vector<double>& numbers, const Attitude<3>& attitude) { add(numbers, attitude.q.coeffs()); }

template <int D>
bool is_driven(const World<D>& world, int body) {
  assert(body < static_cast<int>(world.bodies.size()));
  return body >= 0 && world.bodies[body].is_dynamic();
}

double relative(double error, double scale) { return scale > 0 ? error / scale : error; }

}  // namespace

template <int D>
void MomentumWatch<D>::before(const World<D>& world, double h) {
  assert(h > 0);
  expected_ = momentum(world);
  linear_scale_ = angular_scale_ = 0;
  starts_.clear();
  for (const Body<D>& body : world.bodies) {
    if (!body.is_dynamic()) continue;
    const Vec<D> p = body.mass * linear<D>(body.velocity);
    const Vec<D> kick = h * (body.mass * world.gravity + linear<D>(body.force));
    const Spin<D> twist = h * angular<D>(body.force);
    starts_.push_back({body.position, kick});
    expected_.linear += kick;
    expected_.angular += twist;
    linear_scale_ += p.norm() + kick.norm();
    angular_scale_ += body.position.norm() * (p.norm() + kick.norm()) + twist.norm() +
                      angular_momentum(body, angular<D>(body.velocity)).norm();
  }
  known_ = true;
  for (const Joint<D>& joint : world.joints) {
    known_ = known_ && is_driven(world, joint.body_A) && is_driven(world, joint.body_B);
  }
}

template <int D>
void MomentumWatch<D>::after(const World<D>& world, const StepReport<D>& report) {
  last_ = std::numeric_limits<double>::quiet_NaN();
  if (!known_) {
    worst_ = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  if (report.substeps > 1) return;  // the report tells the impulses of its last part only
  for (const ContactForce<D>& force : report.forces) {
    assert(is_index(force.contact, report.set.contacts.size()));
    const Contact<D>& contact = report.set.contacts[force.contact];
    const bool a = is_driven(world, contact.body_A), b = is_driven(world, contact.body_B);
    linear_scale_ += force.impulse.norm();
    angular_scale_ += contact.point.norm() * force.impulse.norm();
    if (a == b) continue;  // it cancels
    const Vec<D> impulse = a ? force.impulse : Vec<D>(-force.impulse);
    expected_.linear += impulse;
    expected_.angular += moment<D>(contact.point, impulse);
  }
  auto start = starts_.begin();
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body<D>& body = world.bodies[b];
    if (!body.is_dynamic()) continue;
    assert(start != starts_.end() && report.flew.size() == world.bodies.size());
    const Vec<D> lever = report.flew[b] ? Vec<D>(0.5 * (start->position + body.position)) : start->position;
    expected_.angular += moment<D>(lever, start->kick);
    ++start;
  }
  const Momentum<D> found = momentum(world);
  const double linear_error = relative((found.linear - expected_.linear).norm(), linear_scale_);
  const double angular_error = relative((found.angular - expected_.angular).norm(), angular_scale_);
  last_ = std::max(linear_error, angular_error);
  worst_ = std::max(worst_, last_);
}

double energy_gained(const EnergyBalance& balance) {
  // Motors give energy, dampers only take it: energy taken is no work given.
  const double given = balance.work + std::max(0.0, -balance.drive);
  return std::max(0.0, balance.kinetic + balance.potential - given);
}

double energy_excess(const EnergyBalance& balance, double kinetic_after, double slack) {
  const double energies =
      2 * kinetic_after - balance.kinetic + std::abs(balance.work) + std::abs(balance.drive);
  const double by_joints = std::max(0.0, -balance.joint);
  return std::max(0.0, energy_gained(balance) - by_joints - kEnergyRoundOff * energies - slack);
}

template <int D>
std::vector<double> state_numbers(const World<D>& world) {
  std::vector<double> numbers = {world.time};
  for (const Body<D>& body : world.bodies) {
    add(numbers, body.position);
    add(numbers, body.attitude);
    add(numbers, body.velocity);
  }
  for (const auto& [a, b] : world.sticking) numbers.insert(numbers.end(), {double(a), double(b)});
  return numbers;
}

std::uint64_t numbers_hash(std::span<const double> numbers) {
  Fnv hash;
  for (const double x : numbers) hash.add(x);
  return hash.hash();
}

template <int D>
std::uint64_t state_hash(const World<D>& world) {
  return numbers_hash(state_numbers(world));
}

std::uint64_t text_hash(std::string_view text) {
  Fnv hash;
  for (const char c : text) hash.add_byte(static_cast<unsigned char>(c));
  return hash.hash();
}

std::string hash_text(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

template class MomentumWatch<2>;
template class MomentumWatch<3>;
template std::uint64_t state_hash(const World<2>&);
template std::vector<double> state_numbers(const World<2>&);
template std::vector<double> state_numbers(const World<3>&);
template std::uint64_t state_hash(const World<3>&);

}  // namespace touchstone
