#include "touchstone/stepping/rest.h"

#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/dynamics/island_energy.h"

namespace touchstone {
namespace {

constexpr double kUlp = std::numeric_limits<double>::epsilon();
constexpr double kSum = 64 * kUlp;  // of the terms of the sum: solvers leave some digits
constexpr double kGap = 8 * kUlp;   // of the places of bodies: the round-off of their gaps

template <int D>
class Resting {
 public:
  Resting(std::span<const Body<D>> bodies, double h, SolvedStep<D>& solved)
      : bodies_(bodies),
        h_(h),
        solved_(solved),
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
  /// [m] How far a body reaches from the origin.
  double reach(int b) const {
    const Body<D>& body = bodies_[solved_.assembly.dynamic[b]];
    return body.position.norm() + std::sqrt(body.inertia.trace() / body.mass);
  }

  std::span<const Body<D>> bodies_;
  double h_;
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
    const Row<D>& row = rows[i];
    double response = 0, length = 0;
    const auto each = [&](const auto& act) {
      if (row.body_A >= 0) act(row.body_A, row.G_A);
      if (row.body_B >= 0) act(row.body_B, row.G_B);
    };
    each([&](int b, const Twist<D>& G) {
      response += G.dot(eq_.apply_inverse_mass(b, G));
      length = std::max(length, reach(b));
    });
    const double by_gap = kGap * length / (h_ * response);
    each([&](int b, const Twist<D>& G) {
      const Twist<D> change = eq_.apply_inverse_mass(b, G).cwiseAbs();
      noise_[b] += (kSum * std::abs(p[i]) + by_gap) * change;
      pushed_[b] = true;
    });
  }
}

template <int D>
void Resting<D>::stop_islands() {
  std::vector<Twist<D>>& V = solved_.impulses.V;
  const IslandNumbers islands = number_islands(eq_);
  std::vector<char> rests(islands.count, true);
  for (int b = 0; b < eq_.body_count(); ++b) {
    const bool still = pushed_[b] && (V[b].cwiseAbs().array() <= noise_[b].array()).all();
    if (!still) rests[islands.of_body[b]] = false;
  }
  for (int b = 0; b < eq_.body_count(); ++b) {
    if (rests[islands.of_body[b]]) V[b].setZero();
  }
}

}  // namespace

template <int D>
void keep_at_rest(std::span<const Body<D>> bodies, double h, SolvedStep<D>& solved) {
  assert(h > 0 && solved.impulses.V.size() == solved.assembly.dynamic.size());
  Resting<D>(bodies, h, solved).run();
}

template void keep_at_rest(std::span<const Body<2>>, double, SolvedStep<2>&);
template void keep_at_rest(std::span<const Body<3>>, double, SolvedStep<3>&);

}  // namespace touchstone
