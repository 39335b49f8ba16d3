// The gap of two boxes: disjoint, kissing, overlapping.
#include <iostream>

#include "touchstone/geometry/shapes.h"
#include "touchstone/proximity/gap.h"

using namespace touchstone;

int main() {
  const Polytope<3> box = make_box<3>({2, 2, 2});
  const char* words[] = {"disjoint", "touching", "overlapping"};
  for (const double height : {2.5, 2.0, 1.75}) {
    const Placed<3> A{&box, {Mat<3>::Identity(), Vec<3>(0.5, 0, height)}};
    const Placed<3> B{&box, {}};
    const Gap<3> answer = find_gap(A, B);
    std::cout << words[static_cast<int>(answer.status)] << ": gap " << answer.gap << " m, normal "
              << answer.normal.transpose() << "\n";
  }
}
