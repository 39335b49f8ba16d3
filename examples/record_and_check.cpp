// A run is recorded, read back, and certified by code that the simulation does not use.
#include <cstdio>

#include "touchstone/record/recording_check.h"
#include "touchstone/scene/simulation.h"

using namespace touchstone;

int main() {
  const std::filesystem::path file = "record_and_check.h5";
  Simulation sim(load_scene("slide-off"));
  sim.record(file);
  sim.run_until(1);
  sim.close_recording();
  const RecordingReader recording(file);
  std::printf("%zu frames of", recording.frame_count());
  for (const std::string& name : recording.body_names()) std::printf(" %s", name.c_str());
  const auto last = recording.poses<2>(recording.frame_count() - 1, 1).back().p;
  std::printf("\nthe last one ends at (%.3f, %.3f) m\n", last.x(), last.y());
  const Certificate certificate = check_recording(recording);
  std::printf("%ld frames certified, no overlap above 1e-9 m: %s\n", certificate.frames,
              certificate.min_gap > -1e-9 ? "true" : "false");
  std::filesystem::remove(file);
}
