#pragma once
// Who plays in a show: bodies, shapes, joints, as plain data from a recording or from a scene that runs.

#include "touchstone/apps/show.h"
#include "touchstone/record/recording_details.h"
#include "touchstone/scene/scene.h"

namespace touchstone {

template <int D>
struct ShowCast {
  std::string name;             ///< of the scene
  std::string program_version;  ///< that recorded
  double step = 0;              ///< [s]
  double duration = 0;          ///< [s] of the whole run, as far as it is known
  std::vector<RecordedBody<D>> bodies;
  std::vector<std::shared_ptr<const Shape<D>>> shapes;
  std::vector<RecordedPart<D>> parts;
  std::vector<RecordedJoint<D>> joints;
};

template <int D>
ShowCast<D> cast_of(const RecordingDetails& recording);
template <int D>
ShowCast<D> cast_of(const Scene& scene);

/// The head of the show, as JSON.
template <int D>
std::string head_text(const ShowCast<D>& cast, const std::vector<RecordedEvent>& events);

/// One pose in the form of show.h.
void put_pose(std::string& bytes, const Pose<2>& X);
void put_pose(std::string& bytes, const Pose<3>& X);

}  // namespace touchstone
