#include "touchstone/stepping/rest.h"

#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/dynamics/island_energy.h"

namespace touchstone {
namespace {

constexpr double kUlp = std::numeric_limits<double>::epsilon();
constexpr double kSum = 2048 * kUlp;  // of the terms of the sum: half of the tolerance of solvers

template <int D>
class Resting {
 public:
  explicit Resting(SolvedStep<D>& solved)
      : solved_(solved),
        eq_(solved.assembly.equations),
        noise_(eq_.body_count(), Twist<D>::Zero()),
        pushed_(eq_.body_count(), false) {}

  void run() {
    const StepImpulses<D>& found = solved_.impulses;
    for (int b = 0; b < eq_.body_count(); ++b) {
      const Twist<D>&V = solved_.assembly.V_start[b], &V_free = eq_.V_free[b];
      noise_[b] = kSum * (V.cwiseAbs() + Twist<D>(V_free - V).cwiseAbs());
    }
    add(eq_.bilateral, found.bilateral);
    add(eq_.unilateral, found.unilateral);
    add(eq_.tangent, found.tangent);
    stop_islands();
  }

 private:
  void add(const std::vector<Row<D>>& rows, const std::vector<double>& p);
  void stop_islands();
  SolvedStep<D>& solved_;
  const StepEquations<D>& eq_;
  std::vector<Twist<D>> noise_;  ///< per body of the equations: what round-off may make of its velocity
  std::vector<char> pushed_;
};

template <int D>
void Resting<D>::add(const std::vector<Row<D>>& rows, const std::vector<double>& p) {
  assert(rows.size() == p.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (p[i] == 0) continue;
    const auto push = [&](int b, const Twist<D>& G) {
      if (b < 0) return;
      noise_[b] += kSum * std::abs(p[i]) * Twist<D>(eq_.apply_inverse_mass(b, G).cwiseAbs());
      pushed_[b] = true;
    };
    push(rows[i].body_A, rows[i].G_A), push(rows[i].body_B, rows[i].G_B);
  }
}

template <int D>
void Resting<D>::stop_islands() {
  std::vector<Twist<D>>& V = solved_.impulses.V;
  const auto is_still = [&](int b) {
    return pushed_[b] && (V[b].cwiseAbs().array() <= noise_[b].array()).all();
  };
  bool any = false;
  for (int b = 0; b < eq_.body_count() && !any; ++b) any = is_still(b);
  if (!any) return;
  const IslandNumbers islands = number_islands(eq_);
  std::vector<char> rests(islands.count, true);
  for (int b = 0; b < eq_.body_count(); ++b) {
    if (!is_still(b)) rests[islands.of_body[b]] = false;
  }
  for (int b = 0; b < eq_.body_count(); ++b) {
    if (rests[islands.of_body[b]]) V[b].setZero();
  }
}

}  // namespace

template <int D>
void keep_at_rest(SolvedStep<D>& solved) {
  assert(solved.impulses.V.size() == solved.assembly.dynamic.size());
  Resting<D>(solved).run();
}

template void keep_at_rest(SolvedStep<2>&);
template void keep_at_rest(SolvedStep<3>&);

}  // namespace touchstone
