// Faulty scenes: each is refused with one message that names the line, the field, the expected value and,
// if there is one, the nearest valid name.

#include <gtest/gtest.h>

#include "touchstone/scene/scene.h"

namespace touchstone {
namespace {

struct FaultyScene {
  const char* name;
  const char* lines;    ///< below "touchstone: 1" and "dimension: 2": line 3 on
  const char* message;  ///< how the refusal begins
};

// clang-format off
const FaultyScene kFaulty[] = {
    {"unknown key", "gravty: [0, -9.81]\nbodies: []", "s.yaml:3: unknown key \"gravty\"; did you mean \"gravity\"?"},
    {"no bodies", "step: 0.1", "s.yaml:1: the key \"bodies\" is missing (a list of bodies)"},
    {"bodies no list", "bodies: {a: 1}", "s.yaml:3: bodies: expected a list of bodies, got an object with the key \"a\""},
    {"step zero", "step: 0\nbodies: []", "s.yaml:3: step: expected a time above zero, got 0"},
    {"step negative", "bodies: []\nstep: -0.1", "s.yaml:4: step: expected a time above zero, got -0.1"},
    {"step too short", "step: 1e-320\nbodies: []", "s.yaml:3: step: expected a time of at least 1e-12 s, got"},
    {"joint outside", "bodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{name: j, kind: revolute, bodies: [world, a], limits: [0.5, 1.5]}]", "s.yaml:4: joints[0]: joint \"j\": the value is 0 at the start, outside of its limits 0.5 to 1.5"},
    {"joint outside by its frames", "bodies: [{name: a, mass: 1, inertia: 1, angle: 2}]\njoints: [{kind: revolute, bodies: [world, a], limits: [-1, 1], frames: [{}, {}]}]", "s.yaml:4: joints[0]: joint \"joint-1\": the value is 2 at the start, outside of its limits -1 to 1"},
    {"step word", "bodies: []\nstep: fast", "s.yaml:4: step: expected a time above zero, got the text \"fast\""},
    {"step nan", "bodies: []\nstep: .nan", "s.yaml:4: step: expected a finite number"},
    {"step huge", "bodies: []\nstep: 1e999", "s.yaml:4: step: expected a finite number"},
    {"duration", "bodies: []\nduration: [3]", "s.yaml:4: duration: expected a time of at least zero, got a list of 1"},
    {"gravity size", "gravity: [0, 0, -9.81]\nbodies: []", "s.yaml:3: gravity: expected a list of 2 components, got a list of 3"},
    {"gravity inf", "gravity: [0, -.inf]\nbodies: []", "s.yaml:3: gravity[1]: expected a finite number"},
    {"model", "contact: {model: manifod}\nbodies: []", "s.yaml:3: contact.model: there is no contact model \"manifod\"; did you mean \"manifold\"?"},
    {"formulation", "contact:\n  formulation: stewart\nbodies: []", "s.yaml:4: contact.formulation: there is no formulation \"stewart\""},
    {"solver", "contact:\n  solver: lemkee\nbodies: []", "s.yaml:4: contact.solver: there is no solver \"lemkee\"; did you mean \"lemke\"?"},
    {"law", "contact: {law: lineer}\nbodies: []", "s.yaml:3: contact.law: there is no friction law \"lineer\"; did you mean \"linear\"?"},
    {"contact key", "contact: {frction: 0.2}\nbodies: []", "s.yaml:3: contact: unknown key \"frction\"; did you mean \"friction\"?"},
    {"contact no map", "contact: 3\nbodies: []", "s.yaml:3: contact: expected an object with the keys model"},
    {"friction negative", "contact: {friction: -1}\nbodies: []", "s.yaml:3: contact.friction: expected a coefficient of friction of at least zero, got -1"},
    {"restitution", "contact: {restitution: 1.5}\nbodies: []", "s.yaml:3: contact.restitution: expected a number from 0 to 1, got 1.5"},
    {"directions", "contact: {directions: 2}\nbodies: []", "s.yaml:3: contact.directions: expected a whole number from 3 to"},
    {"tolerance", "contact: {tolerance: 0}\nbodies: []", "s.yaml:3: contact.tolerance: expected a tolerance above zero, got 0"},
    {"allow_overlap", "allow_overlap: yes\nbodies: []", "s.yaml:3: allow_overlap: expected true or false, got the text \"yes\""},
    {"body no map", "bodies:\n  - 3", "s.yaml:4: bodies[0]: expected an object with the keys name"},
    {"body key", "bodies:\n  - {shape: {box: [1, 1]}, mas: 1}", "s.yaml:4: bodies[0]: unknown key \"mas\"; did you mean \"mass\"?"},
    {"body quaternion in 2D", "bodies:\n  - {shape: {box: [1, 1]}, mass: 1, quaternion: [1, 0, 0, 0]}", "s.yaml:4: bodies[0]: unknown key \"quaternion\""},
    {"shape name", "bodies:\n  - {shape: {bix: [1, 1]}, mass: 1}", "s.yaml:4: bodies[0].shape: unknown shape \"bix\"; did you mean \"box\"?"},
    {"shape size", "bodies:\n  - name: a\n    shape:\n      box: [1, -1]\n    mass: 1", "s.yaml:6: bodies[0].shape.box[1]: expected a positive length, got -1"},
    {"shape dimension", "bodies:\n  - {shape: {tetrahedron: 1}, mass: 1}", "s.yaml:4: bodies[0].shape.tetrahedron: there is no such shape in 2D, only in 3D"},
    {"mesh missing", "bodies:\n  - {shape: part.obj, mass: 1}", "s.yaml:4: bodies[0].shape: "},
    {"shape and parts", "bodies:\n  - {shape: {box: [1, 1]}, parts: [], mass: 1}", "s.yaml:4: bodies[0]: expected one of \"shape\" and \"parts\", got both"},
    {"parts empty", "bodies:\n  - {parts: [], mass: 1}", "s.yaml:4: bodies[0].parts: expected a list of parts, got an empty list"},
    {"part without shape", "bodies:\n  - {parts: [{position: [0, 0]}], mass: 1}", "s.yaml:4: bodies[0].parts[0]: the key \"shape\" is missing"},
    {"no mass", "bodies:\n  - {shape: {box: [1, 1]}}", "s.yaml:4: bodies[0]: its mass is missing: give \"mass\" or \"density\", or say fixed: true"},
    {"mass zero", "bodies:\n  - {shape: {box: [1, 1]}, mass: 0}", "s.yaml:4: bodies[0].mass: expected a mass above zero, got 0"},
    {"density", "bodies:\n  - {shape: {box: [1, 1]}, density: -2}", "s.yaml:4: bodies[0].density: expected a density above zero, got -2"},
    {"no shape, no inertia", "bodies:\n  - {mass: 1}", "s.yaml:4: bodies[0]: the key \"inertia\" is missing (of a body without a shape)"},
    {"inertia negative", "bodies:\n  - {mass: 1, inertia: -1}", "s.yaml:4: bodies[0].inertia: expected an inertia above zero, got -1"},
    {"com without inertia", "bodies:\n  - {shape: {box: [1, 1]}, mass: 1, com: [1, 0]}", "s.yaml:4: bodies[0]: the key \"inertia\" is missing (of a body whose com is given)"},
    {"half-space that falls", "bodies:\n  - {shape: {half_space: {normal: [0, 1]}}, mass: 1}", "s.yaml:4: bodies[0]: a half-space has no end and no mass; say fixed: true"},
    {"fixed with velocity", "bodies:\n  - {shape: {box: [1, 1]}, fixed: true, velocity: [1, 0]}", "s.yaml:4: bodies[0].velocity: the body is fixed or scripted"},
    {"fixed with script", "bodies:\n  - {shape: {box: [1, 1]}, fixed: true, script: {velocity: [1, 0]}}", "s.yaml:4: bodies[0]: a fixed body has no script"},
    {"script empty", "bodies:\n  - {shape: {box: [1, 1]}, script: {}}", "s.yaml:4: bodies[0].script: expected a motion"},
    {"script key", "bodies:\n  - {shape: {box: [1, 1]}, script: {sinus: 1}}", "s.yaml:4: bodies[0].script: unknown key \"sinus\"; did you mean \"sinusoid\"?"},
    {"script two", "bodies:\n  - {shape: {box: [1, 1]}, script: {velocity: [1, 0], waypoints: [{time: 0}]}}", "s.yaml:4: bodies[0].script: expected one motion"},
    {"waypoints order", "bodies:\n  - {shape: {box: [1, 1]}, script: {waypoints: [{time: 1}, {time: 1}]}}", "s.yaml:4: bodies[0].script.waypoints[1]: expected a time after"},
    {"material unknown", "materials: {ice: {}}\nbodies:\n  - {shape: {box: [1, 1]}, mass: 1, material: rice}", "s.yaml:5: bodies[0].material: there is no material \"rice\"; did you mean \"ice\"?"},
    {"material none", "bodies:\n  - {shape: {box: [1, 1]}, mass: 1, material: ice}", "s.yaml:4: bodies[0].material: the scene has no materials"},
    {"material key", "materials: {ice: {fricton: 0.1}}\nbodies: []", "s.yaml:3: materials.ice: unknown key \"fricton\"; did you mean \"friction\"?"},
    {"pair of one", "materials: {ice: {}}\npairs: [{materials: [ice]}]\nbodies: []", "s.yaml:4: pairs[0].materials: expected a list of two materials, got a list of 1"},
    {"pair of nobody", "pairs: [{friction: 0.5}]\nbodies: []", "s.yaml:3: pairs[0]: expected \"materials\" or \"bodies\", two names"},
    {"pair of both", "materials: {ice: {}}\npairs: [{materials: [ice, ice], bodies: [a, b]}]\nbodies: []", "s.yaml:4: pairs[0].bodies: a pair names materials or bodies, not both"},
    {"pair of an unknown body", "pairs:\n  - {bodies: [crate, crat]}\nbodies:\n  - {name: crate, mass: 1, inertia: 1}", "s.yaml:4: pairs[0].bodies[1]: there is no body \"crat\"; did you mean \"crate\"?"},
    {"pair of one body", "pairs:\n  - {bodies: [a, a]}\nbodies:\n  - {name: a, mass: 1, inertia: 1}", "s.yaml:4: pairs[0].bodies: expected two different bodies"},
    {"pair of three bodies", "pairs:\n  - {bodies: [a, b, c]}\nbodies: []", "s.yaml:4: pairs[0].bodies: expected a list of two bodies, got a list of 3"},
    {"pair of bodies twice", "pairs:\n  - {bodies: [a, b]}\n  - {bodies: [b, a], friction: 1}\nbodies:\n  - {name: a, mass: 1, inertia: 1}\n  - {name: b, mass: 1, inertia: 1}", "s.yaml:5: pairs[1].bodies: there is a pair of these two bodies already"},
    {"pair of bodies below zero", "pairs:\n  - {bodies: [a, b], friction: -1}\nbodies:\n  - {name: a, shape: {box: [1, 1]}, mass: 1}\n  - {name: b, shape: {box: [1, 1]}, mass: 1, position: [3, 0]}", "s.yaml:4: pairs[0].friction: expected a coefficient of friction of at least zero, got -1"},
    {"pair of bodies of several materials", "contact: {friction: 0.5}\nmaterials: {ice: {friction: 0.1}, tar: {friction: 0.9}}\npairs:\n  - {bodies: [a, b], restitution: 0.5}\nbodies:\n  - {name: a, parts: [{shape: {box: [1, 1]}, material: ice}, {shape: {box: [1, 1]}, material: tar, position: [1, 0]}], mass: 1}\n  - {name: b, shape: {box: [1, 1]}, mass: 1, position: [3, 0]}", "s.yaml:6: pairs[0]: the parts of these bodies are of several materials, which differ in what the pair does not say: say it"},
    {"kinetic beyond static", "contact: {friction: {static: 0.3, kinetic: 0.4}}\nbodies: []", "s.yaml:3: contact.friction.kinetic: expected at most the static coefficient, got 0.4"},
    {"static alone", "contact: {friction: {static: 0.3}}\nbodies: []", "s.yaml:3: contact.friction"},
    {"two coefficients of another law", "contact: {friction: {static: 0.3, kinetic: 0.2}, law: linear}\nbodies: []", "s.yaml:3: contact.law: expected static-kinetic, the law of a static and a kinetic coefficient, got the text \"linear\""},
    {"appear", "bodies:\n  - {shape: {box: [1, 1]}, mass: 1, appear: -1}", "s.yaml:4: bodies[0].appear: expected a time of at least zero, got -1"},
    {"two of a name", "bodies:\n  - {name: a, mass: 1, inertia: 1}\n  - {name: a, mass: 1, inertia: 1}", "s.yaml:5: bodies[1]: there are two bodies named \"a\""},
    {"name of the world", "bodies:\n  - {name: world, mass: 1, inertia: 1}", "s.yaml:4: bodies[0]: a body cannot be named \"world\""},
    {"repeat", "bodies:\n  - {name: a, mass: 1, inertia: 1, repeat: {count: 0, shift: [1, 0]}}", "s.yaml:4: bodies[0].repeat.count: expected a whole number from 1"},
    {"repeat millions", "bodies:\n  - {name: a, mass: 1, inertia: 1, repeat: {count: 900000, shift: [1, 0]}}", "s.yaml:4: bodies[0].repeat.count: expected at most 100000"},
    {"joint kind", "bodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{kind: revolut, bodies: [world, a]}]", "s.yaml:4: joints[0].kind: there is no kind of joint in the plane \"revolut\"; did you mean \"revolute\"?"},
    {"joint in space", "bodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{kind: spherical, bodies: [world, a]}]", "s.yaml:4: joints[0].kind: there is no kind of joint in the plane \"spherical\""},
    {"joint body", "bodies: [{name: arm, mass: 1, inertia: 1}]\njoints: [{kind: revolute, bodies: [world, arn]}]", "s.yaml:4: joints[0].bodies[1]: there is no body \"arn\"; did you mean \"arm\"?"},
    {"joint to itself", "bodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{kind: revolute, bodies: [a, a]}]", "s.yaml:4: joints[0].bodies: expected two different bodies"},
    {"joint of fixed", "bodies: [{name: a, fixed: true, shape: {box: [1, 1]}}]\njoints: [{kind: revolute, bodies: [world, a]}]", "s.yaml:4: joints[0].bodies: neither of the two moves by forces"},
    {"joint axis missing", "bodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{kind: prismatic, bodies: [world, a]}]", "s.yaml:4: joints[0]: the key \"axis\" is missing"},
    {"joint axis zero", "bodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{kind: prismatic, bodies: [world, a], axis: [0, 0]}]", "s.yaml:4: joints[0].axis: expected a direction, got zero"},
    {"joint limits", "bodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{kind: revolute, bodies: [world, a], limits: [1, -1]}]", "s.yaml:4: joints[0].limits: expected the lower limit first"},
    {"joint axes", "bodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{kind: fixed, bodies: [world, a], damping: 1}]", "s.yaml:4: joints[0].damping: the joint has 0 values"},
    {"joint motor", "bodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{kind: revolute, bodies: [world, a], motor: {force: 1}}]", "s.yaml:4: joints[0].motor: the key \"rate\" is missing"},
    {"controller joint", "bodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{name: hinge, kind: revolute, bodies: [world, a]}]\ncontrollers: [{joint: hing, target: 1, kp: 1}]", "s.yaml:5: controllers[0].joint: there is no joint \"hing\"; did you mean \"hinge\"?"},
    {"controller target", "bodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{name: hinge, kind: revolute, bodies: [world, a]}]\ncontrollers: [{joint: hinge, target: [[1, 2], [0, 3]], kp: 1}]", "s.yaml:5: controllers[0].target[1]: expected a time after the one before"},
    {"no_contact", "bodies: [{name: a, mass: 1, inertia: 1}]\nno_contact: [[a, b]]", "s.yaml:4: no_contact[0][1]: there is no body \"b\""},
    {"key twice", "bodies: []\nbodies: []", "s.yaml:4: the key \"bodies\" is given twice"},
    {"broken yaml", "bodies: [1, 2\n", "s.yaml:4: not YAML: "},
};
// clang-format on

std::string refusal(const std::string& text) {
  try {
    parse_scene(text, "s.yaml");
  } catch (const BadScene& error) {
    return error.what();
  }
  return "it was accepted";
}

TEST(SceneRefusal, FaultyScenesAreRefusedWithLineFieldAndExpectation) {
  EXPECT_GE(std::size(kFaulty), 60u);
  for (const FaultyScene& faulty : kFaulty) {
    const std::string message = refusal(std::string("touchstone: 1\ndimension: 2\n") + faulty.lines);
    EXPECT_TRUE(message.starts_with(faulty.message))
        << faulty.name << "\n  said     " << message << "\n  expected " << faulty.message;
  }
}

TEST(SceneRefusal, TheHeadIsCheckedFirst) {
  EXPECT_EQ(refusal("dimension: 2\nbodies: []"),
            "s.yaml:1: the key \"touchstone\" is missing (1, the version of the format)");
  EXPECT_EQ(refusal("touchstone: 2\ndimension: 2\nbodies: []"),
            "s.yaml:1: touchstone: expected 1, the version of the format, got 2");
  EXPECT_EQ(refusal("touchstone: 1\ndimension: 4\nbodies: []"),
            "s.yaml:2: dimension: expected 2 or 3, got 4");
  EXPECT_EQ(refusal("touchstone: 1\nbodies: []"), "s.yaml:1: the key \"dimension\" is missing (2 or 3)");
  EXPECT_EQ(refusal("").substr(0, 22), "s.yaml: expected an ob");
  EXPECT_NE(refusal("just words").find("expected an object"), std::string::npos);
}

TEST(SceneRefusal, SpaceHasFaultsOfItsOwn) {
  const auto in_space = [](const std::string& lines) {
    return refusal("touchstone: 1\ndimension: 3\n" + lines);
  };
  EXPECT_EQ(in_space("bodies:\n  - {shape: {cube: 1}, mass: 1, quaternion: [0, 0, 0, 0]}"),
            "s.yaml:4: bodies[0].quaternion: expected a quaternion, got zero");
  EXPECT_EQ(in_space("bodies:\n  - {shape: {cube: 1}, mass: 1, euler: [0, 0, 1], axis_angle: [0, 0, 1, 2]}"),
            "s.yaml:4: bodies[0]: expected one of \"axis_angle\" and \"euler\", got both");
  EXPECT_EQ(
      in_space("bodies:\n  - {mass: 1, inertia: [1, 1, 3]}"),
      "s.yaml:4: bodies[0].inertia: no body has such an inertia: one principal moment exceeds the sum of the "
      "other two");
  EXPECT_EQ(in_space("bodies:\n  - {mass: 1, inertia: [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}"),
            "s.yaml:4: bodies[0].inertia: expected a symmetric matrix");
  EXPECT_EQ(
      in_space(
          "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\njoints: [{kind: universal, bodies: [world, a], "
          "axis: [1, 0, 0], axis_2: [1, 1, 0]}]"),
      "s.yaml:4: joints[0].axis_2: expected an axis across the first");
}

TEST(SceneRefusal, OverridesAreNamedAsTheyWereTyped) {
  const std::string text = "touchstone: 1\ndimension: 2\nbodies: [{name: crate, mass: 1, inertia: 1}]\n";
  const auto with = [&](const std::string& set) {
    try {
      parse_scene({text, "s.yaml", "", {set}});
    } catch (const BadScene& error) {
      return std::string(error.what());
    }
    return std::string("it was accepted");
  };
  EXPECT_EQ(with("contact.fricton=0.3"),
            "--set contact.fricton=0.3: contact: unknown key \"fricton\"; did you mean \"friction\"?");
  EXPECT_EQ(with("bodies.crate.mass=-2"),
            "--set bodies.crate.mass=-2: bodies[0].mass: expected a mass above zero, got -2");
  EXPECT_EQ(with("bodies.crat.mass=2"),
            "--set bodies.crat.mass=2: there is no \"crat\"; did you mean \"crate\"?");
  EXPECT_EQ(with("step"), "--set step: expected PATH=VALUE, such as contact.friction=0.3");
  EXPECT_EQ(with("a..b=3"), "--set a..b=3: expected a path such as bodies.crate.mass");
}

TEST(SceneRefusal, FilesThatAreNotThereAreNamed) {
  const auto loading = [](const std::string& word) {
    try {
      load_scene(word);
    } catch (const BadScene& error) {
      return std::string(error.what());
    }
    return std::string("it was accepted");
  };
  EXPECT_EQ(loading("/nowhere/scene.yaml"), "/nowhere/scene.yaml: there is no such file");
  EXPECT_EQ(
      loading("boxstack"),
      "there is no scene \"boxstack\"; did you mean \"box-stack\"? (touchstone list scenes shows them)");
  EXPECT_EQ(loading("/tmp"), "/tmp: expected a scene file, not a folder");
}

}  // namespace
}  // namespace touchstone
