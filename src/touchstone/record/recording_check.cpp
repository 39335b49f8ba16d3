#include "touchstone/record/recording_check.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// Frames that are read at once.
constexpr std::size_t kBlock = 64;
/// [s] Times that differ by no more are one: steps add up with round-off.
constexpr double kSameTime = 1e-9;
/// [m] The tolerance of gaps.
constexpr double kSmallWay = 1e-9;
/// [m/s^2] Bodies that rest on each other may be lifted by that way: the recording does not tell the gravity.
constexpr double kEarth = 10;

template <int D>
CertifiedBodies<D> bodies_of(const RecordingReader& recording, const std::vector<Shape<D>>& shapes) {
  CertifiedBodies<D> bodies{{}, recording.dynamic(), recording.no_contact()};
  for (const RecordedPart<D>& part : recording.parts<D>()) {
    assert(is_index(part.shape, shapes.size()));
    bodies.parts.push_back({&shapes[part.shape], part.body, part.X_BS, part.group, part.collides});
  }
  return bodies;
}

/// A body enters with the first step that begins at its time or later: it is there from the frame after, if
/// it found room.
std::vector<bool> present_in(const RecordingReader& recording, std::size_t frame) {
  assert(frame < recording.frame_count());
  const double since = recording.times()[frame > 0 ? frame - 1 : 0] + kSameTime;
  std::vector<bool> present;
  for (const double appear : recording.appear()) present.push_back(appear <= since);
  return present;
}

template <int D>
Certificate check_in(const RecordingReader& recording, const std::function<bool(std::size_t)>& progress) {
  const std::vector<Shape<D>> shapes = recording.shapes<D>();
  Certifier<D> certifier(bodies_of<D>(recording, shapes));
  const std::size_t frames = recording.frame_count(), bodies = recording.body_count();
  for (std::size_t first = 0; first < frames; first += kBlock) {
    const std::size_t count = std::min(kBlock, frames - first);
    const std::vector<Pose<D>> poses = recording.poses<D>(first, count);
    assert(poses.size() == count * bodies);
    for (std::size_t k = 0; k < count; ++k) {
      certifier.check({poses.data() + k * bodies, bodies}, present_in(recording, first + k));
    }
    if (progress && !progress(first + count)) break;
  }
  return certifier.certificate();
}

/// Empty where there is none.
std::vector<double> series_if_there(const RecordingReader& recording, const std::string& name) {
  return recording.has_series(name) ? recording.series(name) : std::vector<double>();
}

}  // namespace

RecordedTrouble recorded_trouble(const RecordingReader& recording) {
  RecordedTrouble trouble;
  for (const double gained : series_if_there(recording, "energy_gained")) {
    trouble.energy_gained += gained;
    trouble.largest_gain = std::max(trouble.largest_gain, gained);
  }
  for (const double kinetic : series_if_there(recording, "kinetic"))
    trouble.energy_scale = std::max(trouble.energy_scale, kinetic);
  const std::vector<double> potential = series_if_there(recording, "potential");
  for (const double now : potential)
    trouble.energy_scale = std::max(trouble.energy_scale, std::abs(now - potential.front()));
  const std::vector<double>& times = recording.times();
  if (times.size() > 1 && times[1] > times[0]) {
    const double speed = kSmallWay / (times[1] - times[0]);
    trouble.energy_slack = recording.moving_mass() * (speed * speed / 2 + kEarth * kSmallWay);
  }
  const std::vector<double> joints = series_if_there(recording, "joint_error");
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!(joints[i] > trouble.joint_error)) continue;
    trouble.joint_error = joints[i];
    trouble.joint_time = i + 1 < times.size() ? times[i + 1] : 0;
  }
  return trouble;
}

Certificate check_recording(const RecordingReader& recording,
                            const std::function<bool(std::size_t)>& progress) {
  return recording.dimension() == 2 ? check_in<2>(recording, progress) : check_in<3>(recording, progress);
}

}  // namespace touchstone
