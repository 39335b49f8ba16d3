#include "touchstone/stepping/divide.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

#include "touchstone/proximity/box.h"
#include "touchstone/stepping/report_sums.h"

namespace touchstone {
namespace {

/// A step made in parts.
template <int D>
struct Course {
  World<D> world;
  StepMemory<D> memory = {};
  StepReport<D> report = {};
  int parts = 0;                   ///< of the step, made so far
  std::vector<Box<D>> boxes = {};  ///< per shape: holds it all the way
};

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

/// Follows the course further by h, in as many parts as it needs; false: its report says why it cannot.
template <int D>
bool follow(const Stages<D>& stages, double h, int halvings, Course<D>& course);

/// Where `refused` says, or in the middle.
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
  return true;
}

using IslandBodies =
    std::vector<int>;  ///< bodies that may meet on their paths, directly or through others, or are joined

/// The islands of the bodies that move by forces, each body alone unless `links` join it to others.
template <int D>
std::vector<IslandBodies> find_islands(const World<D>& world, const std::vector<std::pair<int, int>>& links) {
  std::vector<int> first(world.bodies.size());  // the first body of its island
  std::iota(first.begin(), first.end(), 0);
  for (const auto& [a, b] : links) {
    if (a < 0 || b < 0 || !world.bodies[a].is_dynamic() || !world.bodies[b].is_dynamic()) continue;
    const int to = std::min(first[a], first[b]), from = std::max(first[a], first[b]);
    std::replace(first.begin(), first.end(), from, to);
  }
  std::map<int, IslandBodies> islands;
  for (int b = 0; b < static_cast<int>(first.size()); ++b) {
    if (world.bodies[b].is_dynamic()) islands[first[b]].push_back(b);
  }
  std::vector<IslandBodies> list;
  for (auto& [number, island] : islands) list.push_back(std::move(island));
  return list;
}

/// The bodies that a motion and the joints may bring together.
template <int D>
std::vector<std::pair<int, int>> links_of(const World<D>& world,
                                          const std::vector<std::pair<int, int>>& pairs) {
  std::vector<std::pair<int, int>> links;
  for (const auto& [i, j] : pairs) links.emplace_back(world.shapes[i].body, world.shapes[j].body);
  for (const Joint<D>& joint : world.joints) links.emplace_back(joint.body_A, joint.body_B);
  return links;
}

/// Some islands, stepped apart from the others.
template <int D>
struct GroupCourse : Course<D> {
  std::vector<IslandBodies> islands = {};
};

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

template <int D>
class Division {
 public:
  Division(const World<D>& world, const StepMemory<D>& memory, const Stages<D>& stages, StepReport<D>& report)
      : world_(world), memory_(memory), stages_(stages), report_(report) {}

  /// Each half of the islands as a whole, and where that is refused each half of it; an island alone is
  /// divided in time. So the islands that need no shorter steps are found in few attempts. False: the report
  /// says why not.
  bool follow_halves(const std::vector<IslandBodies>& islands) {
    const auto middle = islands.begin() + static_cast<long>(islands.size() / 2);
    return follow_group({islands.begin(), middle}) && follow_group({middle, islands.end()});
  }
  /// Makes islands of different groups that met on the paths found once more, together; false: it cannot be
  /// done.
  bool join_those_that_met();
  void take_ends(World<D>& world) const;
  StepMemory<D> take_memory();

 private:
  bool follow_group(const std::vector<IslandBodies>& islands);
  std::vector<std::size_t> group_of_bodies() const;
  void take_joints(World<D>& world) const;
  bool find_meeting(std::pair<int, int>& bodies, std::pair<std::size_t, std::size_t>& groups) const;

