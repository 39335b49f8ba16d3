#pragma once
// The motions that `touchstone compare` sets side by side: runs of a scene, recordings, tables of poses.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "touchstone/record/trajectory.h"
#include "touchstone/scene/simulation.h"

namespace touchstone {

using AnyTrajectory = std::variant<Trajectory<2>, Trajectory<3>>;

/// A folder that lives as long as this object, for recordings that nobody keeps.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct ComparedMotion {
  std::string name;  ///< "plane 0.01", or the file
  AnyTrajectory trajectory;
  std::optional<RunSummary> run;  ///< of what was run for the comparison
  std::string model;
  double step = 0;  ///< [s] of such a run
};

/// Runs a scene with these values changed; a run that fails is told in its summary. Throws BadInput.
ComparedMotion run_motion(const std::string& scene, const std::vector<std::string>& overrides,
                          const std::filesystem::path& folder, bool quiet);
/// A recording, or a table of poses: time,body,x,y,angle or time,body,x,y,z,qw,qx,qy,qz, with whatever
/// columns behind. Throws BadInput.
ComparedMotion read_motion(const std::filesystem::path& file);
bool is_table(const std::filesystem::path& file);

/// Throws BadInput where one is in the plane and the other in space, or they have nothing to compare.
Deviation deviation_of(const ComparedMotion& reference, const ComparedMotion& motion, double until);

}  // namespace touchstone
