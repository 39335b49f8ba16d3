#include "touchstone/scene/scene_keys.h"

#include <cassert>
#include <map>

namespace touchstone {
namespace {

// clang-format off: a table, one row per key
constexpr SceneKey kKeys[] = {
    {"scene", "touchstone", "1", "required", "version of the format"},
    {"scene", "about", "text", "none", "one line that says what the scene shows"},
    {"scene", "dimension", "2 or 3", "required", "plane or space"},
    {"scene", "gravity", "D numbers", "9.81 down the last axis", "[m/s^2]"},
    {"scene", "step", "number", "0.005", "length of a step [s]"},
    {"scene", "duration", "number", "3", "how long to simulate [s]"},
    {"scene", "accuracy", "length", "0",
     "integrate to this accuracy of positions and locate every event; `step` is then the interval of output "
     "[m]; 0: "
     "fixed steps"},
    {"scene", "contact", "map", "see below", "how bodies touch"},
    {"scene", "materials", "map of maps", "none", "materials by name"},
    {"scene", "pairs", "list of maps", "none", "surfaces of pairs of materials, or of bodies"},
    {"scene", "bodies", "list of maps", "required", "the bodies"},
    {"scene", "generate", "map", "none", "more bodies, by a rule and a seed: list generators"},
    {"scene", "robots", "list of maps", "none", "robots from URDF files (3D)"},
    {"scene", "joints", "list of maps", "none", "the joints"},
    {"scene", "controllers", "list of maps", "none", "what drives the joints"},
    {"scene", "no_contact", "list of pairs of names", "none", "pairs of bodies that never touch"},
    {"scene", "allow_overlap", "true or false", "false", "take a scene that starts with overlapping bodies"},
    {"scene", "assemble", "true or false", "false",
     "move the bodies so that the joints close before the start"},

    {"contact", "model", "name", "plane", "contact model: list models"},
    {"contact", "formulation", "name", "stewart-trinkle", "equations of a step: list formulations"},
    {"contact", "solver", "name", "auto", "solver: list solvers"},
    {"contact", "tolerance", "number", "1e-12; 1e-10 with round cones in space",
     "residual that the solver aims at, relative"},
    {"contact", "accepted_residual", "number", "1e-9",
     "a step that missed the tolerance is taken up to here; it counts as relaxed"},
    {"contact", "iterations", "whole number", "0", "most iterations; 0: the solver's own limit"},
    {"contact", "relaxation", "number", "0", "of psor and jacobi; 0: the solver's own"},
    {"contact", "determinacy", "true or false", "false",
     "tell the pairs of bodies whose forces the rigid problem leaves open"},
    {"contact", "margin", "length", "0", "contacts further apart are left out [m]; 0: found from the speeds"},
    {"contact", "gap_tolerance", "length", "1e-9", "model plane: no gap of a step is below minus this [m]"},
    {"contact", "plane_rule", "name", "ca", "model plane: which plane separates a pair: ca or toi2"},
    {"contact", "max_updates", "whole number", "30",
     "model plane: evaluations of contacts before a step is halved"},
    {"contact", "max_halvings", "whole number", "10",
     "models plane, and peg, peg-printed, lnc with relinearise: how often a step may be halved"},
    {"contact", "choice", "name", "toi2",
     "models peg, peg-printed, lnc: which contact of several is held: toi2, toi, start, free"},
    {"contact", "strict", "true or false", "true", "these models: exchange contacts that push without need"},
    {"contact", "relinearise", "true or false", "false",
     "these models: evaluate contacts anew until no gap at the end of the step is below -gap_tolerance"},
    {"contact", "applicability_angle", "number", "0.4",
     "these models: how far a vertex may lean away from a facet [rad]"},
    {"contact", "feasibility_angle", "number", "0.4",
     "these models: fall of the region of feasibility [rad]"},
    {"contact", "feasibility_slack", "0 to 1", "0.05",
     "these models: depth that counts as above, share of the margin"},
    {"contact", "friction", "number or map", "0",
     "coefficient of friction; or two, `{static: 0.5, kinetic: 0.3}`: the law static-kinetic"},
    {"contact", "law", "name",
     "none without friction, else quadratic; in the plane, and where directions are given, linear",
     "none, linear, quadratic, no-slip, viscous or static-kinetic"},
    {"contact", "directions", "whole number", "8", "sides of the linear cone in space, from 3 on"},
    {"contact", "viscosity", "number", "0", "law viscous: force per sliding speed [N s/m]"},
    {"contact", "restitution", "0 to 1", "0", "coefficient of restitution"},
    {"contact", "restitution_law", "name", "newton", "newton or poisson"},
    {"contact", "stabilisation", "0 to 1", "1", "anitescu-potra: share of an overlap removed per step"},
    {"contact", "joint_stabilisation", "0 to 1", "1", "share of a joint's error removed per step"},
    {"contact", "correct_joints", "true or false", "false", "close the joints anew after each step"},
    {"contact", "joint_tolerance", "number", "0.01",
     "model plane: how far a step may leave a joint open, in radii of gyration of its bodies, angles in rad"},
    {"contact", "free_flight", "name", "exact; printed with models and formulations of papers",
     "bodies that nothing pushes move exactly, or as papers print it (g h t/2 too low): exact or printed"},
    {"contact", "impacts", "name", "located",
     "model plane: a pair that strikes alone gets one impulse at its time, or the step takes it in: located "
     "or "
     "merged"},

    {"material", "density", "number", "none", "[kg/m^3], in the plane [kg/m^2]"},
    {"material", "friction", "number or map", "that of contact", "of the material on itself"},
    {"material", "viscosity", "number", "that of contact", "[N s/m]"},
    {"material", "restitution", "0 to 1", "that of contact", "coefficient of restitution"},

    {"pair", "materials", "two names", "none", "the pair, if it is one of materials"},
    {"pair", "bodies", "two names", "none", "the pair, if it is one of bodies, whatever their materials are"},
    {"pair", "friction", "number or map", "mixed", "coefficient of friction, or two"},
    {"pair", "law", "name", "that of contact", "friction law"},
    {"pair", "directions", "whole number", "that of contact", "sides of the linear cone in space"},
    {"pair", "viscosity", "number", "mixed", "[N s/m]"},
    {"pair", "restitution", "0 to 1", "mixed", "coefficient of restitution"},
    {"pair", "restitution_law", "name", "that of contact", "newton or poisson"},

    {"friction", "static", "number", "required", "coefficient of bodies that stuck in the last step"},
    {"friction", "kinetic", "number", "required", "coefficient of bodies that slide; at most the static one"},

    {"body", "name", "text", "body-1, body-2, ...", "stands in messages, joints and recordings"},
    {"body", "shape", "shape", "none", "the body's shape: list shapes"},
    {"body", "parts", "list of maps", "none", "several convex shapes instead of one"},
    {"body", "material", "name", "none", "of all its parts"},
    {"body", "fixed", "true or false", "false", "does it never move?"},
    {"body", "mass", "number", "from the density", "[kg]"},
    {"body", "density", "number", "that of the material", "[kg/m^3], in the plane [kg/m^2]"},
    {"body", "inertia", "number", "from the shape", "about the centre of mass [kg m^2]", 2},
    {"body", "inertia", "3 numbers or 3 rows of 3", "from the shape",
     "about the centre of mass, body axes [kg m^2]", 3},
    {"body", "com", "D numbers", "from the shape", "centre of mass in the body frame [m]"},
    {"body", "position", "D numbers", "0", "of the body frame [m]"},
    {"body", "angle", "number", "0", "counter-clockwise [rad]", 2},
    {"body", "quaternion", "4 numbers", "1, 0, 0, 0", "w, x, y, z", 3},
    {"body", "axis_angle", "4 numbers", "none", "x, y, z of the axis, angle [rad]", 3},
    {"body", "euler", "3 numbers", "none", "angles about x, y, z [rad], R = Rz Ry Rx", 3},
    {"body", "velocity", "D numbers", "0", "of the centre of mass [m/s]"},
    {"body", "angular_velocity", "number", "0", "[rad/s]", 2},
    {"body", "angular_velocity", "3 numbers", "0", "world axes [rad/s]", 3},
    {"body", "force", "D numbers", "0", "constant, at the centre of mass, world axes [N]"},
    {"body", "torque", "number", "0", "constant [N m]", 2},
    {"body", "torque", "3 numbers", "0", "constant, world axes [N m]", 3},
    {"body", "script", "map", "none", "moves as told, whatever touches it"},
    {"body", "appear", "number", "0", "when it enters the scene [s]"},
    {"body", "groups", "name or list", "none", "collision groups it belongs to"},
    {"body", "ignores", "name or list", "none", "collision groups it never touches"},
    {"body", "repeat", "map", "none", "several bodies of the kind, in a row"},

    {"robot", "urdf", "text", "required", "the file, relative to the scene"},
    {"robot", "name", "text", "none", "stands before the names of its links and joints: name/link"},
    {"robot", "base", "name", "fixed", "fixed or free: does the root link stand still?"},
    {"robot", "joints", "map of numbers", "0", "values of joints at the start, by name [m or rad]"},
    {"robot", "self_contact", "true or false", "false", "may links of the robot touch each other?"},
    {"robot", "position", "D numbers", "0", "of the root link [m]"},
    {"robot", "quaternion", "4 numbers", "1, 0, 0, 0", "w, x, y, z", 3},
    {"robot", "axis_angle", "4 numbers", "none", "x, y, z of the axis, angle [rad]", 3},
    {"robot", "euler", "3 numbers", "none", "angles about x, y, z [rad], R = Rz Ry Rx", 3},

    {"generate", "kind", "name", "required", "the rule: list generators, which shows its other keys too"},
    {"generate", "seed", "whole number", "1", "from 0 on; the same seed gives the same bodies everywhere"},

    {"part", "shape", "shape", "required", "a convex shape"},
    {"part", "material", "name", "that of the body", "of this part"},
    {"part", "density", "number", "that of the body", "[kg/m^3], in the plane [kg/m^2]"},
    {"part", "position", "D numbers", "0", "in the body frame [m]"},
    {"part", "angle", "number", "0", "in the body frame [rad]", 2},
    {"part", "quaternion", "4 numbers", "1, 0, 0, 0", "w, x, y, z", 3},
    {"part", "axis_angle", "4 numbers", "none", "x, y, z of the axis, angle [rad]", 3},
    {"part", "euler", "3 numbers", "none", "angles about x, y, z [rad], R = Rz Ry Rx", 3},

    {"repeat", "count", "whole number", "required", "how many, from 1 on; names get -1, -2, ..."},
    {"repeat", "shift", "D numbers", "required", "from one to the next [m]"},

    {"script", "velocity", "D numbers", "0", "constant, of the body frame [m/s]"},
    {"script", "angular_velocity", "number", "0", "constant [rad/s]", 2},
    {"script", "angular_velocity", "3 numbers", "0", "constant, world axes [rad/s]", 3},
    {"script", "sinusoid", "map", "none", "swings about the given pose"},
    {"script", "waypoints", "list of maps", "none", "poses by time, straight between them"},

    {"sinusoid", "amplitude", "D numbers", "0", "[m]"},
    {"sinusoid", "turn", "number", "0", "amplitude of the angle [rad]", 2},
    {"sinusoid", "turn", "3 numbers", "0", "amplitude of the rotation vector, world axes [rad]", 3},
    {"sinusoid", "frequency", "number", "required", "[Hz]"},
    {"sinusoid", "phase", "number", "0", "[rad]; at phase 0 it starts from the middle"},

    {"waypoint", "time", "number", "required", "[s], ascending"},
    {"waypoint", "position", "D numbers", "that of the body", "of the body frame [m]"},
    {"waypoint", "angle", "number", "that of the body", "[rad]", 2},
    {"waypoint", "quaternion", "4 numbers", "that of the body", "w, x, y, z", 3},
    {"waypoint", "axis_angle", "4 numbers", "none", "x, y, z of the axis, angle [rad]", 3},
    {"waypoint", "euler", "3 numbers", "none", "angles about x, y, z [rad], R = Rz Ry Rx", 3},

    {"joint", "name", "text", "joint-1, joint-2, ...", "stands in messages and recordings"},
    {"joint", "kind", "name", "required",
     "fixed, revolute, prismatic; in space also cylindrical, spherical, universal, planar"},
    {"joint", "bodies", "two names", "required", "A and B; \"world\" for the world"},
    {"joint", "position", "D numbers", "that of body B", "of the joint in the world at the start [m]"},
    {"joint", "axis", "D numbers", "required where there is one",
     "in the world at the start; planar: the normal"},
    {"joint", "axis_2", "3 numbers", "required", "universal: the second axis, across the first", 3},
    {"joint", "frames", "two maps", "none", "the joint's frame in A and in B, instead of position and axis"},
    {"joint", "axes", "list of maps", "none",
     "limits, damping, motor and force of each value, where there are several"},
    {"joint", "limits", "two numbers", "none", "lowest and highest value [m or rad]; .inf: none"},
    {"joint", "limit_restitution", "number", "0", "of the limits, 0 to 1; only with `accuracy`"},
    {"joint", "damping", "number", "0", "[N s/m or N m s]"},
    {"joint", "motor", "map", "none", "holds a rate"},
    {"joint", "force", "number", "0", "constant, along the value [N or N m]"},
    {"joint", "collide", "true or false", "false", "may the two bodies touch each other?"},

    {"axis", "limits", "two numbers", "none", "lowest and highest value [m or rad]; .inf: none"},
    {"axis", "limit_restitution", "number", "0", "of the limits, 0 to 1; only with `accuracy`"},
    {"axis", "damping", "number", "0", "[N s/m or N m s]"},
    {"axis", "motor", "map", "none", "holds a rate"},
    {"axis", "force", "number", "0", "constant, along the value [N or N m]"},

    {"motor", "rate", "number", "required", "[m/s or rad/s]"},
    {"motor", "force", "number", "unlimited", "at most [N or N m]"},

    {"controller", "joint", "name", "required", "what it drives"},
    {"controller", "axis", "whole number", "0", "which value of the joint, from 0 on"},
    {"controller", "target", "number, or list of [time, value]", "required",
     "[m or rad]; straight between the times"},
    {"controller", "kp", "number", "required", "force per error [N/m or N m/rad]"},
    {"controller", "kd", "number", "0", "force per error of the rate [N s/m or N m s/rad]"},
    {"controller", "max_force", "number", "unlimited", "[N or N m]"},

    {"study", "study", "1", "required", "version of the format"},
    {"study", "about", "text", "none", "one line that says what the study shows"},
    {"study", "scenes", "name or list", "required", "named scenes, or files beside the study"},
    {"study", "models", "name or list", "that of the scene", "contact models"},
    {"study", "steps", "number or list", "that of the scene", "lengths of a step [s]"},
    {"study", "seeds", "whole number or list", "that of the scene",
     "of the scene's generator: how many from 1 on, or which"},
    {"study", "set", "map of values or lists", "none",
     "any other values of the scene, by path; each list is a direction of the grid"},
    {"study", "scaled", "map of numbers", "none", "values by path that grow with the step: factors of it"},
    {"study", "duration", "number", "that of the scene", "how long to simulate [s]"},
    {"study", "limit", "number", "none", "a run that takes longer is ended [s]"},
    {"study", "measures", "map of measures", "none", "more columns: FUNCTION(QUANTITY)"},
    {"study", "columns", "list of names", "those that do not depend on the machine",
     "columns from the summary of a run"},
    {"study", "keep_recordings", "true or false", "false", "keep the recording of each run"},
    {"study", "plots", "list of maps", "none", "pictures of the table"},

    {"plot", "file", "text", "required", "name of the picture, .png or .pdf"},
    {"plot", "title", "text", "none", "above the picture"},
    {"plot", "x", "name", "required without curves", "column along the axis"},
    {"plot", "y", "name", "required without curves",
     "column upwards; of several runs the median, with the quartiles"},
    {"plot", "lines", "name", "none", "column with one line for each value"},
    {"plot", "log", "true or false", "false", "logarithmic axes"},
    {"plot", "curves", "list of quantities", "none",
     "over time, from the recordings, one row of pictures each"},
    {"plot", "columns", "name", "none", "curves: column with one column of pictures for each value"},
    {"plot", "colour", "name", "none", "curves: column that gives the colour"},
    {"plot", "limits", "map of pairs", "none", "curves: lowest and highest value of a quantity"},
};
// clang-format on

/// By section and dimension.
using KeysBySection = std::map<std::pair<std::string_view, int>, std::vector<std::string>>;

KeysBySection sorted_keys() {
  KeysBySection made;
  for (const SceneKey& key : kKeys) {
    for (const int d : {2, 3}) {
      if (key.dimension == 0 || key.dimension == d) made[{key.section, d}].emplace_back(key.key);
    }
  }
  return made;
}

}  // namespace

std::span<const SceneKey> scene_keys() { return kKeys; }

const std::vector<std::string>& keys_of(std::string_view section, int dimension) {
  static const KeysBySection table = sorted_keys();
  const auto it = table.find({section, dimension});
  assert(it != table.end());
  return it->second;
}

}  // namespace touchstone
