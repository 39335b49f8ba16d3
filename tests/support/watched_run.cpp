#include "watched_run.h"

#include <cmath>
#include <limits>

#include "touchstone/proximity/gap.h"
#include "touchstone/record/metrics.h"
#include "touchstone/stepping/measure.h"

namespace touchstone::support {
namespace {

/// [J] What bodies that are let open by the tolerance of gaps may gain in a step [docs/contact-models.md].
template <int D>
double lift(const World<D>& world, double h) {
  constexpr double kTolerance = 1e-9;  // [m]
  double mass = 0;
  for (const Body<D>& body : world.bodies) mass += body.is_dynamic() ? body.mass : 0;
  return mass * (world.gravity.norm() * kTolerance + 0.5 * kTolerance * kTolerance / (h * h));
}

template <int D>
void note(const StepReport<D>& report, const World<D>& world, Watched& seen) {
  // Where everything has come to rest the energies themselves are round-off of those that there were.
  constexpr double kNothing = 1e-9;
  seen.most_energy = std::max(seen.most_energy, report.balance.scale);
  const double scale = std::max(report.balance.scale, kNothing * seen.most_energy);
  seen.divided += report.divided;
  seen.updates += report.updates;
  seen.passed += report.note("passed");
  seen.loosened += report.note("loosened");
  seen.careful += report.note("careful");
  seen.least_gap = std::min(seen.least_gap, report.min_gap.value_or(0));
  seen.identity_error = std::max(seen.identity_error, std::abs(report.balance.error) / scale);
  seen.gained = std::max(seen.gained, (energy_gained(report.balance) - lift(world, report.h)) / scale);
  bool pushed = false;
  for (const ContactForce<D>& force : report.forces) pushed |= force.normal > 0;
  seen.pushed += pushed;
  for (const Body<D>& body : world.bodies) {
    if (body.is_dynamic()) seen.fastest = std::max(seen.fastest, linear<D>(body.velocity).norm());
  }
}

}  // namespace

template <int D>
void run_watched(World<D>& world, Stepper<D>& stepper, int steps, Watched& seen) {
  MomentumWatch<D> momentum;
  for (int i = 0; i < steps; ++i) {
    momentum.before(world, stepper.settings().h);
    const StepReport<D> report = stepper.step(world);
    ++seen.steps;
    if (report.status != StepStatus::done) {
      ++seen.refused;
      seen.message += "step " + std::to_string(i) + ": " + report.message + "\n";
      return;
    }
    momentum.after(world, report);
    note(report, world, seen);
  }
  if (momentum.worst() > seen.momentum_error) seen.momentum_error = momentum.worst();
}

template <int D>
double exact_least_gap(const World<D>& world) {
  const std::vector<Pose<D>> X_WS = part_poses(world);
  const CollisionFilter<D> filter(world);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < static_cast<int>(X_WS.size()); ++i) {
    for (int j = i + 1; j < static_cast<int>(X_WS.size()); ++j) {
      if (!filter.allows(i, j)) continue;
      least = std::min(
          least,
          find_gap<D>({world.shapes[i].shape.get(), X_WS[i]}, {world.shapes[j].shape.get(), X_WS[j]}).gap);
    }
  }
  return least;
}

template void run_watched(World<2>&, Stepper<2>&, int, Watched&);
template void run_watched(World<3>&, Stepper<3>&, int, Watched&);
template double exact_least_gap(const World<2>&);
template double exact_least_gap(const World<3>&);

}  // namespace touchstone::support
