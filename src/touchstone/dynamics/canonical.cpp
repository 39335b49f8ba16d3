#include "touchstone/dynamics/canonical.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/dynamics/formulations.h"
#include "touchstone/dynamics/yielding.h"

namespace touchstone {
namespace {

/// Bodies that part more slowly than this share of the rates at play rest on each other. While they move, a
/// force there would give or take as much energy; where nothing moves, gaps are as large as the round-off of
/// places makes them.
constexpr double kRests = 1e-12, kRestsForGood = 1e-9;
/// The share of the impulses on a body by which those of another split may differ.
constexpr double kSame = 1e-13;

using Solver = std::function<Solution(const Problem&, const SolveSettings&)>;

Solution by_cones(const Problem& problem, const SolveSettings& settings) {
  return solve(problem, "proximal-newton", settings);
}

/// Cones that have a part of their bound beside mu p_n (Poisson's second phase) are pyramids only.
template <int D>
bool are_cones(const StepEquations<D>& equations) {
  return std::all_of(equations.groups.begin(), equations.groups.end(), [](const FrictionGroup& group) {
    return group.round && (group.normal < 0 || group.bound == 0);
  });
}

template <int D>
std::optional<CanonicalAnswer<D>> solve_as_cones(const StepEquations<D>& equations,
                                                 const StepImpulses<D>& guess, const Solver& solver,
                                                 const SolveSettings& settings) {
  const auto cones = make_cones(equations);
  SolveSettings told = settings;
  told.start = cones->start(guess);
  CanonicalAnswer<D> answer;
  answer.solution = solver(cones->problem(), told);
  const Solution& found = answer.solution;
  if (found.status != SolveStatus::solved || !found.canonical) return std::nullopt;
  answer.rows = size_of(cones->problem());
  answer.impulses = cones->impulses(found.z);
  return answer;
}

/// Does a row of the island bounce? Its impulses are then those of two phases.
template <int D>
bool strikes(const Assembly<D>& assembly, const Island<D>& island) {
  return std::any_of(assembly.strikes.begin(), assembly.strikes.end(), [&](const Strike& strike) {
    return std::binary_search(island.unilateral.begin(), island.unilateral.end(), strike.unilateral);
  });
}

/// The rows at which bodies touch without parting: they push, or part no faster than round-off and the
/// tolerance of the solver make them.
template <int D>
std::vector<int> resting_rows(const StepEquations<D>& equations, const StepImpulses<D>& found) {
  double fastest = 0;
  for (const Row<D>& row : equations.unilateral) fastest = std::max(fastest, std::abs(row.offset));
  for (const Row<D>& row : equations.unilateral)
    fastest = std::max(fastest, std::abs(rate(row, equations.V_free)));
  const bool still = std::all_of(found.V.begin(), found.V.end(),
                                 [&](const Twist<D>& V) { return V.norm() <= kRestsForGood * fastest; });
  const double slowest = (still ? kRestsForGood : kRests) * fastest;
  std::vector<int> rows;
  for (int i = 0; i < static_cast<int>(equations.unilateral.size()); ++i) {
    const Row<D>& row = equations.unilateral[i];
    const bool rests = rate(row, found.V) + row.offset <= slowest;
    if (found.unilateral[i] > 0 || rests) rows.push_back(i);
  }
  return rows;
}

/// Equations whose answers are all forces of these rows that do what the known ones do: velocities count from
/// those that were found, so that no row moves, and no gap that is not exactly closed is in the way.
template <int D>
StepEquations<D> equations_of_split(const StepEquations<D>& whole, const StepImpulses<D>& found,
                                    const std::vector<int>& rows) {
  StepEquations<D> split;
  split.inverse_mass = whole.inverse_mass, split.inverse_inertia = whole.inverse_inertia;
  split.bilateral = whole.bilateral;
  for (std::size_t i = 0; i < split.bilateral.size(); ++i)
    split.bilateral[i].offset = -split.bilateral[i].compliance * found.bilateral[i];
  StepImpulses<D> known{{}, found.bilateral, {}, {}, {}};
  for (const int i : rows) {
    split.unilateral.push_back(whole.unilateral[i]);
    split.unilateral.back().offset = 0;
    split.yielding.push_back(whole.yielding[i]);
    known.unilateral.push_back(found.unilateral[i]);
  }
  split.V_free.assign(split.inverse_mass.size(), Twist<D>::Zero());
  add_impulses(split, known);
  for (std::size_t b = 0; b < known.V.size(); ++b) split.V_free[b] = -known.V[b];
  return split;
}

/// Do both do the same to every body, but for round-off?
template <int D>
bool do_the_same(const StepEquations<D>& equations, const StepImpulses<D>& a, const StepImpulses<D>& b) {
  std::vector<Twist<D>> change(equations.body_count(), Twist<D>::Zero()), size = change;
  const auto add = [&](const std::vector<Row<D>>& rows, const std::vector<double>& p,
                       const std::vector<double>& q) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto push = [&](int body, const Twist<D>& G) {
        if (body < 0) return;
        change[body] += (p[i] - q[i]) * G, size[body] += (std::abs(p[i]) + std::abs(q[i])) * G.cwiseAbs();
      };
      push(rows[i].body_A, rows[i].G_A), push(rows[i].body_B, rows[i].G_B);
    }
  };
  add(equations.bilateral, a.bilateral, b.bilateral);
  add(equations.unilateral, a.unilateral, b.unilateral);
  for (std::size_t body = 0; body < change.size(); ++body) {
    const Twist<D>&error = change[body], &all = size[body];
    if (linear<D>(error).norm() > kSame * linear<D>(all).norm()) return false;
    if (angular<D>(error).norm() > kSame * angular<D>(all).norm()) return false;
  }
  return true;
}

