#pragma once
// Poses that are members of a larger object, such as a body. Private to scene/.

#include "touchstone/math/attitude.h"
#include "touchstone/scene/fields.h"

namespace touchstone {

/// The keys of a pose in this dimension.
const std::vector<std::string>& pose_keys(int dimension);

/// From the keys of a pose; other keys are the caller's business.
template <int D>
Pose<D> read_pose(const Field& field);

/// The attitude alone; in the plane the angle as it is written, full turns included.
template <int D>
Attitude<D> read_attitude(const Field& field);
template <>
Attitude<2> read_attitude<2>(const Field& field);
template <>
Attitude<3> read_attitude<3>(const Field& field);

}  // namespace touchstone
