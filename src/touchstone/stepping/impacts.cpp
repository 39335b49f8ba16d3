#include "touchstone/stepping/impacts.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <set>

#include "touchstone/geometry/bounds.h"
#include "touchstone/proximity/time_of_contact.h"
#include "touchstone/stepping/attempt_ends.h"
#include "touchstone/stepping/free_fall.h"
#include "touchstone/stepping/paths.h"

namespace touchstone {
namespace {

/// Islands of more bodies are not divided for an impact: it would cost them a second step.
constexpr std::size_t kMostBodies = 8;
/// A pair strikes if it closes faster than bodies fall within two steps; slower ones are pressed together as
/// much as struck, and what the step does to them falls with h.
constexpr double kStepsOfFall = 2;
/// [m] Pairs that are nearer touch.
constexpr double kTouch = 1e-9;
/// A strike nearer to either end of the step gets all but this share of its impulse in one step
/// anyway.
constexpr double kAtEnd = 1e-4;
constexpr GapSettings kGapOnly = {.find_candidates = false, .find_points = false};

template <int D>
class ImpactFinder {
 public:
  ImpactFinder(const World<D>& world, double h) : world_(world), h_(h), V_(start_velocities(world, h)) {}

  bool anything_moves_fast() const;
  FoundImpacts<D> run(const Stages<D>& stages, const StepMemory<D>& memory);

 private:
  using Pairs = std::vector<std::pair<int, int>>;

  Vec<D> acceleration(int b) const {
    const Body<D>& body = world_.bodies[b];
    return body.is_dynamic() ? Vec<D>(world_.gravity + linear<D>(body.force) / body.mass) : Vec<D>::Zero();
  }
  double fast() const { return kStepsOfFall * h_ * world_.gravity.norm(); }  ///< [m/s]
  void follow(bool falling, std::vector<Path<D>>& paths) const;
  double reach(const ContactShape<D>& part) const { return reach_of(*part.shape, part.X_CS); }
  MovingPair<D> moving(const std::vector<Path<D>>& paths, int i, int j) const;
  /// [m] No two points of the parts come nearer by more than this, whether their bodies fall or not.
  double way(int i, int j) const {
    const MovingPair<D> pair = moving(falling_, i, j);
    const double fall = h_ * h_ * (pair.A.path->acceleration - pair.B.path->acceleration).norm();
    return (pair.A.path->shift() - pair.B.path->shift()).norm() + pair.turning + fall;
  }
  bool strikes(const std::vector<Path<D>>& paths, int i, int j, double t, GapMemory<D>& memory) const;
  double time_of_strike(const std::vector<Path<D>>& paths, int i, int j, GapMemory<D>& memory) const;
  /// The first strike of an island, as a fraction of the step; 1: none.
  double first_strike(const Pairs& pairs, bool joined);

