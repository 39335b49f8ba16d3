#include "touchstone/run/force_watch.h"

#include <cmath>

namespace touchstone {
namespace {

/// So many steps in a row are no chance.
constexpr int kManySteps = 20;
/// Nor are so few in which the force grows by one and the same factor; such a run may end before there are
/// more.
constexpr int kFewSteps = 6;
constexpr double kSameFactor = 0.2;  ///< how far one may be from the next, relative

}  // namespace

template <int D>
std::string ForceWatch<D>::watch(const World<D>& world) {
  std::string shaken;
  std::size_t i = 0;
  for (const Joint<D>& joint : world.joints) {
    for (const JointAxis& axis : joint.axes) {
      if (i == swings_.size()) swings_.emplace_back();
      Swing& swing = swings_[i++];
      const double factor = swing.last != 0 ? -axis.force / swing.last : 0;
      const bool swings = factor >= 1,
                 steady = swings && std::abs(factor - swing.factor) <= kSameFactor * factor;
      swing.steps = swings ? swing.steps + 1 : 0;
      swing.steady = steady ? swing.steady + 1 : 0;
      swing.last = axis.force, swing.factor = factor;
      if ((swing.steps >= kManySteps || swing.steady >= kFewSteps) && shaken.empty()) shaken = joint.name;
    }
  }
  return shaken;
}

template class ForceWatch<2>;
template class ForceWatch<3>;

}  // namespace touchstone
