#pragma once
// The doors of the gap refuse matrices that are no pose. Private to proximity/.

#include <stdexcept>
#include <string>

#include "touchstone/math/pose_check.h"

namespace touchstone {

/// Throws std::invalid_argument, which names the body.
template <int D>
void require_pose(const Pose<D>& X, const char* body) {
  if (const char* trouble = trouble_with_pose(X)) {
    throw std::invalid_argument(std::string("the pose of body ") + body + ": " + trouble);
  }
}

}  // namespace touchstone
