#include "touchstone/record/motion_check.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "touchstone/math/checks.h"
#include "touchstone/math/joined_sets.h"
#include "touchstone/record/joint_opening.h"
#include "touchstone/record/recording_layout.h"

namespace touchstone {
namespace {

/// Frames that are read at once.
constexpr std::size_t kFramesAtOnce = 64;
/// [m] The tolerance of gaps.
constexpr double kGapTolerance = 1e-9;
/// [s] Times that differ by no more are one.
constexpr double kOneTime = 1e-9;

/// Of a rotation vector, seen in the axes of a body.
Spin<2> into_body(const Mat<2>&, const Spin<2>& w) { return w; }
Vec<3> into_body(const Mat<3>& R, const Vec<3>& w) { return R.transpose() * w; }

/// The motion of all bodies in one frame.
template <int D>
struct Frame {
  std::vector<Vec<D>> centre;   ///< [m] of mass
  std::vector<double> kinetic;  ///< [J]; 0 for bodies that do not move by forces
  std::vector<Pose<D>> pose;
};

/// A contact without a direction is none: rows of zeros, as a full disk may leave.
template <int D>
bool has_normals(const RecordedContacts& contacts) {
  constexpr double kUnitSlack = 1e-6;
  for (std::size_t i = 0; i < contacts.normal.size(); i += D) {
    const double length = Eigen::Map<const Vec<D>>(&contacts.normal[i]).norm();
    if (!(std::abs(length - 1) <= kUnitSlack)) return false;
  }
  return true;
}

template <int D>
class MotionCheck {
 public:
  explicit MotionCheck(const RecordingDetails& recording)
      : recording_(recording),
        bodies_(recording.bodies<D>()),
        joints_(recording.joints<D>()),
        gravity_(recording.gravity<D>()),
        substeps_(recording.step_values("substeps")),
        reach_(bodies_.size(), 0.) {
    certificate_.has_works = true;
  }

  MotionCertificate run() {
    const std::size_t frames = recording_.frames().frame_count();
    for (std::size_t first = 0; first < frames; first += kFramesAtOnce)
      look(first, std::min(kFramesAtOnce, frames - first));
    look_at_momentum();
    return certificate_;
  }

 private:
  void look(std::size_t first, std::size_t count);
  Frame<D> frame_of(const std::vector<Pose<D>>& poses, const std::vector<double>& v,
                    const std::vector<double>& w, std::size_t k) const;
  void look_at_joints(const Frame<D>& now, std::size_t frame);
  void look_at_works(const Frame<D>& now, std::size_t frame, const double* works);
  void look_at_contacts(const Frame<D>& now, std::size_t frame, const double* works);
  JoinedSets islands_of(std::size_t step) const;
  void look_at_momentum();
  bool is_there(int body, std::size_t frame) const {
    return body < 0 ||
           bodies_[body].appear <= recording_.frames().times()[frame > 0 ? frame - 1 : 0] + kOneTime;
  }
  /// [J] to move a body by the tolerance of gaps within a step, and to lift it by as much.
  double slack(std::size_t body, double h) const {
    const double speed = kGapTolerance / h;
    return bodies_[body].mass * (speed * speed / 2 + gravity_.norm() * kGapTolerance);
  }

  const RecordingDetails& recording_;
  const std::vector<RecordedBody<D>> bodies_;
  const std::vector<RecordedJoint<D>> joints_;
  const Vec<D> gravity_;
  const std::vector<double> substeps_;
  std::vector<double> reach_;  ///< [J] per body: the largest energy so far
  Frame<D> first_, before_;
  RecordedContacts contacts_;  ///< of the steps from first_step_ on
  std::size_t first_step_ = 0;
  MotionCertificate certificate_;
};

template <int D>
Frame<D> MotionCheck<D>::frame_of(const std::vector<Pose<D>>& poses, const std::vector<double>& v,
                                  const std::vector<double>& w, std::size_t k) const {
  constexpr int kSpin = kSpinSize<D>;
  Frame<D> frame;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const std::size_t at = k * bodies_.size() + b;
    const Pose<D>& X = poses[at];
    const Vec<D> speed = Eigen::Map<const Vec<D>>(&v[at * D]);
    const Spin<D> spin = Eigen::Map<const Spin<D>>(&w[at * kSpin]);
    const Spin<D> own = into_body(X.R, spin);
    const bool moves = bodies_[b].kind == BodyKind::dynamic;
    frame.centre.push_back(X * bodies_[b].com);
    frame.pose.push_back(X);
    frame.kinetic.push_back(
        moves ? 0.5 * (bodies_[b].mass * speed.squaredNorm() + own.dot(bodies_[b].inertia * own)) : 0);
  }
  return frame;
}

template <int D>
void MotionCheck<D>::look(std::size_t first, std::size_t count) {
  const auto poses = recording_.frames().poses<D>(first, count);
  const auto v = recording_.velocity(first, count), w = recording_.angular_velocity(first, count);
  const std::vector<double> works = recording_.works(first, count);
  first_step_ = first > 0 ? first - 1 : 0;  // step k leads to frame k + 1
  contacts_ = recording_.contacts(first_step_, first + count - 1 - first_step_);
  if (!has_normals<D>(contacts_)) recording_.refuse("/contacts/normal: expected unit vectors");
  for (std::size_t k = 0; k < count; ++k) {
    Frame<D> now = frame_of(poses, v, w, k);
    if (first + k == 0) first_ = now;
    look_at_joints(now, first + k);
    const double* of_frame = works.data() + k * bodies_.size() * kWorkSize;
    if (first + k > 0) {
      look_at_works(now, first + k, of_frame);
      look_at_contacts(now, first + k, of_frame);
    }
    before_ = std::move(now);
  }
}

template <int D>
void MotionCheck<D>::look_at_joints(const Frame<D>& now, std::size_t frame) {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const RecordedJoint<D>& joint = joints_[j];
    if (!is_there(joint.body_A, frame) || !is_there(joint.body_B, frame)) continue;
    const auto placed = [&](int body, const Pose<D>& X) { return body < 0 ? X : now.pose[body] * X; };
    certificate_.joint_opening.see(
        joint_opening<D>(joint.kind, placed(joint.body_A, joint.X_AJ), placed(joint.body_B, joint.X_BJ)),
        frame, static_cast<int>(j));
  }
}

