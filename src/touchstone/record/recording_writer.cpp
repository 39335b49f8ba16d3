#include <algorithm>
#include <cassert>
#include <chrono>

#include "touchstone/math/checks.h"
#include "touchstone/record/checkpoint_rows.h"
#include "touchstone/record/metrics.h"
#include "touchstone/record/recording.h"
#include "touchstone/record/recording_cast.h"
#include "touchstone/record/recording_details.h"
#include "touchstone/record/recording_layout.h"

namespace touchstone {
namespace {

using Clock = std::chrono::steady_clock;
/// Wall time between flushes. A killed run may lose its last second and no more; a flush takes milliseconds,
/// so that one every half second costs nothing and leaves room for a slow step.
constexpr auto kBetweenFlushes = std::chrono::milliseconds(500);

/// Per step, one number each.
constexpr const char* kStepReals[] = {"h",        "min_gap",     "overlap",       "kinetic",  "potential",
                                      "residual", "joint_error", "energy_gained", "wall_time"};
constexpr const char* kStepCounts[] = {"contacts", "unilateral", "inter_contact", "cross_contact",
                                       "rows",     "iterations", "updates",       "guards",
                                       "relaxed",  "substeps",   "status"};

template <class T>
void append_one(ArrayFile& file, const std::string& name, const T& value) {
  file.append_rows<T>(name, std::span<const T>(&value, 1));
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
  std::int64_t last_checkpoint = 0;  ///< frames that it came after
  Clock::time_point last_flush = Clock::now();

  State(const std::filesystem::path& path, const RecordingSource& source, const RecordingCast<D>& all)
      : file(ArrayFile::create(path, Checksums::all)), cast(all.world) {
    write_text("format", kRecordingFormat);
    file.set_attribute<std::int32_t>("", "version", kRecordingVersion);
    file.set_attribute<std::int32_t>("", "dimension", D);
    write_text("state_hash", "");
    write_source(source);
    write_cast(file, all);
    make_frames();
    make_steps();
    file.flush();
    file.write_behind();
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
    file.flush();
    file.write_behind();
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
  }

  void make_steps() {
    for (const char* name : kStepReals) file.make_rows<double>(std::string("steps/") + name);
    for (const char* name : kStepCounts) file.make_rows<std::int32_t>(std::string("steps/") + name);
    file.make_rows<std::int64_t>("contacts/offsets");
    append_one<std::int64_t>(file, "contacts/offsets", 0);
    file.make_rows<std::int32_t>("contacts/bodies", {2});
    file.make_rows<std::int64_t>("contacts/features");
    file.make_rows<double>("contacts/point", {D});
    file.make_rows<double>("contacts/normal", {D});
    file.make_rows<double>("contacts/gap");
    file.make_rows<double>("contacts/impulse", {D});
    file.make_rows<std::int32_t>("contacts/kind");
    file.make_rows<double>("events/time");
    file.make_rows<std::string>("events/kind");
    file.make_rows<std::int32_t>("events/bodies", {2});
  }

  bool is_known() const { return frames < known.frames; }

  const Body<D>& body_of(const World<D>& world, std::size_t i) const {
    return i < world.bodies.size() ? world.bodies[i] : cast.bodies[i];
  }

  void add_joints(const World<D>& world) {
    std::vector<double> value, rate;
    for (const Joint<D>& joint : cast.joints) {
      // Joints come with their bodies: one of these names may not be there yet.
      const int i = world.find_joint(joint.name);
      const Joint<D>& now = i < 0 ? joint : world.joints[i];
      const std::vector<double> rates =
          i < 0 ? std::vector<double>(joint.axes.size()) : joint_rates(now, world.bodies);
      value.insert(value.end(), now.value.begin(), now.value.end());
      rate.insert(rate.end(), rates.begin(), rates.end());
    }
    assert(value.size() == joint_values() && rate.size() == value.size());
    file.append_rows<double>("joints/value", value);
    file.append_rows<double>("joints/rate", rate);
  }

  void add_contacts(const StepReport<D>& report) {
    const auto& contacts = report.set.contacts;
    const std::size_t count = contacts.size();
    std::vector<std::int32_t> bodies(2 * count);
    std::vector<std::int64_t> features(count);
    std::vector<double> point(count * D), normal(count * D), gap(count), impulse(count * D, 0.0);
    const auto set = [](std::vector<double>& list, std::size_t i, const Vec<D>& value) {
      std::copy_n(value.data(), D, &list[i * D]);
    };
    for (std::size_t i = 0; i < count; ++i) {
      const Contact<D>& contact = contacts[i];
      bodies[2 * i] = contact.body_A, bodies[2 * i + 1] = contact.body_B;
      features[i] = static_cast<std::int64_t>(contact.key);
      set(point, i, contact.point);
      set(normal, i, contact.normal);
      gap[i] = contact.gap;
    }
    assert(std::all_of(report.forces.begin(), report.forces.end(),
                       [&](const auto& force) { return is_index(force.contact, count); }));
    for (const ContactForce<D>& force : report.forces) set(impulse, force.contact, force.impulse);
    file.append_rows<std::int32_t>("contacts/bodies", bodies);
    file.append_rows<std::int64_t>("contacts/features", features);
    file.append_rows<double>("contacts/point", point);
    file.append_rows<double>("contacts/normal", normal);
    file.append_rows<double>("contacts/gap", gap);
    file.append_rows<double>("contacts/impulse", impulse);
    file.append_rows<std::int32_t>("contacts/kind", contact_kinds(report.set));
    append_one<std::int64_t>(file, "contacts/offsets", contacts_after(count));
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
    if (is_known()) return pass_frame(world);
    ++frames;
    append_one(file, "time", world.time);
    for (const auto& [name, row] : state_rows(world)) file.append_rows<double>(name, row);
    add_joints(world);
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
    if (is_known()) {
      contacts_after(report.set.contacts.size());
      return;
    }
    const double reals[] = {report.h,
                            measures.min_gap,
                            measures.overlap,
                            report.energy.kinetic,
                            report.energy.potential,
                            report.residual,
                            report.joint_error,
                            measures.energy_gained,
                            measures.wall_time};
    const auto size = [](const auto& list) { return static_cast<std::int32_t>(list.size()); };
    const std::int32_t counts[] = {report.contacts,
                                   size(report.set.unilateral),
                                   size(report.set.inter_contact),
                                   size(report.set.cross_contact),
                                   report.rows,
                                   report.iterations,
                                   report.updates,
                                   report.choice.guards,
                                   measures.relaxed,
                                   report.substeps,
                                   static_cast<std::int32_t>(report.status)};
    static_assert(std::size(reals) == std::size(kStepReals) && std::size(counts) == std::size(kStepCounts));
    for (std::size_t i = 0; i < std::size(reals); ++i)
      append_one(file, std::string("steps/") + kStepReals[i], reals[i]);
    for (std::size_t i = 0; i < std::size(counts); ++i)
      append_one(file, std::string("steps/") + kStepCounts[i], counts[i]);
    add_contacts(report);
  }

  void add_event(const RecordedEvent& event) {
    if (++events <= known.events) return;
    const std::int32_t bodies[] = {event.body_A, event.body_B};
    append_one(file, "events/time", event.time);
    append_one(file, "events/kind", event.kind);
    file.append_rows<std::int32_t>("events/bodies", bodies);
  }

  void write_hash(const World<D>& world) {
    if (is_known()) return;  // the file has that of its last frame
    write_text("state_hash", hash_text(state_hash(world)));
  }

  void flush_if_due(const World<D>& world) {
    if (Clock::now() - last_flush < kBetweenFlushes) return;
    write_hash(world);
    file.flush();
    last_flush = Clock::now();
  }

  void close(const World<D>& world) {
    write_hash(world);
    file.close();
  }
};

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
  guard([&] { state_->add_frame(world); });
}

template <int D>
void RecordingWriter<D>::add_step(const StepReport<D>& report, const StepMeasures& measures) {
  guard([&] { state_->add_step(report, measures); });
}

template <int D>
void RecordingWriter<D>::add_event(const RecordedEvent& event) {
  guard([&] { state_->add_event(event); });
}

template <int D>
void RecordingWriter<D>::add_checkpoint(Checkpoint<D> checkpoint) {
  guard([&] { state_->add_checkpoint(std::move(checkpoint)); });
}

template <int D>
void RecordingWriter<D>::flush_if_due(const World<D>& world) {
  guard([&] { state_->flush_if_due(world); });
}

template <int D>
void RecordingWriter<D>::close(const World<D>& world) {
  guard([&] { state_->close(world); });
}

std::vector<std::string> step_arrays() {
  std::vector<std::string> names(std::begin(kStepReals), std::end(kStepReals));
  names.insert(names.end(), std::begin(kStepCounts), std::end(kStepCounts));
  return names;
}

template class RecordingWriter<2>;
template class RecordingWriter<3>;

}  // namespace touchstone
