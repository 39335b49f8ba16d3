#pragma once
// What a recording tells besides shapes and poses: velocities, steps, contacts, joints, events.

#include "touchstone/record/recording.h"

namespace touchstone {

/// The names of kinds, as recordings, pages and Python have them.
const char* text_of(BodyKind kind);
const char* text_of(JointKind kind);

/// The constant properties of a body.
template <int D>
struct RecordedBody {
  std::string name;
  BodyKind kind = BodyKind::dynamic;
  double mass = 0;                              ///< [kg]
  double appear = 0;                            ///< [s]
  Vec<D> com = Vec<D>::Zero();                  ///< [m] centre of mass in the body frame
  SpinMat<D> inertia = SpinMat<D>::Identity();  ///< [kg m^2] about the centre of mass, body axes
};

template <int D>
struct RecordedJoint {
  std::string name, kind;
  int body_A = -1, body_B = -1;  ///< -1: the world
  Pose<D> X_AJ, X_BJ;            ///< joint frames in the body frames (world: in the world)
  int values = 0;                ///< degrees of freedom
};

/// What a contact was used for.
enum class ContactUse : std::int32_t { unused = 0, unilateral = 1, inter_contact = 2, cross_contact = 3 };
template <int D>
std::vector<std::int32_t> contact_kinds(const ConstraintSet<D>& set);

/// The contacts of some steps, one step behind the other, as flat arrays.
struct RecordedContacts {
  std::vector<std::size_t> begin = {0};  ///< the i-th step has the contacts [begin[i], begin[i+1])
  std::vector<std::int32_t> bodies;      ///< A and B of each
  std::vector<std::int32_t> kind;        ///< ContactUse
  std::vector<double> gap;               ///< [m]
  std::vector<double> point, normal;     ///< D numbers each: [m]; unit, from B to A
  std::vector<double> impulse;           ///< [N s] on A, D numbers each
};

/// Reads one recording. Every index of it is checked before it is believed; numbers of steps may be infinite
/// or no numbers, as the run left them. All of it throws BadRecording.
class RecordingDetails {
 public:
  explicit RecordingDetails(const std::filesystem::path& file);
  ~RecordingDetails();

  const RecordingReader& frames() const;
  /// Throws BadRecording with the name of the file.
  [[noreturn]] void refuse(const std::string& message) const;
  /// Step k leads from frame k to frame k + 1. A killed run may lack the last one.
  std::size_t step_count() const;

  /// Flat rows of some frames: D numbers a body [m/s], and 3 (2D: 1) a body [rad/s].
  std::vector<double> velocity(std::size_t first, std::size_t count) const;
  std::vector<double> angular_velocity(std::size_t first, std::size_t count) const;
  /// Flat rows of some frames, of all joints one behind the other: [m or rad] and [m/s or rad/s].
  std::vector<double> joint_values(std::size_t first, std::size_t count) const;
  std::vector<double> joint_rates(std::size_t first, std::size_t count) const;
  /// Do all arrays of frames and of steps end together? A recording of version 2 where they do not is
  /// damaged.
  bool is_whole() const;
  /// Recordings of version 1 and of other programs tell no works and no gravity.
  bool has_works() const;
  /// Flat rows of some frames, six numbers a body in the order of BodyWork [J]: since the frame before.
  std::vector<double> works(std::size_t first, std::size_t count) const;
  /// [m/s^2]; zero where the recording does not tell.
  template <int D>
  Vec<D> gravity() const;
  /// One number a step: "min_gap", "contacts" and so on [docs/recording.md].
  std::vector<double> step_values(const std::string& name) const;
  RecordedContacts contacts(std::size_t first_step, std::size_t count) const;
  std::vector<RecordedEvent> events() const;

  template <int D>
  std::vector<RecordedBody<D>> bodies() const;
  /// Recordings of older programs do not tell where joints sit: those have none here.
  template <int D>
  std::vector<RecordedJoint<D>> joints() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace touchstone
