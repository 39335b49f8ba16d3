#include "touchstone/solve/automatic.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>

#include "touchstone/solve/factors/gram_newton.h"
#include "touchstone/solve/factors/pyramid_newton.h"
#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/lcp/scaled.h"
#include "touchstone/solve/lcp/support.h"
#include "touchstone/solve/quadratic.h"
#include "touchstone/solve/residual.h"

namespace touchstone {
namespace {

/// Up to this size pivoting on a dense tableau is faster than anything else: microseconds.
constexpr int kSmall = 80;
/// Pivoting is the fastest up to this size for linearised friction, because most of its rows never enter.
/// (Such a problem is known by the rows of its friction bounds, whose diagonal entries are 0.)
constexpr int kSmallFriction = 500;
/// Dense problems, which other methods cannot take apart, go on pivoting up to this size.
constexpr int kSmallDense = 400;
/// Free rows are eliminated up to this size; beyond, methods that take them as they are gain from sparsity.
constexpr int kSmallMixed = 120;
/// The dense basis of the dual active set is the fastest up to this size, rows and unknowns together.
constexpr int kSmallQp = 200;
/// A walk of Lemke in a large problem is the last resort.
constexpr int kMostForLemke = 1500;
/// 2^16 supports take tenths of a second: the last resort that can prove that there is no solution.
constexpr int kMostForEnumeration = 16;
/// 2^8 supports take no longer than one other solver.
constexpr int kMostForQuickEnumeration = 8;
constexpr int kFactorisationsWhenWarm = 12;
/// An entry of a start that is smaller, relative to the largest, is no sign of contact.
constexpr double kClearlyPositive = 1e-10;
/// The number of supports that are tried from a start: trying more would take as long as solving afresh.
constexpr int kCorrections = 2;

Candidate scaled_lemke(const LinearProblem& problem, const SolveSettings& settings) {
  return scaled(lemke, problem, settings);
}
Candidate scaled_interior_point(const LinearProblem& problem, const SolveSettings& settings) {
  return scaled(interior_point, problem, settings);
}
Candidate scaled_fischer_newton(const LinearProblem& problem, const SolveSettings& settings) {
  return scaled(fischer_newton, problem, settings);
}

/// One member of a chain.
struct Member {
  std::string_view name;
  LinearSolver solver;
  int most_rows = std::numeric_limits<int>::max();
};

constexpr Member kSmallChain[] = {{"lemke", lemke},
                                  {"enumeration", enumeration, kMostForQuickEnumeration},
                                  {"lemke", scaled_lemke},
                                  {"interior-point", scaled_interior_point},
                                  {"fischer-newton", scaled_fischer_newton},
                                  {"qp", least_distance},
                                  {"block-pivoting", proximal_pivoting},
                                  {"minmap-newton", minmap_newton},
                                  {"enumeration", enumeration, kMostForEnumeration}};

Candidate reduced_lemke(const LinearProblem& problem, const SolveSettings& settings) {
  return reduced(scaled_lemke, problem, settings);
}

constexpr Member kLargeChain[] = {{"interior-point", interior_point},
                                  {"interior-point", scaled_interior_point},
                                  {"fischer-newton", scaled_fischer_newton},
                                  {"block-pivoting", proximal_pivoting},
                                  {"lemke", reduced_lemke, kMostForLemke}};

/// Lets one solver after another try, and keeps the best.
class Chain {
 public:
  Chain(const LinearProblem& problem, const SolveSettings& settings)
      : problem_(problem), settings_(settings), best_{VectorX::Zero(problem.size())} {}

  /// True: there is nothing left to do.
  bool offer(std::string_view name, Candidate attempt) {
    assert(attempt.z.size() == problem_.size());
    attempt.solver = name;
    const double reached = residual(problem_, attempt.z);
    const bool proof = attempt.status == SolveStatus::unsolvable;
    if (reached < least_ || proof) {
      const SolveStatus before = best_.status;
      best_ = std::move(attempt);
      if (before == SolveStatus::ray && !proof) best_.status = before;
      least_ = reached;
    } else if (attempt.status == SolveStatus::ray) {
      best_.status = SolveStatus::ray;
    }
    return proof || least_ <= settings_.tolerance || settings_.is_stopped();
  }

  template <std::size_t N>
  Candidate run(const Member (&members)[N]) {
    for (const Member& member : members)
      if (problem_.size() <= member.most_rows && offer(member.name, member.solver(problem_, settings_)))
        break;
    return std::move(best_);
  }

  Candidate take() { return std::move(best_); }

