#include "touchstone/dynamics/convex_step.h"

#include <algorithm>
#include <cassert>

#include "touchstone/dynamics/formulation.h"
#include "touchstone/dynamics/island.h"
#include "touchstone/dynamics/row_energy.h"
#include "touchstone/solve/dual_qp.h"

namespace touchstone {
namespace {

/// In the unknowns x = V - V_free:  min 1/2 x^T M x  subject to  G.x + (G.V_free + offset) >= 0.
template <int D>
DualQp::Row qp_row(const StepEquations<D>& equations, const Row<D>& row) {
  assert(row.body_A != row.body_B);
  DualQp::Row made;
  made.a.resize(kDof<D> * equations.body_count());
  const auto put = [&](int body, const Twist<D>& G) {
    for (int i = 0; body >= 0 && i < kDof<D>; ++i) made.a.coeffRef(kDof<D> * body + i) += G[i];
  };
  put(std::min(row.body_A, row.body_B), row.body_A < row.body_B ? row.G_A : row.G_B);
  put(std::max(row.body_A, row.body_B), row.body_A < row.body_B ? row.G_B : row.G_A);
  made.b = rate(row, equations.V_free) + row.offset;
  return made;
}

template <int D>
void solve_island(const StepEquations<D>& equations, ConvexStep<D>& step, StepImpulses<D>& found) {
  const auto inverse = [&equations](VectorX& y) {
    for (int b = 0; b < equations.body_count(); ++b) {
      y.segment<kDof<D>>(kDof<D> * b) = equations.apply_inverse_mass(b, y.segment<kDof<D>>(kDof<D> * b));
    }
  };
  DualQp qp(inverse, VectorX::Zero(kDof<D> * equations.body_count()));
  for (const Row<D>& row : equations.unilateral) qp.add_row(qp_row(equations, row));
  const SolveStatus status = qp.solve();
  if (status != SolveStatus::solved && step.status == SolveStatus::solved) step.status = status;
  for (int i = 0; i < static_cast<int>(equations.unilateral.size()); ++i) {
    found.unilateral.push_back(qp.multiplier(i));
  }
  add_impulses(equations, found);
  step.iterations += qp.iterations();
  step.residual = std::max(step.residual, qp.worst_violation());
}

}  // namespace

template <int D>
bool is_convex(const StepEquations<D>& equations) {
  return equations.bilateral.empty() && equations.tangent.empty() && equations.groups.empty() &&
         std::all_of(equations.unilateral.begin(), equations.unilateral.end(),
                     [](const Row<D>& row) { return row.compliance == 0; });
}

template <int D>
ConvexStep<D> solve_convex(const StepEquations<D>& equations) {
  assert(is_convex(equations));
  ConvexStep<D> step;
  step.impulses.V = equations.V_free;
  step.impulses.unilateral.assign(equations.unilateral.size(), 0.);
  for (const Island<D>& island : find_islands(equations)) {
    StepImpulses<D> found;
    solve_island(island.equations, step, found);
    put_back(found, island, step.impulses);
    ++step.islands;
  }
  return step;
}

template <int D>
double distance_from_free(const StepEquations<D>& equations, const std::vector<Twist<D>>& V) {
  return jump_energy(equations, equations.V_free, V);
}

#define TOUCHSTONE_INSTANTIATE(D)                               \
  template bool is_convex(const StepEquations<D>&);             \
  template ConvexStep<D> solve_convex(const StepEquations<D>&); \
  template double distance_from_free(const StepEquations<D>&, const std::vector<Twist<D>>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
