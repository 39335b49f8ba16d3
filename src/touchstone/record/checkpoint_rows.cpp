#include "touchstone/record/checkpoint_rows.h"

#include <cassert>
#include <limits>

#include "touchstone/record/metrics.h"
#include "touchstone/record/recording.h"

namespace touchstone {
namespace {

/// Rows of an array.
std::size_t rows_of(const ArrayFile& file, const std::string& name) {
  const Extents extents = file.extents(name);
  return extents.empty() ? 0 : extents[0];
}

// The arrays are known by name. HDF5 is not asked to list them: in a damaged file that ends in a crash of its
// own.
std::vector<std::string> in_group(const std::string& group, std::vector<std::string> names) {
  for (std::string& name : names) name = group + "/" + name;
  return names;
}
std::vector<std::string> arrays_of_steps() { return in_group("steps", step_arrays()); }
/// Those with one row per contact.
std::vector<std::string> arrays_of_contacts() {
  return in_group("contacts",
                  {"bodies", "features", "point", "normal", "gap", "impulse", "kind", "undetermined"});
}
std::vector<std::string> arrays_of_events() { return in_group("events", {"time", "kind", "bodies"}); }
std::vector<std::string> arrays_of_checkpoints() {
  return in_group("checkpoint", {"time", "steps", "bodies_present", "frames", "contacts", "events", "hash",
                                 "position", "attitude", "velocity", "joint_value", "tallies"});
}

/// Where a law of friction asks for them: pairs of bodies that stick, those of all checkpoints one behind the
/// other, and where those of each end.
constexpr const char* kSticking = "checkpoint/sticking";
constexpr const char* kStickingEnd = "checkpoint/sticking_end";

/// The arrays that grow, and how long each is in a recording of some length.
struct ArrayLength {
  std::string name;
  std::int64_t rows;
};
std::vector<ArrayLength> lengths_at(const ArrayFile& file, const RecordedLength& c) {
  std::vector<ArrayLength> all;
  const auto add = [&](const std::vector<std::string>& names, std::int64_t rows) {
    for (const std::string& name : names) {
      if (file.has(name)) all.push_back({name, rows});
    }
  };
  add(frame_arrays(), c.frames);
  add({"contacts/offsets"}, c.frames);
  add(arrays_of_steps(), c.frames - 1);
  add(arrays_of_contacts(), c.contacts);
  add(arrays_of_events(), c.events);
  return all;
}

template <int D>
bool holds_all_before(const ArrayFile& file, const Checkpoint<D>& c) {
  for (const ArrayLength& array : lengths_at(file, {c.frames, c.contacts, c.events})) {
    if (array.rows < 0 || static_cast<std::int64_t>(rows_of(file, array.name)) < array.rows) return false;
  }
  return true;
}

/// The least number of rows that any of the arrays has that are there.
std::size_t least_rows(const ArrayFile& file, const std::vector<std::string>& names) {
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  for (const std::string& name : names) {
    if (file.has(name)) rows = std::min(rows, rows_of(file, name));
  }
  return rows;
}

/// One row of an array of /checkpoint.
class RowReader {
 public:
  RowReader(const ArrayFile& file, std::size_t row) : file_(file), row_(row) {}
  template <class T>
  T number(const char* name) const {
    return file_.read_rows<T>(path(name), row_, 1).at(0);
  }
  std::vector<double> numbers(const char* name) const { return file_.read_rows<double>(path(name), row_, 1); }
  static std::string path(const char* name) { return std::string("checkpoint/") + name; }

