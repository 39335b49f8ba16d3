// A solver of one's own: projected Gauss-Seidel in a few lines carries a stack.
#include <cstdio>

#include "touchstone/scene/simulation.h"
#include "touchstone/solve/residual.h"

using namespace touchstone;

Solution gauss_seidel(const Problem& problem, const SolveSettings& settings) {
  const Lcp& lcp = std::get<Lcp>(problem);
  const MatrixX M = lcp.M.to_dense();
  Solution s{VectorX::Zero(lcp.q.size()), SolveStatus::inaccurate, 0, 1, "mine"};
  for (; s.residual > settings.tolerance && s.iterations < 10000; ++s.iterations) {
    for (int i = 0; i < s.z.size(); ++i)
      s.z[i] = std::max(0.0, s.z[i] - (M.row(i).dot(s.z) + lcp.q[i]) / M(i, i));
    s.residual = residual(problem, s.z);
  }
  if (s.residual <= settings.tolerance) s.status = SolveStatus::solved;
  return s;
}

int main() {
  Simulation sim(
      load_scene("box-stack", {"contact.friction=0", "bodies.box.repeat.count=3", "contact.model=standard"}));
  sim.stepper<3>().set_solver(gauss_seidel);
  sim.run_until(0.2);
  std::printf("the top box is at %.6f m, %d contacts; worst residual below 1e-9: %s\n",
              sim.world<3>().bodies.back().position.z(), sim.report<3>().contacts,
              sim.summary().residual < 1e-9 ? "true" : "false");
}
