#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "touchstone/math/pose_check.h"
#include "touchstone/record/checkpoint_rows.h"
#include "touchstone/record/recording.h"
#include "touchstone/record/recording_cast.h"
#include "touchstone/record/recording_layout.h"

namespace touchstone {
namespace {

/// Bodies or parts of a recording: more are a damaged file.
constexpr std::size_t kMostBodies = 10'000'000;
/// How far from one the length of a recorded quaternion may be.
constexpr double kUnitSlack = 1e-6;

bool is_sound(const Attitude<2>& attitude) { return std::isfinite(attitude.angle); }
bool is_sound(const Attitude<3>& attitude) { return attitude.q.coeffs().allFinite(); }

bool has_unit_length(const double* numbers, std::size_t size) {
  if (size == 1) return true;
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += numbers[i] * numbers[i];
  return std::abs(sum - 1) <= kUnitSlack;
}

}  // namespace

struct RecordingReader::State {
  std::string path;
  ArrayFile file;
  int dimension = 0;
  std::size_t frames = 0;
  std::vector<std::string> names;
  std::vector<double> times, appear;
  std::vector<bool> dynamic;
  std::vector<std::pair<int, int>> no_contact;

  explicit State(const std::filesystem::path& p)
      : path(p.string()), file(ArrayFile::open(p, Checksums::all)) {}

  [[noreturn]] void refuse(const std::string& message) const { throw BadRecording(path + ": " + message); }

  void read_head() {
    const bool ours = has_text(file, "format") && read_text(file, "format") == kRecordingFormat;
    if (!ours) refuse("is no recording of Touchstone");
    const int version = file.attribute<std::int32_t>("", "version");
    if (version < kFirstVersion || version > kRecordingVersion) {
      refuse("is a recording of version " + std::to_string(version) + "; expected " +
             std::to_string(kFirstVersion) + " to " + std::to_string(kRecordingVersion));
    }
    dimension = file.attribute<std::int32_t>("", "dimension");
    if (dimension != 2 && dimension != 3) refuse("dimension: expected 2 or 3");
  }

  /// The extents of an array whose rows have a known shape; returns the number of rows.
  std::size_t check(const std::string& name, const Extents& row) const {
    return count_rows(file, name, row, [&](const std::string& message) { refuse(message); });
  }

  void read_bodies() {
    const std::size_t count = check("bodies/name", {});
    if (count > kMostBodies) refuse("/bodies: more than " + std::to_string(kMostBodies));
    names = file.read<std::string>("bodies/name");
    if (check("bodies/kind", {}) != count || check("bodies/appear", {}) != count) {
      refuse("/bodies: the arrays differ in length");
    }
    for (const std::int32_t kind : file.read<std::int32_t>("bodies/kind")) dynamic.push_back(kind == 0);
    appear = file.read<double>("bodies/appear");
    if (check("bodies/no_contact", {2}) > kMostBodies) refuse("/bodies/no_contact: too long");
    const auto flat = file.read<std::int32_t>("bodies/no_contact");
    for (std::size_t i = 0; i + 1 < flat.size(); i += 2)
      no_contact.emplace_back(std::minmax(flat[i], flat[i + 1]));
    std::sort(no_contact.begin(), no_contact.end());
  }

  template <int D>
  void read_frames() {
    const std::size_t count = names.size();
    check("time", {});
    check("position", {count, D});
    check("orientation", list_of(count, kAttitudeSize<D>));
    if (file.has("velocity")) check("velocity", {count, D});
    if (file.has("angular_velocity")) check("angular_velocity", list_of(count, kSpinSize<D>));
    frames = file.extents("time")[0];
    for (const std::string& name : frame_arrays()) {
      if (!file.has(name)) continue;  // not everybody who writes recordings knows of all
      const Extents extents = file.extents(name);
      // A killed writer of version 1 may have lengthened only some.
      frames = std::min(frames, extents.empty() ? 0 : extents[0]);
    }
    times = file.read_rows<double>("time", 0, frames);
    if (std::any_of(times.begin(), times.end(), [](double t) { return !std::isfinite(t); })) {
      refuse("/time: expected finite numbers");
    }
    if (!std::is_sorted(times.begin(), times.end())) refuse("/time: expected times that do not fall");
  }

  /// The kind follows from the arrays in the group; the attribute `kind` is for other readers.
  template <int D>
  Shape<D> read_shape(std::size_t i) const {
    const std::string path_in_file = shape_path(i);
    const auto holds = [&](const char* name) { return file.has(path_in_file + name); };
    const auto number = [&](const char* name) { return read_numbers(path_in_file + name, {}, 1)[0]; };
    if (holds("radius")) return Sphere<D>{number("radius")};
    if (holds("normal")) {
      const std::vector<double> n = read_numbers(path_in_file + "normal", {D}, D);
      return HalfSpace<D>{{Eigen::Map<const Vec<D>>(n.data()).normalized(), number("offset")}};
    }
    const std::size_t count = check(path_in_file + "vertices", {D});
    if (count > kMostVertices) refuse("/" + path_in_file + "vertices: too many");
    const auto flat = read_numbers(path_in_file + "vertices", {count, D}, count * D);
    std::vector<Vec<D>> vertices(count);
    for (std::size_t v = 0; v < count; ++v) vertices[v] = Eigen::Map<const Vec<D>>(&flat[v * D]);
    return Polytope<D>::hull(vertices);
  }

