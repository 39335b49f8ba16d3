// A thousand discs in a square: a tree of boxes names the few pairs worth a closer look.
#include <cmath>
#include <iostream>
#include <vector>

#include "touchstone/proximity/broad_phase.h"
#include "touchstone/proximity/gap.h"

using namespace touchstone;

int main() {
  const Shape<2> disc = Sphere<2>{0.5};
  BroadPhase<2> tree;
  std::vector<Pose<2>> poses;
  for (int i = 0; i < 1000; ++i) {
    const double x = std::fmod(0.7548776662466927 * i, 1), y = std::fmod(0.5698402909980532 * i * i, 1);
    poses.push_back({Mat<2>::Identity(), Vec<2>(100 * x, 100 * y)});
    tree.insert(bounding_box(disc, poses.back()));
  }
  int overlapping = 0;
  for (const auto& [i, j] : tree.pairs()) {
    const Gap<2> answer = find_gap(PlacedShape<2>{&disc, poses[i]}, PlacedShape<2>{&disc, poses[j]});
    overlapping += answer.status == Status::overlapping;
  }
  std::cout << tree.pairs().size() << " of 499500 pairs have boxes that meet; " << overlapping
            << " overlap\n";
}
