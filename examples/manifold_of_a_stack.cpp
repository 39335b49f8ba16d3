// Three boxes, each laid a little further out: which polygon do neighbours share?
#include <iostream>

#include "touchstone/geometry/shapes.h"
#include "touchstone/proximity/manifold.h"

using namespace touchstone;

int main() {
  const Polytope<3> box = make_box<3>({2, 2, 1});
  for (int level = 1; level < 3; ++level) {
    const Placed<3> above{&box, {Mat<3>::Identity(), Vec<3>(0.5 * level, 0, level)}};
    const Placed<3> below{&box, {Mat<3>::Identity(), Vec<3>(0.5 * (level - 1), 0, level - 1)}};
    const Gap<3> gap = find_gap(above, below);
    const ContactManifold<3> manifold = find_manifold(above, below, gap);
    std::cout << "contact at height " << manifold.plane.offset << " m:";
    for (const auto& corner : manifold.points) {
      std::cout << " (" << corner.position.x() << ", " << corner.position.y() << ")";
    }
    std::cout << "\n";
  }
}
