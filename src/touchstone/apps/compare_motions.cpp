#include "touchstone/apps/compare_motions.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <system_error>

#include "touchstone/apps/progress.h"
#include "touchstone/scene/bad_input.h"
#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

/// Share of the shortest step within which times are the same: steps add up with round-off.
constexpr double kSameInstant = 1e-6;

AnyTrajectory trajectory_in(const RecordingReader& recording) {
  if (recording.dimension() == 2) return trajectory_of<2>(recording);
  return trajectory_of<3>(recording);
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

/// Reads a table of poses line by line.
class PoseTable {
 public:
  explicit PoseTable(const std::filesystem::path& file) : file_(file), in_(file) {
    if (!in_) throw BadInput(file.string() + ": cannot be read");
  }

  AnyTrajectory read() {
    std::string line;
    std::getline(in_, line), ++line_;
    if (line.starts_with("time,body,x,y,z,qw,qx,qy,qz")) return rows<3>();
    if (line.starts_with("time,body,x,y,angle")) return rows<2>();
    refuse("expected the columns time,body,x,y,z,qw,qx,qy,qz or time,body,x,y,angle");
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw BadInput(file_.string() + ":" + std::to_string(line_) + ": " + why);
  }

  double number(const std::string& field) const {
    char* end = nullptr;
    const double x = std::strtod(field.c_str(), &end);
    if (end == field.c_str() || *end != 0 || !std::isfinite(x))
      refuse("expected a number, got " + in_quotes(field));
    return x;
  }

  Pose<2> pose(const std::vector<double>& x, Pose<2>*) const { return {rotation(x[2]), {x[0], x[1]}}; }
  Pose<3> pose(const std::vector<double>& x, Pose<3>*) const {
    const Eigen::Quaterniond q(x[3], x[4], x[5], x[6]);
    if (!(q.norm() > 0)) refuse("expected a quaternion other than zero");
    return {q.normalized().toRotationMatrix(), {x[0], x[1], x[2]}};
  }

  template <int D>
  Trajectory<D> rows() {
    constexpr std::size_t kNumbers = D == 2 ? 3 : 7;
    std::map<double, std::map<std::string, Pose<D>>> frames;
    for (std::string line; std::getline(in_, line);) {
      ++line_;
      if (line.empty() || line == "\r") continue;
      const std::vector<std::string> fields = fields_of(line);
      if (fields.size() < kNumbers + 2) refuse("expected " + std::to_string(kNumbers + 2) + " columns");
      std::vector<double> x;
      for (std::size_t i = 0; i < kNumbers; ++i) x.push_back(number(fields[i + 2]));
      frames[number(fields[0])][fields[1]] = pose(x, static_cast<Pose<D>*>(nullptr));
    }
    return trajectory(frames);
  }

  template <int D>
  Trajectory<D> trajectory(const std::map<double, std::map<std::string, Pose<D>>>& frames) const {
    Trajectory<D> found;
    if (frames.empty()) refuse("holds no pose");
    for (const auto& [name, pose] : frames.begin()->second)
      found.bodies.push_back(name), found.sizes.push_back(0);
    for (const auto& [time, poses] : frames) {
      found.times.push_back(time);
      for (const std::string& name : found.bodies) {
        const auto at = poses.find(name);
        if (at == poses.end())
          refuse("body " + in_quotes(name) + " has no pose at " + std::to_string(time) + " s");
        found.poses.push_back(at->second);
      }
    }
    return found;
  }

  std::filesystem::path file_;
  std::ifstream in_;
  int line_ = 0;
};

double shortest_step(const std::vector<double>& times) {
  double least = 1;
  for (std::size_t i = 1; i < times.size(); ++i) least = std::min(least, times[i] - times[i - 1]);
  return least;
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::string form = (std::filesystem::temp_directory_path() / "touchstone-compare-XXXXXX").string();
  if (!mkdtemp(form.data())) throw BadInput("no folder can be made in " + form);
  path_ = form;
}
ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ComparedMotion run_motion(const std::string& scene, const std::vector<std::string>& overrides,
                          const std::filesystem::path& folder, bool quiet) {
  const std::filesystem::path file = folder / "motion.h5";
  std::filesystem::remove(file);
  ComparedMotion made;
  {
    Simulation simulation(load_scene(scene, overrides, IgnoredOptions::told));
    const double end = simulation.scene().duration, h = simulation.scene().settings.h;
    made.step = h,
    made.model = simulation.scene().settings.accuracy > 0 ? "events" : simulation.scene().model;
    Progress progress({0, end}, "s", quiet);
    simulation.record(file);
    while (end - simulation.time() > kSameInstant * h && simulation.step()) progress.show(simulation.time());
    simulation.close_recording();
    made.run = simulation.summary();
  }
  made.trajectory = trajectory_in(RecordingReader(file));
  char text[64];
  std::snprintf(text, sizeof text, "%s %g", made.model.c_str(), made.step);
  made.name = text;
  return made;
}

bool is_table(const std::filesystem::path& file) { return file.extension() == ".csv"; }

ComparedMotion read_motion(const std::filesystem::path& file) try {
  ComparedMotion found;
  found.name = file.string();
  found.trajectory = is_table(file) ? PoseTable(file).read() : trajectory_in(RecordingReader(file));
  return found;
} catch (const BadRecording& error) {
  throw BadInput(error.what());
}

Deviation deviation_of(const ComparedMotion& reference, const ComparedMotion& motion, double until) {
  const auto compare = [&]<int D>(const Trajectory<D>& A) {
    const auto* B = std::get_if<Trajectory<D>>(&motion.trajectory);
    if (!B)
      throw BadInput(motion.name + ": is not in " + (D == 2 ? "the plane" : "space") +
                     ", where the reference is");
    const double same = kSameInstant * std::min(shortest_step(A.times), shortest_step(B->times));
    Deviation found = deviation(A, *B, until, same);
    if (!found.trouble.empty()) throw BadInput(motion.name + ": " + found.trouble);
    return found;
  };
  return std::visit(compare, reference.trajectory);
}

}  // namespace touchstone
