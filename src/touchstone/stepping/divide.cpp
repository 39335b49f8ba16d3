#include "touchstone/stepping/divide.h"

#include "touchstone/stepping/island_courses.h"

namespace touchstone {
namespace {

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
  const std::vector<IslandBodies> islands = find_islands(world, refused.pairs);
  if (islands.size() < 2) return divide_whole(refused, stages, world, memory, report);
  IslandCourses<D> courses(world, memory, stages, report);
  if (!courses.follow_halves(islands) || !courses.join_those_that_met()) return false;
  courses.take_ends(world);
  memory = courses.take_memory();
  return true;
}

template bool divide_step(const Attempt<2>&, const Stages<2>&, World<2>&, StepMemory<2>&, StepReport<2>&);
template bool divide_step(const Attempt<3>&, const Stages<3>&, World<3>&, StepMemory<3>&, StepReport<3>&);

}  // namespace touchstone