  const World<D>& world_;
  double h_;
  std::vector<Twist<D>> V_;
  std::vector<Path<D>> falling_, steady_;  ///< of bodies that fall freely; of bodies that others
                                           ///< hold, where it is needed
};

/// A pair that closes fast has a part of at least half of that speed.
template <int D>
bool ImpactFinder<D>::anything_moves_fast() const {
  const auto is_fast = [&](const ContactShape<D>& part) {
    const double speed = linear<D>(V_[part.body]).norm() + angular<D>(V_[part.body]).norm() * reach(part);
    return speed > 0.5 * fast();
  };
  return std::any_of(world_.shapes.begin(), world_.shapes.end(), is_fast);
}

template <int D>
void ImpactFinder<D>::follow(bool falling, std::vector<Path<D>>& paths) const {
  const SteadyBodies<D> none;
  std::vector<Vec<D>> fall;
  std::vector<Twist<D>> V = V_;
  for (int b = 0; falling && b < static_cast<int>(V.size()); ++b) {
    fall.push_back(acceleration(b));
    V[b] += twist<D>(h_ * fall.back(), Spin<D>::Zero());
  }
  follow_velocities<D>(world_, {V, fall, none, h_}, paths);
}

template <int D>
MovingPair<D> ImpactFinder<D>::moving(const std::vector<Path<D>>& paths, int i, int j) const {
  const ContactShape<D>&A = world_.shapes[i], &B = world_.shapes[j];
  const Path<D>&a = paths[A.body], &b = paths[B.body];
  return {{A.shape.get(), &a, A.X_CS},
          {B.shape.get(), &b, B.X_CS},
          a.fastest_turn() * reach(A) + b.fastest_turn() * reach(B)};
}

/// Do the parts, which touch at the time t, close fast there?
template <int D>
bool ImpactFinder<D>::strikes(const std::vector<Path<D>>& paths, int i, int j, double t,
                              GapMemory<D>& memory) const {
  const MovingPair<D> pair = moving(paths, i, j);
  const Gap<D> gap = find_gap(pair.A.at(t), pair.B.at(t), &memory);
  const Vec<D> point = 0.5 * (gap.point_A + gap.point_B);
  const auto velocity = [&](const Path<D>& path) {
    const Vec<D> fallen = ((t - 0.5) * h_) * path.acceleration;
    return Vec<D>(point_velocity<D>(path.velocity, point - path.centre_at(t)) + fallen);
  };
  const int a = world_.shapes[i].body, b = world_.shapes[j].body;
  const double closing = -gap.normal.dot(velocity(paths[a]) - velocity(paths[b]));
  return closing > fast();
}

/// 1: the pair does not strike, or flies on through the other, which the equations of the whole step stop.
template <int D>
double ImpactFinder<D>::time_of_strike(const std::vector<Path<D>>& paths, int i, int j,
                                       GapMemory<D>& memory) const {
  const MovingPair<D> pair = moving(paths, i, j);
  if (find_gap(pair.A.at(1), pair.B.at(1), &memory, kGapOnly).gap >= 0) return 1;
  const double t = locate_contact(pair, {TimeOfContact::Status::meets, 0, 1}, memory);
  const bool within = t > kAtEnd && t < 1 - kAtEnd;
  return within && strikes(paths, i, j, t, memory) ? t : 1;
}

template <int D>
double ImpactFinder<D>::first_strike(const Pairs& pairs, bool joined) {
  const auto is_fast = [&](const auto& pair) { return way(pair.first, pair.second) > h_ * fast(); };
  if (std::none_of(pairs.begin(), pairs.end(), is_fast)) return 1;
  std::vector<GapMemory<D>> memory(pairs.size());
  std::vector<std::size_t> near;
  bool free = !joined;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    const MovingPair<D> pair = moving(falling_, i, j);
    const double gap = find_gap(pair.A.at(0), pair.B.at(0), &memory[k], kGapOnly).gap;
    if (gap > kTouch) {
      if (gap <= way(i, j) && is_fast(pairs[k])) near.push_back(k);
    } else {
      if (strikes(falling_, i, j, 0, memory[k])) return 1;  // what comes after is not known yet
      free = false;
    }
  }
  if (!free && !near.empty() && steady_.empty()) follow(false, steady_);
  double first = 1;
  for (const std::size_t k : near) {
    const auto [i, j] = pairs[k];
    first = std::min(first, time_of_strike(free ? falling_ : steady_, i, j, memory[k]));
  }
  return first;
}

template <int D>
FoundImpacts<D> ImpactFinder<D>::run(const Stages<D>& stages, const StepMemory<D>& memory) {
  follow(true, falling_);
  Measure<D> measure(world_, h_, stages.finder, memory.tree);
  const double margin = first_margin<D>(world_, V_, h_, stages);
  measure.first(falling_, margin, true);
  const Pairs& pairs = measure.pairs();
  FoundImpacts<D> found{find_islands(world_, pairs), {}};
  std::vector<std::size_t> island_of(world_.bodies.size(), found.islands.size());
  for (std::size_t k = 0; k < found.islands.size(); ++k) {
    for (int b : found.islands[k]) island_of[b] = k;
  }
  std::vector<char> joined(found.islands.size() + 1, false);
  for (const Joint<D>& joint : world_.joints) {
    if (joint.body_A >= 0) joined[island_of[joint.body_A]] = true;
    if (joint.body_B >= 0) joined[island_of[joint.body_B]] = true;
  }
  std::map<std::size_t, Pairs> pairs_of;
  for (const auto& [i, j] : pairs) {
    const std::size_t island = std::min(island_of[world_.shapes[i].body], island_of[world_.shapes[j].body]);
    if (found.islands[island].size() <= kMostBodies) pairs_of[island].push_back({i, j});
  }
  for (const auto& [island, own] : pairs_of) {
    const double time = first_strike(own, joined[island]);
    if (time < 1) found.impacts.push_back({island, time});
  }
  return found;
}

}  // namespace

template <int D>
FoundImpacts<D> find_lone_impacts(const World<D>& world, const Stages<D>& stages,
                                  const StepMemory<D>& memory) {
  if (stages.settings.impacts == Impacts::merged || !stages.model->promises().gap || !flies_exactly(stages))
    return {};
  ImpactFinder<D> finder(world, stages.settings.h);
  return finder.anything_moves_fast() ? finder.run(stages, memory) : FoundImpacts<D>();
}

template <int D>
bool step_with_impacts(const FoundImpacts<D>& found, const Stages<D>& stages, World<D>& world,
                       StepMemory<D>& memory, StepReport<D>& report) {
  assert(!found.impacts.empty());
  std::vector<IslandBodies> others = found.islands;
  for (const LoneImpact& impact : found.impacts) others[impact.island].clear();
  std::erase_if(others, [](const IslandBodies& island) { return island.empty(); });
  StepReport<D> made = report;
  IslandCourses<D> courses(world, memory, stages, made);
  if (!others.empty() && !courses.follow_group(others)) return false;
  for (const LoneImpact& impact : found.impacts) {
    if (!courses.follow_impact(found.islands[impact.island], impact.time)) return false;
  }
  if (!courses.join_those_that_met()) return false;
  courses.take_ends(world);
  memory = courses.take_memory();
  report = std::move(made);
  return true;
}

template <int D>
int count_merged_impacts(const World<D>& world, const Attempt<D>& attempt) {
  const SolvedStep<D>& solved = attempt.solved;
  const std::vector<double> push = pushes(solved.set, solved.assembly, solved.impulses);
  std::set<std::pair<int, int>> struck;
  for (const int k : solved.set.unilateral) {
    const Contact<D>& c = solved.set.contacts[k];
    if (!(push[k] > 0) || c.gap <= kTouch) continue;
    const auto velocity = [&](int b) {
      const Body<D>& body = world.bodies[b];
      const Twist<D>& V = body.is_dynamic() ? body.velocity : attempt.paths[b].velocity;
      return point_velocity<D>(V, c.point - body.position);
    };
    const double closing = -c.normal.dot(velocity(c.body_A) - velocity(c.body_B));
    if (closing > kStepsOfFall * attempt.h * world.gravity.norm()) struck.insert({c.body_A, c.body_B});
  }
  return static_cast<int>(struck.size());
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                      \
  template FoundImpacts<D> find_lone_impacts(const World<D>&, const Stages<D>&, const StepMemory<D>&); \
  template bool step_with_impacts(const FoundImpacts<D>&, const Stages<D>&, World<D>&, StepMemory<D>&, \
                                  StepReport<D>&);                                                     \
  template int count_merged_impacts(const World<D>&, const Attempt<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
