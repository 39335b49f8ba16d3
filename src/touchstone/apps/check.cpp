// touchstone check: did bodies overlap, joints open, energy come from nowhere? From a recording alone.

#include <cmath>
#include <cstdio>
#include <memory>

#include "touchstone/apps/commands.h"
#include "touchstone/apps/progress.h"
#include "touchstone/record/motion_check.h"
#include "touchstone/record/recording_check.h"
#include "touchstone/scene/bad_input.h"
#include "touchstone/scene/json_text.h"
#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

constexpr const char* kCheckExamples =
    R"(The minimum gap and the overlap of every pair of bodies in every frame are computed anew, from the recorded
poses and shapes alone and with code that no simulation uses. So are the openings of joints, and the energies of
bodies: what was done on a body since the last frame must be the change of its kinetic energy, gravity must have done
what the way down says, and contacts must have given nothing to the bodies that they join.

Examples:
  touchstone check box-stack.h5
  touchstone check box-stack.h5 --tolerance 1e-6 --json

Energy that was gained and errors of momentum are judged as they were recorded, step by step. Recordings of version 1
tell less: of these all but the gaps is judged as it was recorded.

Exit codes: 0 all is within the tolerances; 1 something is not; 2 bad input.)";

struct CheckOptions {
  std::string recording;
  double tolerance = 1e-9;           ///< [m]
  double energy_tolerance = 1e-2;    ///< share of the largest energy
  double joint_tolerance = 1e-2;     ///< [m, rad]
  double momentum_tolerance = 1e-6;  ///< share of what was exchanged
  bool json = false, quiet = false;
};

struct CheckResult {
  Certificate certificate;
  int dimension = 3;
  double time = 0;  ///< [s] of the worst frame
  std::string body_A, body_B;
  RecordedTrouble recorded;
  MotionCertificate motion;
  std::string where_sum, where_gravity, where_gain, where_joint;  ///< "crate" at 0.3 s
  std::vector<std::string> faults;                                ///< why it is not ok
  bool ok = false;
};

std::string sentence(const char* form, double a, double b) {
  char text[256];
  std::snprintf(text, sizeof text, form, a, b);
  return text;
}

/// Share of the energies in a step that its works may miss: round-off, of rods most.
constexpr double kWorksTolerance = 1e-6;

void add_motion_faults(const CheckOptions& options, const CheckResult& result,
                       std::vector<std::string>& faults) {
  const MotionCertificate& motion = result.motion;
  const auto judge = [&](const WorstCase& worst, double most, const char* form, const std::string& who) {
    if (!(worst.value <= most)) faults.push_back(sentence(form, worst.value, most) + who);
  };
  judge(motion.sum_error, kWorksTolerance,
        "the works on a body miss the change of its kinetic energy by %.2g of it (more than %.2g): body ",
        result.where_sum);
  judge(motion.gravity_error, kWorksTolerance,
        "the work of gravity misses the way down by %.2g of the energies (more than %.2g): body ",
        result.where_gravity);
  judge(motion.contact_gain, options.energy_tolerance,
        "contacts gave %.2g of the energy at play in one step (more than %.2g) to the island of body ",
        result.where_gain);
  judge(motion.joint_opening, options.joint_tolerance,
        "a joint is open by %.3g m or rad (more than %.2g): ", result.where_joint);
  judge(motion.momentum_error, options.momentum_tolerance,
        "momentum was missed by %.2g of what was exchanged in one step (more than %.2g)", "");
}

