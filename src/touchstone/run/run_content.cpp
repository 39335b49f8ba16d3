#include "touchstone/run/run_content.h"

#include <algorithm>
#include <cassert>

namespace touchstone {

template <int D>
RunContent<D> content_of(World<D> world) {
  RunContent<D> content;
  content.appear.assign(world.bodies.size(), 0);
  content.forces.assign(world.bodies.size(), Twist<D>::Zero());
  content.world = std::move(world);
  return content;
}

template <int D>
World<D> world_at_start(const RunContent<D>& content) {
  assert(content.appear.size() == content.world.bodies.size());
  assert(std::is_sorted(content.appear.begin(), content.appear.end()));
  World<D> world = content.world;
  const auto later = std::upper_bound(content.appear.begin(), content.appear.end(), 0.0);
  const int there = static_cast<int>(later - content.appear.begin());
  world.bodies.resize(there);
  std::erase_if(world.shapes, [&](const ContactShape<D>& shape) { return shape.body >= there; });
  std::erase_if(world.joints, [&](const Joint<D>& j) { return j.body_A >= there || j.body_B >= there; });
  std::erase_if(world.excluded, [&](const std::pair<int, int>& pair) { return pair.second >= there; });
  // Constant forces are set anew before each step, by whoever runs the content.
  for (Joint<D>& joint : world.joints) {
    for (JointAxis& axis : joint.axes) axis.force = 0;
  }
  return world;
}

#define TOUCHSTONE_INSTANTIATE(D)              \
  template RunContent<D> content_of(World<D>); \
  template World<D> world_at_start(const RunContent<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
