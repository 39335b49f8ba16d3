// peers_bench: Touchstone beside Bullet, ODE, MuJoCo, DART and, where it was found, Siconos on the same
// scenes, in one process.
//
//     peers_bench [--quick] [--scene NAME] [--engine NAME] [--step H]       prints Markdown tables

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>

#include "../proximity/table.h"
#include "race.h"
#include "scenes.h"
#include "touchstone/contact/contact_model.h"

namespace touchstone::bench {
namespace {

namespace fs = std::filesystem;

struct Options {
  bool quick = false;
  std::string scene, engine;
  double step = 0;
  int seeds = 10;
  double most_seconds = 60;  ///< of CPU time per race
};

std::vector<Engine> engines() {
  std::vector<Engine> all = {
      {"Bullet", make_bullet}, {"ODE", make_ode}, {"MuJoCo", make_mujoco}, {"DART", make_dart}};
#ifdef TOUCHSTONE_SICONOS_LIBRARY
  all.push_back({"Siconos", make_siconos});
#endif
  for (const char* model : {"plane", "manifold"}) {
    all.push_back({std::string("Touchstone ") + model,
                   [model](const PeerScene& scene, double h) { return make_touchstone(scene, h, model); }});
  }
  return all;
}

/// The scenes of the folder TOUCHSTONE_DATA, if it is there.
std::string shared_scene(const std::string& name) {
  const char* chosen = std::getenv("TOUCHSTONE_DATA");
  const fs::path data = chosen ? fs::path(chosen) : fs::path(TOUCHSTONE_SOURCE_DIR) / "../shared/data";
  return (data / "scenes" / (name + ".json")).string();
}

struct Course {
  std::string title, about;
  std::vector<PeerScene> scenes;  ///< several: the worst (median for times) of all is shown
  std::vector<double> steps;      ///< [s]
};

const std::vector<double> kSteps = {0.001, 0.005, 0.01, 0.016};  ///< [s]

PeerScene as_hulls(PeerScene scene) {
  scene.as_boxes = false;
  return scene;
}

std::vector<Course> courses(const Options& options) {
  std::vector<Course> all;
  for (const char* name : {"pour10", "pour100"}) {
    if (!fs::exists(shared_scene(name))) continue;
    const bool many = std::string(name) == "pour100";
    all.push_back({name,
                   "Polyhedra fall into a box, without friction.",
                   {load_peer_scene(shared_scene(name))},
                   many ? std::vector<double>{0.005, 0.01} : kSteps});
  }
  const PeerScene stack = load_peer_scene("stack-10-boxes");
  const std::string about =
      "Ten staggered boxes fall onto each other, without friction: the exact drift is 0.";
  all.push_back({"stack-10, given as boxes", about, {stack}, kSteps});
  all.push_back({"stack-10, given as hulls", about, {as_hulls(stack)}, kSteps});
  Course sets{"polyhedra-in-box, all sets", "The random sets of thesis 5.2.4.", {}, kSteps};
  for (int seed = 1; seed <= (options.quick ? 2 : options.seeds); ++seed) {
    sets.scenes.push_back(load_peer_scene("polyhedra-in-box", {"generate.seed=" + std::to_string(seed)}));
  }
  all.push_back(sets);
  return all;
}

/// The worst of several races; times are the medians of their medians.
RaceResult worst_of(const std::vector<RaceResult>& results) {
  RaceResult worst = results.front();
  std::vector<double> medians;
  for (const RaceResult& r : results) {
    medians.push_back(r.median_us);
    worst.min_gap = std::min(worst.min_gap, r.min_gap);
    worst.max_overlap = std::max(worst.max_overlap, r.max_overlap);
    worst.energy_gained = std::max(worst.energy_gained, r.energy_gained);
    worst.max_speed = std::max(worst.max_speed, r.max_speed);
    worst.drift = std::max(worst.drift, r.drift);
    worst.p99_us = std::max(worst.p99_us, r.p99_us);
    worst.exploded |= r.exploded;
    if (&r == &results.front()) continue;
    worst.failed += r.failed, worst.steps += r.steps, worst.planned += r.planned;
  }
  std::nth_element(medians.begin(), medians.begin() + medians.size() / 2, medians.end());
  worst.median_us = medians[medians.size() / 2];
  return worst;
}

RaceResult run_all(const Engine& engine, const Course& course, const RaceSettings& settings) {
  std::vector<RaceResult> results;
  for (const PeerScene& scene : course.scenes) {
    results.push_back(race(engine, scene, settings));
    std::fprintf(stderr, "%s, h = %g, %s: %.0f us\n", course.title.c_str(), settings.h, engine.name.c_str(),
                 results.back().median_us);
  }
  return worst_of(results);
}

std::vector<std::string> row_of(const Engine& engine, double h, const RaceResult& r) {
  return {fixed(h, 3),
          engine.name,
          scientific(r.min_gap, 1),
          scientific(r.max_overlap, 1),
          scientific(r.energy_gained, 1),
          r.exploded ? "explodes" : fixed(r.max_speed, 1),
          r.exploded ? "-" : scientific(r.drift, 1),
          r.exploded ? "-" : fixed(r.sunk, 4),
          r.steps == r.planned ? std::to_string(r.steps)
                               : std::to_string(r.steps) + " of " + std::to_string(r.planned),
          std::to_string(r.failed),
          fixed(r.median_us, 0),
          fixed(r.p99_us, 0)};
}

void run_course(const Course& course, const Options& options) {
  Table table({"h [s]", "engine", "min gap [m]", "overlap [m^3]", "energy gained [J]", "top speed [m/s]",
               "drift [m]", "mean height [m]", "steps", "failed", "CPU/step [us]", "p99 [us]"});
  for (const double h : course.steps) {
    if (options.step > 0 && h != options.step) continue;
    if (options.quick && h < 0.005) continue;
    for (const Engine& engine : engines()) {
      if (engine.name.find(options.engine) == std::string::npos) continue;
      RaceSettings settings;
      settings.h = h;
      settings.judge_every = h < 0.005 ? 5 : 1;
      settings.most_seconds = options.most_seconds;
      table.add(row_of(engine, h, run_all(engine, course, settings)));
    }
  }
  std::printf("## %s\n\n%s\n\n", course.title.c_str(), course.about.c_str());
  table.print(2);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace touchstone::bench

int main(int argc, char** argv) {
  using namespace touchstone::bench;
  CLI::App program("Touchstone beside other engines on the same scenes");
  Options options;
  program.add_flag("--quick", options.quick, "two random sets, no steps of 1 ms");
  program.add_option("--scene", options.scene, "only courses whose title holds this");
  program.add_option("--engine", options.engine, "only engines whose name holds this");
  program.add_option("--step", options.step, "only this step [s]");
  program.add_option("--seeds", options.seeds, "how many random sets");
  program.add_option("--most-seconds", options.most_seconds, "CPU time after which a race is given up");
  CLI11_PARSE(program, argc, argv);
  for (const Course& course : courses(options)) {
    if (course.title.find(options.scene) != std::string::npos) run_course(course, options);
  }
}