template <int D>
void MotionCheck<D>::look_at_works(const Frame<D>& now, std::size_t frame, const double* works) {
  const std::vector<double>& times = recording_.frames().times();
  const double h = times[frame] - times[frame - 1];
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (bodies_[b].kind != BodyKind::dynamic) continue;
    const double* own = works + b * kWorkSize;
    double sum = 0, size = now.kinetic[b] + before_.kinetic[b];
    for (std::size_t i = 0; i < kWorkSize; ++i) sum += own[i], size += std::abs(own[i]);
    const double least = slack(b, h);
    const double missing = std::abs(now.kinetic[b] - before_.kinetic[b] - sum) - least;
    certificate_.sum_error.see(missing > 0          ? missing / (size + least)
                               : missing == missing ? 0
                                                    : missing,
                               frame, static_cast<int>(b));
    const double fallen = bodies_[b].mass * gravity_.dot(now.centre[b] - before_.centre[b]);
    const double wrong = std::abs(fallen - own[0]) - least;
    certificate_.gravity_error.see(wrong > 0        ? wrong / (size + least)
                                   : wrong == wrong ? 0
                                                    : wrong,
                                   frame, static_cast<int>(b));
  }
}

/// Bodies that contacts or joints tie to each other within a step. Of a divided step only the contacts of its
/// last part are recorded: then all bodies count as one island.
template <int D>
JoinedSets MotionCheck<D>::islands_of(std::size_t step) const {
  JoinedSets sets(static_cast<int>(bodies_.size()));
  const auto moves = [&](int b) { return b >= 0 && bodies_[b].kind == BodyKind::dynamic; };
  const auto join = [&](int a, int b) {
    if (moves(a) && moves(b)) sets.join(a, b);
  };
  if (substeps_[step] > 1) {
    int last = -1;
    for (int b = 0; b < static_cast<int>(bodies_.size()); ++b) {
      if (moves(b)) join(last, b), last = b;
    }
    return sets;
  }
  assert(step >= first_step_ && step - first_step_ + 1 < contacts_.begin.size());
  const std::size_t k = step - first_step_;
  for (std::size_t i = contacts_.begin[k]; i < contacts_.begin[k + 1]; ++i)
    join(contacts_.bodies[2 * i], contacts_.bodies[2 * i + 1]);
  for (const RecordedJoint<D>& joint : joints_) join(joint.body_A, joint.body_B);
  return sets;
}

template <int D>
void MotionCheck<D>::look_at_contacts(const Frame<D>& now, std::size_t frame, const double* works) {
  constexpr std::size_t kContacts = 4;  // of BodyWork
  const std::vector<double>& times = recording_.frames().times();
  const double h = times[frame] - times[frame - 1];
  JoinedSets islands = islands_of(frame - 1);
  std::vector<double> given(bodies_.size(), 0.), reach(bodies_.size(), 0.);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (bodies_[b].kind != BodyKind::dynamic) continue;
    const double fallen = bodies_[b].mass * gravity_.dot(now.centre[b] - first_.centre[b]);
    reach_[b] = std::max({reach_[b], now.kinetic[b], before_.kinetic[b], std::abs(fallen)});
    const int island = islands.find(static_cast<int>(b));
    given[island] += works[b * kWorkSize + kContacts] - slack(b, h);
    reach[island] += reach_[b] + slack(b, h);
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!(given[i] <= 0)) certificate_.contact_gain.see(given[i] / reach[i], frame, static_cast<int>(i));
  }
}

template <int D>
void MotionCheck<D>::look_at_momentum() {
  const std::vector<double> errors = recording_.step_values("momentum_error");
  for (std::size_t k = 0; k < errors.size(); ++k) {
    if (!std::isnan(errors[k])) certificate_.momentum_error.see(errors[k], k + 1, 0);
  }
}

}  // namespace

MotionCertificate check_motion(const RecordingDetails& recording) {
  if (!recording.has_works()) return {};
  if (!recording.is_whole())
    recording.refuse("is damaged: its arrays of frames and steps do not end together");
  return guard([&] {
    return recording.frames().dimension() == 2 ? MotionCheck<2>(recording).run()
                                               : MotionCheck<3>(recording).run();
  });
}

}  // namespace touchstone
