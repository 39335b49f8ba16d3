// Recordings from a stranger: read and checked, or refused in a message; never a crash.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "touchstone/record/recording_check.h"
#include "touchstone/record/recording_details.h"

namespace {

/// HDF5 reads files, not memory.
std::filesystem::path scratch_file() {
  return std::filesystem::temp_directory_path() / ("touchstone-fuzz-" + std::to_string(::getpid()) + ".h5");
}

/// What `view` and `export` ask for.
template <int D>
void read_details(const std::filesystem::path& file) {
  const touchstone::RecordingDetails details(file);
  details.bodies<D>();
  details.joints<D>();
  details.events();
  const std::size_t frames = details.frames().frame_count();
  details.velocity(0, frames), details.angular_velocity(0, frames);
  details.joint_values(0, frames), details.joint_rates(0, frames);
  details.contacts(0, details.step_count());
}

template <int D>
void read_all(const std::filesystem::path& file) {
  const touchstone::RecordingReader recording(file);
  touchstone::check_recording(recording);
  recording.text_attribute("scene");
  recording.series("min_gap");
  recording.last_checkpoint<D>();
}

/// Refusals are fine, and one part's does not keep from the others.
template <class Action>
void attempt(const Action& action) {
  try {
    action();
  } catch (const touchstone::BadRecording&) {
  }
}

}  // namespace

/// HDF5 forgets some of its own tables when it refuses a damaged file.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const std::filesystem::path file = scratch_file();
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  int dimension = 0;
  attempt([&] { dimension = touchstone::RecordingReader(file).dimension(); });
  if (dimension == 2) attempt([] { read_all<2>(file); }), attempt([] { read_details<2>(file); });
  if (dimension == 3) attempt([] { read_all<3>(file); }), attempt([] { read_details<3>(file); });
  std::filesystem::remove(file);
  return 0;
}
