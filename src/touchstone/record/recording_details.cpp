#include "touchstone/record/recording_details.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/math/checks.h"
#include "touchstone/record/checkpoint_rows.h"
#include "touchstone/record/recording_layout.h"

namespace touchstone {
namespace {

/// Joints or events of a recording: more are a damaged file.
constexpr std::size_t kMostItems = 10'000'000;
/// Contacts of one question: more do not fit into memory.
constexpr std::size_t kMostContacts = 100'000'000;

}  // namespace

const char* text_of(BodyKind kind) {
  switch (kind) {
    case BodyKind::dynamic:
      return "dynamic";
    case BodyKind::fixed:
      return "fixed";
    case BodyKind::scripted:
      return "scripted";
  }
  return "";
}

const char* text_of(JointKind kind) {
  switch (kind) {
    case JointKind::fixed:
      return "fixed";
    case JointKind::revolute:
      return "revolute";
    case JointKind::prismatic:
      return "prismatic";
    case JointKind::cylindrical:
      return "cylindrical";
    case JointKind::spherical:
      return "spherical";
    case JointKind::universal:
      return "universal";
    case JointKind::planar:
      return "planar";
  }
  return "";
}

template <int D>
std::vector<std::int32_t> contact_kinds(const ConstraintSet<D>& set) {
  std::vector<std::int32_t> kinds(set.contacts.size(), static_cast<std::int32_t>(ContactUse::unused));
  const auto mark = [&](const std::vector<std::vector<int>>& lists, ContactUse use) {
    for (const auto& list : lists) {
      assert(std::all_of(list.begin(), list.end(), [&](int k) { return is_index(k, kinds.size()); }));
      for (const int k : list) kinds[k] = static_cast<std::int32_t>(use);
    }
  };
  mark(set.cross_contact, ContactUse::cross_contact);
  mark(set.inter_contact, ContactUse::inter_contact);
  assert(std::all_of(set.unilateral.begin(), set.unilateral.end(),
                     [&](int k) { return is_index(k, kinds.size()); }));
  for (const int k : set.unilateral) kinds[k] = static_cast<std::int32_t>(ContactUse::unilateral);
  return kinds;
}

struct RecordingDetails::State {
  std::string path;
  RecordingReader reader;
  ArrayFile file;
  std::size_t steps = 0;

  explicit State(const std::filesystem::path& p)
      : path(p.string()), reader(p), file(guard([&] { return ArrayFile::open(p, Checksums::all); })) {
    const std::size_t frames = reader.frame_count();
    // A killed writer may have lengthened some of the arrays and not the others.
    steps = std::min(frames > 0 ? frames - 1 : 0, rows("steps/h", {}));
    const std::size_t offsets = rows("contacts/offsets", {});
    steps = std::min(steps, offsets > 0 ? offsets - 1 : 0);
  }

  [[noreturn]] void refuse(const std::string& message) const { throw BadRecording(path + ": " + message); }

  /// How many rows of this shape an array has.
  std::size_t rows(const std::string& name, const Extents& row) const {
    return count_rows(file, name, row, [&](const std::string& message) { refuse(message); });
  }

  template <class T>
  std::vector<T> read(const std::string& name, const Extents& row, std::size_t first,
                      std::size_t count) const {
    if (rows(name, row) < first + count) refuse("/" + name + ": is too short");
    return file.read_rows<T>(name, first, count);
  }

  /// Where the values of each joint begin: count + 1 numbers that do not fall.
  std::vector<std::int32_t> joint_offsets(std::size_t count) const {
    const auto offsets = read<std::int32_t>("joints/value_offsets", {}, 0, count + 1);
    if (offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()))
      refuse("/joints/value_offsets: expected numbers that do not fall, from 0 on");
    return offsets;
  }
  std::vector<double> joint_rows(const std::string& name, std::size_t first, std::size_t count) const {
    const auto values = static_cast<std::size_t>(joint_offsets(rows("joints/name", {})).back());
    return read<double>(name, {values}, first, count);
  }

  std::size_t dimension() const { return static_cast<std::size_t>(reader.dimension()); }
  std::size_t spin() const { return dimension() == 2 ? 1 : 3; }

  bool is_body(std::int32_t i) const { return i >= 0 && static_cast<std::size_t>(i) < reader.body_count(); }

  /// Where the contacts of some steps begin in the file: count + 1 numbers that do not fall.
  std::vector<std::int64_t> offsets_of(std::size_t first, std::size_t count) const {
    const auto offsets = read<std::int64_t>("contacts/offsets", {}, first, count + 1);
    const bool sound = offsets.front() >= 0 && std::is_sorted(offsets.begin(), offsets.end()) &&
                       static_cast<std::size_t>(offsets.back() - offsets.front()) <= kMostContacts;
    if (!sound) refuse("/contacts/offsets: expected numbers that do not fall");
    return offsets;
  }

