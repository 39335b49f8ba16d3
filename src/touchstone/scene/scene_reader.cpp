// The top of a scene file; bodies, joints and materials have readers of their own.

#include "touchstone/scene/body_reader.h"
#include "touchstone/scene/generators.h"
#include "touchstone/scene/ignored_options.h"
#include "touchstone/scene/import_scene.h"
#include "touchstone/scene/joint_reader.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/scene.h"
#include "touchstone/scene/scene_builder.h"
#include "touchstone/scene/scene_keys.h"
#include "touchstone/scene/scene_overrides.h"
#include "touchstone/scene/start_check.h"
#include "touchstone/scene/xml_text.h"
#include "touchstone/scene/yaml_text.h"
#include "touchstone/solve/solver.h"
#include "touchstone/stepping/build_world.h"

namespace touchstone {
namespace {

using nlohmann::json;

constexpr double kGravity = 9.81;       ///< [m/s^2] where the scene says nothing
constexpr double kDefaultStep = 0.005;  ///< [s]
/// [s] Shorter ones are lost in the round-off of the time that they are added to.
constexpr double kShortestStep = 1e-12;
constexpr double kRobotStep = 0.002;  ///< [s] of a scene that is a robot alone
/// Of a step: beyond, its parts are shorter than round-off lets time pass.
constexpr int kMostHalvings = 40;

template <class Entries>
std::vector<std::string> names_of(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.emplace_back(entry.name);
  return names;
}

/// The name in the field, one of a table's.
template <class Entries>
std::string read_name(const Field& field, const Entries& entries, const std::string& what) {
  const std::vector<std::string> names = names_of(entries);
  return names[read_choice(field, names, what)];
}

void read_solver(const Field& contact, StepSettings& settings) {
  if (const auto x = optional_member(contact, "solver")) settings.solver = read_name(*x, solvers(), "solver");
  if (const auto x = optional_member(contact, "tolerance"))
    settings.solve.tolerance = read_positive(*x, "a tolerance");
  if (const auto x = optional_member(contact, "accepted_residual"))
    settings.accepted_residual = read_not_negative(*x, "a residual");
  if (const auto x = optional_member(contact, "iterations"))
    settings.solve.max_iterations = read_count(*x, 0);
  if (const auto x = optional_member(contact, "relaxation"))
    settings.solve.relaxation = read_not_negative(*x, "a relaxation");
}

/// What only the model `plane` asks for.
void read_plane(const Field& contact, StepSettings& settings) {
  if (const auto x = optional_member(contact, "gap_tolerance"))
    settings.model.gap_tolerance = read_not_negative(*x, "a gap");
  if (const auto x = optional_member(contact, "plane_rule"))
    settings.model.plane_rule = plane_rule(read_name(*x, plane_rules(), "rule for planes"));
  if (const auto x = optional_member(contact, "max_updates")) settings.max_updates = read_count(*x, 1);
  if (const auto x = optional_member(contact, "max_halvings")) settings.max_halvings = read_count(*x, 0);
  if (settings.max_halvings > kMostHalvings) {
    refuse_value(contact.member("max_halvings"), "at most " + std::to_string(kMostHalvings));
  }
}

/// What only the models that choose between contacts ask for.
void read_peg(const Field& contact, StepSettings& settings) {
  if (const auto x = optional_member(contact, "choice"))
    settings.choice.rule = choice_rule(read_name(*x, choice_rules(), "rule of choice"));
  if (const auto x = optional_member(contact, "strict")) settings.choice.strict = read_flag(*x);
  if (const auto x = optional_member(contact, "relinearise")) settings.model.relinearise = read_flag(*x);
  FeatureTests& tests = settings.model.tests;
  if (const auto x = optional_member(contact, "applicability_angle"))
    tests.applicability_angle = read_not_negative(*x, "an angle");
  if (const auto x = optional_member(contact, "feasibility_angle"))
    tests.feasibility_angle = read_not_negative(*x, "an angle");
  if (const auto x = optional_member(contact, "feasibility_slack")) tests.feasibility_slack = read_share(*x);
}

void read_contact(const Field& contact, Scene& scene) {
  check_keys(contact, keys_of("contact", scene.dimension));
  StepSettings& settings = scene.settings;
  if (const auto x = optional_member(contact, "model"))
    scene.model = read_name(*x, contact_models(), "contact model");
  if (const auto x = optional_member(contact, "formulation"))
    scene.formulation = read_name(*x, formulations(), "formulation");
  read_solver(contact, settings);
  read_plane(contact, settings);
  read_peg(contact, settings);
  if (const auto x = optional_member(contact, "margin")) settings.margin = read_not_negative(*x, "a margin");
  if (const auto x = optional_member(contact, "stabilisation"))
    settings.formulation.stabilisation = read_share(*x);
  if (const auto x = optional_member(contact, "joint_stabilisation"))
    settings.joint_stabilisation = read_share(*x);
  if (const auto x = optional_member(contact, "correct_joints")) settings.correct_joints = read_flag(*x);
  if (const auto x = optional_member(contact, "joint_tolerance"))
    settings.joint_tolerance = read_not_negative(*x, "a tolerance");
  if (const auto x = optional_member(contact, "determinacy")) settings.determinacy = read_flag(*x);
  if (const auto x = optional_member(contact, "free_flight")) {
    const int way = read_choice(*x, {"exact", "printed"}, "free flight");
    settings.free_flight = way == 0 ? FreeFlight::exact : FreeFlight::printed;
  }
  if (const auto x = optional_member(contact, "impacts"))
    settings.impacts = static_cast<Impacts>(read_choice(*x, {"located", "merged"}, "impacts"));
}

template <int D>
void read_no_contact(const Field& list, World<D>& world) {
  if (!list.value.is_array()) refuse_value(list, "a list of pairs of bodies");
  for (int i = 0; i < static_cast<int>(list.value.size()); ++i) {
    const Field pair = list.element(i);
    if (!pair.value.is_array() || pair.value.size() != 2) refuse_value(pair, "a list of two bodies");
    const int a = read_body_name<D>(pair.element(0), world, false);
    const int b = read_body_name<D>(pair.element(1), world, false);
    world.excluded.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(world.excluded.begin(), world.excluded.end());
}

// ---- what only the whole can tell ------------------------------------------------------------------------

template <int D>
void close_joints(const Field& field, World<D>& world) {
  const auto assemble = optional_member(field, "assemble");
  if (assemble && read_flag(*assemble) && correct_joints(world.joints, world.bodies) < 0) {
    refuse(*assemble, "the joints cannot be closed");
  }
  for (int i = 0; i < static_cast<int>(world.joints.size()); ++i) {
    const std::string trouble = joint_trouble(world, i);
    if (!trouble.empty()) refuse(field.member("joints").element(i), trouble);
    measure_joint(world.joints[i], world.bodies);
    const std::string beyond = limit_trouble(world.joints[i]);
    if (!beyond.empty())
      refuse(field.member("joints").element(i), "joint " + in_quotes(world.joints[i].name) + ": " + beyond);
  }
}

/// Round cones in space are solved to this residual where none is asked for: what is left are contradictions
/// of contacts by the round-off of their places [docs/friction.md].
constexpr double kConeTolerance = 1e-10;

template <int D>
void settle_tolerance(const Field& field, const SurfaceTable& surfaces, StepSettings& settings) {
  const auto contact = optional_member(field, "contact");
  if (D == 2 || (contact && optional_member(*contact, "tolerance"))) return;
  for (const Surface& surface : surfaces.all())
    if (is_cone(surface) && surface.friction != FrictionLaw::linear)
      settings.solve.tolerance = kConeTolerance;
}

template <int D>
void read_content(const Field& field, const std::filesystem::path& folder, Scene& scene) {
  auto& content = scene.content.emplace<RunContent<D>>();
  content.world.gravity = -kGravity * Vec<D>::Unit(D - 1);
  if (const auto x = optional_member(field, "gravity"))
    content.world.gravity = read_vector<D>(*x, "components");
  const Materials materials = read_materials(field, D);
  content.world.surfaces = materials.surfaces;
  BodyContext<D> context{folder, materials, {}, {}};
  read_bodies<D>(required(field, "bodies", "a list of bodies"), context, content);
  if (const auto list = optional_member(field, "joints")) read_joints<D>(*list, content.world);
  if (const auto list = optional_member(field, "controllers")) read_controllers<D>(*list, content);
  if (const auto list = optional_member(field, "no_contact")) read_no_contact<D>(*list, content.world);
  read_body_surfaces<D>(field, materials, content.world);
  settle_tolerance<D>(field, content.world.surfaces, scene.settings);
  close_joints<D>(field, content.world);
  if (scene.allow_overlap) return;
  const std::string trouble = overlap_trouble(world_at_start(content));
  if (!trouble.empty()) refuse(field.member("bodies"), trouble);
}

double read_step(const Field& field) {
  const double h = read_positive(field, "a time");
  if (h < kShortestStep) refuse_value(field, "a time of at least 1e-12 s");
  return h;
}

void read_head(const Field& field, Scene& scene) {
  check_keys(field, keys_of("scene", 2));
  const Field version = required(field, "touchstone", "1, the version of the format");
  if (version.value != 1) refuse_value(version, "1, the version of the format");
  const Field dimension = required(field, "dimension", "2 or 3");
  if (dimension.value != 2 && dimension.value != 3) refuse_value(dimension, "2 or 3");
  scene.dimension = dimension.value.get<int>();
  scene.settings.h = kDefaultStep;
  if (const auto x = optional_member(field, "about")) scene.about = read_text(*x, "a line of text");
  if (const auto x = optional_member(field, "step")) scene.settings.h = read_step(*x);
  if (const auto x = optional_member(field, "accuracy"))
    scene.settings.accuracy = read_not_negative(*x, "a length");
  if (const auto x = optional_member(field, "duration")) scene.duration = read_not_negative(*x, "a time");
  if (const auto x = optional_member(field, "allow_overlap")) scene.allow_overlap = read_flag(*x);
}

void read_scene(const Field& field, const std::filesystem::path& folder, Scene& scene) {
  read_head(field, scene);
  scene.formulation = formulations().front().name;
  if (const auto contact = optional_member(field, "contact")) read_contact(*contact, scene);
  choose_formulation(scene.formulation, scene.settings.formulation);
  if (scene.dimension == 2) {
    read_content<2>(field, folder, scene);
  } else {
    read_content<3>(field, folder, scene);
  }
}

// ---- messages --------------------------------------------------------------------------------------------

std::string with_line(const std::string& name, int line) {
  return line > 0 ? name + ":" + std::to_string(line) : name;
}

/// Where a field was written: on a line of the file or on the command line.
std::string origin_of(const std::string& field, const SceneSource& source,
                      const std::vector<AppliedOverride>& applied) {
  for (auto it = applied.rbegin(); it != applied.rend(); ++it) {
    if (field.starts_with(it->field)) return "--set " + it->text;
  }
  const bool has_lines = source.has_lines && !looks_like_xml(source.text);
  return with_line(source.name, has_lines ? line_of_field(source.text, field) : 0);
}

/// What follows the name of a field in a message: "bodies[3].mass: expected" after "bodies[3]" is
/// "mass: expected".
std::string after_field(const std::string& message, const std::string& field) {
  if (!message.starts_with(field)) return message;
  return message.substr(std::min(message.size(), message.find_first_not_of(".: ", field.size())));
}

/// The whole message about a field. Of what a robot's file says, that file is named; a robot by itself is the
/// scene.
std::string message_of(const BadField& error, const SceneSource& source,
                       const std::vector<AppliedOverride>& applied, const ImportedRobots& robots) {
  for (const ImportedRobots::Origin& origin : robots.origins) {
    const bool within = error.where().starts_with(origin.field);
    if (within) return origin.place + ": " + after_field(error.what(), origin.field);
  }
  if (looks_like_xml(source.text) && error.where() == "robots[0].urdf")
    return after_field(error.what(), error.where());
  return origin_of(error.where(), source, applied) + ": " + error.what();
}

/// A robot alone: it hangs in the world by its base, and nothing drives it.
json robot_scene(const SceneSource& source) {
  const std::string file = std::filesystem::path(source.name).filename().string();
  json robot, scene;
  robot["urdf"] = file;
  scene = {{"touchstone", 1}, {"about", "the robot " + file}, {"dimension", 3}, {"step", kRobotStep}};
  scene["robots"].push_back(robot);
  return scene;
}

json read_yaml(const SceneSource& source) {
  if (looks_like_xml(source.text)) return robot_scene(source);
  try {
    return parse_yaml(source.text);
  } catch (const BadYaml& error) {
    throw BadScene(with_line(source.name, error.line()) + ": " + error.what());
  }
}

/// The model that the text names, or null where it leaves it open.
json model_named(const json& value) {
  const bool told = value.is_object() && value.contains("contact") && value["contact"].is_object();
  return told ? value["contact"].value("model", json()) : json();
}

/// One warning for each reason, with all fields that it concerns.
void tell(const IgnoredOption& option, std::vector<std::string>& warnings) {
  for (std::string& warning : warnings) {
    if (warning.starts_with(option.who)) {
      warning += ", " + option.field;
      return;
    }
  }
  warnings.push_back(option.who + " " + option.field);
}

/// Refuses or tells options that do nothing. `named`: the model of the text, before overrides.
void check_options(const json& text, const SceneSource& source, const json& named,
                   const std::vector<AppliedOverride>& applied, Scene& scene) {
  const bool another = scene.model != (named.is_string() ? named.get<std::string>() : kDefaultModel);
  const bool in_code = !source.has_lines && !another;
  for (const IgnoredOption& option : ignored_options(text, scene)) {
    const bool from_outside = std::any_of(applied.begin(), applied.end(), [&](const AppliedOverride& one) {
      return option.field.starts_with(one.field);
    });
    if ((from_outside || in_code) && source.ignored == IgnoredOptions::refused)
      throw BadField(option.field, option.field + ": " + option.why);
    tell(option, scene.warnings);
  }
}

}  // namespace

Scene parse_scene(const SceneSource& source) {
  json value = read_yaml(source);
  Scene scene;
  scene.text = source.text;
  scene.name = std::filesystem::path(source.name).stem().string();
  scene.overrides = source.overrides;
  std::vector<AppliedOverride> applied;
  ImportedRobots robots;
  try {
    value = import_scene(value, source.folder);
    const json named = model_named(value);
    for (const std::string& text : source.overrides) applied.push_back(apply_override(value, text));
    generate_bodies(value);
    robots = import_robots(value, source.folder);
    scene.warnings = robots.warnings;
    read_scene(Field{value, ""}, source.folder, scene);
    check_options(value, source, named, applied, scene);
    scene.settings = heard_settings(scene);
  } catch (const BadField& error) {
    throw BadScene(message_of(error, source, applied, robots));
  } catch (const BadInput& error) {
    throw BadScene(error.what());
  }
  return scene;
}

Scene make_scene(const json& value, const std::string& name, const std::vector<std::string>& overrides,
                 IgnoredOptions ignored) {
  // YAML contains JSON. One space of indentation: recorded texts are read by people, too.
  return parse_scene({value.dump(1), name, "", overrides, false, ignored});
}

template <int D>
World<D> make_world(const Scene& scene) {
  return world_at_start(std::get<RunContent<D>>(scene.content));
}

template World<2> make_world(const Scene&);
template World<3> make_world(const Scene&);

}  // namespace touchstone
