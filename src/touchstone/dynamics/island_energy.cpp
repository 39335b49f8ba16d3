#include "touchstone/dynamics/island_energy.h"

#include <Eigen/LU>
#include <cassert>
#include <cmath>

#include "touchstone/math/joined_sets.h"

namespace touchstone {
namespace {

/// Twice the kinetic energy of a body at any velocity: its inertia is inverted once.
template <int D>
class TwiceKinetic {
 public:
  TwiceKinetic(const StepEquations<D>& equations, int b)
      : inverse_mass_(equations.inverse_mass[b]), inertia_(equations.inverse_inertia[b].inverse()) {}
  double operator()(const Twist<D>& V) const {
    const Spin<D> w = angular<D>(V);
    return linear<D>(V).squaredNorm() / inverse_mass_ + w.dot(inertia_ * w);
  }

 private:
  double inverse_mass_;
  SpinMat<D> inertia_;
};

/// A body that no impulse pushes falls [stepping/free_fall.h].
template <int D>
bool falls(const StepEquations<D>& equations, int b, const Twist<D>& V, const Twist<D>& V_end) {
  constexpr double kNothing = 1e-9;  // of the change by forces
  const Vec<D> pushed = linear<D>(V_end - equations.V_free[b]), fallen = linear<D>(equations.V_free[b] - V);
  return pushed.norm() <= kNothing * fallen.norm();
}

/// The change of velocity that loses energy: a body that falls loses none.
template <int D>
Twist<D> jump_of(bool falls, const Twist<D>& V, const Twist<D>& V_end) {
  return falls ? twist<D>(Vec<D>::Zero(), angular<D>(V_end - V)) : Twist<D>(V_end - V);
}

/// Joins the bodies of the rows that count.
template <int D, class Counts>
void join_bodies(const std::vector<Row<D>>& rows, const Counts& counts, JoinedSets& sets) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool joins = rows[i].body_A >= 0 && rows[i].body_B >= 0 && counts(i);
    if (joins) sets.join(rows[i].body_A, rows[i].body_B);
  }
}

IslandNumbers numbers_of(JoinedSets& sets, int bodies) {
  IslandNumbers islands;
  islands.of_body.resize(bodies);
  for (int b = 0; b < bodies; ++b) {
    const int first = sets.find(b);
    islands.of_body[b] = first == b ? islands.count++ : islands.of_body[first];
  }
  return islands;
}

}  // namespace

template <int D>
IslandNumbers number_islands(const StepEquations<D>& equations) {
  JoinedSets sets(equations.body_count());
  const auto all = [](std::size_t) { return true; };
  join_bodies(equations.bilateral, all, sets);
  join_bodies(equations.unilateral, all, sets);
  join_bodies(equations.tangent, all, sets);
  return numbers_of(sets, equations.body_count());
}

template <int D>
IslandNumbers number_pushing_islands(const StepEquations<D>& equations, const StepImpulses<D>& found) {
  assert(found.unilateral.size() == equations.unilateral.size());
  JoinedSets sets(equations.body_count());
  join_bodies(
      equations.bilateral, [](std::size_t) { return true; }, sets);
  join_bodies(
      equations.unilateral, [&](std::size_t i) { return found.unilateral[i] != 0; }, sets);
  join_bodies(
      equations.tangent, [&](std::size_t i) { return found.tangent[i] != 0; }, sets);
  return numbers_of(sets, equations.body_count());
}

template <int D>
std::vector<IslandEnergy> island_energies(const Assembly<D>& assembly, const StepImpulses<D>& found,
                                          const IslandNumbers& islands, double h) {
  const StepEquations<D>& eq = assembly.equations;
  assert(h > 0 && islands.of_body.size() == found.V.size() && assembly.external.size() == found.V.size());
  std::vector<IslandEnergy> energies(islands.count);
  for (int b = 0; b < eq.body_count(); ++b) {
    IslandEnergy& island = energies[islands.of_body[b]];
    const Twist<D>&V = assembly.V_start[b], &V_end = found.V[b];
    const bool free = falls<D>(eq, b, V, V_end);
    const TwiceKinetic<D> twice(eq, b);
    const double jump = 0.5 * twice(jump_of<D>(free, V, V_end));
    island.given -= jump;
    const double before = 0.5 * twice(V), after = 0.5 * twice(V_end);
    island.kinetic += before + after;
    if (!free) island.change += after - before;
    island.work += h * std::abs(V_end.dot(assembly.external[b]));
    island.mass += 1 / eq.inverse_mass[b];
  }
  const auto add = [&](const std::vector<Row<D>>& rows, const std::vector<RowNote>& notes,
                       const std::vector<double>& p) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (p[i] == 0) continue;
      IslandEnergy& island = energies[islands.of_body[any_body_of(rows[i])]];
      const double done = p[i] * (rate(rows[i], found.V) + notes[i].carried);
      const bool meant = notes[i].kind == RowKind::joint || notes[i].kind == RowKind::drive;
      if (!meant) island.given += done;
      if (meant) island.work += std::abs(done);
      island.work += std::abs(p[i] * notes[i].carried);
    }
  };
  add(eq.bilateral, assembly.bilateral, found.bilateral);
  add(eq.unilateral, assembly.unilateral, found.unilateral);
  add(eq.tangent, assembly.tangent, found.tangent);
  return energies;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                 \
  template IslandNumbers number_islands(const StepEquations<D>&);                                 \
  template IslandNumbers number_pushing_islands(const StepEquations<D>&, const StepImpulses<D>&); \
  template std::vector<IslandEnergy> island_energies(const Assembly<D>&, const StepImpulses<D>&,  \
                                                     const IslandNumbers&, double);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
