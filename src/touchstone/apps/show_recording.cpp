#include "touchstone/apps/show_recording.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "touchstone/apps/show_cast.h"

namespace touchstone {
namespace {

/// D numbers from a flat array.
template <int D>
void put_vector(std::string& bytes, const std::vector<double>& numbers, std::size_t i) {
  for (int k = 0; k < D; ++k) put_float(bytes, numbers[i * D + k]);
}

template <int D>
class RecordedShow : public Show {
 public:
  explicit RecordedShow(const std::filesystem::path& file)
      : recording_(file), frames_(recording_.frames().frame_count()) {
    const ShowCast<D> cast = cast_of<D>(recording_);
    head_ = head_text(cast, recording_.events());
    has_joints_ = !cast.joints.empty();
    for (const char* name : kSeries) series_.push_back(recording_.step_values(name));
  }

  ShowProgress progress() const override { return {frames_, false, ""}; }
  std::string head() const override { return head_; }

  std::string series(FrameRange range) const override {
    std::string bytes;
    const std::vector<double>& times = recording_.frames().times();
    for (std::size_t i = 0; i < range.count; ++i) put_bytes(bytes, times[range.first + i]);
    for (const std::vector<double>& values : series_) {
      for (std::size_t i = range.first; i < range.first + range.count; ++i) {
        const bool known = i > 0 && i - 1 < values.size();  // no step led to the first frame
        put_float(bytes, known ? values[i - 1] : std::numeric_limits<double>::quiet_NaN());
      }
    }
    return bytes;
  }

  std::string poses(FrameRange range) const override {
    const std::lock_guard lock(mutex_);
    std::string bytes;
    for (const Pose<D>& X : recording_.frames().poses<D>(range.first, range.count)) put_pose(bytes, X);
    return bytes;
  }

  std::string velocities(FrameRange range) const override {
    const std::lock_guard lock(mutex_);
    const std::vector<double> v = recording_.velocity(range.first, range.count);
    const std::vector<double> w = recording_.angular_velocity(range.first, range.count);
    std::string bytes;
    for (std::size_t i = 0; i < v.size() / D; ++i) {
      put_vector<D>(bytes, v, i);
      put_vector<kSpinSize<D>>(bytes, w, i);
    }
    return bytes;
  }

  std::string joints(FrameRange range) const override {
    if (!has_joints_) return "";
    const std::lock_guard lock(mutex_);
    const std::vector<double> values = recording_.joint_values(range.first, range.count);
    const std::vector<double> rates = recording_.joint_rates(range.first, range.count);
    const std::size_t size = values.size() / range.count;
    std::string bytes;
    for (std::size_t i = 0; i < range.count; ++i) {
      for (std::size_t k = 0; k < size; ++k) put_float(bytes, values[i * size + k]);
      for (std::size_t k = 0; k < size; ++k) put_float(bytes, rates[i * size + k]);
    }
    return bytes;
  }

  std::string contacts(FrameRange range) const override {
    const std::lock_guard lock(mutex_);
    const std::size_t steps = recording_.step_count();
    std::string offsets, bytes;
    put_bytes(offsets, static_cast<std::uint32_t>(range.count));
    put_bytes(offsets, std::uint32_t{0});
    // Frames at which no step starts show the contacts of the last one.
    const auto step_of = [&](std::size_t frame) { return std::min(frame, steps - 1); };
    RecordedContacts found;
    const std::size_t first = steps > 0 ? step_of(range.first) : 0;
    if (steps > 0) found = recording_.contacts(first, step_of(range.first + range.count) - first + 1);
    for (std::size_t frame = range.first, all = 0; frame < range.first + range.count; ++frame) {
      const std::size_t k = steps > 0 ? step_of(frame) - first : 0;
      for (std::size_t i = found.begin[k]; steps > 0 && i < found.begin[k + 1]; ++i, ++all) {
        put_contact(bytes, found, i);
      }
      put_bytes(offsets, static_cast<std::uint32_t>(all));
    }
    return offsets + bytes;
  }

 private:
  static void put_contact(std::string& bytes, const RecordedContacts& contacts, std::size_t i) {
    put_bytes(bytes, contacts.bodies[2 * i]);
    put_bytes(bytes, contacts.bodies[2 * i + 1]);
    put_bytes(bytes, contacts.kind[i]);
    put_float(bytes, contacts.gap[i]);
    put_vector<D>(bytes, contacts.point, i);
    put_vector<D>(bytes, contacts.normal, i);
    put_vector<D>(bytes, contacts.impulse, i);
  }

  RecordingDetails recording_;
  std::size_t frames_;
  std::string head_;
  bool has_joints_ = false;
  std::vector<std::vector<double>> series_;
  mutable std::mutex mutex_;  ///< one thread at a time per file
};

}  // namespace

std::unique_ptr<Show> show_recording(const std::filesystem::path& file) {
  if (RecordingReader(file).dimension() == 2) return std::make_unique<RecordedShow<2>>(file);
  return std::make_unique<RecordedShow<3>>(file);
}

}  // namespace touchstone