/// These forces at these rows, and none at others.
template <int D>
void put_at(const std::vector<int>& rows, const std::vector<double>& forces, StepImpulses<D>& impulses) {
  std::fill(impulses.unilateral.begin(), impulses.unilateral.end(), 0.);
  for (std::size_t i = 0; i < rows.size(); ++i) impulses.unilateral[rows[i]] = forces[i];
}

/// Islands of at most so many bodies are split by one small system, where no joint is in the way.
constexpr int kFewBodies = 4;
/// What makes the system regular, as a share of its trace, and how often its answer is refined.
constexpr double kLift = 1e-9;
constexpr int kRefinements = 3;

template <int D>
constexpr int kMostSize = kFewBodies* kDof<D>;
template <int D>
using SmallColumn = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostSize<D>, 1>;
template <int D>
using SmallSquare = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostSize<D>, kMostSize<D>>;

/// M^-1/2 G of a row.
template <int D>
SmallColumn<D> scaled_column(const StepEquations<D>& equations, const Row<D>& row) {
  SmallColumn<D> g = SmallColumn<D>::Zero(kDof<D> * equations.body_count());
  const auto put = [&](int body, const Twist<D>& G) {
    if (body < 0) return;
    const SpinMat<D> L = equations.inverse_inertia[body].llt().matrixL();
    g.template segment<kDof<D>>(kDof<D> * body) = twist<D>(
        std::sqrt(equations.inverse_mass[body]) * linear<D>(G), Spin<D>(L.transpose() * angular<D>(G)));
  };
  put(row.body_A, row.G_A), put(row.body_B, row.G_B);
  return g;
}

