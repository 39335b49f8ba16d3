#include "touchstone/stepping/divide.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "touchstone/proximity/box.h"
#include "touchstone/stepping/report_sums.h"

namespace touchstone {
namespace {

/// A step made in parts.
template <int D>
struct Course {
  World<D> world;
  StepMemory<D> memory;
  StepReport<D> report;
  int island = 0;                  ///< whose bodies move by forces
  int parts = 0;                   ///< of the step, made so far
  std::vector<Box<D>> boxes = {};  ///< per shape: holds it all the way
};

template <int D>
void sweep_boxes(const Attempt<D>& attempt, const World<D>& world, std::vector<Box<D>>& boxes) {
  const bool first = boxes.empty();
  for (std::size_t i = 0; i < world.shapes.size(); ++i) {
    const ContactShape<D>& part = world.shapes[i];
    const Path<D>& path = attempt.paths[part.body];
    const Box<D> box = swept_box(*part.shape, path.at(0) * part.X_CS, path.at(1) * part.X_CS);
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
  course.report.status = refused.status, course.report.message = refused.why;
  if (halvings == 0 || refused.status == StepStatus::bad_state) return false;
  constexpr double kLeast =
      1. / 16;  // of the step: events at its very ends would divide it into nothing and itself
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
  ++course.parts;
  return true;
}

/// Which island each body belongs to: the number of its first body.
class Islands {
 public:
  explicit Islands(std::size_t bodies) : island_(bodies) { std::iota(island_.begin(), island_.end(), 0); }
  int of(int body) const { return island_[body]; }
  void join(int a, int b) {
    const int first = std::min(island_[a], island_[b]), second = std::max(island_[a], island_[b]);
    std::replace(island_.begin(), island_.end(), second, first);
  }
  /// Islands of bodies that move by forces.
  template <int D>
  int count(const World<D>& world) const {
    int islands = 0;
    for (int b = 0; b < static_cast<int>(island_.size()); ++b) {
      islands += island_[b] == b && world.bodies[b].is_dynamic();
    }
    return islands;
  }

 private:
  std::vector<int> island_;
};

/// Bodies that do not move by forces join nobody.
template <int D>
void join_bodies(const World<D>& world, int a, int b, Islands& islands) {
  if (a >= 0 && b >= 0 && world.bodies[a].is_dynamic() && world.bodies[b].is_dynamic()) islands.join(a, b);
}

template <int D>
Islands find_islands(const World<D>& world, const std::vector<std::pair<int, int>>& pairs) {
  Islands islands(world.bodies.size());
  for (const auto& [i, j] : pairs) join_bodies(world, world.shapes[i].body, world.shapes[j].body, islands);
  for (const Joint<D>& joint : world.joints) join_bodies(world, joint.body_A, joint.body_B, islands);
  return islands;
}

/// The world in which only the bodies of one island move by forces; the others keep the velocity that they
/// have.
template <int D>
World<D> world_of(const World<D>& world, const Islands& islands, int island) {
  World<D> alone = world;
  for (std::size_t b = 0; b < alone.bodies.size(); ++b) {
    Body<D>& body = alone.bodies[b];
    if (body.is_dynamic() && islands.of(static_cast<int>(b)) != island) body.kind = BodyKind::scripted;
  }
  return alone;
}

/// Per island: its bodies, stepped alone. Islands that failed are last, and end the list.
template <int D>
std::vector<Course<D>> follow_islands(const World<D>& world, const Islands& islands, const Stages<D>& stages,
                                      const StepMemory<D>& memory) {
  std::vector<Course<D>> courses;
  for (int b = 0; b < static_cast<int>(world.bodies.size()); ++b) {
    if (!world.bodies[b].is_dynamic() || islands.of(b) != b) continue;
    courses.push_back({world_of(world, islands, b), memory, {}, b});
    if (!follow(stages, stages.settings.h, stages.settings.max_halvings, courses.back())) break;
  }
  return courses;
}

/// Joins islands whose bodies may have met; false: none have. Boxes of bodies that stand in a course of
/// another island are those of its given motion.
template <int D>
bool join_those_that_met(const World<D>& world, const std::vector<Course<D>>& courses, Islands& islands) {
  assert(!courses.empty() && courses.front().boxes.size() == world.shapes.size());
  std::vector<Box<D>> boxes = courses.front().boxes;
  for (const Course<D>& course : courses) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const int body = world.shapes[i].body;
      if (world.bodies[body].is_dynamic() && islands.of(body) == course.island) boxes[i] = course.boxes[i];
    }
  }
  BroadPhase<D> tree;
  for (const Box<D>& box : boxes) tree.insert(box);
  const CollisionFilter<D> filter(world);
  bool met = false;
  for (const auto& [i, j] : tree.pairs()) {
    const int a = world.shapes[i].body, b = world.shapes[j].body;
    const bool both_move = world.bodies[a].is_dynamic() && world.bodies[b].is_dynamic();
    if (!both_move || islands.of(a) == islands.of(b) || !filter.allows(i, j)) continue;
    islands.join(a, b);
    met = true;
  }
  return met;
}

/// Bodies that no force moves are where the first island saw them go.
template <int D>
void take_ends(const std::vector<Course<D>>& courses, const Islands& islands, World<D>& world,
               StepReport<D>& report) {
  const World<D>& first = courses.front().world;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (!world.bodies[b].is_dynamic()) world.bodies[b] = first.bodies[b];
  }
  for (const Course<D>& course : courses) {
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      const bool mine = world.bodies[b].is_dynamic() && islands.of(static_cast<int>(b)) == course.island;
      if (mine) world.bodies[b] = course.world.bodies[b];
    }
    StepReport<D> part = course.report;
    part.substeps = course.parts;
    add_island(part, report);
  }
  for (Joint<D>& joint : world.joints) measure_joint(joint, world.bodies);
}

/// The bodies are one island: the step is divided where it was refused.
template <int D>
bool divide_whole(const Attempt<D>& refused, const Stages<D>& stages, World<D>& world, StepMemory<D>& memory,
                  StepReport<D>& report) {
  Course<D> course{world, memory, report};
  const bool made = follow_in_two(refused, stages, stages.settings.max_halvings, course);
  report = std::move(course.report);
  if (!made) return false;
  report.substeps = course.parts;
  world = std::move(course.world), memory = std::move(course.memory);
  return true;
}

}  // namespace

template <int D>
bool divide_step(const Attempt<D>& refused, const Stages<D>& stages, World<D>& world, StepMemory<D>& memory,
                 StepReport<D>& report) {
  report.status = refused.status, report.message = refused.why;
  if (!stages.model->promises().gap || refused.status == StepStatus::bad_state) return false;
  Islands islands = find_islands(world, refused.pairs);
  for (;;) {
    if (islands.count(world) < 2) return divide_whole(refused, stages, world, memory, report);
    const std::vector<Course<D>> courses = follow_islands(world, islands, stages, memory);
    if (courses.back().report.status != StepStatus::done) {
      report.status = courses.back().report.status, report.message = courses.back().report.message;
      return false;
    }
    if (join_those_that_met(world, courses, islands)) continue;
    take_ends(courses, islands, world, report);
    report.status = StepStatus::done, report.message.clear();
    memory = {};  // pairs of different islands were remembered apart
    return true;
  }
}

template bool divide_step(const Attempt<2>&, const Stages<2>&, World<2>&, StepMemory<2>&, StepReport<2>&);
template bool divide_step(const Attempt<3>&, const Stages<3>&, World<3>&, StepMemory<3>&, StepReport<3>&);

}  // namespace touchstone
