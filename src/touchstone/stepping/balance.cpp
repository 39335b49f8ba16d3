// From M (V+ - V) = h f + sum G p, multiplied by V+:
//
//     dK + 1/2 |V+ - V|_M^2  =  h V+.f + sum p (G.V+),      h V+.f_gravity = -dP
//
// and for each row G.V+ = w - own - carried - compliance p, with p w = 0. A body that falls freely moves by
// h U, U = V+ - h a/2 with a = f/m, instead: multiplied by U, with V+ - V = h a, its part is dK = h U.f, and
// nothing is lost.

#include "touchstone/stepping/balance.h"

#include <cassert>
#include <cmath>

#include "touchstone/dynamics/row_energy.h"

namespace touchstone {
namespace {

/// h U of a body that does not swing.
template <int D>
Twist<D> way_of(const Attempt<D>& attempt, int b) {
  const Path<D>& path = attempt.paths[attempt.solved.assembly.dynamic[b]];
  const Twist<D>& V = attempt.solved.impulses.V[b];
  return path.h * (V - twist<D>((0.5 * path.h) * path.acceleration, Spin<D>::Zero()));
}

template <int D>
double external_work(const Attempt<D>& attempt, const World<D>& world) {
  const Assembly<D>& assembly = attempt.solved.assembly;
  assert(assembly.external.size() == assembly.dynamic.size());
  double sum = 0;
  for (int b = 0; b < assembly.equations.body_count(); ++b) {
    const int body = assembly.dynamic[b];
    const Twist<D> weight = twist<D>(world.bodies[body].mass * world.gravity, Spin<D>::Zero());
    if (attempt.swinging.contains(body)) {
      const SwingWork& work = attempt.swinging.works[body];
      sum += work.external + work.motors - attempt.paths[body].shift().dot(linear<D>(weight));
    } else {
      sum += way_of(attempt, b).dot(assembly.external[b] - weight);
    }
  }
  return sum;
}

/// [J] lost by the implicit step: 1/2 |V+ - V|_M^2, but for bodies that fall or swing.
template <int D>
double lost_by_jumps(const Attempt<D>& attempt) {
  const Assembly<D>& assembly = attempt.solved.assembly;
  const StepImpulses<D>& found = attempt.solved.impulses;
  std::vector<Twist<D>> V = found.V;
  for (std::size_t b = 0; b < V.size(); ++b) {
    if (attempt.swinging.contains(assembly.dynamic[b])) V[b] = assembly.V_start[b];
  }
  double sum = jump_energy(assembly.equations, assembly.V_start, V);
  for (int b = 0; b < assembly.equations.body_count(); ++b) {
    const Path<D>& path = attempt.paths[assembly.dynamic[b]];
    const Vec<D> change = linear<D>(V[b] - assembly.V_start[b]);
    sum -= 0.5 * path.h * change.dot(path.acceleration) / assembly.equations.inverse_mass[b];
  }
  return sum;
}

/// Joints and dampers give to swinging bodies as dynamics/swing.h says.
template <int D>
void add_swings(const SwingingBodies<D>& swinging, EnergyBalance& sum) {
  for (const SwingWork& work : swinging.works) sum.joint -= work.joints, sum.drive -= work.dampers;
}

template <int D>
struct RowTerms {
  const Row<D>& row;
  const RowNote& note;
  double p, rate;  ///< rate: of the dynamic bodies

  double own() const { return row.offset - note.carried; }
  double held() const { return p * (own() + row.compliance * p); }  ///< given to the row's offset and damper
  double slid() const { return -p * (rate + note.carried); }        ///< lost by sliding
  double work() const { return -p * note.carried; }  ///< done by bodies that do not move by forces
};

/// The term to which a row of this kind belongs.
double& term_of(RowKind kind, EnergyBalance& sum) {
  switch (kind) {
    case RowKind::contact:
      return sum.contact;
    case RowKind::friction:
      return sum.friction;
    case RowKind::drive:
      return sum.drive;
    default:
      return sum.joint;
  }
}

}  // namespace

template <int D>
EnergyBalance energy_balance(const Attempt<D>& attempt, const World<D>& world, const Energy& before,
                             const Energy& after) {
  const auto& [assembly, found] = std::tie(attempt.solved.assembly, attempt.solved.impulses);
  const StepEquations<D>& eq = assembly.equations;
  assert(eq.bilateral.size() == assembly.bilateral.size() && eq.bilateral.size() == found.bilateral.size());
  assert(eq.unilateral.size() == assembly.unilateral.size() &&
         eq.unilateral.size() == found.unilateral.size());
  assert(eq.tangent.size() == assembly.tangent.size() && eq.tangent.size() == found.tangent.size());
  EnergyBalance sum;
  sum.kinetic = after.kinetic - before.kinetic;
  sum.potential = after.potential - before.potential;
  sum.jump = lost_by_jumps(attempt);
  sum.work = external_work(attempt, world);
  add_swings(attempt.swinging, sum);
  const auto terms = [&](const Row<D>& row, const RowNote& note, double p) {
    return RowTerms<D>{row, note, p, rate(row, found.V)};
  };
  for (std::size_t i = 0; i < eq.bilateral.size(); ++i) {
    if (attempt.swinging.contains(assembly.dynamic[any_body_of(eq.bilateral[i])])) continue;
    const RowTerms<D> t = terms(eq.bilateral[i], assembly.bilateral[i], found.bilateral[i]);
    // No-slip rows can contradict each other; what they could not hold slides.
    term_of(t.note.kind, sum) += t.note.kind == RowKind::friction ? t.slid() : t.held();
    sum.work += t.work();
  }
  // After Poisson's second phase, and where a bounce was limited, rows leave with p w > 0: what they gave is
  // then what they did.
  const bool expanded = !assembly.strikes.empty();
  for (std::size_t i = 0; i < eq.unilateral.size(); ++i) {
    const RowTerms<D> t = terms(eq.unilateral[i], assembly.unilateral[i], found.unilateral[i]);
    term_of(t.note.kind, sum) += expanded ? t.slid() : t.held();
    sum.work += t.work();
  }
  for (std::size_t i = 0; i < eq.tangent.size(); ++i) {
    const RowTerms<D> t = terms(eq.tangent[i], assembly.tangent[i], found.tangent[i]);
    term_of(t.note.kind, sum) += t.slid();
    sum.work += t.work();
  }
  sum.error =
      sum.kinetic + sum.potential + sum.jump + sum.contact + sum.joint + sum.drive + sum.friction - sum.work;
  sum.scale = before.kinetic + after.kinetic + std::abs(before.potential) + std::abs(after.potential) +
              sum.jump + std::abs(sum.contact) + std::abs(sum.joint) + std::abs(sum.drive) +
              std::abs(sum.friction) + std::abs(sum.work);
  return sum;
}

template EnergyBalance energy_balance(const Attempt<2>&, const World<2>&, const Energy&, const Energy&);
template EnergyBalance energy_balance(const Attempt<3>&, const World<3>&, const Energy&, const Energy&);

}  // namespace touchstone