  /// An array of exactly these extents, all of its numbers finite.
  std::vector<double> read_numbers(const std::string& name, const Extents& extents, std::size_t count) const {
    if (!file.has(name) || file.extents(name) != extents) refuse("/" + name + ": has an unexpected shape");
    std::vector<double> numbers = file.read<double>(name);
    for (const double x : numbers) {
      if (!(std::abs(x) <= kLargestCoordinate)) refuse("/" + name + ": expected finite numbers");
    }
    if (numbers.size() != count) refuse("/" + name + ": has an unexpected length");
    return numbers;
  }

  /// Of one body in every frame.
  std::vector<double> body_series(std::size_t body, const std::string& what) const {
    assert(body < names.size());
    const auto D = static_cast<std::size_t>(dimension);
    const std::size_t axis = std::string("xyz").find(what);
    const bool coordinate = what.size() == 1 && axis < D, angle = what == "angle" && D == 2;
    if (!coordinate && !angle && what != "speed")
      refuse("bodies have no \"" + what + "\" in " + std::to_string(D) + "D");
    const std::size_t size = angle ? 1 : D;
    const auto all = file.read_rows<double>(coordinate ? "position"
                                            : angle    ? "orientation"
                                                       : "velocity",
                                            0, frames);
    std::vector<double> values(frames);
    for (std::size_t k = 0; k < frames; ++k) {
      const double* at = &all[(k * names.size() + body) * size];
      values[k] = coordinate ? at[axis] : angle ? at[0] : std::sqrt(std::inner_product(at, at + D, at, 0.0));
    }
    return values;
  }

  template <int D>
  void expect_dimension() const {
    if (dimension != D) refuse("is a recording in " + std::to_string(dimension) + "D");
  }

  /// A pose from its numbers; `what` names it in messages.
  template <int D>
  Pose<D> pose_from(const double* position, const double* orientation, const std::string& what) const {
    Attitude<D> attitude;
    take(orientation, attitude);
    const Vec<D> p = Eigen::Map<const Vec<D>>(position);
    const bool sound = p.allFinite() && p.cwiseAbs().maxCoeff() <= kLargestCoordinate && is_sound(attitude) &&
                       has_unit_length(orientation, kAttitudeSize<D>);
    if (!sound) refuse(what + ": expected a pose of finite numbers");
    return {attitude.matrix(), p};
  }
};

RecordingTarget recording_target(const std::filesystem::path& file) {
  std::error_code trouble;
  const auto status = std::filesystem::status(file, trouble);
  if (status.type() == std::filesystem::file_type::not_found) return RecordingTarget::free;
  if (status.type() != std::filesystem::file_type::regular) return RecordingTarget::other;
  if (std::filesystem::file_size(file, trouble) == 0 && !trouble) return RecordingTarget::free;
  try {
    const ArrayFile arrays = ArrayFile::open(file);
    const bool ours = has_text(arrays, "format") && read_text(arrays, "format") == kRecordingFormat;
    return ours ? RecordingTarget::recording : RecordingTarget::other;
  } catch (const StoreError&) {
    return RecordingTarget::other;
  }
}

std::string writer_of_recording(const std::filesystem::path& file) { return writer_of(file); }

RecordingReader::RecordingReader(const std::filesystem::path& path) {
  try {
    state_ = std::make_unique<State>(path);
    state_->read_head();
    state_->read_bodies();
    if (state_->dimension == 2) {
      state_->read_frames<2>();
    } else {
      state_->read_frames<3>();
    }
  } catch (const StoreError& error) {
    throw BadRecording(error.what());
  }
}

RecordingReader::~RecordingReader() = default;

int RecordingReader::dimension() const { return state_->dimension; }
std::size_t RecordingReader::frame_count() const { return state_->frames; }
std::size_t RecordingReader::body_count() const { return state_->names.size(); }
const std::vector<std::string>& RecordingReader::body_names() const { return state_->names; }
const std::vector<double>& RecordingReader::times() const { return state_->times; }
const std::vector<bool>& RecordingReader::dynamic() const { return state_->dynamic; }
const std::vector<double>& RecordingReader::appear() const { return state_->appear; }
const std::vector<std::pair<int, int>>& RecordingReader::no_contact() const { return state_->no_contact; }

std::string RecordingReader::text_attribute(const std::string& name) const try {
  return has_text(state_->file, name) ? read_text(state_->file, name) : "";
} catch (const StoreError& error) {
  throw BadRecording(error.what());
}

template <int D>
std::vector<Shape<D>> RecordingReader::shapes() const {
  state_->expect_dimension<D>();
  std::vector<Shape<D>> shapes;
  try {
    const std::size_t count = shape_count(state_->file);
    for (std::size_t i = 0; i < count; ++i) shapes.push_back(state_->read_shape<D>(i));
  } catch (const StoreError& error) {
    throw BadRecording(error.what());
  } catch (const BadShape& error) {
    state_->refuse(shape_path(shapes.size()) + ": " + error.what());
  }
  return shapes;
}

template <int D>
std::vector<RecordedPart<D>> RecordingReader::parts() const try {
  const State& s = *state_;
  s.expect_dimension<D>();
  const std::size_t count = s.check("parts/body", {});
  if (count > kMostBodies) s.refuse("/parts: more than " + std::to_string(kMostBodies));
  const auto numbers = [&](const char* name) {
    if (s.check(name, {}) != count) s.refuse("/parts: the arrays differ in length");
    return s.file.read<std::int32_t>(name);
  };
  const auto body = numbers("parts/body"), shape = numbers("parts/shape");
  const auto group = numbers("parts/group"), collides = numbers("parts/collides");
  constexpr std::size_t kSize = kAttitudeSize<D>;
  const auto position = s.read_numbers("parts/position", {count, D}, count * D);
  const auto orientation = s.read_numbers("parts/orientation", list_of(count, kSize), count * kSize);
  const auto shapes = static_cast<std::int32_t>(shape_count(s.file));
  std::vector<RecordedPart<D>> parts(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool known = body[i] >= 0 && body[i] < static_cast<std::int32_t>(s.names.size()) && shape[i] >= 0 &&
                       shape[i] < shapes;
    if (!known) s.refuse("/parts: part " + std::to_string(i) + " names a body or shape that is not there");
    parts[i] = {body[i], shape[i], s.pose_from<D>(&position[i * D], &orientation[i * kSize], "/parts"),
                static_cast<std::uint32_t>(group[i]), static_cast<std::uint32_t>(collides[i])};
  }
  return parts;
} catch (const StoreError& error) {
  throw BadRecording(error.what());
}

template <int D>
std::vector<Pose<D>> RecordingReader::poses(std::size_t first, std::size_t count) const try {
  const State& s = *state_;
  s.expect_dimension<D>();
  constexpr std::size_t kSize = kAttitudeSize<D>;
  const std::size_t bodies = s.names.size();
  const auto position = s.file.read_rows<double>("position", first, count);
  const auto orientation = s.file.read_rows<double>("orientation", first, count);
  std::vector<Pose<D>> poses(count * bodies);
  assert(position.size() == poses.size() * D && orientation.size() == poses.size() * kSize);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    poses[i] = s.pose_from<D>(&position[i * D], &orientation[i * kSize],
                              "frame " + std::to_string(first + i / bodies));
  }
  return poses;
} catch (const StoreError& error) {
  throw BadRecording(error.what());
}

