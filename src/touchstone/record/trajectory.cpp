#include "touchstone/record/trajectory.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <variant>

#include "touchstone/math/attitude.h"

namespace touchstone {
namespace {

/// [m] How far a shape's points lie from the origin at most; a half-space counts as a point of its plane.
template <int D>
double reach_of(const Shape<D>& shape, const Pose<D>& X) {
  if (const auto* ball = std::get_if<Sphere<D>>(&shape)) return X.p.norm() + ball->radius;
  double most = 0;
  if (const auto* A = std::get_if<Polytope<D>>(&shape)) {
    for (const Vec<D>& v : A->vertices()) most = std::max(most, (X * v).norm());
  }
  return most;
}

/// The bodies of a motion in the order of the reference; the name of one that is missing goes to `missing`.
template <int D>
std::vector<std::size_t> places_in(const Trajectory<D>& motion, const std::vector<std::string>& wanted,
                                   std::string& missing) {
  std::vector<std::size_t> places;
  for (const std::string& name : wanted) {
    const auto at = std::find(motion.bodies.begin(), motion.bodies.end(), name);
    if (at == motion.bodies.end() && missing.empty()) missing = name;
    places.push_back(static_cast<std::size_t>(at - motion.bodies.begin()));
  }
  return places;
}

template <int D>
double turned(const Mat<D>& A, const Mat<D>& B) {
  return turn_between(Attitude<D>::from(A), Attitude<D>::from(B)).norm();
}

std::string range_text(const std::vector<double>& times) {
  if (times.empty()) return "no time";
  return std::to_string(times.front()) + " s to " + std::to_string(times.back()) + " s";
}

}  // namespace

template <int D>
Trajectory<D> trajectory_of(const RecordingReader& recording) {
  Trajectory<D> found;
  std::vector<std::size_t> which;
  for (std::size_t b = 0; b < recording.body_count(); ++b) {
    if (!recording.dynamic()[b]) continue;
    which.push_back(b), found.bodies.push_back(recording.body_names()[b]);
  }
  std::vector<double> sizes(recording.body_count(), 0);
  const std::vector<Shape<D>> shapes = recording.shapes<D>();
  for (const RecordedPart<D>& part : recording.parts<D>()) {
    sizes[part.body] = std::max(sizes[part.body], reach_of<D>(shapes[part.shape], part.X_BS));
  }
  for (const std::size_t b : which) found.sizes.push_back(sizes[b]);
  found.times = recording.times();
  const std::vector<Pose<D>> all = recording.poses<D>(0, recording.frame_count());
  for (std::size_t i = 0; i < found.times.size(); ++i) {
    for (const std::size_t b : which) found.poses.push_back(all[i * recording.body_count() + b]);
  }
  assert(found.poses.size() == found.times.size() * found.bodies.size());
  return found;
}

template <int D>
Deviation deviation(const Trajectory<D>& reference, const Trajectory<D>& motion, double until,
                    double same_time) {
  Deviation found;
  std::string missing;
  const std::vector<std::size_t> places = places_in(motion, reference.bodies, missing);
  if (!missing.empty()) {
    found.trouble = "body \"" + missing + "\" of the reference is not in it";
    return found;
  }
  std::size_t j = 0;
  for (std::size_t i = 0; i < reference.times.size() && reference.times[i] <= until + same_time; ++i) {
    while (j < motion.times.size() && motion.times[j] < reference.times[i] - same_time) ++j;
    if (j == motion.times.size() || motion.times[j] > reference.times[i] + same_time) continue;
    double most = 0;
    for (std::size_t b = 0; b < places.size(); ++b) {
      const Pose<D>&A = reference.pose(i, b), &B = motion.pose(j, places[b]);
      const double error = (A.p - B.p).norm() + reference.sizes[b] * turned<D>(A.R, B.R);
      most = std::max(most, error);
      if (error > found.worst || found.worst_body.empty())
        found.worst = error, found.worst_time = reference.times[i], found.worst_body = reference.bodies[b];
    }
    found.times.push_back(reference.times[i]), found.errors.push_back(most);
  }
  if (found.times.empty()) {
    found.trouble = "no time of it (" + range_text(motion.times) + ") is a time of the reference (" +
                    range_text(reference.times) + ")";
  }
  return found;
}

template Trajectory<2> trajectory_of(const RecordingReader&);
template Trajectory<3> trajectory_of(const RecordingReader&);
template Deviation deviation(const Trajectory<2>&, const Trajectory<2>&, double, double);
template Deviation deviation(const Trajectory<3>&, const Trajectory<3>&, double, double);

}  // namespace touchstone