/// What is wrong, one sentence each.
std::vector<std::string> faults_of(const CheckOptions& options, const CheckResult& result) {
  std::vector<std::string> faults;
  const RecordedTrouble& recorded = result.recorded;
  if (result.certificate.min_gap < -options.tolerance) {
    faults.push_back(sentence("bodies overlap by %.3g m, more than %.3g m", -result.certificate.min_gap,
                              options.tolerance));
  }
  if (recorded.largest_gain > options.energy_tolerance * recorded.energy_scale + recorded.energy_slack) {
    faults.push_back(
        sentence("%.3g J were gained in one step that nothing gave (largest energy at play %.3g J)",
                 recorded.largest_gain, recorded.energy_scale));
  }
  if (recorded.joint_error > options.joint_tolerance) {
    faults.push_back(
        sentence("a joint was open by %.3g m or rad at %.4g s", recorded.joint_error, recorded.joint_time));
  }
  add_motion_faults(options, result, faults);
  return faults;
}

/// Who and when, of the worst case.
std::string where(const WorstCase& worst, const std::vector<std::string>& names,
                  const RecordingReader& recording) {
  if (worst.item < 0 || worst.frame >= recording.frame_count()) return "";
  char time[32];
  std::snprintf(time, sizeof time, " at %.4g s", recording.times()[worst.frame]);
  const bool known = worst.item < static_cast<int>(names.size());
  return (known ? in_quotes(names[worst.item]) : "?") + time;
}

template <int D>
std::vector<std::string> joint_names(const RecordingDetails& recording) {
  std::vector<std::string> names;
  for (const RecordedJoint<D>& joint : recording.joints<D>()) names.push_back(joint.name);
  return names;
}

/// Recordings of other programs may have frames and nothing else.
void check_works(const std::string& file, CheckResult& result) {
  if (!RecordingReader(file).has_series("h")) return;
  const RecordingDetails details(file);
  const RecordingReader& frames = details.frames();
  result.motion = check_motion(details);
  const MotionCertificate& motion = result.motion;
  result.where_sum = where(motion.sum_error, frames.body_names(), frames);
  result.where_gravity = where(motion.gravity_error, frames.body_names(), frames);
  result.where_gain = where(motion.contact_gain, frames.body_names(), frames);
  result.where_joint =
      where(motion.joint_opening, frames.dimension() == 2 ? joint_names<2>(details) : joint_names<3>(details),
            frames);
}

CheckResult check_file(const CheckOptions& options) {
  try {
    const RecordingReader recording(options.recording);
    if (recording.frame_count() == 0) throw BadInput(options.recording + ": holds no frame");
    Progress progress({0, static_cast<double>(recording.frame_count())}, "frames",
                      options.quiet || options.json);
    CheckResult result;
    result.certificate = check_recording(recording, [&](std::size_t frames) {
      progress.show(static_cast<double>(frames));
      return true;
    });
    result.dimension = recording.dimension();
    result.recorded = recorded_trouble(recording);
    check_works(options.recording, result);
    const Certificate& c = result.certificate;
    result.faults = faults_of(options, result);
    result.ok = result.faults.empty();
    if (c.min_frame < 0) return result;
    result.time = recording.times()[c.min_frame];
    result.body_A = recording.body_names()[c.body_A];
    result.body_B = recording.body_names()[c.body_B];
    return result;
  } catch (const BadRecording& error) {
    throw BadInput(error.what());
  }
}

void print_json(const CheckOptions& options, const CheckResult& result) {
  const Certificate& c = result.certificate;
  JsonWriter w;
  w.open('{').key("recording").value(options.recording).key("frames").value(static_cast<double>(c.frames));
  w.key("pairs").value(static_cast<double>(c.pairs)).key("min_gap").value(c.min_gap);
  w.key("max_overlap").value(c.max_overlap).key("worst").open('{').key("time").value(result.time);
  w.key("bodies").open('[').value(result.body_A).value(result.body_B).close(']').close('}');
  w.key("tolerance").value(options.tolerance).key("energy_gained").value(result.recorded.energy_gained);
  w.key("energy_scale").value(result.recorded.energy_scale);
  w.key("joint_error").value(result.recorded.joint_error);
  if (result.motion.has_works) {
    w.key("works_error").value(result.motion.sum_error.value);
    w.key("gravity_error").value(result.motion.gravity_error.value);
    w.key("contact_gain").value(result.motion.contact_gain.value);
    w.key("joint_opening").value(result.motion.joint_opening.value);
    w.key("momentum_error").value(result.motion.momentum_error.value);
  }
  w.key("faults").open('[');
  for (const std::string& fault : result.faults) w.value(fault);
  w.close(']').key("ok").value(result.ok).close('}');
  std::printf("%s\n", w.text().c_str());
}

