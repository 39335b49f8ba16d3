#pragma once
// Siconos' solvers on our problems. They keep state, print, and some end the process: race.h runs them in a
// child of their own.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "touchstone/solve/problem.h"

namespace touchstone::bench {

/// One way to ask Siconos: a solver and how the matrix is stored for it.
struct SiconosSolver {
  std::string name;
  int id;
  enum class Storage { dense, sparse, blocks } storage = Storage::dense;
};

/// All that treat this class of problem.
std::vector<SiconosSolver> siconos_solvers(const Problem& problem);

/// A problem in Siconos' structures. Mixed problems are read by Siconos from the file itself, for its solvers
/// differ in which of two forms they use.
class SiconosPeer {
 public:
  SiconosPeer(const Problem& problem, const std::filesystem::path& file, const SiconosSolver& solver,
              double tolerance);
  ~SiconosPeer();

  /// Not timed: what a new time step would not need to do again.
  void prepare();
  void solve();
  /// As Solution::z has it.
  VectorX z() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace touchstone::bench
