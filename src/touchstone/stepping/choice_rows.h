#pragma once
// What the conductors of models with I- and X-constraints share; inside stepping only.

#include <algorithm>
#include <numeric>

#include "touchstone/dynamics/assembly.h"
#include "touchstone/stepping/advance.h"
#include "touchstone/stepping/measure.h"

namespace touchstone {

/// The rows of all contacts, and with them their gaps at the end of any motion.
template <int D>
class EndGaps {
 public:
  EndGaps(const ConstraintSet<D>& set, Assembly<D> all, double h) : set_(set), all_(std::move(all)), h_(h) {}

  double operator()(int k, const std::vector<Twist<D>>& V) const {
    return set_.contacts[k].gap + h_ * speed(k, V);
  }
  double speed(int k, const std::vector<Twist<D>>& V) const {
    const int row = all_.row_of_contact[k];
    if (row < 0) return 0;
    return rate(all_.equations.unilateral[row], V) + all_.unilateral[row].carried;
  }
  const Assembly<D>& all() const { return all_; }

 private:
  const ConstraintSet<D>& set_;
  Assembly<D> all_;  ///< every contact of the set is unilateral in it
  double h_;
};

/// The member of a list with the largest gap.
template <int D>
int most_open(const ConstraintSet<D>& set, const std::vector<int>& members) {
  return *std::max_element(members.begin(), members.end(),
                           [&](int k, int m) { return set.contacts[k].gap < set.contacts[m].gap; });
}

/// The set with every contact unilateral.
template <int D>
ConstraintSet<D> with_all(ConstraintSet<D> set) {
  set.unilateral.resize(set.contacts.size());
  std::iota(set.unilateral.begin(), set.unilateral.end(), 0);
  return set;
}

/// Where the parts are at the end of the step.
template <int D>
std::vector<Pose<D>> end_poses(const World<D>& world, const Assembly<D>& assembly,
                               const std::vector<Twist<D>>& V, double h) {
  std::vector<Body<D>> moved = world.bodies;
  move_bodies<D>(world, velocities(world, assembly, V), {}, h, moved);
  std::vector<Pose<D>> X_end;
  place_parts(world, moved, X_end);
  return X_end;
}

}  // namespace touchstone