  const World<D>& world_;
  const StepMemory<D>& memory_;
  const Stages<D>& stages_;
  StepReport<D>& report_;
  std::vector<GroupCourse<D>> courses_;
};

template <int D>
bool Division<D>::follow_group(const std::vector<IslandBodies>& islands) {
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

/// Per body; bodies that do not move by forces have none, which is said by the number of groups.
template <int D>
std::vector<std::size_t> Division<D>::group_of_bodies() const {
  std::vector<std::size_t> group_of(world_.bodies.size(), courses_.size());
  for (std::size_t g = 0; g < courses_.size(); ++g) {
    for (const IslandBodies& island : courses_[g].islands) {
      for (int b : island) group_of[b] = g;
    }
  }
  return group_of;
}

/// Two bodies of different groups whose boxes, of all the way, meet.
template <int D>
bool Division<D>::find_meeting(std::pair<int, int>& bodies,
                               std::pair<std::size_t, std::size_t>& groups) const {
  assert(!courses_.empty() && courses_[0].boxes.size() == world_.shapes.size());
  const std::vector<std::size_t> group_of = group_of_bodies();
  BroadPhase<D> tree;
  for (std::size_t i = 0; i < world_.shapes.size(); ++i) {
    const std::size_t group = group_of[world_.shapes[i].body];
    tree.insert(courses_[group < courses_.size() ? group : 0].boxes[i]);
  }
  const CollisionFilter<D> filter(world_);
  for (const auto& [i, j] : tree.pairs()) {
    const int a = world_.shapes[i].body, b = world_.shapes[j].body;
    const bool both_move = group_of[a] < courses_.size() && group_of[b] < courses_.size();
    if (!both_move || group_of[a] == group_of[b] || !filter.allows(i, j)) continue;
    bodies = {a, b}, groups = std::minmax(group_of[a], group_of[b]);
    return true;
  }
  return false;
}

template <int D>
bool Division<D>::join_those_that_met() {
  std::pair<int, int> bodies;
  std::pair<std::size_t, std::size_t> groups;
  while (find_meeting(bodies, groups)) {
    std::vector<IslandBodies> together = {{}};  // first the island of the two that met
    for (const std::size_t g : {groups.first, groups.second}) {
      for (const IslandBodies& island : courses_[g].islands) {
        const bool met = std::count(island.begin(), island.end(), bodies.first) +
                         std::count(island.begin(), island.end(), bodies.second);
        if (!met) together.push_back(island);
        if (met) together[0].insert(together[0].end(), island.begin(), island.end());
      }
    }
    assert(groups.first < groups.second && together[0].size() >= 2);
    courses_.erase(courses_.begin() + static_cast<long>(groups.second));
    courses_.erase(courses_.begin() + static_cast<long>(groups.first));
    if (!follow_group(together)) return false;
  }
  return true;
}

/// Bodies that no force moves are where the first group saw them go.
template <int D>
void Division<D>::take_ends(World<D>& world) const {
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
  report_.status = StepStatus::done, report_.message.clear();
}

/// Each group remembers its own bodies: together that is what the step would have remembered.
template <int D>
StepMemory<D> Division<D>::take_memory() {
  StepMemory<D> all;
  std::vector<ModelMemoryPtr> models;
  for (GroupCourse<D>& course : courses_) {
    models.push_back(course.memory.model);
    all.impulses.add(course.memory.impulses);
  }
  all.model = stages_.model->merged(models);
  all.tree = std::move(courses_.front().memory.tree);
  return all;
}

/// Values count full turns from part to part, so they are those that the group of the joint's bodies
/// measured.
template <int D>
void Division<D>::take_joints(World<D>& world) const {
  const std::vector<std::size_t> group_of = group_of_bodies();
  for (std::size_t j = 0; j < world.joints.size(); ++j) {
    for (const int body : {world.joints[j].body_A, world.joints[j].body_B}) {
      if (body < 0 || group_of[body] == courses_.size()) continue;
      world.joints[j].value = courses_[group_of[body]].world.joints[j].value;
    }
  }
}

/// The bodies are one island: the step is divided where it was refused.
template <int D>
bool divide_whole(const Attempt<D>& refused, const Stages<D>& stages, World<D>& world, StepMemory<D>& memory,
                  StepReport<D>& report) {
  Course<D> course{world, memory, report};
  if (!follow_in_two(refused, stages, stages.settings.max_halvings, course)) {
    report.status = course.report.status, report.message = course.report.message;
    return false;
  }
  report = std::move(course.report);
  world = std::move(course.world), memory = std::move(course.memory);
  return true;
}

}  // namespace

template <int D>
bool divide_step(const Attempt<D>& refused, const Stages<D>& stages, World<D>& world, StepMemory<D>& memory,
                 StepReport<D>& report) {
  report.status = refused.status, report.message = refused.why;
  if (!stages.model->promises().gap || is_final(refused.status)) return false;
  const std::vector<IslandBodies> islands = find_islands(world, links_of(world, refused.pairs));
  if (islands.size() < 2) return divide_whole(refused, stages, world, memory, report);
  Division<D> division(world, memory, stages, report);
  if (!division.follow_halves(islands) || !division.join_those_that_met()) return false;
  division.take_ends(world);
  memory = division.take_memory();
  return true;
}

template bool divide_step(const Attempt<2>&, const Stages<2>&, World<2>&, StepMemory<2>&, StepReport<2>&);
template bool divide_step(const Attempt<3>&, const Stages<3>&, World<3>&, StepMemory<3>&, StepReport<3>&);

}  // namespace touchstone
