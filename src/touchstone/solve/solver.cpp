#include "touchstone/solve/solver.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "touchstone/solve/automatic.h"
#include "touchstone/solve/factors/cone_newton.h"
#include "touchstone/solve/factors/gram_newton.h"
#include "touchstone/solve/factors/pyramid_newton.h"
#include "touchstone/solve/friction/friction.h"
#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/problem_check.h"
#include "touchstone/solve/quadratic.h"
#include "touchstone/solve/residual.h"

namespace touchstone {
namespace {

/// How a solver treats Lcp, Mlcp and, by its Karush-Kuhn-Tucker conditions, Qp.
struct LinearEntry {
  std::string_view name;
  LinearSolver solver;
  bool takes_free_rows;
};

/// Three programs make the same proximal steps; the form of the matrix chooses among them.
Candidate proximal_points(const LinearProblem& problem, const SolveSettings& settings) {
  if (problem.M.gram()) return gram_newton(problem, settings);
  if (problem.M.pyramid()) return pyramid_newton(problem, settings);
  return proximal_newton(problem, settings);
}

constexpr LinearEntry kLinear[] = {
    {"lemke", lemke, false},
    {"pgs", projected_gauss_seidel, false},
    {"psor", successive_over_relaxation, false},
    {"jacobi", projected_jacobi, false},
    {"fixed-point", fixed_point, false},
    {"interior-point", interior_point, true},
    {"fischer-newton", fischer_newton, true},
    {"minmap-newton", minmap_newton, true},
    {"block-pivoting", proximal_pivoting, true},
    {"proximal-newton", proximal_points, false},
    {"enumeration", enumeration, false},
    {"qp", least_distance, false},
    {"path", path, true},
};

const LinearEntry* find_linear(std::string_view name) {
  const auto* found = std::find_if(std::begin(kLinear), std::end(kLinear),
                                   [&](const LinearEntry& entry) { return entry.name == name; });
  return found == std::end(kLinear) ? nullptr : found;
}

bool is_friction(const Problem& problem) {
  return std::holds_alternative<FrictionProblem>(problem) ||
         std::holds_alternative<GlobalFrictionProblem>(problem);
}

void require_known(std::string_view name) {
  std::string known;
  for (const SolverEntry& entry : solvers()) {
    if (entry.name == name) return;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw std::invalid_argument("there is no solver '" + std::string(name) + "'; there are " + known);
}

/// Only here is an answer called solved. A more specific failure (ray, unsolvable) is kept.
template <class P>
Solution judge(const P& problem, Candidate attempt, const SolveSettings& settings) {
  Solution solution{std::move(attempt.z), attempt.status, attempt.iterations, 0, std::string(attempt.solver)};
  solution.residual = residual(problem, solution.z);
  if (solution.residual <= settings.tolerance)
    solution.status = SolveStatus::solved;
  else if (solution.status == SolveStatus::solved)
    solution.status = SolveStatus::inaccurate;
  return solution;
}

Candidate by_name(const LinearProblem& problem, std::string_view name, const SolveSettings& settings) {
  assert(find_linear(name) != nullptr);  // treats() was asked
  const LinearEntry& entry = *find_linear(name);
  Candidate attempt =
      entry.takes_free_rows ? entry.solver(problem, settings) : reduced(entry.solver, problem, settings);
  attempt.solver = entry.name;
  return attempt;
}

template <class P>
Solution solve_linear(const P& problem, std::string_view name, const SolveSettings& settings) {
  if (name == "auto") return judge(problem, automatic(problem, settings), settings);
  return judge(problem, by_name(problem, name, settings), settings);
}

Solution solve_one(const Lcp& problem, std::string_view name, const SolveSettings& settings) {
  return solve_linear(problem, name, settings);
}

Solution solve_one(const Mlcp& problem, std::string_view name, const SolveSettings& settings) {
  return solve_linear(problem, name, settings);
}

Solution solve_one(const Qp& problem, std::string_view name, const SolveSettings& settings) {
  if (name == "auto") return judge(problem, automatic(problem, settings), settings);
  if (name == "qp") return judge(problem, dual_active_set(problem, settings), settings);
  return judge(problem, by_name(kkt_of(problem), name, settings), settings);
}

/// The most contacts of which the entries of W are formed where the factors did not lead to a solution.
constexpr int kMostByEntries = 60;

Solution solve_one(const FrictionProblem& problem, std::string_view name, const SolveSettings& settings) {
  const bool chain = name == "auto";
  if (!problem.W.cones() || !(chain || name == "proximal-newton"))
    return solve_friction(problem, name, settings);
  Solution first = cone_newton(problem, settings);
  first.residual = residual(problem, first.z);
  if (first.residual <= settings.tolerance) first.status = SolveStatus::solved;
  const bool solved = first.status == SolveStatus::solved;
  // What is meant, and misses the tolerance by round-off alone, is not given up for another answer.
  if (solved || first.canonical || !chain || problem.mu.size() > kMostByEntries) return first;
  SolveSettings next = settings;
  next.start = first.z;
  Solution second = solve_friction(problem, name, next);
  second.iterations += first.iterations;
  return second.residual < first.residual ? second : first;
}

Solution solve_one(const GlobalFrictionProblem& problem, std::string_view name,
                   const SolveSettings& settings) {
  return solve_friction(problem, name, settings);
}

}  // namespace

std::string_view text_of(SolveStatus status) {
  constexpr std::string_view kTexts[] = {"solved",    "inaccurate",     "ray",   "unsolvable", "singular",
                                         "too-large", "not-applicable", "absent"};
  assert(static_cast<std::size_t>(status) < std::size(kTexts));
  return kTexts[static_cast<int>(status)];
}

const std::vector<SolverEntry>& solvers() {
  static const std::vector<SolverEntry> entries = {
      {"auto", "a chain chosen by size and structure, with the residual after each member"},
      {"lemke", "pivoting with a covering vector, lexicographic rule"},
      {"pgs", "projected Gauss-Seidel"},
      {"psor", "projected successive over-relaxation"},
      {"jacobi", "projected Jacobi, relaxed"},
      {"fixed-point", "proximal fixed point, taken twice per step (extragradient)"},
      {"interior-point", "Mehrotra's predictor and corrector"},
      {"fischer-newton", "Newton's method on the Fischer-Burmeister equations"},
      {"minmap-newton", "Newton's method on min(z, w) = 0"},
      {"proximal-newton",
       "proximal points by Newton's method, for symmetric problems and, in factors, friction"},
      {"block-pivoting", "proximal points by block principal pivoting, for monotone problems"},
      {"enumeration", "every support in turn: the oracle for small problems"},
      {"qp", "dual active set (Goldfarb-Idnani), for convex QPs and symmetric problems"},
      {"nsgs", "nonsmooth Gauss-Seidel for friction cones"},
      {"semismooth-newton", "semismooth Newton for friction cones"},
      {"path", "PATH, where its library is on this machine"}};
  return entries;
}

bool treats(std::string_view solver, const Problem& problem) {
  if (solver == "auto") return true;
  const auto* friction = std::get_if<FrictionProblem>(&problem);
  if (solver == "proximal-newton" && friction) return friction->W.cones() != nullptr;
  return is_friction(problem) ? solves_friction(solver) : find_linear(solver) != nullptr;
}

Solution solve(const Problem& problem, std::string_view solver, const SolveSettings& settings) {
  require_known(solver);
  check_problem(problem);
  check_settings(settings, size_of(problem));
  if (size_of(problem) == 0) return {VectorX(), SolveStatus::solved, 0, 0, std::string(solver)};
  if (!treats(solver, problem)) {
    const VectorX z = VectorX::Zero(size_of(problem));
    return {z, SolveStatus::not_applicable, 0, residual(problem, z), std::string(solver)};
  }
  Solution solution = std::visit([&](const auto& p) { return solve_one(p, solver, settings); }, problem);
  assert(solution.z.size() == size_of(problem));
  assert(solution.status != SolveStatus::solved || solution.residual <= settings.tolerance);
  return solution;
}

}  // namespace touchstone
