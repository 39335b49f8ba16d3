#include "touchstone/stepping/impacts.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "touchstone/dynamics/motion.h"
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
  void follow();
  double reach(const ContactShape<D>& part) const { return reach_of(*part.shape, part.X_CS); }
  MovingPair<D> moving(int i, int j) const;
  /// [m] No two points of the parts come nearer by more than this, whether their bodies fall or not.
  double way(int i, int j) const {
    const MovingPair<D> pair = moving(i, j);
    const double fall = h_ * h_ * (pair.A.path->acceleration - pair.B.path->acceleration).norm();
    return (pair.A.path->shift() - pair.B.path->shift()).norm() + pair.turning + fall;
  }
  double closing(int i, int j, double t, GapMemory<D>& memory) const;
  Path<D> part_of_way(int b, double t) const;
  bool stay_apart(const Pairs& pairs, const LoneImpact& impact) const;
  double time_of_touch(int i, int j, double t, double speed) const;
  double time_of_strike(int i, int j, GapMemory<D>& memory) const;
  /// The first strike of an island; none: it has none that can be located.
  std::optional<LoneImpact> first_strike(const Pairs& pairs) const;

  const World<D>& world_;
  double h_;
  std::vector<Twist<D>> V_;
  std::vector<Path<D>> paths_;  ///< of bodies that nothing pushes
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
void ImpactFinder<D>::follow() {
  const SteadyBodies<D> none;
  std::vector<Vec<D>> fall;
  std::vector<Twist<D>> V = V_;
  for (int b = 0; b < static_cast<int>(V.size()); ++b) {
    fall.push_back(acceleration(b));
    V[b] += twist<D>(h_ * fall.back(), Spin<D>::Zero());
  }
  follow_velocities<D>(world_, {V, fall, none, h_}, paths_);
}

template <int D>
MovingPair<D> ImpactFinder<D>::moving(int i, int j) const {
  const ContactShape<D>&A = world_.shapes[i], &B = world_.shapes[j];
  const Path<D>&a = paths_[A.body], &b = paths_[B.body];
  return {{A.shape.get(), &a, A.X_CS},
          {B.shape.get(), &b, B.X_CS},
          a.fastest_turn() * reach(A) + b.fastest_turn() * reach(B)};
}

/// [m/s] How fast the parts close at the time t, along the normal of their gap.
template <int D>
double ImpactFinder<D>::closing(int i, int j, double t, GapMemory<D>& memory) const {
  const MovingPair<D> pair = moving(i, j);
  const Gap<D> gap = find_gap(pair.A.at(t), pair.B.at(t), &memory);
  const Vec<D> point = 0.5 * (gap.point_A + gap.point_B);
  const auto velocity = [&](const Path<D>& path) {
    const Vec<D> fallen = ((t - 0.5) * h_) * path.acceleration;
    return Vec<D>(point_velocity<D>(path.velocity, point - path.centre_at(t)) + fallen);
  };
  const int a = world_.shapes[i].body, b = world_.shapes[j].body;
  return -gap.normal.dot(velocity(paths_[a]) - velocity(paths_[b]));
}

/// The way of a body that nothing pushes in a step of the length t h. A body that turns goes another way in a
/// shorter step, to third order.
template <int D>
Path<D> ImpactFinder<D>::part_of_way(int b, double t) const {
  const Body<D>& body = world_.bodies[b];
  if (!body.is_dynamic())
    return steady_path<D>(body.position, body.attitude, start_velocities(world_, t * h_)[b], t * h_);
  const Vec<D> a = acceleration(b);
  const Twist<D> mean = V_[b] + twist<D>((0.5 * t * h_) * a, Spin<D>::Zero());
  Path<D> path = free_path(body, mean, t * h_);
  path.acceleration = a;
  return path;
}

