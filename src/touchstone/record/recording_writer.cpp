#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>

#include "touchstone/math/checks.h"
#include "touchstone/record/checkpoint_rows.h"
#include "touchstone/record/flush_timer.h"
#include "touchstone/record/metrics.h"
#include "touchstone/record/recording.h"
#include "touchstone/record/recording_cast.h"
#include "touchstone/record/recording_details.h"
#include "touchstone/record/recording_layout.h"
#include "touchstone/record/recording_rows.h"

namespace touchstone {
namespace {

using Clock = std::chrono::steady_clock;
/// Wall time between flushes. A killed run may lose its last second and no more; a flush takes milliseconds,
/// so that one every half second costs nothing. Within a long step a timer looks whether one is due.
constexpr auto kBetweenFlushes = std::chrono::milliseconds(500), kBetweenLooks = kBetweenFlushes / 2;

/// In the order of BodyWork.
void put(std::vector<double>& row, const BodyWork& work) {
  row.insert(row.end(), {work.gravity, work.forces, work.motors, work.scripts, work.contacts, work.joints});
}

/// [m or rad] The largest error of its equations.
template <int D>
double opening(const Joint<D>& joint, const std::vector<Body<D>>& bodies) {
  double worst = 0;
  for (const auto& row : joint_equations<D>(joint, bodies).rows)
    worst = std::max(worst, std::abs(row.offset));
  return worst;
}

}  // namespace

template <int D>
struct RecordingWriter<D>::State {
  ArrayFile file;
  World<D> cast;  ///< bodies that are not there yet are recorded where they will appear
  std::int64_t frames = 0, contacts = 0, events = 0;
  /// The length that a resumed recording has already. The steps up to there are made again, with the same
  /// bits, and not written: if the run ends meanwhile, the file loses nothing.
  RecordedLength known;
  bool has_checkpoints = false;
  bool has_works = true;             ///< false: a recording of version 1 is continued
  std::int64_t last_checkpoint = 0;  ///< frames that it came after
  std::vector<BodyWork> works;       ///< of the step whose frame comes next

  // What follows is for the timer, which flushes from a thread of its own.
  std::mutex mutex;                ///< held by whoever is in a member below
  std::vector<double> last_state;  ///< of the last frame, for its hash
  bool waits = false;              ///< something was added since the last flush
  bool whole = true;               ///< no step was added whose frame is missing yet
  std::exception_ptr failure;      ///< what the timer met
  Clock::time_point last_flush = Clock::now();
  std::unique_ptr<FlushTimer> timer;  ///< the last member, so that it ends first

  State(const std::filesystem::path& path, const RecordingSource& source, const RecordingCast<D>& all)
      : file(ArrayFile::create(path, Checksums::all)), cast(all.world) {
    write_text("format", kRecordingFormat);
    file.set_attribute<std::int32_t>("", "version", kRecordingVersion);
    file.set_attribute<std::int32_t>("", "dimension", D);
    write_text("state_hash", "");
    write_source(source);
    write_cast(file, all);
    make_frames();
    make_step_rows<D>(file);
    file.write("gravity", std::vector<double>(cast.gravity.begin(), cast.gravity.end()));
    start_writing();
  }

  State(const std::filesystem::path& path, const RecordingSource& source, const RecordingCast<D>& all,
        const Checkpoint<D>& from)
      : file(ArrayFile::append(path, Checksums::all)),
        cast(all.world),
        frames(from.frames),
        contacts(from.contacts),
        events(from.events) {
    known = whole_length(file, from);
    cut_after(file, known);
    last_checkpoint = file.read<std::int64_t>("checkpoint/frames").back();
    write_source(source);
    has_checkpoints = true;
    has_works = file.has("work");
    start_writing();
  }

  void start_writing() {
    file.flush();
    if (!file.write_behind()) return;
    timer = std::make_unique<FlushTimer>(kBetweenLooks, [this] {
      const std::lock_guard lock(mutex);
      try {
        if (waits && whole) flush_if_due();
      } catch (...) {
        failure = std::current_exception();
      }
    });
  }

  /// What the timer met is the business of whoever adds next.
  void tell_failure() {
    if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
  }