double RecordingReader::moving_mass() const try {
  if (!state_->file.has("bodies/mass")) return 0;
  const std::vector<double> masses = state_->file.read<double>("bodies/mass");
  double sum = 0;
  for (std::size_t i = 0; i < std::min(masses.size(), state_->dynamic.size()); ++i)
    sum += state_->dynamic[i] ? masses[i] : 0;
  return sum;
} catch (const StoreError& error) {
  throw BadRecording(error.what());
}

bool RecordingReader::has_series(const std::string& name) const try {
  return state_->file.has("steps/" + name);
} catch (const StoreError& error) {
  throw BadRecording(error.what());
}

std::vector<double> RecordingReader::series(const std::string& name) const try {
  const State& s = *state_;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) {
    if (!s.file.has("steps/" + name)) s.refuse("/steps has no \"" + name + "\"");
    return s.file.read<double>("steps/" + name);
  }
  const auto body = std::find(s.names.begin(), s.names.end(), name.substr(0, dot));
  if (body == s.names.end()) s.refuse("there is no body \"" + name.substr(0, dot) + "\"");
  return s.body_series(static_cast<std::size_t>(body - s.names.begin()), name.substr(dot + 1));
} catch (const StoreError& error) {
  throw BadRecording(error.what());
}

template <int D>
Checkpoint<D> RecordingReader::last_checkpoint() const try {
  state_->expect_dimension<D>();
  const std::optional<Checkpoint<D>> last = read_last_checkpoint<D>(state_->file);
  if (!last) state_->refuse("/checkpoint: holds no state to go on from");
  return *last;
} catch (const StoreError& error) {
  throw BadRecording(error.what());
}

template <int D>
bool RecordingReader::has_cast(const World<D>& world) const try {
  return holds_cast(state_->file, world);
} catch (const StoreError& error) {
  throw BadRecording(error.what());
}

#define TOUCHSTONE_INSTANTIATE(D)                                       \
  template std::vector<Shape<D>> RecordingReader::shapes() const;       \
  template std::vector<RecordedPart<D>> RecordingReader::parts() const; \
  template Checkpoint<D> RecordingReader::last_checkpoint() const;      \
  template bool RecordingReader::has_cast(const World<D>&) const;       \
  template std::vector<Pose<D>> RecordingReader::poses(std::size_t, std::size_t) const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