  template <int D>
  std::vector<Pose<D>> joint_frames(const std::string& side, std::size_t count) const {
    constexpr std::size_t kSize = kAttitudeSize<D>;
    const auto position = read<double>("joints/position_" + side, {D}, 0, count);
    const auto orientation = read<double>("joints/orientation_" + side, row_of(kSize), 0, count);
    std::vector<Pose<D>> frames(count);
    for (std::size_t i = 0; i < count; ++i) {
      Attitude<D> attitude;
      take(&orientation[i * kSize], attitude);
      frames[i] = {attitude.matrix(), Eigen::Map<const Vec<D>>(&position[i * D])};
      if (!frames[i].R.allFinite() || !frames[i].p.allFinite()) refuse("/joints: expected finite numbers");
    }
    return frames;
  }

  template <int D>
  void expect_dimension() const {
    if (reader.dimension() != D) refuse("is a recording in " + std::to_string(reader.dimension()) + "D");
  }
};

RecordingDetails::RecordingDetails(const std::filesystem::path& file)
    : state_(guard([&] { return std::make_unique<State>(file); })) {}
RecordingDetails::~RecordingDetails() = default;

const RecordingReader& RecordingDetails::frames() const { return state_->reader; }
void RecordingDetails::refuse(const std::string& message) const { state_->refuse(message); }
std::size_t RecordingDetails::step_count() const { return state_->steps; }

std::vector<double> RecordingDetails::velocity(std::size_t first, std::size_t count) const {
  const Extents row = {state_->reader.body_count(), state_->dimension()};
  return guard([&] { return state_->read<double>("velocity", row, first, count); });
}

std::vector<double> RecordingDetails::angular_velocity(std::size_t first, std::size_t count) const {
  const Extents row = list_of(state_->reader.body_count(), state_->spin());
  return guard([&] { return state_->read<double>("angular_velocity", row, first, count); });
}

std::vector<double> RecordingDetails::joint_values(std::size_t first, std::size_t count) const {
  return guard([&] { return state_->joint_rows("joints/value", first, count); });
}

std::vector<double> RecordingDetails::joint_rates(std::size_t first, std::size_t count) const {
  return guard([&] { return state_->joint_rows("joints/rate", first, count); });
}

bool RecordingDetails::is_whole() const {
  return guard([&] {
    const ArrayFile& file = state_->file;
    const std::size_t frames = file.extents("time").at(0);
    const auto has_rows = [&](const std::string& name, std::size_t rows) {
      return !file.has(name) || file.extents(name).at(0) == rows;
    };
    bool whole = frames > 0 && has_rows("contacts/offsets", frames);
    for (const std::string& name : frame_arrays()) whole = whole && has_rows(name, frames);
    for (const std::string& name : step_arrays()) whole = whole && has_rows("steps/" + name, frames - 1);
    return whole;
  });
}

bool RecordingDetails::has_works() const {
  return guard([&] { return state_->file.has("work"); });
}

std::vector<double> RecordingDetails::works(std::size_t first, std::size_t count) const {
  const Extents row = {state_->reader.body_count(), kWorkSize};
  return guard([&] { return state_->read<double>("work", row, first, count); });
}

template <int D>
Vec<D> RecordingDetails::gravity() const {
  return guard([&] {
    const State& s = *state_;
    s.expect_dimension<D>();
    if (!s.file.has("gravity")) return Vec<D>(Vec<D>::Zero());
    const auto numbers = s.read<double>("gravity", {}, 0, D);
    return Vec<D>(Eigen::Map<const Vec<D>>(numbers.data()));
  });
}

std::vector<double> RecordingDetails::step_values(const std::string& name) const {
  return guard([&] { return state_->read<double>("steps/" + name, {}, 0, state_->steps); });
}