  void write_source(const RecordingSource& source) {
    write_text("program_version", source.program_version);
    write_text("scene_name", source.scene_name);
    write_text("scene_file", source.scene_file);
    write_text("scene", source.scene_text);
    write_text("overrides", source.overrides);
    file.set_attribute<double>("", "step", source.step);
  }

  /// For h5py, and for us, who do not read texts without a checksum.
  void write_text(const std::string& name, const std::string& text) {
    file.set_attribute<std::string>("", name, text);
    file.make_group(kTextsOfRecording);
    file.set_fixed_attribute(kTextsOfRecording, name, text);
  }

  std::size_t joint_values() const {
    std::size_t count = 0;
    for (const Joint<D>& joint : cast.joints) count += joint.axes.size();
    return count;
  }

  void make_frames() {
    const std::size_t count = cast.bodies.size();
    file.make_rows<double>("time");
    file.make_rows<double>("position", {count, D});
    file.make_rows<double>("orientation", list_of(count, kAttitudeSize<D>));
    file.make_rows<double>("velocity", {count, D});
    file.make_rows<double>("angular_velocity", list_of(count, kSpinSize<D>));
    file.make_rows<double>("joints/value", {joint_values()});
    file.make_rows<double>("joints/rate", {joint_values()});
    file.make_rows<double>("joints/error", {cast.joints.size()});
    file.make_rows<double>("work", {count, kWorkSize});
  }

  bool is_known() const { return frames < known.frames; }

  const Body<D>& body_of(const World<D>& world, std::size_t i) const {
    return i < world.bodies.size() ? world.bodies[i] : cast.bodies[i];
  }

  void add_joints(const World<D>& world) {
    std::vector<double> value, rate, error;
    for (const Joint<D>& joint : cast.joints) {
      // Joints come with their bodies: one of these names may not be there yet.
      const int i = world.find_joint(joint.name);
      const Joint<D>& now = i < 0 ? joint : world.joints[i];
      const std::vector<double> rates =
          i < 0 ? std::vector<double>(joint.axes.size()) : joint_rates(now, world.bodies);
      value.insert(value.end(), now.value.begin(), now.value.end());
      rate.insert(rate.end(), rates.begin(), rates.end());
      if (has_works) error.push_back(i < 0 ? 0 : opening(now, world.bodies));
    }
    assert(value.size() == joint_values() && rate.size() == value.size());
    file.append_rows<double>("joints/value", value);
    file.append_rows<double>("joints/rate", rate);
    if (has_works) file.append_rows<double>("joints/error", error);
  }

  /// Bodies that are not there yet have none.
  void add_works() {
    std::vector<double> row;
    row.reserve(cast.bodies.size() * kWorkSize);
    works.resize(cast.bodies.size());
    for (const BodyWork& work : works) put(row, work);
    file.append_rows<double>("work", row);
    works.clear();
  }

  std::int64_t contacts_after(std::size_t more) { return contacts += static_cast<std::int64_t>(more); }

  void add_checkpoint(Checkpoint<D> checkpoint) {
    if (frames <= last_checkpoint) return;
    assert(checkpoint.position.size() == cast.bodies.size());
    checkpoint.frames = frames;
    checkpoint.contacts = contacts;
    checkpoint.events = events;
    if (!std::exchange(has_checkpoints, true)) make_checkpoint_rows(file, checkpoint);
    append_checkpoint(file, checkpoint);
  }

  /// By the name of their array.
  std::vector<std::pair<const char*, std::vector<double>>> state_rows(const World<D>& world) const {
    assert(world.bodies.size() <= cast.bodies.size());
    const std::size_t count = cast.bodies.size();
    std::vector<double> position(count * D), orientation, velocity(count * D), angular_velocity;
    orientation.reserve(count * kAttitudeSize<D>), angular_velocity.reserve(count * kSpinSize<D>);
    for (std::size_t i = 0; i < count; ++i) {
      const Body<D>& body = body_of(world, i);
      const Vec<D> p = body.X_WB().p, v = linear<D>(body.velocity);
      std::copy_n(p.data(), D, &position[i * D]);
      std::copy_n(v.data(), D, &velocity[i * D]);
      put(orientation, body.attitude);
      put(angular_velocity, angular<D>(body.velocity).transpose());
    }
    assert(orientation.size() == count * kAttitudeSize<D> && angular_velocity.size() == count * kSpinSize<D>);
    return {{"position", std::move(position)},
            {"orientation", std::move(orientation)},
            {"velocity", std::move(velocity)},
            {"angular_velocity", std::move(angular_velocity)}};
  }

