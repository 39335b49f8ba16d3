#include "touchstone/record/recording_details.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "touchstone/scene/simulation.h"
#include "touchstone/store/array_file.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

const char* const kScene =
    "touchstone: 1\n"
    "dimension: 3\n"
    "step: 0.01\n"
    "contact: {friction: 0.3}\n"
    "bodies:\n"
    "  - {name: floor, shape: {half_space: {normal: [0, 0, 1]}}, fixed: true}\n"
    "  - {name: crate, shape: {box: [1, 1, 1]}, mass: 2, position: [0, 0, 0.5], velocity: [1, 0, 0]}\n"
    "  - {name: rod, shape: {box: [1, 0.1, 0.1]}, mass: 1, position: [3, 0, 2]}\n"
    "  - {name: late, shape: {sphere: 0.3}, mass: 1, position: [8, 0, 2], appear: 0.03}\n"
    "joints: [{name: hinge, kind: revolute, bodies: [world, rod], position: [2.5, 0, 2], axis: [0, 1, 0]}]\n";

/// A recorded run of the scene, and its states while it ran.
class RecordingDetailsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::temp_directory_path() / ("touchstone-details-" + std::to_string(::getpid()) + ".h5");
    Simulation sim(parse_scene(kScene, "scene.yaml"));
    sim.record(path_);
    sim.on_step([&](Simulation& s) {
      velocities_.push_back(s.world<3>().bodies[1].velocity);
      contacts_.push_back(s.report<3>().set.contacts.size());
      forces_.push_back(s.report<3>().forces);
    });
    sim.run_until(0.1);
    sim.close_recording();
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }

  /// Damages one array of the file.
  template <class T>
  void overwrite(const std::string& name, const std::vector<T>& values, const Extents& extents) {
    ArrayFile file = ArrayFile::append(path_);
    file.write<T>(name, std::span<const T>(values), extents);
    file.close();
  }

  fs::path path_;
  std::vector<Twist<3>> velocities_;
  std::vector<std::size_t> contacts_;
  std::vector<std::vector<ContactForce<3>>> forces_;
};

TEST_F(RecordingDetailsTest, VelocitiesAreThoseOfTheRun) {
  const RecordingDetails details(path_);
  ASSERT_EQ(details.frames().frame_count(), 11u);
  ASSERT_EQ(details.step_count(), 10u);
  const std::vector<double> v = details.velocity(0, 11), w = details.angular_velocity(0, 11);
  for (std::size_t k = 0; k < 10; ++k) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(v[((k + 1) * 4 + 1) * 3 + i], linear<3>(velocities_[k])[i]);
      EXPECT_EQ(w[((k + 1) * 4 + 1) * 3 + i], angular<3>(velocities_[k])[i]);
    }
  }
}

TEST_F(RecordingDetailsTest, ContactsStandStepByStepWithTheirImpulses) {
  const RecordingDetails details(path_);
  const RecordedContacts some = details.contacts(3, 4);
  ASSERT_EQ(some.begin.size(), 5u);
  double pushed = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(some.begin[k + 1] - some.begin[k], contacts_[3 + k]);
    for (const ContactForce<3>& force : forces_[3 + k]) {
      const std::size_t at = some.begin[k] + static_cast<std::size_t>(force.contact);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(some.impulse[at * 3 + i], force.impulse[i]);
    }
    pushed += static_cast<double>(forces_[3 + k].size());
  }
  EXPECT_GT(pushed, 0) << "the crate stands on the floor";
  EXPECT_EQ(details.step_values("contacts")[3], static_cast<double>(contacts_[3]));
}

TEST_F(RecordingDetailsTest, BodiesJointsAndEventsComeBack) {
  const RecordingDetails details(path_);
  const auto bodies = details.bodies<3>();
  ASSERT_EQ(bodies.size(), 4u);
  EXPECT_EQ(bodies[0].kind, BodyKind::fixed);
  EXPECT_EQ(bodies[1].mass, 2);
  EXPECT_EQ(bodies[3].appear, 0.03);
  const auto joints = details.joints<3>();
  ASSERT_EQ(joints.size(), 1u);
  EXPECT_EQ(joints[0].kind, "revolute");
  EXPECT_EQ(joints[0].body_A, -1);
  // On the world and, by way of the rod's first pose, on the rod: the same point and axis.
  const Pose<3> X_WJ = details.frames().poses<3>(0, 1)[2] * joints[0].X_BJ;
  EXPECT_LT((X_WJ.p - joints[0].X_AJ.p).norm(), 1e-12);
  EXPECT_LT((X_WJ.p - Vec<3>(2.5, 0, 2)).norm(), 1e-12);
  EXPECT_LT((X_WJ.R.col(2) - Vec<3>::UnitY()).norm(), 1e-12);
  const auto events = details.events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, "appear");
  EXPECT_EQ(events[0].body_A, 3);
}

TEST_F(RecordingDetailsTest, IndicesThatLeadNowhereAreRefused) {
  overwrite<std::int32_t>("joints/bodies", {-1, 99}, {1, 2});
  EXPECT_THROW(RecordingDetails(path_).joints<3>(), BadRecording);
  overwrite<std::int32_t>("bodies/kind", {0, 7, 0, 0}, {4});
  EXPECT_THROW(RecordingDetails(path_).bodies<3>(), BadRecording);
  EXPECT_THROW(RecordingDetails(path_).bodies<2>(), BadRecording);
  EXPECT_THROW(RecordingDetails(path_).velocity(5, 100), BadRecording);
  EXPECT_THROW(RecordingDetails(path_).step_values("nonsense"), BadRecording);
  std::vector<std::int64_t> falling(11, 0);
  falling[3] = 1'000'000'000'000;
  overwrite<std::int64_t>("contacts/offsets", falling, {11});
  EXPECT_THROW(RecordingDetails(path_).contacts(0, 10), BadRecording);
}

}  // namespace
}  // namespace touchstone