/// The forces of least norm in R that do what the known ones do,
///
///     H x = b,   H = sum of g g^T / R,   b = sum of g p,   g = M^-1/2 G,      p = g.x / R,
///
/// which are the ones meant if none of them pulls. None: some would.
template <int D>
std::optional<std::vector<double>> least_forces(const StepEquations<D>& equations,
                                                const StepImpulses<D>& found, const std::vector<int>& rows) {
  if (equations.body_count() > kFewBodies || !equations.bilateral.empty()) return std::nullopt;
  const int size = kDof<D> * equations.body_count();
  SmallSquare<D> H = SmallSquare<D>::Zero(size, size);
  SmallColumn<D> b = SmallColumn<D>::Zero(size), x = b;
  std::vector<SmallColumn<D>> g;
  for (const int i : rows) {
    g.push_back(scaled_column(equations, equations.unilateral[i]));
    H += g.back() * g.back().transpose() / equations.yielding[i];
    b += found.unilateral[i] * g.back();
  }
  const Eigen::LLT<SmallSquare<D>> lifted(H + kLift * H.trace() * SmallSquare<D>::Identity(size, size));
  for (int i = 0; i < kRefinements; ++i) x += lifted.solve(b - H * x);
  std::vector<double> p;
  for (std::size_t k = 0; k < rows.size(); ++k) p.push_back(g[k].dot(x) / equations.yielding[rows[k]]);
  if (std::any_of(p.begin(), p.end(), [](double force) { return !(force >= 0); })) return std::nullopt;
  return p;
}

/// The forces of one island; the velocities stay, to the bit.
template <int D>
bool split_island(const Island<D>& island, const SolveSettings& settings, StepImpulses<D>& impulses) {
  const StepImpulses<D> found = part_of(impulses, island);
  const std::vector<int> rows = resting_rows(island.equations, found);
  StepImpulses<D> shared = found;
  if (const auto least = least_forces(island.equations, found, rows)) {
    put_at(rows, *least, shared);
    if (do_the_same(island.equations, shared, found)) return put_back(shared, island, impulses), true;
  }
  const StepEquations<D> split = equations_of_split(island.equations, found, rows);
  StepImpulses<D> start{{}, found.bilateral, {}, {}, {}};
  for (const int i : rows) start.unilateral.push_back(found.unilateral[i]);
  const auto answer = solve_as_cones(split, start, by_cones, settings);
  if (!answer) return false;
  put_at(rows, answer->impulses.unilateral, shared);
  shared.bilateral = answer->impulses.bilateral;
  if (!do_the_same(island.equations, shared, found)) return false;
  put_back(shared, island, impulses);
  return true;
}

}  // namespace

template <int D>
std::optional<CanonicalAnswer<D>> find_canonical(const StepEquations<D>& equations,
                                                 const StepImpulses<D>& guess,
                                                 const IslandSettings<D>& settings) {
  if (D != 2 || !has_friction(equations) || !are_cones(equations)) return std::nullopt;
  return solve_as_cones(equations, guess, settings.solver, settings.solve);
}

template <int D>
void split_canonically(SolvedStep<D>& solved, const FormulationSettings& how, const SolveSettings& settings) {
  StepEquations<D>& equations = solved.assembly.equations;
  if (equations.yielding.empty())
    equations.yielding =
        yielding_of(solved.set, solved.assembly.row_of_contact, equations.unilateral.size(), how.closed_gap);
  for (const Island<D>& island : find_islands(equations)) {
    const auto pushes = [&](int row) { return solved.impulses.unilateral[row] > 0; };
    if (has_friction(island.equations)) continue;  // counted where it was solved
    if (std::none_of(island.unilateral.begin(), island.unilateral.end(), pushes)) continue;
    ++solved.friction.islands;
    const bool motors = !island.equations.groups.empty();  // whose forces may be open too
    if (!motors && !strikes(solved.assembly, island) && split_island(island, settings, solved.impulses))
      ++solved.friction.canonical;
  }
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                            \
  template std::optional<CanonicalAnswer<D>> find_canonical(const StepEquations<D>&, const StepImpulses<D>&, \
                                                            const IslandSettings<D>&);                       \
  template void split_canonically(SolvedStep<D>&, const FormulationSettings&, const SolveSettings&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
