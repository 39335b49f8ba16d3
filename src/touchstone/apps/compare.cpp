// touchstone compare: how far motions lie from a reference, and how fast they converge to it.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "touchstone/apps/commands.h"
#include "touchstone/apps/compare_motions.h"
#include "touchstone/scene/bad_input.h"
#include "touchstone/scene/json_text.h"
#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

constexpr const char* kCompareExamples =
    R"(REFERENCE is a scene, which is run to the accuracy that is asked for, with every event located, or a recording.
MOTION is a recording, or a table of poses of any program: a .csv file with the columns time,body,x,y,z,qw,qx,qy,qz or
time,body,x,y,angle, and others behind. Without a MOTION the scene itself is run, with each model and each step.

Examples:
  touchstone compare triangle-drop --model plane,peg --step 0.01,0.005,0.0025
  touchstone compare my-scene.yaml other-engine.csv
  touchstone compare fine.h5 coarse.h5 --json

The error of a body is the distance of its positions plus the angle between its attitudes times its size. The order
is the logarithm of the ratio of two errors over that of the steps. Behind the time until which the reference is
trusted nothing is compared.

Exit codes: 0 done; 2 bad input; 3 the reference could not be run.)";

constexpr int kRowsOverTime = 10;

struct CompareOptions {
  std::string reference;
  std::vector<std::string> motions, models, steps, set;
  std::string accuracy = "1e-9", duration;
  bool json = false, quiet = false;
};

struct Comparison {
  ComparedMotion motion;
  Deviation deviation;
  double order = std::numeric_limits<double>::quiet_NaN();  ///< against the motion before
};

bool is_scene(const std::string& what) {
  return !is_table(what) && recording_target(what) != RecordingTarget::recording;
}

std::vector<std::string> overrides_of(const CompareOptions& options) {
  std::vector<std::string> all = options.set;
  if (!options.duration.empty()) all.push_back("duration=" + options.duration);
  return all;
}

/// The shortest of the steps, which are the times of the output of the reference.
std::string shortest(const std::vector<std::string>& steps) {
  std::string found = steps.front();
  for (const std::string& step : steps) {
    if (!(std::atof(step.c_str()) > 0))
      throw BadInput("--step: expected steps above zero, got " + in_quotes(step));
    if (std::atof(step.c_str()) < std::atof(found.c_str())) found = step;
  }
  return found;
}

ComparedMotion make_reference(const CompareOptions& options, const ScratchFolder& folder) {
  if (!is_scene(options.reference)) return read_motion(options.reference);
  std::vector<std::string> overrides = overrides_of(options);
  overrides.push_back("accuracy=" + options.accuracy);
  if (!options.steps.empty()) overrides.push_back("step=" + shortest(options.steps));
  return run_motion(options.reference, overrides, folder.path(), options.quiet || options.json);
}

/// [s] As far as the reference is known.
double trusted_until(const ComparedMotion& reference) {
  if (!reference.run || !reference.run->accuracy) return std::numeric_limits<double>::infinity();
  return reference.run->accuracy->trusted_until;
}

/// Each model with each step; the model and the step of the scene where none is named.
std::vector<ComparedMotion> run_all(const CompareOptions& options, const ScratchFolder& folder) {
  std::vector<ComparedMotion> made;
  const std::vector<std::string> none = {""};
  for (const std::string& model : options.models.empty() ? none : options.models) {
    for (const std::string& step : options.steps.empty() ? none : options.steps) {
      std::vector<std::string> overrides = overrides_of(options);
      overrides.push_back("accuracy=0");
      if (!model.empty()) overrides.push_back("contact.model=" + model);
      if (!step.empty()) overrides.push_back("step=" + step);
      made.push_back(run_motion(options.reference, overrides, folder.path(), options.quiet || options.json));
    }
  }
  return made;
}

void add_orders(std::vector<Comparison>& all) {
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Comparison &a = all[i - 1], &b = all[i];
    if (a.motion.model != b.motion.model || a.motion.step == b.motion.step || !b.motion.run) continue;
    all[i].order = std::log(a.deviation.worst / b.deviation.worst) / std::log(a.motion.step / b.motion.step);
  }
}

std::vector<Comparison> compare_all(const CompareOptions& options, const ComparedMotion& reference,
                                    const ScratchFolder& folder) {
  std::vector<ComparedMotion> motions;
  for (const std::string& file : options.motions) motions.push_back(read_motion(file));
  if (motions.empty()) motions = run_all(options, folder);
  std::vector<Comparison> all;
  for (ComparedMotion& motion : motions) {
    Deviation found = deviation_of(reference, motion, trusted_until(reference));
    all.push_back({std::move(motion), std::move(found)});
  }
  add_orders(all);
  return all;
}

void print_reference(const ComparedMotion& reference) {
  if (!reference.run || !reference.run->accuracy) {
    std::printf("reference  %s\n", reference.name.c_str());
    return;
  }
  const AccuracyReport& a = *reference.run->accuracy;
  std::printf("reference  every event located: positions correct to %.2g m until %.6g s, in %.3g s\n",
              a.estimated, a.trusted_until, reference.run->wall_time);
  if (!a.reason.empty()) std::printf("           not longer: %s\n", a.reason.c_str());
}

