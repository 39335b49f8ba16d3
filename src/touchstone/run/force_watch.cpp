#include "touchstone/run/force_watch.h"

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

/// So many steps in a row are no chance.
constexpr int kManySteps = 20;
/// Nor are so few in which the force grows by one and the same factor; such a run may end before there are
/// more.
constexpr int kFewSteps = 6;
constexpr double kSameFactor = 0.2;  ///< how far one may be from the next, relative
/// Nor is a swing within a few steps whose largest force has grown by such a factor twice.
constexpr double kBurst = 4;
constexpr int kChanges = 3;  ///< of sign, among forces that have grown
/// Steps in which it grows so: fewer where the controller is much too stiff.
constexpr std::size_t kFast = 3, kSlow = 8;

}  // namespace

template <int D>
void ForceWatch<D>::Swing::add(double force) {
  const double grown = last != 0 ? -force / last : 0;
  const bool swings = grown > 1, is_steady = swings && std::abs(grown - factor) <= kSameFactor * grown;
  steps = swings ? steps + 1 : 0;
  steady = is_steady ? steady + 1 : 0;
  last = force, factor = grown;
  std::rotate(seen.begin(), seen.begin() + 1, seen.end());
  seen.back() = force;
}

/// Has the largest force grown from each third of the last forces to the next, while its sign changed?
template <int D>
bool ForceWatch<D>::Swing::bursts(std::size_t third) const {
  double peaks[3] = {0, 0, 0};
  int changes = 0;
  const double* const first = seen.data() + seen.size() - 3 * third;
  for (std::size_t i = 0; i < 3 * third; ++i) {
    peaks[i / third] = std::max(peaks[i / third], std::abs(first[i]));
    const bool grown = i > third && std::min(std::abs(first[i - 1]), std::abs(first[i])) > peaks[0];
    changes += grown && (first[i - 1] < 0) != (first[i] < 0);
  }
  return peaks[0] > 0 && peaks[1] > kBurst * peaks[0] && peaks[2] > kBurst * peaks[1] && changes >= kChanges;
}

template <int D>
bool ForceWatch<D>::Swing::is_unstable() const {
  return steps >= kManySteps || steady >= kFewSteps || bursts(kFast) || bursts(kSlow);
}

template <int D>
std::string ForceWatch<D>::watch(const World<D>& world) {
  std::string shaken;
  std::size_t i = 0;
  for (const Joint<D>& joint : world.joints) {
    for (const JointAxis& axis : joint.axes) {
      if (i == swings_.size()) swings_.emplace_back();
      swings_[i].add(axis.force);
      if (shaken.empty() && swings_[i].is_unstable()) shaken = joint.name;
      ++i;
    }
  }
  return shaken;
}

template class ForceWatch<2>;
template class ForceWatch<3>;

}  // namespace touchstone