void print_text(const CheckOptions& options, const CheckResult& result) {
  const Certificate& c = result.certificate;
  std::printf("frames        %ld, with %ld pairs of bodies that may touch\n", c.frames, c.pairs);
  if (c.min_frame >= 0) {
    std::printf("minimum gap   %.3g m, %s and %s at %.4g s\n", c.min_gap, in_quotes(result.body_A).c_str(),
                in_quotes(result.body_B).c_str(), result.time);
  }
  std::printf("overlap       %.3g m^%d at most\n", c.max_overlap, result.dimension);
  std::printf("energy        %.3g J gained beyond work, as recorded (largest energy at play %.3g J)\n",
              result.recorded.energy_gained, result.recorded.energy_scale);
  if (result.recorded.joint_error > 0)
    std::printf("joints        open by %.2g m or rad at most, as recorded\n", result.recorded.joint_error);
  if (result.motion.has_works) {
    std::printf(
        "works         add up to the motion up to %.2g; contacts gave %.2g of the energy at play at most\n",
        std::max(result.motion.sum_error.value, result.motion.gravity_error.value),
        result.motion.contact_gain.value);
    std::printf("momentum      kept to %.2g of what was exchanged, as recorded\n",
                result.motion.momentum_error.value);
  }
  if (result.ok) std::printf("ok            no two bodies overlap by more than %.3g m\n", options.tolerance);
  for (const std::string& fault : result.faults) std::printf("FAILED        %s\n", fault.c_str());
}

int check(const CheckOptions& options) {
  if (!(options.energy_tolerance >= 0))
    throw BadInput("--energy-tolerance: expected a share of at least zero");
  if (!(options.joint_tolerance >= 0))
    throw BadInput("--joint-tolerance: expected a length of at least zero");
  if (!(options.momentum_tolerance >= 0))
    throw BadInput("--momentum-tolerance: expected a share of at least zero");
  if (!(options.tolerance >= 0)) throw BadInput("--tolerance: expected a length of at least zero");
  const CheckResult result = check_file(options);
  if (options.json) {
    print_json(options, result);
  } else if (!options.quiet) {
    print_text(options, result);
  }
  return result.ok ? kDone : kCheckFailed;
}

}  // namespace

void add_check(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = program.add_subcommand("check", "Recomputes gaps and overlaps from a recording alone");
  command->add_option("RECORDING", options->recording, "a recording, as made by run")
      ->option_text(" ")
      ->required();
  command->add_option("--tolerance", options->tolerance, "overlap that is forgiven [m] (1e-9)")
      ->option_text("LENGTH");
  command
      ->add_option("--energy-tolerance", options->energy_tolerance,
                   "energy gained in a step that is forgiven, share of the largest energy (0.01)")
      ->option_text("SHARE");
  command
      ->add_option("--joint-tolerance", options->joint_tolerance,
                   "opening of joints that is forgiven [m or rad] (0.01)")
      ->option_text("LENGTH");
  command
      ->add_option("--momentum-tolerance", options->momentum_tolerance,
                   "error of momentum in a step that is forgiven, share of what was exchanged (1e-6)")
      ->option_text("SHARE");
  command->add_flag("--json", options->json, "print the result as one JSON object");
  command->add_flag("-q,--quiet", options->quiet, "print nothing; the exit code tells");
  command->footer(kCheckExamples);
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace touchstone
