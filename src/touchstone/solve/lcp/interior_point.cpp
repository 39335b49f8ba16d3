#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/lcp/mehrotra.h"
#include "touchstone/solve/lcp/support.h"

namespace touchstone {
namespace {

constexpr int kMostSteps = 80;
/// Least shift of the diagonal, relative to the row: rows that act may depend on each other, and a pivot that
/// is too small would cost the others their digits.
constexpr double kLeastShift = 1e-9;

/// M + D by its entries.
class ShiftedEntries {
 public:
  explicit ShiftedEntries(const LinearProblem& problem)
      : entries(problem.M),
        all_(problem.size(), 1),
        largest_(row_sizes(problem.M).maxCoeff()),
        least_(kLeastShift * row_sizes(problem.M)) {}

  double largest_entry() const { return largest_; }
  /// A vanishing pivot is told by the steps that it makes.
  bool factor(const VectorX& D) {
    entries.factor(all_, D.cwiseMax(least_));
    return true;
  }
  VectorX solve(const VectorX& rhs) const { return entries.solve(rhs); }

  MaskedSystem entries;

 private:
  Mask all_;
  double largest_;
  VectorX least_;
};

}  // namespace

/// The support is tried when it may be right: the point that it stands for.
Candidate interior_point(const LinearProblem& problem, const SolveSettings& settings) {
  if (problem.size() == 0) return {VectorX(), SolveStatus::solved, 0};
  ShiftedEntries system(problem);
  Mask tried;
  const auto try_support = [&](const VectorX& z, const VectorX&, VectorX& best, double& least) {
    const Mask support = support_of(problem, z);
    if (support == tried) return;
    tried = support;
    const VectorX point = point_on_support(problem, system.entries, support, z);
    if (const double reached = residual(problem, point); reached < least) best = point, least = reached;
  };
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : kMostSteps;
  return Mehrotra(problem, system).run(limit, settings.tolerance, try_support, settings.stop);
}

}  // namespace touchstone
