#include "touchstone/apps/summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include "touchstone/scene/json_text.h"
#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

int body_count(const Scene& scene) {
  return std::visit([](const auto& content) { return static_cast<int>(content.world.bodies.size()); },
                    scene.content);
}

bool has_joints(const Scene& scene) {
  return std::visit([](const auto& content) { return !content.world.joints.empty(); }, scene.content);
}

/// The friction of all pairs of materials and of bodies: which laws, from which coefficient to which.
struct FrictionRange {
  std::set<FrictionLaw> laws;
  double least = std::numeric_limits<double>::infinity(), most = 0;

  void add(const Surface& surface) {
    const bool viscous = surface.friction == FrictionLaw::viscous;
    laws.insert(surface.friction);
    least = std::min(least, viscous ? surface.viscosity : sliding_mu(surface));
    most = std::max(most, viscous ? surface.viscosity : surface.mu);
  }
};

const char* text_of(FrictionLaw law) {
  switch (law) {
    case FrictionLaw::linear:
      return "linear";
    case FrictionLaw::quadratic:
      return "quadratic";
    case FrictionLaw::no_slip:
      return "no-slip";
    case FrictionLaw::viscous:
      return "viscous";
    case FrictionLaw::static_kinetic:
      return "static-kinetic";
    default:
      return "none";
  }
}

template <int D>
FrictionRange friction_in(const World<D>& world) {
  std::set<int> used;
  for (const ContactShape<D>& shape : world.shapes) used.insert(shape.material);
  FrictionRange range;
  for (const int a : used) {
    for (const int b : used) range.add(world.surfaces.of(a, b));
  }
  for (const auto& [bodies, surface] : world.surfaces.bodies()) range.add(surface);
  return range;
}

FrictionRange friction_of(const Scene& scene) {
  return std::visit([](const auto& content) { return friction_in(content.world); }, scene.content);
}

std::string laws_text(const FrictionRange& range) {
  std::string text;
  for (const FrictionLaw law : range.laws) text += (text.empty() ? "" : ", ") + std::string(text_of(law));
  return text;
}

void print_friction(const Scene& scene) {
  const FrictionRange range = friction_of(scene);
  if (range.laws.empty()) return;
  const std::string laws = laws_text(range);
  const bool no_slip = range.laws == std::set{FrictionLaw::no_slip};
  const char* unit =
      range.laws.contains(FrictionLaw::viscous) ? "coefficient or viscosity [N s/m]" : "coefficient";
  if (range.laws == std::set{FrictionLaw::none}) {
    std::printf("friction      none: bodies slide freely (--set contact.friction=0.5 changes it)\n");
  } else if (no_slip) {
    std::printf("friction      no-slip\n");
  } else if (range.least == range.most) {
    std::printf("friction      %s, %s %.4g\n", laws.c_str(), unit, range.most);
  } else {
    std::printf("friction      %s, %s %.4g to %.4g\n", laws.c_str(), unit, range.least, range.most);
  }
}

/// Which of the many answers of rigid friction the islands had, and what slid last.
void print_answers(const RunSummary& s) {
  if (s.friction_islands == 0) return;
  std::printf(
      "answers       %ld of %ld, of islands with contacts, are the ones meant; the others are not checked; "
      "%ld turns\n",
      s.canonical_islands, s.friction_islands, s.turns);
  if (s.pushing_pairs == 0) return;
  std::printf("sliding       %ld of %ld pairs of bodies that push each other, in the last step\n",
              s.sliding_pairs, s.pushing_pairs);
}

void print_undetermined(const RunSummary& s) {
  if (s.undetermined_pairs)
    std::printf("undetermined  the forces between %ld pairs of bodies, in the last step\n",
                *s.undetermined_pairs);
}

void print_head(const Scene& scene, const RunSummary& s) {
  const long steps = std::max(1L, s.steps);
  std::printf("%s in %dD, %d bodies, model %s, %s\n", scene.name.c_str(), scene.dimension, body_count(scene),
              scene.model.c_str(), scene.formulation.c_str());
  print_friction(scene);
  print_answers(s);
  print_undetermined(s);
  const long made = std::max(1L, s.steps - s.steps_before);
  const std::string last = s.steps_before > 0 ? ", the last " + std::to_string(made) + " steps" : "";
  std::printf("steps         %ld of %.4g s: %.4g s simulated%s in %.3g s, %.3g ms a step\n", s.steps,
              scene.settings.h, s.time, last.c_str(), s.wall_time,
              1e3 * s.wall_time / static_cast<double>(made));
  std::printf("contacts      %.3g a step on average, %ld at most\n",
              static_cast<double>(s.contacts) / static_cast<double>(steps), s.most_contacts);
}

void print_gap(const Scene& scene, const RunSummary& s) {
  if (std::isinf(s.min_gap)) {
    std::printf("minimum gap   no two bodies may touch\n");
    return;
  }
  std::printf("minimum gap   %.3g m, %s and %s at %.4g s\n", s.min_gap,
              in_quotes(s.min_gap_bodies[0]).c_str(), in_quotes(s.min_gap_bodies[1]).c_str(), s.min_gap_time);
  std::printf("overlap       %.3g m^%d at most\n", s.max_overlap, scene.dimension);
}

void print_balance(const Scene& scene, const RunSummary& s) {
  std::printf("energy        %.3g J gained beyond work (largest energy at play %.3g J)\n", s.energy_gained,
              s.energy_scale);
  if (s.drive_work != 0)
    std::printf("drives        %.3g J given by motors and controllers, less what dampers took\n",
                s.drive_work);
  if (std::isnan(s.momentum_error)) {
    std::printf("momentum      not checked: a joint is tied to what does not move by forces\n");
  } else {
    std::printf("momentum      kept to %.2g of what was exchanged, in the worst step\n", s.momentum_error);
  }
  std::printf("residual      %.2g in the worst step\n", s.residual);
  if (has_joints(scene)) std::printf("joints        open by %.2g m or rad at most\n", s.joint_error);
}

