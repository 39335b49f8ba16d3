// One LCP by every solver that takes it: do they agree?
#include <cstdio>

#include "touchstone/math/vec.h"
#include "touchstone/solve/solver.h"

using namespace touchstone;

int main() {
  const MatrixX M = (MatrixX(3, 3) << 4, 1, 0, 1, 3, 1, 0, 1, 2).finished();
  const Problem problem = Lcp{M, VectorX(Vec<3>(-1, 2, -3))};
  for (const SolverEntry& entry : solvers()) {
    if (!treats(entry.name, problem) || entry.name == "path") continue;
    const Solution s = solve(problem, entry.name);
    std::printf("%-15s %s: z = %.4f %.4f %.4f\n", std::string(entry.name).c_str(),
                std::string(text_of(s.status)).c_str(), s.z[0], s.z[1], s.z[2]);
  }
}
