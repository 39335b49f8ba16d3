#include "touchstone/run/force_watch.h"

#include <cmath>

namespace touchstone {
namespace {

/// So many steps in a row are no chance.
constexpr int kManySteps = 20;
/// Nor are so few in which the force has become so many times larger: such a run may end before there are
/// more.
constexpr int kFewSteps = 2;
constexpr double kGrown = 1e4;

}  // namespace

template <int D>
std::string ForceWatch<D>::watch(const World<D>& world) {
  std::string shaken;
  std::size_t i = 0;
  for (const Joint<D>& joint : world.joints) {
    for (const JointAxis& axis : joint.axes) {
      if (i == swings_.size()) swings_.emplace_back();
      Swing& swing = swings_[i++];
      const bool swings = axis.force * swing.last < 0 && std::abs(axis.force) >= std::abs(swing.last);
      swing.steps = swings ? swing.steps + 1 : 0;
      if (!swings) swing.first = axis.force;
      swing.last = axis.force;
      const bool grown = swing.steps >= kFewSteps && std::abs(axis.force) > kGrown * std::abs(swing.first);
      if ((swing.steps >= kManySteps || grown) && shaken.empty()) shaken = joint.name;
    }
  }
  return shaken;
}

template class ForceWatch<2>;
template class ForceWatch<3>;

}  // namespace touchstone
