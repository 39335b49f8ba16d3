#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "touchstone/scene/scene.h"

namespace touchstone {
namespace {

constexpr double kPi = std::numbers::pi;

/// A scene in space with these lines below its head.
std::string in_space(const std::string& lines) { return "touchstone: 1\ndimension: 3\n" + lines; }
std::string in_plane(const std::string& lines) { return "touchstone: 1\ndimension: 2\n" + lines; }

template <int D>
World<D> world_of(const std::string& text) {
  return make_world<D>(parse_scene(text, "test.yaml"));
}

TEST(SceneReader, TheSceneOfTheContractIsReadAsItIsMeant) {
  const Scene scene = parse_scene(
      "touchstone: 1\n"
      "dimension: 2\n"
      "gravity: [0, -9.81]\n"
      "step: 0.005\n"
      "duration: 3\n"
      "contact: {model: plane, friction: 0.0}\n"
      "bodies:\n"
      "  - {name: table, shape: {box: [4, 1]}, fixed: true, position: [0, -0.5]}\n"
      "  - {name: crate, shape: {box: [1, 1]}, mass: 1, position: [-0.7, 0.5], velocity: [1.5, 0]}\n",
      "slide.yaml");
  EXPECT_EQ(scene.name, "slide");
  EXPECT_EQ(scene.dimension, 2);
  EXPECT_EQ(scene.settings.h, 0.005);
  EXPECT_EQ(scene.duration, 3);
  EXPECT_EQ(scene.model, "plane");
  const World<2> world = make_world<2>(scene);
  ASSERT_EQ(world.bodies.size(), 2u);
  EXPECT_EQ(world.gravity, Vec<2>(0, -9.81));
  EXPECT_EQ(world.bodies[0].kind, BodyKind::fixed);
  const Body<2>& crate = world.bodies[1];
  EXPECT_EQ(crate.name, "crate");
  EXPECT_EQ(crate.mass, 1);
  EXPECT_NEAR(crate.inertia(0, 0), 1.0 / 6, 1e-16);
  EXPECT_EQ(crate.com, Vec<2>::Zero()) << "a box about the origin has its centre there, to the last bit";
  EXPECT_EQ(crate.position, Vec<2>(-0.7, 0.5));
  EXPECT_EQ(crate.velocity, (Twist<2>() << 1.5, 0, 0).finished());
  EXPECT_EQ(world.surfaces.of(0, 0).friction, FrictionLaw::none);
}

TEST(SceneReader, MassesOfShapesAreThoseOfTheBooks) {
  const World<3> world = world_of<3>(
      in_space("bodies:\n"
               "  - {name: ball, shape: {sphere: 0.5}, density: 1000}\n"
               "  - {name: brick, shape: {box: [1, 2, 3]}, mass: 12, position: [9, 0, 0]}\n"
               "  - {name: point, mass: 2, inertia: [1, 2, 2.5], position: [20, 0, 0], com: [0.1, 0, 0]}\n"));
  const double mass = 1000 * 4 * kPi / 3 * 0.125;
  EXPECT_NEAR(world.bodies[0].mass, mass, 1e-12 * mass);
  EXPECT_NEAR(world.bodies[0].inertia(1, 1), 0.4 * mass * 0.25, 1e-12 * mass);
  const SpinMat<3> expected = Vec<3>(13, 10, 5).asDiagonal();  // m (b^2 + c^2)/12
  EXPECT_LT((world.bodies[1].inertia - expected).norm(), 1e-13);
  EXPECT_EQ(world.bodies[1].inertia(0, 1), 0) << "a box has no products of inertia, to the last bit";
  EXPECT_EQ(world.bodies[2].inertia, SpinMat<3>(Vec<3>(1, 2, 2.5).asDiagonal()));
  EXPECT_EQ(world.bodies[2].position, Vec<3>(20.1, 0, 0)) << "the state is that of the centre of mass";
}

TEST(SceneReader, PartsAreSummedByTheParallelAxisTheorem) {
  // A hammer: a handle of 1 kg along x and a head of 2 kg at its end, turned by a quarter.
  const World<3> world = world_of<3>(in_space(
      "bodies:\n"
      "  - name: hammer\n"
      "    parts:\n"
      "      - {shape: {box: [1, 0.1, 0.1]}, density: 100}\n"
      "      - {shape: {box: [0.4, 0.2, 0.25]}, density: 100, position: [0.6, 0, 0], axis_angle: [0, 0, 1, "
      "1.5707963267948966]}\n"));
  const Body<3>& body = world.bodies[0];
  EXPECT_NEAR(body.mass, 3, 1e-13);
  EXPECT_LT((body.com - Vec<3>(0.4, 0, 0)).norm(), 1e-14);
  const double handle = (0.01 + 1) / 12 + 0.16, head = 2 * (0.04 + 0.16) / 12 + 2 * 0.04;
  EXPECT_NEAR(body.inertia(2, 2), handle + head, 1e-13);
  ASSERT_EQ(world.shapes.size(), 2u);
  EXPECT_LT((world.shapes[1].X_CS.p - Vec<3>(0.2, 0, 0)).norm(), 1e-14) << "parts are placed about the com";
  // The body frame itself stands where the scene says.
  EXPECT_LT(body.X_WB().p.norm(), 1e-15);
}

TEST(SceneReader, EveryWayToTellAnOrientationTurnsTheSame) {
  const World<3> world =
      world_of<3>(in_space("allow_overlap: true\n"
                           "bodies:\n"
                           "  - {name: a, shape: {cube: 1}, mass: 1, quaternion: [0.9800665778412416, 0, 0, "
                           "0.19866933079506122]}\n"
                           "  - {name: b, shape: {cube: 1}, mass: 1, axis_angle: [0, 0, 2, 0.4]}\n"
                           "  - {name: c, shape: {cube: 1}, mass: 1, euler: [0, 0, 0.4]}\n"));
  const Mat<3> R = rotation(Vec<3>::UnitZ(), 0.4);
  for (const Body<3>& body : world.bodies) EXPECT_LT((body.attitude.matrix() - R).norm(), 1e-15) << body.name;
  const World<2> flat =
      world_of<2>(in_plane("bodies: [{name: a, shape: {box: [1, 1]}, mass: 1, angle: 7.5}]\n"));
  EXPECT_EQ(flat.bodies[0].attitude.angle, 7.5) << "full turns are kept";
}

TEST(SceneReader, SurfacesOfPairsAreTakenFromPairsOrMixed) {
  const World<2> world =
      world_of<2>(in_plane("contact: {friction: 0.3, restitution: 0.1}\n"
                           "materials:\n"
                           "  ice: {friction: 0.04}\n"
                           "  rubber: {friction: 0.81, restitution: 0.5}\n"
                           "  tar: {viscosity: 2}\n"
                           "pairs:\n"
                           "  - {materials: [tar, tar], law: viscous}\n"
                           "  - {materials: [rubber, tar], friction: 0, law: no-slip}\n"
                           "bodies:\n"
                           "  - {shape: {box: [1, 1]}, mass: 1, material: rubber}\n"));
  // Materials by name: 1 ice, 2 rubber, 3 tar; 0 is what names none.
  EXPECT_EQ(world.shapes[0].material, 2);
  EXPECT_EQ(world.surfaces.of(0, 0).mu, 0.3);
  EXPECT_EQ(world.surfaces.of(0, 0).friction, FrictionLaw::linear);
  EXPECT_NEAR(world.surfaces.of(1, 2).mu, 0.18, 1e-15);
  EXPECT_EQ(world.surfaces.of(1, 2).bounce, 0.5);
  EXPECT_EQ(world.surfaces.of(1, 1).bounce, 0.1);
  EXPECT_EQ(world.surfaces.of(3, 3).friction, FrictionLaw::viscous);
  EXPECT_EQ(world.surfaces.of(2, 3).friction, FrictionLaw::no_slip);
  EXPECT_EQ(world.surfaces.of(3, 2).friction, FrictionLaw::no_slip);
}

TEST(SceneReader, PairsOfBodiesGoBeforePairsOfMaterials) {
  const World<3> world = world_of<3>(
      in_space("contact: {friction: 0.3, restitution: 0.1}\n"
               "materials: {ice: {friction: 0.04}, rubber: {friction: {static: 0.81, kinetic: 0.49}}}\n"
               "pairs:\n"
               "  - {bodies: [b, a], friction: 0.7}\n"
               "  - {bodies: [a, c], friction: {static: 0.5, kinetic: 0.4}}\n"
               "bodies:\n"
               "  - {name: a, shape: {box: [1, 1, 1]}, mass: 1, material: ice}\n"
               "  - {name: b, shape: {box: [1, 1, 1]}, mass: 1, material: ice, position: [3, 0, 0]}\n"
               "  - {name: c, shape: {box: [1, 1, 1]}, mass: 1, material: rubber, position: [6, 0, 0]}\n"));
  EXPECT_EQ(world.surfaces.of_bodies(1, 2), nullptr);
  const Surface &ab = world.surfaces.at({1, 1}, {1, 0}), &ac = world.surfaces.at({1, 2}, {0, 2});
  EXPECT_EQ(ab.mu, 0.7);
  EXPECT_EQ(ab.bounce, 0.1) << "what the pair does not say";
  EXPECT_EQ(ab.friction, FrictionLaw::quadratic);
  EXPECT_EQ(ac.friction, FrictionLaw::static_kinetic);
  EXPECT_EQ(ac.mu, 0.5);
  EXPECT_EQ(ac.kinetic, 0.4);
  const Surface& bc = world.surfaces.at({1, 2}, {1, 2});
  EXPECT_EQ(bc.friction, FrictionLaw::static_kinetic) << "of ice and rubber";
  EXPECT_NEAR(bc.mu, 0.18, 1e-15);
  EXPECT_NEAR(bc.kinetic, 0.14, 1e-15);
}

TEST(SceneReader, JointsStandWhereTheWorldSaysAndStartAtZero) {
  const World<3> world = world_of<3>(in_space(
      "bodies:\n"
      "  - {name: arm, shape: {box: [1, 0.1, 0.1]}, mass: 1, position: [0.5, 0, 1], euler: [0.3, 0, 0]}\n"
      "  - {name: hand, shape: {box: [0.2, 0.1, 0.1]}, mass: 1, position: [1.2, 0, 1]}\n"
      "joints:\n"
      "  - {name: hinge, kind: revolute, bodies: [world, arm], position: [0, 0, 1], axis: [0, 2, 0], limits: "
      "[-1, .inf], damping: 0.5}\n"
      "  - {name: wrist, kind: universal, bodies: [arm, hand], position: [1.1, 0, 1], axis: [0, 1, 0], "
      "axis_2: "
      "[0, 0, 1], axes: [{limits: [-0.5, 0.5]}, {motor: {rate: 2, force: 3}}]}\n"));
  ASSERT_EQ(world.joints.size(), 2u);
  for (const Joint<3>& joint : world.joints) {
    for (const Row<3>& row : joint_equations(joint, world.bodies).rows) EXPECT_NEAR(row.offset, 0, 1e-15);
    for (const double value : joint.value) EXPECT_NEAR(value, 0, 1e-15);
  }
  const Joint<3>& hinge = world.joints[0];
  EXPECT_EQ(hinge.body_A, -1);
  EXPECT_LT((hinge.X_AJ.R.col(2) - Vec<3>::UnitY()).norm(), 1e-15);
  EXPECT_EQ(hinge.axes[0].lower, -1);
  EXPECT_TRUE(std::isinf(hinge.axes[0].upper));
  EXPECT_EQ(hinge.axes[0].damping, 0.5);
  const Joint<3>& wrist = world.joints[1];
  EXPECT_EQ(wrist.axes[0].upper, 0.5);
  EXPECT_TRUE(wrist.axes[1].motor);
  EXPECT_EQ(wrist.axes[1].motor_rate, 2);
  EXPECT_EQ(wrist.axes[1].motor_force, 3);
}

TEST(SceneReader, AnOpenJointIsRefusedOrAssembled) {
  const std::string lines =
      "bodies: [{name: rod, shape: {box: [1, 0.1]}, mass: 1, position: [0.6, 0]}]\n"
      "joints:\n"
      "  - {kind: revolute, bodies: [world, rod], frames: [{position: [0, 0]}, {position: [-0.5, 0]}]}\n";
  try {
    world_of<2>(in_plane(lines));
    FAIL() << "an open joint was accepted";
  } catch (const BadScene& error) {
    EXPECT_EQ(std::string(error.what()).find("test.yaml:5: joints[0]: the joint is open by 0.1"), 0u)
        << error.what();
  }
  const World<2> closed = world_of<2>(in_plane("assemble: true\n" + lines));
  EXPECT_LT((closed.bodies[0].position - Vec<2>(0.5, 0)).norm(), 1e-11);
}

TEST(SceneReader, ScriptsMoveAsTheySay) {
  const World<2> world = world_of<2>(in_plane(
      "allow_overlap: true\n"
      "bodies:\n"
      "  - {name: belt, shape: {box: [1, 1]}, position: [1, 2], angle: 0.5, script: {velocity: [3, 0], "
      "angular_velocity: 2}}\n"
      "  - {name: shaker, shape: {box: [1, 1]}, position: [1, 0], script: {sinusoid: {amplitude: [0.1, 0], "
      "frequency: 2, turn: 0.2}}}\n"
      "  - {name: lift, shape: {box: [1, 1]}, position: [5, 0], script: {waypoints: [{time: 1}, {time: 3, "
      "position: "
      "[5, 4], angle: 8}]}}\n"));
  const auto at = [&](int body, double t) { return world.bodies[body].script(t); };
  EXPECT_LT((at(0, 2).p - Vec<2>(7, 2)).norm(), 1e-15);
  EXPECT_LT((at(0, 2).R - rotation(4.5)).norm(), 1e-15);
  EXPECT_LT((at(1, 0.125).p - Vec<2>(1.1, 0)).norm(), 1e-15) << "a quarter of the period";
  EXPECT_LT((at(1, 0.125).R - rotation(0.2)).norm(), 1e-15);
  EXPECT_LT((at(2, 0).p - Vec<2>(5, 0)).norm(), 1e-15);
  EXPECT_LT((at(2, 2).p - Vec<2>(5, 2)).norm(), 1e-15);
  EXPECT_LT((at(2, 2).R - rotation(4)).norm(), 1e-14) << "full turns are made, not cut short";
  EXPECT_LT((at(2, 9).p - Vec<2>(5, 4)).norm(), 1e-15);
}

TEST(SceneReader, RepeatedAndLateBodiesComeInOrder) {
  const Scene scene =
      parse_scene(in_plane("bodies:\n"
                           "  - {name: late, shape: {box: [1, 1]}, mass: 1, appear: 2}\n"
                           "  - {name: box, shape: {box: [1, 1]}, mass: 1, position: [5, 0], repeat: "
                           "{count: 3, shift: [0, 2]}}\n"
                           "joints: [{kind: revolute, bodies: [box-1, late]}]\n"
                           "no_contact: [[late, box-2]]\n"),
                  "test.yaml");
  const World<2> world = make_world<2>(scene);
  ASSERT_EQ(world.bodies.size(), 3u) << "one comes later";
  EXPECT_EQ(world.bodies[2].name, "box-3");
  EXPECT_EQ(world.bodies[2].position, Vec<2>(5, 4));
  EXPECT_TRUE(world.joints.empty());
  EXPECT_TRUE(world.excluded.empty());
  const auto& content = std::get<RunContent<2>>(scene.content);
  EXPECT_EQ(content.world.bodies[3].name, "late");
  EXPECT_EQ(content.appear, (std::vector<double>{0, 0, 0, 2}));
  EXPECT_EQ(content.world.joints.size(), 1u);
  EXPECT_EQ(content.world.excluded.size(), 1u);
  EXPECT_EQ(content.world.shapes[0].shape, content.world.shapes[1].shape) << "equal shapes are one";
}

TEST(SceneReader, GroupsAreBitsThatBothMustAgreeOn) {
  const World<2> world = world_of<2>(
      in_plane("allow_overlap: true\n"
               "bodies:\n"
               "  - {name: a, shape: {box: [1, 1]}, mass: 1, groups: wheels}\n"
               "  - {name: b, shape: {box: [1, 1]}, mass: 1, groups: [frame, wheels], ignores: wheels}\n"
               "  - {name: c, shape: {box: [1, 1]}, mass: 1}\n"));
  const CollisionFilter<2> filter(world);
  EXPECT_FALSE(filter.allows(0, 1));
  EXPECT_TRUE(filter.allows(0, 2));
  EXPECT_TRUE(filter.allows(1, 2));
}

TEST(SceneReader, OverridesChangeValuesByTheirPath) {
  const std::string text = in_plane(
      "bodies:\n"
      "  - {name: table, shape: {box: [4, 1]}, fixed: true, position: [0, -0.5]}\n"
      "  - {name: crate, shape: {box: [1, 1]}, mass: 1, position: [0, 0.5]}\n");
  const Scene scene = parse_scene(
      {text,
       "test.yaml",
       "",
       {"contact.friction=0.3", "bodies.crate.mass=2", "bodies[1].position=[1, 0.5]", "step=0.1"}});
  const World<2> world = make_world<2>(scene);
  EXPECT_EQ(world.surfaces.of(0, 0).mu, 0.3);
  EXPECT_EQ(world.bodies[1].mass, 2);
  EXPECT_EQ(world.bodies[1].position, Vec<2>(1, 0.5));
  EXPECT_EQ(scene.settings.h, 0.1);
  EXPECT_EQ(scene.text, text);
  EXPECT_EQ(scene.overrides.size(), 4u);
}

TEST(SceneReader, OverlappingBodiesAreNamedUnlessAllowed) {
  const std::string lines =
      "bodies:\n"
      "  - {name: table, shape: {box: [4, 1]}, fixed: true, position: [0, -0.5]}\n"
      "  - {name: crate, shape: {box: [1, 1]}, mass: 1, position: [0, 0.4]}\n";
  try {
    world_of<2>(in_plane(lines));
    FAIL() << "overlapping bodies were accepted";
  } catch (const BadScene& error) {
    EXPECT_EQ(std::string(error.what()),
              "test.yaml:3: bodies: bodies overlap at the start: \"table\" and \"crate\" by 0.1 m; move them "
              "apart or "
              "say allow_overlap: true");
  }
  EXPECT_EQ(world_of<2>(in_plane("allow_overlap: true\n" + lines)).bodies.size(), 2u);
  // Rounded numbers are forgiven, and so are pairs that never touch.
  EXPECT_NO_THROW(world_of<2>(in_plane("no_contact: [[table, crate]]\n" + lines)));
}

TEST(SceneReader, EveryNamedSceneIsReadAndSaysWhatItShows) {
  const std::vector<NamedScene> scenes = named_scenes();
  EXPECT_GE(scenes.size(), 8u);
  for (const NamedScene& entry : scenes) {
    const Scene scene = load_scene(entry.name);
    EXPECT_EQ(scene.name, entry.name);
    EXPECT_EQ(scene.dimension, entry.dimension);
    EXPECT_FALSE(scene.about.empty()) << entry.name;
  }
}

}  // namespace
}  // namespace touchstone
