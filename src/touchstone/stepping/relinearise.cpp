// The re-linearising step of models with I- and X-constraints [PEG 7, 7.1]. Stewart-Trinkle keeps the normals
// of the start, so bodies that turn overlap by a second-order amount. Here the exact gaps at the end of the
// motion found are looked at; contacts of pairs that overlap there, and that promised more, get
//
//     the normal of the end pose, but the point and the levers of the start,
//     and the offset  phi(end) - h G.V  of the motion tried,
//
// and the step is solved again. This form keeps momentum to round-off and gains no energy as long as no row
// with a negative offset pushes; among the members of a list, such rows are not held.

#include <set>

#include "touchstone/proximity/gap.h"
#include "touchstone/stepping/choice_rows.h"
#include "touchstone/stepping/trial.h"

namespace touchstone {
namespace {

/// Solutions tried before the step is halved.
constexpr int kMaxPasses = 20;
/// Passes in which guards are chosen anew and exchanged; later they are kept, which ends circles of two
/// [PEG 7.1 R2].
constexpr int kPassesOfChoice = 3;

using ShapePair = std::pair<int, int>;

template <int D>
PlacedShape<D> part_at(const World<D>& world, const std::vector<Pose<D>>& X, int shape) {
  return {world.shapes[shape].shape.get(), X[shape]};
}

/// Pairs that overlap by more than the tolerance, and the lowest gap of all.
template <int D>
std::set<ShapePair> overlapping(const World<D>& world, const std::vector<Pose<D>>& X,
                                const std::vector<ShapePair>& pairs,
                                std::pair<double, double*> tolerance_lowest) {
  std::set<ShapePair> found;
  for (const ShapePair& pair : pairs) {
    const double gap = find_gap<D>(part_at(world, X, pair.first), part_at(world, X, pair.second)).gap;
    if (gap < -tolerance_lowest.first) found.insert(pair);
    *tolerance_lowest.second = std::min(*tolerance_lowest.second, gap);
  }
  return found;
}

/// A motion that is tried.
template <int D>
struct Motion {
  const World<D>& world;
  const Assembly<D>& assembly;
  const std::vector<Twist<D>>& V;
  double h;

  /// By how much the bodies move apart along the contact's normal, at its point [m].
  double way(const Contact<D>& contact) const {
    const auto velocity = [&](int b) {
      const int local = assembly.local[b];
      const Twist<D>& W = local >= 0 ? V[local] : world.bodies[b].velocity;
      return point_velocity<D>(W, contact.point - world.bodies[b].position);
    };
    return h * contact.normal.dot(velocity(contact.body_A) - velocity(contact.body_B));
  }
};

/// The contacts as linearised at present.
template <int D>
struct Renewal {
  ConstraintSet<D> start, rows;
  std::set<int> renewed;  ///< sticky: linearised anew in every pass from the first time on
  double tolerance;       ///< [m]

  /// Linearises contacts of the pairs anew that broke their promise; returns how many did.
  template <typename Find>
  int renew(const std::set<ShapePair>& bad, const Motion<D>& motion, const Find& find) {
    int broken = 0;
    for (int k = 0; k < static_cast<int>(rows.contacts.size()); ++k) {
      const ContactFeatures& of = start.features[k];
      if (!renewed.contains(k) && !bad.contains({of.shape_A, of.shape_B})) continue;
      Contact<D>& row = rows.contacts[k];
      const MovedContact<D> now = find(k);
      const double promised = row.gap + motion.way(row);
      const bool breaks = now.gap < -tolerance && promised > now.gap + 0.5 * tolerance;
      if (!breaks && !renewed.contains(k)) continue;
      broken += breaks;
      renewed.insert(k);
      row.normal = now.normal;
      row.gap = now.gap - motion.way(row);
    }
    return broken;
  }
};

/// Gaps that are closed up to the tolerance are closed: what the last step left must not be pushed out.
template <int D>
void close_small_gaps(ConstraintSet<D>& set, double tolerance) {
  for (Contact<D>& contact : set.contacts) {
    if (contact.gap < 0 && contact.gap >= -tolerance) contact.gap = 0;
  }
}

}  // namespace

template <int D>
bool Stepper<D>::relinearise(Trial& trial) {
  const World<D>& world = trial.world;
  StepReport<D>& report = trial.report;
  const double tolerance = settings_.gap_tolerance;
  close_small_gaps(report.set, tolerance);
  Renewal<D> renewal{report.set, report.set, {}, tolerance};
  const ConstraintSet<D>&start = renewal.start, &rows = renewal.rows;
  std::string reason = "contacts did not settle in " + std::to_string(kMaxPasses) + " evaluations";
  Choice choice;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    choice = choose(trial, rows, start, pass < kPassesOfChoice ? Choice{} : choice);
    if (!choice.found && pass >= kPassesOfChoice) choice = choose(trial, rows, start, {});
    if (!choice.found) {
      reason = "no choice of contacts has a solution";
      break;
    }
    ++report.updates;
    const Motion<D> motion{world, trial.assembly, trial.result.impulses.V, trial.h};
    const std::vector<Pose<D>> X_end = end_poses(world, trial.assembly, motion.V, trial.h);
    double lowest = 0;
    const auto bad = overlapping(world, X_end, measure_.pairs(), {tolerance, &lowest});
    if (bad.empty()) {
      report.min_gap = std::min(report.min_gap.value_or(lowest), lowest);
      report.set = rows, report.set.unilateral = choice.contacts;
      return true;
    }
    const auto find = [&](int k) {
      return model_->find_again({world.shapes, X_end, measure_.pairs(), 0, settings_.tests}, start, k);
    };
    const int renewed = renewal.renew(bad, motion, find);
    report.choice.renewed += renewed;
    if (renewed == 0) {
      reason = "parts " + std::to_string(bad.begin()->first) + " and " + std::to_string(bad.begin()->second) +
               " overlap though all their contacts hold";
      break;
    }
  }
  if (report.status == StepStatus::bad_state) return false;
  report.status = StepStatus::not_converged;
  report.message = reason;
  return false;
}

template bool Stepper<2>::relinearise(Trial&);
template bool Stepper<3>::relinearise(Trial&);

}  // namespace touchstone
