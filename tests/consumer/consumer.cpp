#include <iostream>

#include "touchstone/geometry/shapes.h"
#include "touchstone/proximity/gap.h"

int main() {
  const auto box = touchstone::make_box<3>({2, 2, 2});
  touchstone::Pose<3> aside;
  aside.p = {2.5, 0, 0};
  const auto answer =
      touchstone::find_gap<3>(touchstone::Placed<3>{&box, aside}, touchstone::Placed<3>{&box, {}});
  std::cout << "gap " << answer.gap << " normal " << answer.normal.transpose() << "\n";
}
