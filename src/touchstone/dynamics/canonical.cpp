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

/// Islands of at most so many bodies are split by one dense system, where no joint is in the way.
constexpr int kFewBodies = 12;
/// What makes the system regular, as a share of its trace, and how often its answer is refined.
constexpr double kLift = 1e-9;
constexpr int kRefinements = 3;

/// M^-1/2 G of a row: one twist for each of its bodies.
template <int D>
struct ScaledRow {
  int body_A, body_B;
  Twist<D> A, B;
};

template <int D>
class SmallSystem {
 public:
  SmallSystem(const StepEquations<D>& equations, const std::vector<int>& rows) {
    std::vector<SpinMat<D>> roots;  // L of M^-1 = L L'
    for (const SpinMat<D>& inverse : equations.inverse_inertia) roots.push_back(inverse.llt().matrixL());
    const auto scaled = [&](int body, const Twist<D>& G) {
      if (body < 0) return Twist<D>(Twist<D>::Zero());
      const Spin<D> turn = roots[body].transpose() * angular<D>(G);
      return twist<D>(std::sqrt(equations.inverse_mass[body]) * linear<D>(G), turn);
    };
    for (const int i : rows) {
      const Row<D>& row = equations.unilateral[i];
      rows_.push_back({row.body_A, row.body_B, scaled(row.body_A, row.G_A), scaled(row.body_B, row.G_B)});
    }
  }

  /// b += p g
  void add(int row, double p, VectorX& b) const {
    const ScaledRow<D>& g = rows_[row];
    if (g.body_A >= 0) b.segment<kDof<D>>(kDof<D> * g.body_A) += p * g.A;
    if (g.body_B >= 0) b.segment<kDof<D>>(kDof<D> * g.body_B) += p * g.B;
  }
  /// H += g g^T / R, below the diagonal too
  void add(int row, double yielding, MatrixX& H) const {
    const ScaledRow<D>& g = rows_[row];
    const auto put = [&](int a, const Twist<D>& x, int b, const Twist<D>& y) {
      if (a >= 0 && b >= 0)
        H.block<kDof<D>, kDof<D>>(kDof<D> * a, kDof<D> * b).noalias() += x * y.transpose() / yielding;
    };
    put(g.body_A, g.A, g.body_A, g.A), put(g.body_B, g.B, g.body_B, g.B);
    put(g.body_A, g.A, g.body_B, g.B), put(g.body_B, g.B, g.body_A, g.A);
  }
  double product(int row, const VectorX& x) const {
    const ScaledRow<D>& g = rows_[row];
    double sum = 0;
    if (g.body_A >= 0) sum += g.A.dot(x.segment<kDof<D>>(kDof<D> * g.body_A));
    if (g.body_B >= 0) sum += g.B.dot(x.segment<kDof<D>>(kDof<D> * g.body_B));
    return sum;
  }

 private:
  std::vector<ScaledRow<D>> rows_;
};

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
  const SmallSystem<D> system(equations, rows);
  MatrixX H = MatrixX::Zero(size, size);
  VectorX b = VectorX::Zero(size), x = b;
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    system.add(k, equations.yielding[rows[k]], H);
    system.add(k, found.unilateral[rows[k]], b);
  }
  MatrixX lifted = H;
  lifted.diagonal().array() += kLift * H.trace();
  const Eigen::LLT<MatrixX> factors(lifted);
  for (int i = 0; i < kRefinements; ++i) x += factors.solve(b - H * x);
  std::vector<double> p;
  for (int k = 0; k < static_cast<int>(rows.size()); ++k)
    p.push_back(system.product(k, x) / equations.yielding[rows[k]]);
  if (std::any_of(p.begin(), p.end(), [](double force) { return !(force >= 0); })) return std::nullopt;
  return p;
}

/// The forces of one island, from split.found; the velocities stay, to the bit.
template <int D>
void split_forces(const SolveSettings& settings, SplitIsland<D>& split) {
  const StepEquations<D>& equations = split.island.equations;
  const std::vector<int> rows = resting_rows(equations, split.found);
  split.shared = split.found;
  if (const auto least = least_forces(equations, split.found, rows)) {
    put_at(rows, *least, split.shared);
    split.canonical = do_the_same(equations, split.shared, split.found);
    if (split.canonical) return;
    split.shared = split.found;
  }
  const StepEquations<D> of_rows = equations_of_split(equations, split.found, rows);
  StepImpulses<D> start{{}, split.found.bilateral, {}, {}, {}};
  for (const int i : rows) start.unilateral.push_back(split.found.unilateral[i]);
  const auto answer = solve_as_cones(of_rows, start, by_cones, settings);
  if (!answer) return;
  StepImpulses<D> shared = split.found;
  put_at(rows, answer->impulses.unilateral, shared);
  shared.bilateral = answer->impulses.bilateral;
  split.canonical = do_the_same(equations, shared, split.found);
  if (split.canonical) split.shared = std::move(shared);
}

template <int D>
std::shared_ptr<const SplitIsland<D>> split_island(Island<D> island, const StepImpulses<D>& impulses,
                                                   const SolveSettings& settings,
                                                   const SplitIslands<D>& last) {
  StepImpulses<D> found = part_of(impulses, island);
  const auto at = std::lower_bound(last.begin(), last.end(), island.bodies.front(),
                                   [](const auto& s, int body) { return s->island.bodies.front() < body; });
  if (at != last.end() && (*at)->island == island && (*at)->found == found) return *at;
  SplitIsland<D> split{std::move(island), std::move(found), {}};
  split_forces(settings, split);
  return std::make_shared<const SplitIsland<D>>(std::move(split));
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
SplitIslands<D> split_canonically(SolvedStep<D>& solved, const FormulationSettings& how,
                                  const SolveSettings& settings, const SplitIslands<D>& last) {
  SplitIslands<D> splits;
  StepEquations<D>& equations = solved.assembly.equations;
  if (equations.yielding.empty())
    equations.yielding =
        yielding_of(solved.set, solved.assembly.row_of_contact, equations.unilateral.size(), how.closed_gap);
  for (Island<D>& island : find_islands(equations)) {
    const auto pushes = [&](int row) { return solved.impulses.unilateral[row] > 0; };
    if (has_friction(island.equations)) continue;  // counted where it was solved
    if (std::none_of(island.unilateral.begin(), island.unilateral.end(), pushes)) continue;
    ++solved.friction.islands;
    const bool motors = !island.equations.groups.empty();  // whose forces may be open too
    if (motors || strikes(solved.assembly, island)) continue;
    splits.push_back(split_island(std::move(island), solved.impulses, settings, last));
    const SplitIsland<D>& split = *splits.back();
    if (!split.canonical) continue;
    put_back(split.shared, split.island, solved.impulses);
    ++solved.friction.canonical;
  }
  return splits;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                            \
  template std::optional<CanonicalAnswer<D>> find_canonical(const StepEquations<D>&, const StepImpulses<D>&, \
                                                            const IslandSettings<D>&);                       \
  template SplitIslands<D> split_canonically(SolvedStep<D>&, const FormulationSettings&,                     \
                                             const SolveSettings&, const SplitIslands<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
