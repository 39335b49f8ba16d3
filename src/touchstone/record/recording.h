#pragma once
// What happened: an HDF5 file that is readable without Touchstone [docs/recording.md].

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "touchstone/geometry/shapes.h"
#include "touchstone/record/checkpoint.h"
#include "touchstone/stepping/step_report.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// What stands where a recording is to be written.
enum class RecordingTarget {
  free,       ///< nothing, or an empty file
  recording,  ///< a recording
  other       ///< a file that is none, a folder, a pipe or a device
};
RecordingTarget recording_target(const std::filesystem::path& file);

/// A file that is no recording, a damaged one, or one that cannot be written; the message names the file and
/// the fault.
class BadRecording : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A recording that could not be written any further: a full disk, a quota, a folder that is gone. The file
/// holds what was recorded, but for the last second.
class RecordingLost : public BadRecording {
  using BadRecording::BadRecording;
};

/// Who writes this file at present: "process 4711 (touchstone)"; empty: nobody.
std::string writer_of_recording(const std::filesystem::path& file);

/// What a recording says about where it comes from.
struct RecordingSource {
  std::string scene_name, scene_text;
  std::string scene_file;  ///< absolute; meshes are relative to its folder; empty: it came from no file
  std::string overrides;   ///< values of the text that were changed; a JSON list of texts
  std::string program_version;
  double step = 0;  ///< [s]
};

/// Everybody who plays a part in a run, also those who appear later.
template <int D>
struct RecordingCast {
  const World<D>& world;       ///< at the start
  std::vector<double> appear;  ///< [s] per body
};

/// What a step did, besides its report.
struct StepMeasures {
  double min_gap = 0;        ///< [m] at its end
  double overlap = 0;        ///< [m^D]
  double energy_gained = 0;  ///< [J]
  double wall_time = 0;      ///< [s]
  bool relaxed = false;      ///< its residual missed the tolerance and was accepted all the same
  /// Relative, as MomentumWatch has it; NaN: not known.
  double momentum_error = std::numeric_limits<double>::quiet_NaN();
};

struct RecordedEvent {
  double time = 0;  ///< [s]
  std::string kind;
  int body_A = -1, body_B = -1;
};

/// Writes a recording frame by frame. If the program dies, the file can be read and lacks at most the last
/// second, also when it dies within a long step: a thread flushes what was added. All members throw
/// BadRecording when the file cannot be written: RecordingLost once it was made.
template <int D>
class RecordingWriter {
 public:
  RecordingWriter(const std::filesystem::path& file, const RecordingSource& source,
                  const RecordingCast<D>& cast);
  /// Continues a recording of the same scene. Frames behind the checkpoint stay in the file: the caller adds
  /// them again, with the same bits, and they are not written; a last frame that differs is refused.
  RecordingWriter(const std::filesystem::path& file, const RecordingSource& source,
                  const RecordingCast<D>& cast, const Checkpoint<D>& from);
  ~RecordingWriter();

  /// The first frame is the initial state; each further one belongs to the step before it.
  void add_frame(const World<D>& world);
  void add_step(const StepReport<D>& report, const StepMeasures& measures);
  void add_event(const RecordedEvent& event);
  /// Of the frame that was added last.
  void add_checkpoint(Checkpoint<D> checkpoint);
  /// Writes all to the file; flush_if_due(): if the last time was half a second ago.
  void flush();
  void flush_if_due();
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The arrays of /steps.
std::vector<std::string> step_arrays();

/// A convex part of a recorded body.
template <int D>
struct RecordedPart {
  int body = 0, shape = 0;
  Pose<D> X_BS;  ///< in the body frame
  std::uint32_t group = 1, collides = ~0u;
};

/// Reads a recording. Every number of it is checked before it is believed.
class RecordingReader {
 public:
  /// Throws BadRecording.
  explicit RecordingReader(const std::filesystem::path& file);
  ~RecordingReader();

  int dimension() const;
  std::size_t frame_count() const;
  std::size_t body_count() const;
  const std::vector<std::string>& body_names() const;
  std::string text_attribute(const std::string& name) const;
  /// [s], one per frame.
  const std::vector<double>& times() const;
  /// Is the body moved by forces?
  const std::vector<bool>& dynamic() const;
  /// [s] when each body appears.
  const std::vector<double>& appear() const;
  /// Pairs of bodies (i < j, sorted) that never touch, jointed ones included.
  const std::vector<std::pair<int, int>>& no_contact() const;

  /// These throw BadRecording where the recording has another dimension.
  template <int D>
  std::vector<Shape<D>> shapes() const;
  template <int D>
  std::vector<RecordedPart<D>> parts() const;
  /// The poses of all bodies in some frames, one frame behind the other.
  template <int D>
  std::vector<Pose<D>> poses(std::size_t first, std::size_t count) const;
  /// [kg] of all bodies that move by forces; 0 where the recording does not tell.
  double moving_mass() const;
  /// Has the recording this number of every step?
  bool has_series(const std::string& name) const;
  /// A number over time: of each step ("overlap": any array of /steps) or of a body in each frame ("crate.x",
  /// also y, z, angle in the plane, and speed).
  std::vector<double> series(const std::string& name) const;
  /// The last state from which the run can go on.
  template <int D>
  Checkpoint<D> last_checkpoint() const;
  /// Are these the bodies of the recording, to the last bit of their masses and shapes?
  template <int D>
  bool has_cast(const World<D>& world) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace touchstone