 private:
  const LinearProblem& problem_;
  const SolveSettings& settings_;
  Candidate best_;
  double least_ = std::numeric_limits<double>::infinity();
};

Candidate small(const LinearProblem& problem, const SolveSettings& settings) {
  return Chain(problem, settings).run(kSmallChain);
}

bool is_small(const LinearProblem& problem) {
  const int n = problem.size();
  if (problem.free_count() > 0) return n <= kSmallMixed;
  if (!problem.M.is_sparse()) return n <= kSmallDense;
  return n <= kSmall || (n <= kSmallFriction && diagonal_of(problem.M).minCoeff() <= 0);
}

/// The rows that are clearly positive. (Rows where both z_i and w_i vanish may be counted either way.)
Mask clear_support(const LinearProblem& problem, const VectorX& z) {
  assert(z.size() == problem.size());
  const double least = kClearlyPositive * z.lpNorm<Eigen::Infinity>();
  Mask support(z.size());
  for (int i = 0; i < problem.size(); ++i) support[i] = problem.is_free(i) || z[i] > least;
  return support;
}

/// The start itself, or the point that its support stands for, or its neighbours: all that a resting scene
/// needs.
bool still_right(const LinearProblem& problem, const SolveSettings& settings, MaskedSystem& system,
                 Candidate& attempt) {
  if (settings.start.size() == 0) return false;
  attempt = {settings.start, SolveStatus::solved, 0, "start"};
  if (residual(problem, attempt.z) <= settings.tolerance) return true;
  Mask support = clear_support(problem, settings.start);
  while (attempt.iterations < kCorrections) {
    attempt.z = point_on_support(problem, system, support, attempt.z);
    ++attempt.iterations;
    if (residual(problem, attempt.z) <= settings.tolerance) return true;
    Mask next = support_of(problem, attempt.z);
    if (next == support) return false;
    support = std::move(next);
  }
  return false;
}

/// Where the factors do not lead to a solution, the entries of the matrix may.
Candidate in_factors(const LinearProblem& problem, const SolveSettings& settings) {
  assert(problem.M.gram() || problem.M.pyramid());
  const auto by_factors = [&](const SolveSettings& from) {
    Candidate attempt = problem.M.gram() ? gram_newton(problem, from) : pyramid_newton(problem, from);
    attempt.solver = "proximal-newton";
    return attempt;
  };
  SolveSettings next = settings;
  Chain chain(problem, settings);
  if (problem.free_count() == 0) {
    Candidate first = by_factors(settings);
    if (first.z.allFinite()) next.start = first.z;
    if (chain.offer(first.solver, std::move(first))) return chain.take();
  }
  const ProblemMatrix entries = problem.M.sparse();
  LinearProblem expanded(entries, problem.q);
  expanded.free = problem.free;
  Candidate second = automatic(expanded, next);
  // What came nearer by the entries may be the right start for the factors.
  next.start = second.z;
  if (chain.offer(second.solver, std::move(second)) || problem.free_count() > 0) return chain.take();
  if (next.start.allFinite() && problem.M.pyramid()) chain.offer("proximal-newton", by_factors(next));
  return chain.take();
}

}  // namespace

Candidate automatic(const LinearProblem& problem, const SolveSettings& settings) {
  assert(settings.start.size() == 0 || settings.start.size() == problem.size());
  if (problem.size() == 0) return {VectorX(), SolveStatus::solved, 0, "auto"};
  if (problem.M.gram() || problem.M.pyramid()) return in_factors(problem, settings);
  Candidate attempt;
  MaskedSystem system(problem.M);
  if (still_right(problem, settings, system, attempt)) return attempt;
  if (is_small(problem)) {
    attempt = reduced(small, problem, settings);
    const bool done =
        attempt.status == SolveStatus::unsolvable || residual(problem, attempt.z) <= settings.tolerance;
    if (done || problem.free_count() == 0) return attempt;
  }
  Chain chain(problem, settings);
  if (problem.free_count() == 0 && is_symmetric(problem.M) &&
      chain.offer("proximal-newton", proximal_newton(problem, settings, system))) {
    return chain.take();
  }
  if (settings.start.size() > 0) {
    SolveSettings few = settings;
    few.max_iterations = kFactorisationsWhenWarm;
    if (chain.offer("block-pivoting", proximal_pivoting(problem, few))) return chain.take();
  }
  return chain.run(kLargeChain);
}

Candidate automatic(const Qp& problem, const SolveSettings& settings) {
  if (settings.start.size() > 0 && residual(problem, settings.start) <= settings.tolerance)
    return {settings.start, SolveStatus::solved, 0, "start"};
  const long n = problem.c.size() + problem.b.size();
  if (n <= (problem.P.is_sparse() && problem.A.is_sparse() ? kSmallQp : kSmallDense)) {
    Candidate attempt = dual_active_set(problem, settings);
    if (attempt.status == SolveStatus::unsolvable || residual(problem, attempt.z) <= settings.tolerance)
      return attempt;
  }
  const Mlcp kkt = kkt_of(problem);
  return automatic(LinearProblem(kkt), settings);
}

}  // namespace touchstone
