#include "touchstone/record/checkpoint.h"

#include <algorithm>
#include <cassert>

#include "touchstone/math/checks.h"
#include "touchstone/record/metrics.h"

namespace touchstone {

template <int D>
Checkpoint<D> take_checkpoint(const World<D>& world, const World<D>& cast) {
  assert(world.bodies.size() <= cast.bodies.size() && world.joints.size() <= cast.joints.size());
  Checkpoint<D> c;
  c.time = world.time;
  c.steps = world.steps;
  c.bodies_present = static_cast<std::int64_t>(world.bodies.size());
  for (std::size_t i = 0; i < cast.bodies.size(); ++i) {
    const Body<D>& body = i < world.bodies.size() ? world.bodies[i] : cast.bodies[i];
    c.position.push_back(body.position);
    c.attitude.push_back(body.attitude);
    c.velocity.push_back(body.velocity);
  }
  for (const Joint<D>& joint : cast.joints) {
    // Joints come with their bodies: one of these names may not be there yet.
    const int i = world.find_joint(joint.name);
    const std::vector<double>& now = i < 0 ? joint.value : world.joints[i].value;
    c.joint_value.insert(c.joint_value.end(), now.begin(), now.end());
  }
  c.asks_for_sticking = world.surfaces.ask_for_sticking(), c.sticking = world.sticking;
  c.hash = state_hash(world);
  return c;
}

template <int D>
bool restore(const Checkpoint<D>& c, const World<D>& cast, World<D>& world) {
  std::size_t values = 0;
  for (const Joint<D>& joint : cast.joints) values += joint.value.size();
  const bool fits =
      c.position.size() == cast.bodies.size() && c.joint_value.size() == values &&
      c.bodies_present == static_cast<std::int64_t>(world.bodies.size()) &&
      std::all_of(c.sticking.begin(), c.sticking.end(), [&](const auto& pair) {
        return is_index(pair.first, world.bodies.size()) && is_index(pair.second, world.bodies.size());
      });
  if (!fits) return false;
  world.time = c.time;
  world.steps = static_cast<long>(c.steps);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    world.bodies[i].position = c.position[i];
    world.bodies[i].attitude = c.attitude[i];
    world.bodies[i].velocity = c.velocity[i];
  }
  const double* value = c.joint_value.data();
  for (const Joint<D>& joint : cast.joints) {
    const int i = world.find_joint(joint.name);
    if (i >= 0) world.joints[i].value.assign(value, value + joint.value.size());
    value += joint.value.size();
  }
  world.sticking = c.sticking;
  assert(value == c.joint_value.data() + c.joint_value.size());
  return state_hash(world) == c.hash;
}

#define TOUCHSTONE_INSTANTIATE(D)                                           \
  template Checkpoint<D> take_checkpoint(const World<D>&, const World<D>&); \
  template bool restore(const Checkpoint<D>&, const World<D>&, World<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
