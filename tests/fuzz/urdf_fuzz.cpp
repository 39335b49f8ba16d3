// Robots from a stranger: read, or refused in a message; never a crash.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "touchstone/scene/simulation.h"

/// The library forgets links in a loop when it refuses a robot.
extern "C" const char* __lsan_default_suppressions() { return "leak:urdf::parseURDF\n"; }

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("touchstone-fuzz-" + std::to_string(::getpid()) + ".urdf");
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    touchstone::Simulation simulation(touchstone::load_scene(file.string()));
    simulation.step();
  } catch (const touchstone::BadInput&) {
  }
  std::filesystem::remove(file);
  return 0;
}