 private:
  const ArrayFile& file_;
  std::size_t row_;
};

/// False: they do not lie wholly in the file.
template <int D>
bool read_sticking(const ArrayFile& file, std::size_t row, Checkpoint<D>& c) {
  c.asks_for_sticking = file.has(kStickingEnd);
  if (!c.asks_for_sticking) return true;
  if (rows_of(file, kStickingEnd) <= row || !file.has(kSticking)) return false;
  const auto end_of = [&](std::size_t r) { return file.read_rows<std::int64_t>(kStickingEnd, r, 1).at(0); };
  const std::int64_t begin = row > 0 ? end_of(row - 1) : 0, end = end_of(row);
  if (begin < 0 || end < begin || end > static_cast<std::int64_t>(rows_of(file, kSticking))) return false;
  const std::vector<std::int32_t> bodies = file.read_rows<std::int32_t>(
      kSticking, static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  for (std::size_t i = 0; i + 1 < bodies.size(); i += 2) c.sticking.push_back({bodies[i], bodies[i + 1]});
  return true;
}

template <int D>
void append_sticking(ArrayFile& file, const Checkpoint<D>& c) {
  if (!file.has(kStickingEnd)) return;
  std::vector<std::int32_t> bodies;
  for (const auto& [a, b] : c.sticking) bodies.insert(bodies.end(), {a, b});
  const auto end = static_cast<std::int64_t>(rows_of(file, kSticking) + c.sticking.size());
  if (!bodies.empty()) file.append_rows<std::int32_t>(kSticking, bodies);
  file.append_rows<std::int64_t>(kStickingEnd, std::span<const std::int64_t>(&end, 1));
}

template <int D>
Checkpoint<D> read_checkpoint(const ArrayFile& file, std::size_t row) {
  const RowReader at(file, row);
  Checkpoint<D> c;  // without frames it counts as none
  c.time = at.number<double>("time");
  c.steps = at.number<std::int64_t>("steps");
  c.bodies_present = at.number<std::int64_t>("bodies_present");
  c.frames = at.number<std::int64_t>("frames");
  c.contacts = at.number<std::int64_t>("contacts");
  c.events = at.number<std::int64_t>("events");
  c.hash = static_cast<std::uint64_t>(at.number<std::int64_t>("hash"));
  const std::vector<double> position = at.numbers("position"), attitude = at.numbers("attitude"),
                            velocity = at.numbers("velocity");
  const std::size_t count = position.size() / D;
  if (attitude.size() != count * kAttitudeSize<D> || velocity.size() != count * kDof<D>) return {};
  for (std::size_t i = 0; i < count; ++i) {
    c.position.emplace_back(Eigen::Map<const Vec<D>>(&position[i * D]));
    c.velocity.emplace_back(Eigen::Map<const Twist<D>>(&velocity[i * kDof<D>]));
    take_exactly(&attitude[i * kAttitudeSize<D>], c.attitude.emplace_back());
  }
  c.joint_value = at.numbers("joint_value");
  c.tallies = at.numbers("tallies");
  if (!read_sticking(file, row, c)) return {};
  return c;
}

}  // namespace

template <int D>
void make_checkpoint_rows(ArrayFile& file, const Checkpoint<D>& example) {
  const std::size_t count = example.position.size();
  assert(example.attitude.size() == count && example.velocity.size() == count);
  file.make_rows<double>("checkpoint/time");
  for (const char* name : {"steps", "bodies_present", "frames", "contacts", "events", "hash"})
    file.make_rows<std::int64_t>(RowReader::path(name));
  file.make_rows<double>("checkpoint/position", {count, D});
  file.make_rows<double>("checkpoint/attitude", list_of(count, kAttitudeSize<D>));
  file.make_rows<double>("checkpoint/velocity", {count, kDof<D>});
  file.make_rows<double>("checkpoint/joint_value", {example.joint_value.size()});
  file.make_rows<double>("checkpoint/tallies", {example.tallies.size()});
  if (!example.asks_for_sticking) return;
  file.make_rows<std::int32_t>(kSticking, {2});
  file.make_rows<std::int64_t>(kStickingEnd);
}

template <int D>
void append_checkpoint(ArrayFile& file, const Checkpoint<D>& c) {
  assert(c.attitude.size() == c.position.size() && c.velocity.size() == c.position.size());
  assert(c.frames > 0 && c.contacts >= 0 && c.events >= 0);
  std::vector<double> position, attitude, velocity;
  for (std::size_t i = 0; i < c.position.size(); ++i) {
    put(position, c.position[i].transpose());
    put(attitude, c.attitude[i]);
    put(velocity, c.velocity[i].transpose());
  }
  const auto append = [&](const char* name, std::int64_t number) {
    file.append_rows<std::int64_t>(RowReader::path(name), std::span<const std::int64_t>(&number, 1));
  };
  file.append_rows<double>("checkpoint/time", std::span<const double>(&c.time, 1));
  append("steps", c.steps);
  append("bodies_present", c.bodies_present);
  append("frames", c.frames);
  append("contacts", c.contacts);
  append("events", c.events);
  append("hash", static_cast<std::int64_t>(c.hash));
  file.append_rows<double>("checkpoint/position", position);
  file.append_rows<double>("checkpoint/attitude", attitude);
  file.append_rows<double>("checkpoint/velocity", velocity);
  file.append_rows<double>("checkpoint/joint_value", c.joint_value);
  file.append_rows<double>("checkpoint/tallies", c.tallies);
  append_sticking(file, c);
}

template <int D>
std::optional<Checkpoint<D>> read_last_checkpoint(const ArrayFile& file) {
  if (!file.is_group("checkpoint")) return {};
  std::size_t rows = least_rows(file, arrays_of_checkpoints());
  if (rows == std::numeric_limits<std::size_t>::max()) return {};
  while (rows-- > 0) {
    const Checkpoint<D> c = read_checkpoint<D>(file, rows);
    if (c.frames > 0 && holds_all_before(file, c)) return c;
  }
  return {};
}

template <int D>
RecordedLength whole_length(const ArrayFile& file, const Checkpoint<D>& at_least) {
  assert(at_least.frames > 0);
  RecordedLength length{at_least.frames, at_least.contacts, at_least.events};
  const std::size_t frames =
      std::min({least_rows(file, frame_arrays()), least_rows(file, arrays_of_steps()) + 1,
                rows_of(file, "contacts/offsets")});
  const auto contacts = static_cast<std::int64_t>(least_rows(file, arrays_of_contacts()));
  const std::vector<std::int64_t> offsets = file.read<std::int64_t>("contacts/offsets");
  for (std::size_t n = frames; n > static_cast<std::size_t>(at_least.frames); --n) {
    if (offsets[n - 1] < at_least.contacts || offsets[n - 1] > contacts) continue;
    length.frames = static_cast<std::int64_t>(n);
    length.contacts = offsets[n - 1];
    break;
  }
  // What happened at the time of the last frame belongs to the step that starts there.
  const double end = file.read_rows<double>("time", static_cast<std::size_t>(length.frames) - 1, 1).at(0);
  const std::vector<double> times =
      file.read_rows<double>("events/time", 0, least_rows(file, arrays_of_events()));
  const auto events = std::lower_bound(times.begin(), times.end(), end) - times.begin();
  length.events = std::max<std::int64_t>(length.events, events);
  assert(length.frames >= at_least.frames && length.contacts >= at_least.contacts);
  return length;
}

void cut_after(ArrayFile& file, const RecordedLength& length) {
  assert(length.frames > 0 && length.contacts >= 0 && length.events >= 0);
  for (const ArrayLength& array : lengths_at(file, length))
    file.cut_rows(array.name, static_cast<std::size_t>(array.rows));
  const std::vector<std::string> checkpoints = arrays_of_checkpoints();
  std::vector<std::int64_t> frames = file.read<std::int64_t>("checkpoint/frames");
  frames.resize(std::min(frames.size(), least_rows(file, checkpoints)));
  const auto end = std::upper_bound(frames.begin(), frames.end(), length.frames) - frames.begin();
  for (const std::string& name : checkpoints) file.cut_rows(name, static_cast<std::size_t>(end));
  if (!file.has(kStickingEnd)) return;
  file.cut_rows(kStickingEnd, static_cast<std::size_t>(end));
  const std::vector<std::int64_t> ends = file.read<std::int64_t>(kStickingEnd);
  file.cut_rows(kSticking, ends.empty() ? 0 : static_cast<std::size_t>(ends.back()));
}

const std::vector<std::string>& frame_arrays() {
  static const std::vector<std::string> names = {"time",        "position",         "orientation",
                                                 "velocity",    "angular_velocity", "joints/value",
                                                 "joints/rate", "joints/error",     "work"};
  return names;
}

#define TOUCHSTONE_INSTANTIATE(D)                                               \
  template void make_checkpoint_rows(ArrayFile&, const Checkpoint<D>&);         \
  template void append_checkpoint(ArrayFile&, const Checkpoint<D>&);            \
  template std::optional<Checkpoint<D>> read_last_checkpoint(const ArrayFile&); \
  template RecordedLength whole_length(const ArrayFile&, const Checkpoint<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