  void add_frame(const World<D>& world) {
    whole = true;
    if (is_known()) return pass_frame(world);
    ++frames;
    waits = true;
    last_state = state_numbers(world);
    append_one(file, "time", world.time);
    for (const auto& [name, row] : state_rows(world)) file.append_rows<double>(name, row);
    add_joints(world);
    if (has_works) add_works();
  }

  /// Frames behind the last known frame must follow from it, so that frame is compared.
  void pass_frame(const World<D>& world) {
    if (++frames < known.frames) return;
    for (const auto& [name, row] : state_rows(world)) {
      if (file.read_rows<double>(name, static_cast<std::size_t>(frames) - 1, 1) == row) continue;
      throw StoreError("the resumed run does not repeat what was recorded up to " +
                       std::to_string(world.time) +
                       " s; has the program changed, or does a function of your own lack? The recording is "
                       "left as it is");
    }
  }

  void add_step(const StepReport<D>& report, const StepMeasures& measures) {
    whole = false;
    works = report.works;
    if (is_known()) {
      contacts_after(report.set.contacts.size());
      return;
    }
    append_step(file, report, measures, !has_works);
    append_one<std::int64_t>(file, "contacts/offsets", contacts_after(report.set.contacts.size()));
  }

  void add_event(const RecordedEvent& event) {
    if (++events <= known.events) return;
    const std::int32_t bodies[] = {event.body_A, event.body_B};
    append_one(file, "events/time", event.time);
    append_one(file, "events/kind", event.kind);
    file.append_rows<std::int32_t>("events/bodies", bodies);
  }

  void write_hash() {
    if (last_state.empty()) return;  // the file has that of its last frame
    write_text("state_hash", hash_text(numbers_hash(last_state)));
  }

  void flush() {
    write_hash();
    file.flush();
    waits = false;
    last_flush = Clock::now();
  }

  void flush_if_due() {
    if (Clock::now() - last_flush >= kBetweenFlushes) flush();
  }

  void close() {
    write_hash();
    file.close();
    waits = false;
  }
};

/// An action of whoever records, alone with the file.
template <class State, class Action>
void record_with(State& state, const Action& action) {
  guard([&] {
    const std::lock_guard lock(state.mutex);
    state.tell_failure();
    action(state);
  });
}

template <int D>
RecordingWriter<D>::RecordingWriter(const std::filesystem::path& path, const RecordingSource& source,
                                    const RecordingCast<D>& cast) {
  guard([&] { state_ = std::make_unique<State>(path, source, cast); });
}

template <int D>
RecordingWriter<D>::RecordingWriter(const std::filesystem::path& path, const RecordingSource& source,
                                    const RecordingCast<D>& cast, const Checkpoint<D>& from) {
  guard([&] { state_ = std::make_unique<State>(path, source, cast, from); });
}

template <int D>
RecordingWriter<D>::~RecordingWriter() = default;

template <int D>
void RecordingWriter<D>::add_frame(const World<D>& world) {
  record_with(*state_, [&](State& s) { s.add_frame(world); });
}

template <int D>
void RecordingWriter<D>::add_step(const StepReport<D>& report, const StepMeasures& measures) {
  record_with(*state_, [&](State& s) { s.add_step(report, measures); });
}

template <int D>
void RecordingWriter<D>::add_event(const RecordedEvent& event) {
  record_with(*state_, [&](State& s) { s.add_event(event); });
}

template <int D>
void RecordingWriter<D>::add_checkpoint(Checkpoint<D> checkpoint) {
  record_with(*state_, [&](State& s) { s.add_checkpoint(std::move(checkpoint)); });
}

template <int D>
void RecordingWriter<D>::flush() {
  record_with(*state_, [](State& s) { s.flush(); });
}

template <int D>
void RecordingWriter<D>::flush_if_due() {
  record_with(*state_, [](State& s) { s.flush_if_due(); });
}

template <int D>
void RecordingWriter<D>::close() {
  record_with(*state_, [](State& s) { s.close(); });
}

template class RecordingWriter<2>;
template class RecordingWriter<3>;

}  // namespace touchstone