/// Of a run to an accuracy: "positions correct to 3e-11 m (asked: 1e-09) until 1.5 s".
void print_accuracy(const RunSummary& s) {
  const AccuracyReport& a = *s.accuracy;
  std::printf("accuracy      positions correct to %.2g m (asked: %.2g) until %.6g s%s%s\n", a.estimated,
              a.requested, a.trusted_until, a.reason.empty() ? "" : "; then ", a.reason.c_str());
  std::printf("events       ");
  for (const auto& [kind, count] : s.events) std::printf(" %s %ld", kind.c_str(), count);
  std::printf("%s; %ld steps of the integrator at %.0e\n", s.events.empty() ? " none" : "",
              a.integrator_steps, a.tolerance);
  if (a.force_indeterminacy > 0) {
    std::printf(
        "forces        %d of their dimensions are not determined by rigid bodies; the motion is the same\n",
        a.force_indeterminacy);
  }
}

void add_accuracy(const RunSummary& s, JsonWriter& w) {
  const AccuracyReport& a = *s.accuracy;
  w.key("accuracy").open('{').key("requested").value(a.requested).key("estimated").value(a.estimated);
  w.key("trusted_until").value(a.trusted_until).key("reason").value(a.reason);
  w.key("branch_points").value(a.branch_points).key("amplification").value(a.amplification);
  w.key("force_indeterminacy").value(a.force_indeterminacy).key("tolerance").value(a.tolerance);
  w.key("integrator_steps").value(static_cast<double>(a.integrator_steps)).close('}');
  w.key("events").open('{');
  for (const auto& [kind, count] : s.events) w.key(kind).value(static_cast<double>(count));
  w.close('}');
}

}  // namespace

void print_summary(const Scene& scene, const RunResult& result) {
  const RunSummary& s = result.summary;
  print_head(scene, s);
  print_gap(scene, s);
  if (s.accuracy) print_accuracy(s);
  print_balance(scene, s);
  if (s.located_impacts + s.merged_impacts > 0) {
    std::printf("impacts       %ld at their times, %ld merged with their steps", s.located_impacts,
                s.merged_impacts);
    if (s.dulled_impacts > 0) std::printf(", %ld without the bounce of their law", s.dulled_impacts);
    std::printf("\n");
  }
  std::printf("failed steps  %ld, relaxed steps %ld, divided steps %ld\n", s.failed_steps, s.relaxed_steps,
              s.divided_steps);
  std::printf("state hash    %s\n", s.state_hash.c_str());
  if (!result.recording.empty()) std::printf("recording     %s\n", result.recording.c_str());
  if (result.stopped) std::printf("stopped       by request, at %.4g s of %.4g s\n", s.time, scene.duration);
}

std::string summary_as_json(const Scene& scene, const RunResult& result) {
  const RunSummary& s = result.summary;
  const auto count = [](long n) { return static_cast<double>(n); };
  JsonWriter w;
  const FrictionRange friction = friction_of(scene);
  w.open('{').key("scene").value(scene.name).key("dimension").value(scene.dimension);
  w.key("friction").open('{').key("laws").open('[');
  for (const FrictionLaw law : friction.laws) w.value(text_of(law));
  w.close(']').key("least").value(friction.least).key("most").value(friction.most);
  w.key("islands").value(count(s.friction_islands)).key("canonical").value(count(s.canonical_islands));
  w.key("turns").value(count(s.turns)).key("pairs").value(count(s.pushing_pairs));
  w.key("sliding_pairs").value(count(s.sliding_pairs));
  if (s.undetermined_pairs) w.key("undetermined_pairs").value(count(*s.undetermined_pairs));
  w.close('}');
  w.key("steps").value(count(s.steps)).key("time").value(s.time).key("wall_time").value(s.wall_time);
  w.key("min_gap").value(s.min_gap).key("min_gap_time").value(s.min_gap_time);
  w.key("min_gap_bodies").open('[').value(s.min_gap_bodies[0]).value(s.min_gap_bodies[1]).close(']');
  w.key("max_overlap").value(s.max_overlap).key("energy_gained").value(s.energy_gained);
  w.key("energy_excess").value(s.energy_excess).key("largest_gain").value(s.largest_gain);
  w.key("joint_work").value(s.joint_work);
  w.key("drive_work").value(s.drive_work).key("energy_scale").value(s.energy_scale);
  w.key("momentum_error").value(s.momentum_error);
  w.key("residual").value(s.residual).key("joint_error").value(s.joint_error);
  w.key("contacts").value(count(s.contacts)).key("most_contacts").value(count(s.most_contacts));
  w.key("failed_steps").value(count(s.failed_steps)).key("relaxed_steps").value(count(s.relaxed_steps));
  w.key("divided_steps").value(count(s.divided_steps)).key("identity_error").value(s.identity_error);
  w.key("located_impacts").value(count(s.located_impacts));
  w.key("merged_impacts").value(count(s.merged_impacts));
  w.key("dulled_impacts").value(count(s.dulled_impacts)).key("fastest").value(s.fastest);
  w.key("state_hash").value(s.state_hash).key("recording").value(result.recording);
  w.key("stopped").value(result.stopped).key("message").value(s.message);
  if (s.accuracy) add_accuracy(s, w);
  w.key("warnings").open('[');
  for (const std::string& warning : result.warnings) w.value(warning);
  w.close(']').close('}');
  return w.text();
}

}  // namespace touchstone
