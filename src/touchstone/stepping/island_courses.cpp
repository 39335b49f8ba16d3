#include "touchstone/stepping/island_courses.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include "touchstone/math/joined_sets.h"
#include "touchstone/proximity/gap.h"
#include "touchstone/stepping/attempt_ends.h"
#include "touchstone/stepping/paths.h"
#include "touchstone/stepping/report_sums.h"

namespace touchstone {
namespace {

template <int D>
void sweep_boxes(const Attempt<D>& attempt, const World<D>& world, std::vector<Box<D>>& boxes) {
  assert(boxes.empty() || boxes.size() == world.shapes.size());
  const bool first = boxes.empty();
  for (std::size_t i = 0; i < world.shapes.size(); ++i) {
    const ContactShape<D>& part = world.shapes[i];
    const Path<D>& path = attempt.paths[part.body];
    const Box<D> box = swept_box(*part.shape, path, path.at(0) * part.X_CS, path.at(1) * part.X_CS);
    if (first) {
      boxes.push_back(box);
    } else {
      boxes[i] = boxes[i].joined(box);
    }
  }
}

/// The world in which only these islands move. The other bodies rest where they are, and nothing touches
/// them: whether the islands would have met them is found from the paths, afterwards.
template <int D>
World<D> world_of(const World<D>& world, const std::vector<IslandBodies>& islands) {
  World<D> alone = world;
  std::vector<char> moves(world.bodies.size(), false);
  for (const IslandBodies& island : islands) {
    assert(std::all_of(island.begin(), island.end(), [&](int b) { return world.bodies[b].is_dynamic(); }));
    for (int b : island) moves[b] = true;
  }
  for (ContactShape<D>& part : alone.shapes) {
    if (world.bodies[part.body].is_dynamic() && !moves[part.body]) part.collides = 0;
  }
  for (std::size_t b = 0; b < moves.size(); ++b) {
    if (alone.bodies[b].is_dynamic() && !moves[b]) alone.bodies[b].kind = BodyKind::fixed;
  }
  return alone;
}

/// Are the two bodies apart, by no more than a hair's breadth?
template <int D>
bool just_touch(const World<D>& world, std::pair<int, int> bodies) {
  constexpr double kHair = 1e-10;  // [m]
  const std::vector<Pose<D>> X_WS = part_poses(world);
  const CollisionFilter<D> filter(world);
  double least = HUGE_VAL;
  for (int i = 0; i < static_cast<int>(X_WS.size()); ++i) {
    for (int j = 0; j < static_cast<int>(X_WS.size()); ++j) {
      if (world.shapes[i].body != bodies.first || world.shapes[j].body != bodies.second ||
          !filter.allows(i, j))
        continue;
      const PlacedShape<D> A{world.shapes[i].shape.get(), X_WS[i]}, B{world.shapes[j].shape.get(), X_WS[j]};
      least = std::min(least, find_gap(A, B).gap);
    }
  }
  return least >= 0 && least <= kHair;
}

}  // namespace

template <int D>
bool follow_in_two(const Attempt<D>& refused, const Stages<D>& stages, int halvings, Course<D>& course) {
  assert(refused.status != StepStatus::done && refused.h > 0);
  course.report.status = refused.status, course.report.message = refused.why;
  if (halvings == 0 || is_final(refused.status)) return false;
  constexpr double kLeast =
      1. / 16;  // of the step: events at its ends would divide it into nothing and itself
  const double first = std::clamp(refused.event, kLeast, 1 - kLeast) * refused.h;
  return follow(stages, first, halvings - 1, course) &&
         follow(stages, refused.h - first, halvings - 1, course);
}

template <int D>
bool follow(const Stages<D>& stages, double h, int halvings, Course<D>& course) {
  assert(h > 0 && halvings >= 0);
  Attempt<D> attempt = attempt_step(course.world, h, stages, course.memory);
  if (attempt.status != StepStatus::done) return follow_in_two(attempt, stages, halvings, course);
  sweep_boxes(attempt, course.world, course.boxes);
  commit(attempt, stages.settings, course.world, course.report);
  course.report.status = StepStatus::done, course.report.message.clear();
  course.memory = std::move(attempt.memory);
  course.report.substeps = ++course.parts;
  course.report.divided = course.parts > 1 + course.impacts;
  return true;
}

template <int D>
std::vector<IslandBodies> find_islands(const World<D>& world, const std::vector<std::pair<int, int>>& pairs) {
  JoinedSets sets(static_cast<int>(world.bodies.size()));
  const auto link = [&](int a, int b) {
    if (a >= 0 && b >= 0 && world.bodies[a].is_dynamic() && world.bodies[b].is_dynamic()) sets.join(a, b);
  };
  for (const auto& [i, j] : pairs) link(world.shapes[i].body, world.shapes[j].body);
  for (const Joint<D>& joint : world.joints) link(joint.body_A, joint.body_B);
  std::map<int, IslandBodies> islands;
  for (int b = 0; b < static_cast<int>(world.bodies.size()); ++b) {
    if (world.bodies[b].is_dynamic()) islands[sets.find(b)].push_back(b);
  }
  std::vector<IslandBodies> list;
  for (auto& [number, island] : islands) list.push_back(std::move(island));
  return list;
}

template <int D>
bool IslandCourses<D>::follow_halves(const std::vector<IslandBodies>& islands) {
  const auto middle = islands.begin() + static_cast<long>(islands.size() / 2);
  return follow_group({islands.begin(), middle}) && follow_group({middle, islands.end()});
}

template <int D>
bool IslandCourses<D>::follow_group(const std::vector<IslandBodies>& islands) {
  GroupCourse<D> course{{world_of(world_, islands), memory_}, islands};
  const int halvings = islands.size() == 1 ? stages_.settings.max_halvings : 0;
  if (follow<D>(stages_, stages_.settings.h, halvings, course)) {
    courses_.push_back(std::move(course));
    return true;
  }
  if (islands.size() > 1 && !is_final(course.report.status)) return follow_halves(islands);
  report_.status = course.report.status, report_.message = course.report.message;
  return false;
}

template <int D>
bool IslandCourses<D>::follow_impact(const IslandBodies& island, double time, std::pair<int, int> bodies) {
  assert(time > 0 && time < 1 && bodies.first < bodies.second);
  GroupCourse<D> course{{world_of(world_, {island}), memory_}, {island}};
  const double h = stages_.settings.h, first = time * h;
  // Rows of the start would see bodies that turn meet, and push them, before they do.
  std::vector<std::pair<int, int>>& excluded = course.world.excluded;
  excluded.insert(std::upper_bound(excluded.begin(), excluded.end(), bodies), bodies);
  if (!follow<D>(stages_, first, 0, course)) return false;
  course.world.excluded = world_.excluded;
  if (!just_touch(course.world, bodies)) return false;  // something pushed them on their way
  ++course.impacts;
  if (!follow<D>(stages_, h - first, stages_.settings.max_halvings, course)) return false;
  course.report.located_impacts = 1;
  courses_.push_back(std::move(course));
  return true;
}

/// Per body; bodies that do not move by forces have none, which is said by the number of groups.
template <int D>
std::vector<std::size_t> IslandCourses<D>::group_of_bodies() const {
  std::vector<std::size_t> group_of(world_.bodies.size(), courses_.size());
  for (std::size_t g = 0; g < courses_.size(); ++g) {
    for (const IslandBodies& island : courses_[g].islands) {
      for (int b : island) group_of[b] = g;
    }
  }
  return group_of;
}

/// Two bodies of different groups whose boxes, of all the way, come nearer to each other than the margin [m],
/// along every axis.
template <int D>
auto IslandCourses<D>::find_meeting(double margin) const -> std::optional<Meeting> {
  assert(!courses_.empty() && courses_[0].boxes.size() == world_.shapes.size());
  const std::vector<std::size_t> group_of = group_of_bodies();
  BroadPhase<D> tree;
  for (std::size_t i = 0; i < world_.shapes.size(); ++i) {
    const std::size_t group = group_of[world_.shapes[i].body];
    tree.insert(courses_[group < courses_.size() ? group : 0].boxes[i].grown(0.5 * margin));
  }
  const CollisionFilter<D> filter(world_);
  for (const auto& [i, j] : tree.pairs()) {
    const int a = world_.shapes[i].body, b = world_.shapes[j].body;
    const bool both_move = group_of[a] < courses_.size() && group_of[b] < courses_.size();
    if (!both_move || group_of[a] == group_of[b] || !filter.allows(i, j)) continue;
    return Meeting{{a, b}, std::minmax(group_of[a], group_of[b])};
  }
  return std::nullopt;
}

template <int D>
bool IslandCourses<D>::meet_others(const Attempt<D>& whole) const {
  assert(whole.status == StepStatus::done);
  const std::vector<std::size_t> group_of = group_of_bodies();
  std::vector<Box<D>> boxes;
  sweep_boxes(whole, world_, boxes);
  BroadPhase<D> tree;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const std::size_t group = group_of[world_.shapes[i].body];
    tree.insert(group < courses_.size() ? courses_[group].boxes[i] : boxes[i]);
  }
  const CollisionFilter<D> filter(world_);
  const auto is_other = [&](int b) {
    return world_.bodies[b].is_dynamic() && group_of[b] == courses_.size();
  };
  const auto pairs = tree.pairs();
  return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
    const int a = world_.shapes[pair.first].body, b = world_.shapes[pair.second].body;
    const bool met =
        (is_other(a) && group_of[b] < courses_.size()) || (is_other(b) && group_of[a] < courses_.size());
    return met && filter.allows(pair.first, pair.second);
  });
}