RecordedContacts RecordingDetails::contacts(std::size_t first_step, std::size_t count) const {
  return guard([&] {
    const State& s = *state_;
    const Extents vector = {s.dimension()};
    RecordedContacts contacts;
    if (count == 0) return contacts;
    const auto offsets = s.offsets_of(first_step, count);
    const auto first = static_cast<std::size_t>(offsets.front());
    contacts.begin.clear();
    for (const std::int64_t offset : offsets) contacts.begin.push_back(offset - offsets.front());
    assert(contacts.begin.size() == count + 1);
    const std::size_t all = contacts.begin.back();
    contacts.bodies = s.read<std::int32_t>("contacts/bodies", {2}, first, all);
    contacts.kind = s.read<std::int32_t>("contacts/kind", {}, first, all);
    contacts.gap = s.read<double>("contacts/gap", {}, first, all);
    contacts.point = s.read<double>("contacts/point", vector, first, all);
    contacts.normal = s.read<double>("contacts/normal", vector, first, all);
    contacts.impulse = s.read<double>("contacts/impulse", vector, first, all);
    const bool known = std::all_of(contacts.bodies.begin(), contacts.bodies.end(),
                                   [&](std::int32_t i) { return s.is_body(i); });
    if (!known) s.refuse("/contacts/bodies: names a body that is not there");
    return contacts;
  });
}

std::vector<RecordedEvent> RecordingDetails::events() const {
  return guard([&] {
    const State& s = *state_;
    const std::size_t count =
        std::min({s.rows("events/time", {}), s.rows("events/kind", {}), s.rows("events/bodies", {2})});
    if (count > kMostItems) s.refuse("/events: too many");
    const auto times = s.file.read_rows<double>("events/time", 0, count);
    const auto kinds = s.file.read_rows<std::string>("events/kind", 0, count);
    const auto bodies = s.file.read_rows<std::int32_t>("events/bodies", 0, count);
    std::vector<RecordedEvent> events;
    for (std::size_t i = 0; i < count; ++i) {
      const auto body = [&](std::int32_t b) { return s.is_body(b) ? b : -1; };
      events.push_back({times[i], kinds[i], body(bodies[2 * i]), body(bodies[2 * i + 1])});
    }
    return events;
  });
}

template <int D>
std::vector<RecordedBody<D>> RecordingDetails::bodies() const {
  return guard([&] {
    const State& s = *state_;
    s.expect_dimension<D>();
    const std::size_t count = s.reader.body_count();
    const auto kind = s.read<std::int32_t>("bodies/kind", {}, 0, count);
    const auto mass = s.read<double>("bodies/mass", {}, 0, count);
    const auto com = s.read<double>("bodies/com", {D}, 0, count);
    constexpr std::size_t kSpin = kSpinSize<D>;
    const Extents square = D == 2 ? Extents{} : Extents{kSpin, kSpin};
    const bool told = s.file.has("bodies/inertia");  // not everybody who writes recordings does
    const std::vector<double> inertia = told ? s.read<double>("bodies/inertia", square, 0, count)
                                             : std::vector<double>(count * kSpin * kSpin, 0.);
    std::vector<RecordedBody<D>> bodies(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (kind[i] < 0 || kind[i] > static_cast<int>(BodyKind::scripted)) {
        s.refuse("/bodies/kind: expected 0, 1 or 2");
      }
      bodies[i] = {s.reader.body_names()[i],
                   static_cast<BodyKind>(kind[i]),
                   mass[i],
                   s.reader.appear()[i],
                   Eigen::Map<const Vec<D>>(&com[i * D]),
                   Eigen::Map<const SpinMat<D>>(&inertia[i * kSpin * kSpin])};
    }
    return bodies;
  });
}

template <int D>
std::vector<RecordedJoint<D>> RecordingDetails::joints() const {
  return guard([&] {
    const State& s = *state_;
    s.expect_dimension<D>();
    std::vector<RecordedJoint<D>> joints;
    if (!s.file.has("joints/position_A")) return joints;
    const std::size_t count = s.rows("joints/name", {});
    if (count > kMostItems) s.refuse("/joints: too many");
    const auto names = s.file.read<std::string>("joints/name");
    const auto kinds = s.read<std::string>("joints/kind", {}, 0, count);
    const auto bodies = s.read<std::int32_t>("joints/bodies", {2}, 0, count);
    const auto begin = s.joint_offsets(count);
    const auto X_AJ = s.joint_frames<D>("A", count), X_BJ = s.joint_frames<D>("B", count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t A = bodies[2 * i], B = bodies[2 * i + 1];
      const bool known = (A == -1 || s.is_body(A)) && (B == -1 || s.is_body(B));
      if (!known) s.refuse("/joints/bodies: names a body that is not there");
      joints.push_back({names[i], kinds[i], A, B, X_AJ[i], X_BJ[i], begin[i + 1] - begin[i]});
    }
    return joints;
  });
}

#define TOUCHSTONE_INSTANTIATE(D)                                            \
  template std::vector<std::int32_t> contact_kinds(const ConstraintSet<D>&); \
  template Vec<D> RecordingDetails::gravity() const;                         \
  template std::vector<RecordedBody<D>> RecordingDetails::bodies() const;    \
  template std::vector<RecordedJoint<D>> RecordingDetails::joints() const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
