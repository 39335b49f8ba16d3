// Recordings from a stranger: read and checked, or refused in a message; never a crash.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "touchstone/record/recording_check.h"

namespace {

/// HDF5 reads files, not memory.
std::filesystem::path scratch_file() {
  return std::filesystem::temp_directory_path() / ("touchstone-fuzz-" + std::to_string(::getpid()) + ".h5");
}

}  // namespace

/// HDF5 forgets some of its own tables when it refuses a damaged file.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const std::filesystem::path file = scratch_file();
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const touchstone::RecordingReader recording(file);
    touchstone::check_recording(recording);
    recording.series("min_gap");
    if (recording.dimension() == 2) {
      recording.last_checkpoint<2>();
    } else {
      recording.last_checkpoint<3>();
    }
  } catch (const touchstone::BadRecording&) {
  }
  std::filesystem::remove(file);
  return 0;
}