template <int D>
void IslandCourses<D>::append(IslandCourses followed) {
  for (GroupCourse<D>& course : followed.courses_) courses_.push_back(std::move(course));
}

template <int D>
bool IslandCourses<D>::join_those_that_met() {
  while (const std::optional<Meeting> met = find_meeting(0)) {
    std::vector<IslandBodies> together = {{}};  // first the island of the two that met
    for (const std::size_t g : {met->groups.first, met->groups.second}) {
      for (const IslandBodies& island : courses_[g].islands) {
        const bool is_of_them = std::count(island.begin(), island.end(), met->bodies.first) +
                                std::count(island.begin(), island.end(), met->bodies.second);
        if (!is_of_them) together.push_back(island);
        if (is_of_them) together[0].insert(together[0].end(), island.begin(), island.end());
      }
    }
    assert(met->groups.first < met->groups.second && together[0].size() >= 2);
    courses_.erase(courses_.begin() + static_cast<long>(met->groups.second));
    courses_.erase(courses_.begin() + static_cast<long>(met->groups.first));
    if (!follow_group(together)) return false;
  }
  return true;
}

/// What the groups found at their ends, if none comes near to another.
template <int D>
std::optional<EndCloseness> IslandCourses<D>::common_ends() const {
  EndCloseness all;
  all.clearance =
      first_margin<D>(world_, start_velocities(world_, stages_.settings.h), stages_.settings.h, stages_);
  if (find_meeting(all.clearance)) return std::nullopt;
  for (const GroupCourse<D>& course : courses_) {
    const std::optional<EndCloseness>& ends = course.report.ends;
    if (!ends) return std::nullopt;
    all.clearance = std::min(all.clearance, ends->clearance);
    if (ends->lowest < all.lowest) all.lowest = ends->lowest, all.closest = ends->closest;
    all.overlapping.insert(all.overlapping.end(), ends->overlapping.begin(), ends->overlapping.end());
  }
  return all;
}

