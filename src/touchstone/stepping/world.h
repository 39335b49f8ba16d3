#pragma once
// A world: everything that the next step depends on. It is plain data; a copy is a snapshot.

#include <string_view>
#include <utility>
#include <vector>

#include "touchstone/contact/contact_shape.h"
#include "touchstone/dynamics/body.h"
#include "touchstone/dynamics/joint.h"
#include "touchstone/dynamics/material.h"

namespace touchstone {

template <int D>
struct World {
  std::vector<Body<D>> bodies;
  std::vector<ContactShape<D>> shapes;
  std::vector<Joint<D>> joints;
  SurfaceTable surfaces;
  Vec<D> gravity = Vec<D>::Zero();  ///< [m/s^2]
  double time = 0;                  ///< [s]
  long steps = 0;                   ///< made so far
  std::vector<std::pair<int, int>>
      excluded;  ///< pairs of bodies (i < j, sorted) that never touch, besides jointed ones
  /// Pairs of bodies (i < j, sorted) that pushed each other in the last step and stuck, where their law asks
  /// for it (static_kinetic) [dynamics/sticking.h].
  BodyPairs sticking;

  /// The body of this name, or -1.
  int find_body(std::string_view name) const;
  int find_joint(std::string_view name) const;
};

/// May the two shapes touch? Not parts of one body, of two bodies that do not move by forces, of excluded or
/// jointed bodies, or of groups that do not meet.
template <int D>
class CollisionFilter {
 public:
  explicit CollisionFilter(const World<D>& world);
  bool allows(int shape_1, int shape_2) const;

 private:
  const World<D>* world_;
  std::vector<std::pair<int, int>> excluded_;  ///< bodies, sorted
};

struct Energy {
  double kinetic = 0, potential = 0;  ///< [J]; potential: of gravity, zero at the origin
  double total() const { return kinetic + potential; }
};
template <int D>
Energy energy(const World<D>& world);

/// Linear and angular momentum (about the origin) of the dynamic bodies.
template <int D>
struct Momentum {
  Vec<D> linear = Vec<D>::Zero();     ///< [kg m/s]
  Spin<D> angular = Spin<D>::Zero();  ///< [kg m^2/s]
};
template <int D>
Momentum<D> momentum(const World<D>& world);

}  // namespace touchstone