void print_over_time(const std::vector<Comparison>& all) {
  std::printf("\n%10s", "time [s]");
  for (const Comparison& c : all) std::printf("  %16.16s", c.motion.name.c_str());
  std::printf("\n");
  const std::vector<double>& times = all.front().deviation.times;
  for (int row = 1; row <= kRowsOverTime; ++row) {
    const double time = times.back() * row / kRowsOverTime;
    std::printf("%10.4g", time);
    for (const Comparison& c : all) {
      const auto& t = c.deviation.times;
      const auto at = std::upper_bound(t.begin(), t.end(), time * (1 + 1e-9)) - t.begin();
      std::printf("  %16.3g", at > 0 ? c.deviation.errors[at - 1] : 0.);
    }
    std::printf("\n");
  }
}

void print_text(const ComparedMotion& reference, const std::vector<Comparison>& all) {
  print_reference(reference);
  std::printf("\n%-24s %10s %10s %10s  %-16s %6s %9s\n", "motion", "worst [m]", "at [s]", "last [m]",
              "worst body", "order", "wall [s]");
  for (const Comparison& c : all) {
    const Deviation& d = c.deviation;
    std::printf("%-24s %10.3g %10.4g %10.3g  %-16s", c.motion.name.c_str(), d.worst, d.worst_time, d.last(),
                d.worst_body.c_str());
    std::isfinite(c.order) ? std::printf(" %6.2f", c.order) : std::printf(" %6s", "");
    if (c.motion.run) std::printf(" %9.3g", c.motion.run->wall_time);
    std::printf("\n");
    if (c.motion.run && c.motion.run->failed_steps > 0)
      std::printf("  it ended at %.6g s: %s\n", c.motion.run->time, c.motion.run->message.c_str());
  }
  print_over_time(all);
}

void add_comparison(const Comparison& c, JsonWriter& w) {
  const Deviation& d = c.deviation;
  w.open('{')
      .key("name")
      .value(c.motion.name)
      .key("worst")
      .value(d.worst)
      .key("worst_time")
      .value(d.worst_time);
  w.key("worst_body").value(d.worst_body).key("last").value(d.last()).key("order").value(c.order);
  if (c.motion.run) {
    w.key("model").value(c.motion.model).key("step").value(c.motion.step);
    w.key("wall_time").value(c.motion.run->wall_time).key("message").value(c.motion.run->message);
  }
  w.key("times").open('[');
  for (const double t : d.times) w.value(t);
  w.close(']').key("errors").open('[');
  for (const double e : d.errors) w.value(e);
  w.close(']').close('}');
}

void print_json(const ComparedMotion& reference, const std::vector<Comparison>& all) {
  JsonWriter w;
  w.open('{').key("reference").open('{').key("name").value(reference.name);
  if (reference.run && reference.run->accuracy) {
    const AccuracyReport& a = *reference.run->accuracy;
    w.key("requested").value(a.requested).key("estimated").value(a.estimated);
    w.key("trusted_until").value(a.trusted_until).key("reason").value(a.reason);
    w.key("wall_time").value(reference.run->wall_time);
  }
  w.close('}').key("motions").open('[');
  for (const Comparison& c : all) add_comparison(c, w);
  w.close(']').close('}');
  std::printf("%s\n", w.text().c_str());
}

int compare(const CompareOptions& options) {
  const bool runs = options.motions.empty();
  if (runs && !is_scene(options.reference))
    throw BadInput("compare: expected a motion to compare with " + in_quotes(options.reference));
  if (!runs && !(options.models.empty() && options.steps.empty()))
    throw BadInput("compare: --model and --step are for runs of a scene; the motions are there already");
  const ScratchFolder folder;
  const ComparedMotion reference = make_reference(options, folder);
  if (reference.run && reference.run->failed_steps > 0) {
    std::fprintf(stderr, "touchstone: the reference ended at %.6g s: %s\n", reference.run->time,
                 reference.run->message.c_str());
    return kNumbersFailed;
  }
  const std::vector<Comparison> all = compare_all(options, reference, folder);
  if (options.json) {
    print_json(reference, all);
  } else {
    print_text(reference, all);
  }
  return kDone;
}

}  // namespace

void add_compare(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      program.add_subcommand("compare", "how far motions lie from a reference, and how they converge");
  command->footer(kCompareExamples);
  const auto add = [&](const char* name, auto& value, const char* about, const char* text) {
    return command->add_option(name, value, about)->option_text(text);
  };
  add("REFERENCE", options->reference, "a scene or a recording", " ")->required();
  add("MOTION", options->motions, "recordings or tables of poses (.csv)", " ");
  add("--model", options->models, "contact models to run, separated by commas", "NAMES")->delimiter(',');
  add("--step", options->steps, "steps to run [s], separated by commas", "STEPS")->delimiter(',');
  add("--accuracy", options->accuracy, "of the reference [m] (1e-9)", "LENGTH");
  add("--duration", options->duration, "[s] instead of the scene's", "TIME");
  add("--set", options->set, "change a value of the scene in all runs; repeatable", "PATH=VALUE");
  command->add_flag("--json", options->json, "print one JSON object, with the errors over time");
  command->add_flag("--quiet", options->quiet, "show no progress");
  command->callback([options, &exit_code] { exit_code = compare(*options); });
}

}  // namespace touchstone