/// Moves the time of a strike to where a step of that length ends in touch, apart by no more than kApart;
/// 1: not found.
template <int D>
double ImpactFinder<D>::time_of_touch(int i, int j, double t, double speed) const {
  constexpr double kApart = 2e-13;  // [m]
  constexpr int kMost = 12;
  const ContactShape<D>&A = world_.shapes[i], &B = world_.shapes[j];
  GapMemory<D> memory;
  for (int pass = 0; pass < kMost && t > kAtEnd && t < 1 - kAtEnd; ++pass) {
    const Pose<D> X_WA = part_of_way(A.body, t).at(1) * A.X_CS;
    const Pose<D> X_WB = part_of_way(B.body, t).at(1) * B.X_CS;
    const double gap = find_gap<D>({A.shape.get(), X_WA}, {B.shape.get(), X_WB}, &memory, kGapOnly).gap;
    if (gap >= 0 && gap <= kApart) return t;
    t += (gap - 0.5 * kApart) / (speed * h_);
  }
  return 1;
}

/// Do the two bodies, with all their parts, stay apart in a step of the length t h in which they do not push
/// each other? (An overlap of a small part of the way is overlooked between its ends.)
template <int D>
bool ImpactFinder<D>::stay_apart(const Pairs& pairs, const LoneImpact& impact) const {
  constexpr double kGrazing = 1e-3;
  const Path<D> first = part_of_way(impact.bodies.first, impact.time);
  const Path<D> second = part_of_way(impact.bodies.second, impact.time);
  for (const auto& [i, j] : pairs) {
    const ContactShape<D>&A = world_.shapes[i], &B = world_.shapes[j];
    if (std::pair<int, int>(std::minmax(A.body, B.body)) != impact.bodies) continue;
    const Path<D>&a = A.body == impact.bodies.first ? first : second,
          &b = B.body == impact.bodies.first ? first : second;
    const double turning = a.fastest_turn() * reach(A) + b.fastest_turn() * reach(B);
    const MovingPair<D> pair{{A.shape.get(), &a, A.X_CS}, {B.shape.get(), &b, B.X_CS}, turning};
    GapMemory<D> memory;
    if (find_gap(pair.A.at(1), pair.B.at(1), &memory, kGapOnly).gap < 0) return false;
    const double skip = kGrazing * ((a.shift() - b.shift()).norm() + turning) + kTouch;
    if (find_time_of_contact(pair, {0, skip}, memory).status != TimeOfContact::Status::apart) return false;
  }
  return true;
}

/// 1: the pair does not strike, or flies on through the other, which the equations of the whole step stop.
template <int D>
double ImpactFinder<D>::time_of_strike(int i, int j, GapMemory<D>& memory) const {
  const MovingPair<D> pair = moving(i, j);
  if (find_gap(pair.A.at(1), pair.B.at(1), &memory, kGapOnly).gap >= 0) return 1;
  const double t = locate_contact(pair, {TimeOfContact::Status::meets, 0, 1}, memory);
  const double speed = closing(i, j, t, memory);
  return speed > fast() ? time_of_touch(i, j, t, speed) : 1;
}

template <int D>
std::optional<LoneImpact> ImpactFinder<D>::first_strike(const Pairs& pairs) const {
  const auto is_fast = [&](const auto& pair) { return way(pair.first, pair.second) > h_ * fast(); };
  if (std::none_of(pairs.begin(), pairs.end(), is_fast)) return std::nullopt;
  std::vector<GapMemory<D>> memory(pairs.size());
  std::vector<std::size_t> near;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    const MovingPair<D> pair = moving(i, j);
    const double gap = find_gap(pair.A.at(0), pair.B.at(0), &memory[k], kGapOnly).gap;
    if (gap <= kTouch) return std::nullopt;  // how bodies that touch move is not known yet
    if (gap <= way(i, j) && is_fast(pairs[k])) near.push_back(k);
  }
  LoneImpact first{0, 1, {}};
  for (const std::size_t k : near) {
    const auto [i, j] = pairs[k];
    const double time = time_of_strike(i, j, memory[k]);
    if (time < first.time)
      first.time = time, first.bodies = std::minmax(world_.shapes[i].body, world_.shapes[j].body);
  }
  return first.time < 1 && stay_apart(pairs, first) ? std::optional(first) : std::nullopt;
}