/// Bodies that no force moves are where the first group saw them go.
template <int D>
void IslandCourses<D>::take_ends(World<D>& world) const {
  assert(!courses_.empty());
  const World<D>& first = courses_.front().world;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (!world.bodies[b].is_dynamic()) world.bodies[b] = first.bodies[b];
  }
  for (const GroupCourse<D>& course : courses_) {
    for (const IslandBodies& island : course.islands) {
      for (int b : island) world.bodies[b] = course.world.bodies[b];
    }
    add_island(course.report, report_);
  }
  take_joints(world);
  take_sticking(world);
  report_.ends = common_ends();
  report_.status = StepStatus::done, report_.message.clear();
}

/// Each group remembers its own bodies: together that is what the step would have remembered.
template <int D>
StepMemory<D> IslandCourses<D>::take_memory() {
  StepMemory<D> all;
  std::vector<ModelMemoryPtr> models;
  for (GroupCourse<D>& course : courses_) {
    models.push_back(course.memory.model);
    all.impulses.add(course.memory.impulses);
    all.splits.insert(all.splits.end(), course.memory.splits.begin(), course.memory.splits.end());
  }
  std::sort(all.splits.begin(), all.splits.end(),
            [](const auto& x, const auto& y) { return x->island.bodies.front() < y->island.bodies.front(); });
  all.model = stages_.model->merged(models);
  all.tree = std::move(courses_.front().memory.tree);
  return all;
}

/// Values count full turns from part to part, so they are those that the group of the joint's bodies
/// measured.
template <int D>
void IslandCourses<D>::take_joints(World<D>& world) const {
  const std::vector<std::size_t> group_of = group_of_bodies();
  for (std::size_t j = 0; j < world.joints.size(); ++j) {
    for (const int body : {world.joints[j].body_A, world.joints[j].body_B}) {
      if (body < 0 || group_of[body] == courses_.size()) continue;
      world.joints[j].value = courses_[group_of[body]].world.joints[j].value;
    }
  }
}

/// In the world of a group only its own pairs push.
template <int D>
void IslandCourses<D>::take_sticking(World<D>& world) const {
  world.sticking.clear();
  for (const GroupCourse<D>& course : courses_) {
    const auto& pairs = course.world.sticking;
    world.sticking.insert(world.sticking.end(), pairs.begin(), pairs.end());
  }
  std::sort(world.sticking.begin(), world.sticking.end());
  assert(std::adjacent_find(world.sticking.begin(), world.sticking.end()) == world.sticking.end());
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                            \
  template bool follow_in_two(const Attempt<D>&, const Stages<D>&, int, Course<D>&);                         \
  template std::vector<IslandBodies> find_islands(const World<D>&, const std::vector<std::pair<int, int>>&); \
  template class IslandCourses<D>;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
