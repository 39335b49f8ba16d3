#include "touchstone/stepping/paths.h"

#include <cassert>

#include "touchstone/math/checks.h"

namespace touchstone {

template <int D>
std::vector<Twist<D>> start_velocities(const World<D>& world, double h) {
  assert(h > 0);
  std::vector<Twist<D>> V;
  V.reserve(world.bodies.size());
  for (const Body<D>& body : world.bodies) {
    V.push_back(body.kind == BodyKind::fixed ? Twist<D>(Twist<D>::Zero()) : body.velocity);
    if (body.kind != BodyKind::scripted || !body.script) continue;
    Body<D> target = body;
    target.set_X_WB(body.script(world.time + h));
    const Spin<D> turn = turn_between(body.attitude, target.attitude);
    V.back() = twist<D>((target.position - body.position) / h, turn / h);
  }
  return V;
}

template <int D>
void follow_velocities(const World<D>& world, const Going<D>& going, std::vector<Path<D>>& paths) {
  const std::size_t count = world.bodies.size();
  assert(going.V.size() == count && (going.falling.empty() || going.falling.size() == count));
  assert(going.h > 0 && (paths.empty() || paths.size() == count));
  const bool first = paths.empty();
  paths.resize(count);
  for (std::size_t b = 0; b < count; ++b) {
    const Body<D>& body = world.bodies[b];
    const bool held = going.steady.contains(static_cast<int>(b));
    const Vec<D> a = going.falling.empty() ? Vec<D>(Vec<D>::Zero()) : going.falling[b];
    const Twist<D> mean = going.V[b] - twist<D>((0.5 * going.h) * a, Spin<D>::Zero());
    if (!first && paths[b].velocity == mean && paths[b].acceleration == a && !held) continue;
    paths[b] = body.is_dynamic() && !held ? free_path(body, mean, going.h)
                                          : steady_path<D>(body.position, body.attitude, mean, going.h);
    paths[b].acceleration = a;
  }
}

template <int D>
std::vector<Twist<D>> found_velocities(std::span<const Twist<D>> V, const SolvedStep<D>& solved) {
  assert(solved.impulses.V.size() == solved.assembly.dynamic.size());
  std::vector<Twist<D>> all(V.begin(), V.end());
  for (std::size_t i = 0; i < solved.impulses.V.size(); ++i) {
    assert(is_index(solved.assembly.dynamic[i], all.size()));
    all[solved.assembly.dynamic[i]] = solved.impulses.V[i];
  }
  return all;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                           \
  template std::vector<Twist<D>> start_velocities(const World<D>&, double);                 \
  template void follow_velocities(const World<D>&, const Going<D>&, std::vector<Path<D>>&); \
  template std::vector<Twist<D>> found_velocities(std::span<const Twist<D>>, const SolvedStep<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