template <int D>
FoundImpacts<D> ImpactFinder<D>::run(const Stages<D>& stages, const StepMemory<D>& memory) {
  follow();
  Measure<D> measure(world_, h_, stages.finder, memory.tree);
  const double margin = first_margin<D>(world_, V_, h_, stages);
  measure.first(paths_, margin, true);
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
    if (found.islands[island].size() <= kMostBodies && !joined[island]) pairs_of[island].push_back({i, j});
  }
  for (const auto& [island, own] : pairs_of) {
    std::optional<LoneImpact> impact = first_strike(own);
    if (!impact) continue;
    impact->island = island;
    found.impacts.push_back(*impact);
  }
  return found;
}

/// Pairs of bodies that were apart at the start of the attempt and push each other in it, and that closed
/// faster then than `speed` [m/s].
template <int D>
std::set<std::pair<int, int>> find_struck(const World<D>& world, const Attempt<D>& attempt, double speed) {
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
    if (-c.normal.dot(velocity(c.body_A) - velocity(c.body_B)) > speed) struck.insert({c.body_A, c.body_B});
  }
  return struck;
}

}  // namespace

template <int D>
bool may_strike_alone(const World<D>& world, const Attempt<D>& attempt, const Stages<D>& stages) {
  if (stages.settings.impacts == Impacts::merged || !stages.model->promises().gap || !flies_exactly(stages))
    return false;
  if (attempt.status == StepStatus::stopped) return false;
  if (attempt.status != StepStatus::done) return ImpactFinder<D>(world, attempt.h).anything_moves_fast();
  // Gravity may make it as fast as asked for until then.
  const double speed = (kStepsOfFall - 1) * attempt.h * world.gravity.norm();
  const auto struck = find_struck(world, attempt, 0.5 * speed);
  if (struck.empty()) return false;
  std::vector<char> touches(world.bodies.size(), false);
  for (const Contact<D>& c : attempt.solved.set.contacts) {
    if (c.gap <= kTouch) touches[c.body_A] = touches[c.body_B] = true;
  }
  const auto islands = find_islands(world, attempt.pairs);
  return std::any_of(islands.begin(), islands.end(), [&](const IslandBodies& island) {
    const auto has = [&](int b) { return std::find(island.begin(), island.end(), b) != island.end(); };
    return island.size() <= kMostBodies &&
           std::none_of(island.begin(), island.end(), [&](int b) { return touches[b]; }) &&
           std::any_of(struck.begin(), struck.end(),
                       [&](const auto& pair) { return has(pair.first) || has(pair.second); });
  });
}

template <int D>
FoundImpacts<D> find_lone_impacts(const World<D>& world, const Stages<D>& stages,
                                  const StepMemory<D>& memory) {
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
  IslandCourses<D> struck(world, memory, stages, made), courses(world, memory, stages, made);
  for (const LoneImpact& impact : found.impacts) {
    const IslandBodies& island = found.islands[impact.island];
    if (!struck.follow_impact(island, impact.time, impact.bodies) && !struck.follow_group({island}))
      return false;
  }
  // A single island that meets others is made once more together with them: that is the whole step.
  if (found.whole && found.impacts.size() == 1 && struck.meet_others(*found.whole)) return false;
  if (!others.empty() && !courses.follow_group(others)) return false;
  courses.append(std::move(struck));
  if (!courses.join_those_that_met()) return false;
  courses.take_ends(world);
  memory = courses.take_memory();
  report = std::move(made);
  return true;
}

template <int D>
int count_merged_impacts(const World<D>& world, const Attempt<D>& attempt) {
  return static_cast<int>(
      find_struck(world, attempt, kStepsOfFall * attempt.h * world.gravity.norm()).size());
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                      \
  template bool may_strike_alone(const World<D>&, const Attempt<D>&, const Stages<D>&);                \
  template FoundImpacts<D> find_lone_impacts(const World<D>&, const Stages<D>&, const StepMemory<D>&); \
  template bool step_with_impacts(const FoundImpacts<D>&, const Stages<D>&, World<D>&, StepMemory<D>&, \
                                  StepReport<D>&);                                                     \
  template int count_merged_impacts(const World<D>&, const Attempt<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
