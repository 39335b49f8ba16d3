// `check` believes no motion that the recorded works do not explain.

#include "touchstone/record/motion_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "support/temporary_folder.h"
#include "touchstone/scene/simulation.h"
#include "touchstone/store/array_file.h"

namespace touchstone {
namespace {

using std::filesystem::path;

void record(const std::string& scene, double end, const path& file) {
  Simulation sim(load_scene(scene));
  sim.record(file);
  ASSERT_TRUE(sim.run_until(end)) << scene;
  sim.close_recording();
}

TEST(MotionCheck, FindsNothingInWhatWasSimulated) {
  const TemporaryFolder folder;
  int with_joints = 0, with_contacts = 0;
  for (const char* scene : {"box-stack", "slope", "double-pendulum", "rain", "random-drop", "gripper",
                            "momentum", "six-axis-arm"}) {
    record(scene, 0.6, folder / "a.h5");
    const RecordingDetails recording(folder / "a.h5");
    const MotionCertificate found = check_motion(recording);
    EXPECT_TRUE(found.has_works);
    EXPECT_LT(found.sum_error.value, 1e-9) << scene;
    EXPECT_LT(found.gravity_error.value, 1e-9) << scene;
    EXPECT_LT(found.contact_gain.value, 1e-6) << scene;
    EXPECT_LT(found.joint_opening.value, 1e-3) << scene;
    EXPECT_LT(found.momentum_error.value, 1e-9) << scene;
    with_joints += found.joint_opening.item >= 0;
    const std::vector<double> contacts = recording.step_values("contacts");
    with_contacts += contacts.back() > 0;
  }
  EXPECT_GE(with_joints, 1);
  EXPECT_GE(with_contacts, 2);
}

/// A recording of a box that slides and a pendulum, with one number changed.
class Spoilt : public testing::Test {
 protected:
  void SetUp() override {
    Simulation sim(parse_scene(
        "touchstone: 1\ndimension: 3\nstep: 0.01\ncontact: {friction: 0.1}\nbodies:\n"
        "  - {name: floor, shape: {half_space: {normal: [0, 0, 1]}}, fixed: true}\n"
        "  - {name: crate, shape: {box: [1, 1, 1]}, mass: 1, position: [0, 0, 0.5], velocity: [2, 0, 0]}\n"
        "  - {name: rod, shape: {box: [1, 0.1, 0.1]}, mass: 1, position: [0, 5, 5]}\n"
        "joints: [{name: hinge, kind: revolute, bodies: [world, rod], position: [-0.5, 5, 5], axis: [0, 1, "
        "0]}]\n",
        "spoilt.yaml"));
    sim.record(file_);
    ASSERT_TRUE(sim.run_until(0.3));
    sim.close_recording();
  }

  /// Changes one row of an array that grows.
  template <class T, class Change>
  void spoil(const std::string& name, std::size_t row, const Change& change) {
    ArrayFile file = ArrayFile::append(file_, Checksums::all);
    const std::size_t rows = file.extents(name).at(0);
    ASSERT_LT(row, rows);
    std::vector<T> rest = file.read_rows<T>(name, row, rows - row);
    change(rest.data());
    file.cut_rows(name, row);
    file.append_rows<T>(name, std::span<const T>(rest));
    file.close();
  }
  MotionCertificate check() const { return check_motion(RecordingDetails(file_)); }
  bool is_refused() const {
    try {
      check();
      return false;
    } catch (const BadRecording& error) {
      EXPECT_NE(std::string(error.what()).find("a.h5"), std::string::npos) << error.what();
      return true;
    }
  }

  const TemporaryFolder folder_;
  const path file_ = folder_ / "a.h5";
};

TEST_F(Spoilt, NotAtAllIsFine) {
  const MotionCertificate found = check();
  EXPECT_LT(found.sum_error.value, 1e-9);
  EXPECT_EQ(found.joint_opening.item, 0);
}

TEST_F(Spoilt, VelocitiesOfZeroAreFound) {
  spoil<double>("velocity", 20, [](double* row) { row[3] = 0; });
  const MotionCertificate found = check();
  EXPECT_GT(found.sum_error.value, 0.1);
  EXPECT_EQ(found.sum_error.item, 1);
  EXPECT_TRUE(found.sum_error.frame == 20 || found.sum_error.frame == 21) << found.sum_error.frame;
}

TEST_F(Spoilt, NumbersThatAreNoneAreFound) {
  spoil<double>("angular_velocity", 20, [](double* row) { row[6] = std::nan(""); });
  const double found = check().sum_error.value;
  EXPECT_FALSE(found <= 1e-6) << found;
}

TEST_F(Spoilt, WorksOfZeroAreFound) {
  spoil<double>("work", 20, [](double* row) { row[2 * 6] = 0; });
  const MotionCertificate found = check();
  EXPECT_GT(found.sum_error.value, 0.01);
  EXPECT_GT(found.gravity_error.value, 0.01);
  EXPECT_EQ(found.gravity_error.item, 2);
  EXPECT_EQ(found.gravity_error.frame, 20u);
}

TEST_F(Spoilt, ContactsThatGiveAreFound) {
  spoil<double>("work", 20, [](double* row) { row[6 + 4] = 1; });
  const MotionCertificate found = check();
  EXPECT_GT(found.contact_gain.value, 0.1);
  EXPECT_EQ(found.contact_gain.item, 1);
}

TEST_F(Spoilt, JointsThatComeApartAreFound) {
  spoil<double>("position", 20, [](double* row) { row[2 * 3 + 1] += 0.25; });
  const MotionCertificate found = check();
  EXPECT_NEAR(found.joint_opening.value, 0.25, 1e-3);
  EXPECT_EQ(found.joint_opening.frame, 20u);
}

TEST_F(Spoilt, ContactsOfZerosAreRefused) {
  spoil<double>("contacts/normal", 30, [](double* row) { row[0] = row[1] = row[2] = 0; });
  EXPECT_TRUE(is_refused());
}

TEST_F(Spoilt, TimesThatFallAreRefused) {
  spoil<double>("time", 20, [](double* row) { row[0] = 0; });
  EXPECT_TRUE(is_refused());
}

TEST_F(Spoilt, ArraysOfDifferentLengthsAreRefused) {
  for (const char* name : {"work", "steps/h", "velocity"}) {
    SetUp();
    ArrayFile file = ArrayFile::append(file_, Checksums::all);
    file.cut_rows(name, 20);
    file.close();
    EXPECT_TRUE(is_refused()) << name;
  }
}

}  // namespace
}  // namespace touchstone
