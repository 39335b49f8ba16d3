#include "touchstone/stepping/world.h"

#include <algorithm>
#include <cassert>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

template <class List>
int index_of(const List& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

template <int D>
int World<D>::find_body(std::string_view name) const {
  return index_of(bodies, name);
}

template <int D>
int World<D>::find_joint(std::string_view name) const {
  return index_of(joints, name);
}

template <int D>
CollisionFilter<D>::CollisionFilter(const World<D>& world) : world_(&world), excluded_(world.excluded) {
  for (const Joint<D>& joint : world.joints) {
    if (!joint.collide && joint.body_A >= 0 && joint.body_B >= 0) {
      excluded_.push_back(std::minmax(joint.body_A, joint.body_B));
    }
  }
  std::sort(excluded_.begin(), excluded_.end());
}

template <int D>
bool CollisionFilter<D>::allows(int shape_1, int shape_2) const {
  assert(is_index(shape_1, world_->shapes.size()) && is_index(shape_2, world_->shapes.size()));
  const ContactShape<D>&a = world_->shapes[shape_1], &b = world_->shapes[shape_2];
  if (a.body == b.body) return false;
  if (!world_->bodies[a.body].is_dynamic() && !world_->bodies[b.body].is_dynamic()) return false;
  if (!(a.collides & b.group) || !(b.collides & a.group)) return false;
  const std::pair<int, int> bodies = std::minmax(a.body, b.body);
  return !std::binary_search(excluded_.begin(), excluded_.end(), bodies);
}

template <int D>
Energy energy(const World<D>& world) {
  Energy sum;
  for (const Body<D>& body : world.bodies) {
    if (!body.is_dynamic()) continue;
    const Spin<D> w = angular<D>(body.velocity);
    sum.kinetic +=
        0.5 * (body.mass * linear<D>(body.velocity).squaredNorm() + w.dot(angular_momentum(body, w)));
    sum.potential -= body.mass * world.gravity.dot(body.position);
  }
  return sum;
}

template <int D>
Momentum<D> momentum(const World<D>& world) {
  Momentum<D> sum;
  for (const Body<D>& body : world.bodies) {
    if (!body.is_dynamic()) continue;
    const Vec<D> p = body.mass * linear<D>(body.velocity);
    sum.linear += p;
    sum.angular += moment<D>(body.position, p) + angular_momentum(body, angular<D>(body.velocity));
  }
  return sum;
}

#define TOUCHSTONE_INSTANTIATE(D)          \
  template struct World<D>;                \
  template class CollisionFilter<D>;       \
  template Energy energy(const World<D>&); \
  template Momentum<D> momentum(const World<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
