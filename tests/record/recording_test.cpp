#include "touchstone/record/recording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "touchstone/record/metrics.h"
#include "touchstone/record/recording_check.h"
#include "touchstone/scene/simulation.h"
#include "touchstone/store/array_file.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

/// A file of the test's own that is gone afterwards.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_(fs::temp_directory_path() / ("touchstone-" + std::to_string(::getpid()) + "-" + name)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

const char* const kScene =
    "touchstone: 1\n"
    "dimension: 2\n"
    "step: 0.01\n"
    "contact: {friction: 0.3}\n"
    "bodies:\n"
    "  - {name: floor, shape: {half_space: {normal: [0, 1]}}, fixed: true}\n"
    "  - {name: hammer, parts: [{shape: {box: [1, 0.2]}}, {shape: {box: [0.2, 0.6]}, position: [0.5, 0], "
    "angle: 0.1}], "
    "density: 10, position: [0, 1.5], angle: 0.4, velocity: [1, 0]}\n"
    "  - {name: ball, shape: {sphere: 0.3}, mass: 1, position: [2, 0.3]}\n"
    "  - {name: late, shape: {regular_polygon: {corners: 5, radius: 0.3}}, mass: 1, position: [4, 2], "
    "appear: 0.1}\n"
    "  - {name: rod, shape: {box: [1, 0.1]}, mass: 1, position: [8, 3]}\n"
    "joints: [{name: hinge, kind: revolute, bodies: [world, rod], position: [7.5, 3]}]\n";

Simulation make_simulation() { return Simulation(parse_scene(kScene, "scene.yaml")); }

TEST(Recording, FramesHoldTheBodyFramesOfEveryState) {
  const TemporaryFile file("frames.h5");
  Simulation sim = make_simulation();
  sim.record(file.path());
  // In the order of the recording: the body that appears later is the last.
  std::vector<Pose<2>> poses;
  const auto keep = [&](Simulation& s) {
    for (const Body<2>& body : s.world<2>().bodies) poses.push_back(body.X_WB());
    if (s.world<2>().bodies.size() == 4) poses.push_back({Mat<2>::Identity(), Vec<2>(4, 2)});
  };
  keep(sim);
  sim.on_step(keep);
  ASSERT_TRUE(sim.run_until(0.5));
  sim.close_recording();

  const RecordingReader recording(file.path());
  ASSERT_EQ(recording.dimension(), 2);
  ASSERT_EQ(recording.frame_count(), 51u);
  ASSERT_EQ(recording.body_names(), (std::vector<std::string>{"floor", "hammer", "ball", "rod", "late"}));
  EXPECT_EQ(recording.appear()[4], 0.1);
  EXPECT_EQ(recording.text_attribute("scene"), kScene);
  EXPECT_EQ(recording.text_attribute("state_hash"), sim.summary().state_hash);
  EXPECT_NEAR(recording.times()[50], 0.5, 1e-14);
  const std::vector<Pose<2>> read = recording.poses<2>(0, 51);
  ASSERT_EQ(read.size(), poses.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_LT((read[i].p - poses[i].p).norm() + (read[i].R - poses[i].R).norm(), 1e-15) << i;
  }
}

TEST(Recording, ShapesAndPartsComeBackAsTheyWere) {
  const TemporaryFile file("shapes.h5");
  Simulation sim = make_simulation();
  sim.record(file.path());
  sim.close_recording();
  const RecordingReader recording(file.path());
  const std::vector<Shape<2>> shapes = recording.shapes<2>();
  const std::vector<RecordedPart<2>> parts = recording.parts<2>();
  ASSERT_EQ(parts.size(), 6u);
  const World<2>& world = sim.world<2>();
  for (std::size_t i = 0; i < world.shapes.size(); ++i) {
    const ContactShape<2>& part = world.shapes[i];
    EXPECT_EQ(parts[i].body, part.body);
    EXPECT_EQ(shapes[parts[i].shape].index(), part.shape->index());
    EXPECT_LT((parts[i].X_BS.p - part.X_CS.p - world.bodies[part.body].com).norm(), 1e-15);
    if (const auto* P = std::get_if<Polytope<2>>(part.shape.get())) {
      const auto& Q = std::get<Polytope<2>>(shapes[parts[i].shape]);
      ASSERT_EQ(P->vertex_count(), Q.vertex_count());
      for (int v = 0; v < P->vertex_count(); ++v) EXPECT_EQ(P->vertex(v), Q.vertex(v));
    }
  }
  EXPECT_THROW(recording.shapes<3>(), BadRecording);
}

TEST(Recording, TheCheckSeesWhatTheRunMeasured) {
  const TemporaryFile file("check.h5");
  Simulation sim = make_simulation();
  sim.record(file.path());
  ASSERT_TRUE(sim.run_until(1.5));
  sim.close_recording();
  const RecordingReader recording(file.path());
  const Certificate certificate = check_recording(recording);
  EXPECT_EQ(certificate.frames, 151);
  EXPECT_EQ(certificate.pairs, 10 - 0) << "the hinge ties the rod to the world, not to a body";
  EXPECT_NEAR(certificate.min_gap, sim.summary().min_gap, 1e-13);
  EXPECT_NEAR(certificate.max_overlap, sim.summary().max_overlap, 1e-12);
}

TEST(Recording, StepsAndContactsStandBesideTheFrames) {
  const TemporaryFile file("steps.h5");
  Simulation sim = make_simulation();
  sim.record(file.path());
  long contacts = 0;
  double impulse = 0;
  std::vector<double> at_hundred;
  sim.on_step([&](Simulation& s) {
    for (const Body<2>& body : s.world<2>().bodies) {
      if (s.world<2>().steps == 100)
        at_hundred.insert(at_hundred.end(), {body.position.x(), body.position.y()});
    }
    contacts += s.report<2>().contacts;
    for (const ContactForce<2>& force : s.report<2>().forces) impulse += force.impulse.y();
  });
  ASSERT_TRUE(sim.run_until(1.2));
  sim.close_recording();
  const ArrayFile raw = ArrayFile::open(file.path());
  EXPECT_EQ(raw.extents("steps/h"), (Extents{120}));
  EXPECT_EQ(raw.extents("orientation"), (Extents{121, 5}));
  EXPECT_EQ(raw.extents("velocity"), (Extents{121, 5, 2}));
  EXPECT_EQ(raw.extents("joints/value"), (Extents{121, 1}));
  const auto offsets = raw.read<std::int64_t>("contacts/offsets");
  ASSERT_EQ(offsets.size(), 121u);
  EXPECT_EQ(offsets.back(), contacts);
  EXPECT_GT(contacts, 0);
  const auto impulses = raw.read<double>("contacts/impulse");
  double sum = 0;
  for (std::size_t i = 1; i < impulses.size(); i += 2) sum += impulses[i];
  EXPECT_NEAR(sum, impulse, 1e-12 * (1 + std::abs(impulse)));
  EXPECT_EQ(raw.read<std::string>("events/kind"), (std::vector<std::string>{"appear"}));
  const auto kinetic = raw.read<double>("steps/kinetic");
  EXPECT_EQ(kinetic.back(), energy(sim.world<2>()).kinetic);
  // The checkpoint is the state to the last bit, of every hundredth step.
  EXPECT_EQ(raw.read<std::int64_t>("checkpoint/frames"), (std::vector<std::int64_t>{1, 101}));
  const auto position = raw.read_rows<double>("checkpoint/position", 1, 1);
  EXPECT_EQ(position, at_hundred);
}

/// The model peg holds members of its lists besides U: as many stand in the recording as the step reports.
TEST(Recording, GuardsAreThoseOfTheStepReports) {
  const TemporaryFile file("guards.h5");
  Simulation sim(load_scene("triangle-drop", {"contact.model=peg"}));
  sim.record(file.path());
  std::vector<std::int32_t> guards;
  sim.on_step([&](Simulation& s) { guards.push_back(s.report<2>().choice.guards); });
  ASSERT_TRUE(sim.run_until(1));
  sim.close_recording();
  EXPECT_EQ(ArrayFile::open(file.path()).read<std::int32_t>("steps/guards"), guards);
  EXPECT_GT(*std::max_element(guards.begin(), guards.end()), 0) << "some were held";
}

TEST(Recording, WhatIsNoRecordingIsRefusedByName) {
  const auto refusal = [](const fs::path& path) {
    try {
      const RecordingReader reader(path);
      check_recording(reader);
    } catch (const BadRecording& error) {
      return std::string(error.what());
    }
    return std::string("it was accepted");
  };
  EXPECT_NE(refusal("/nowhere/x.h5").find("/nowhere/x.h5"), std::string::npos);
  const TemporaryFile text("text.h5"), other("other.h5"), half("half.h5"), bent("bent.h5");
  std::ofstream(text.path()) << "not HDF5 at all";
  EXPECT_NE(refusal(text.path()), "it was accepted");
  {
    ArrayFile file = ArrayFile::create(other.path());
    file.write_scalar("x", 1.0);
    file.close();
  }
  EXPECT_NE(refusal(other.path()).find("is no recording of Touchstone"), std::string::npos);
  {
    ArrayFile file = ArrayFile::create(half.path());
    file.set_fixed_attribute("", "format", "touchstone-recording");
    file.set_attribute<std::int32_t>("", "version", 1);
    file.set_attribute<std::int32_t>("", "dimension", 2);
    file.close();
  }
  EXPECT_NE(refusal(half.path()).find("/bodies/name is missing"), std::string::npos);
  {
    Simulation sim = make_simulation();
    sim.record(bent.path());
    sim.close_recording();
    ArrayFile file = ArrayFile::append(bent.path());
    const std::vector<std::int32_t> shapes(6, 77);
    file.write("parts/shape", shapes);
    file.close();
  }
  EXPECT_NE(refusal(bent.path()).find("names a body or shape that is not there"), std::string::npos);
}

/// Reads what a damaged file still has; true: it was not refused.
bool is_read(const fs::path& path) {
  try {
    const RecordingReader reader(path);
    check_recording(reader);
    reader.series("min_gap");
    reader.last_checkpoint<2>();
    return true;
  } catch (const BadRecording&) {
    return false;
  }
}

// Checksums tell of damage wherever HDF5 would go by it; damaged numbers are read, or make no sense.
TEST(Recording, OneSpoiltByteIsRefusedOrChangesANumber) {
  constexpr std::size_t kStride = 211;  // [bytes] in time; the fuzzer tries others
  const TemporaryFile file("sound.h5"), spoilt("spoilt.h5");
  Simulation sim = make_simulation();
  sim.record(file.path());
  ASSERT_TRUE(sim.run_until(0.05));
  sim.close_recording();
  std::ifstream in(file.path(), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  int refused = 0, read = 0;
  for (std::size_t i = 0; i < bytes.size(); i += kStride) {
    bytes[i] = static_cast<char>(~bytes[i]);
    std::ofstream(spoilt.path(), std::ios::binary) << bytes;
    bytes[i] = static_cast<char>(~bytes[i]);
    ++(is_read(spoilt.path()) ? read : refused);
  }
  EXPECT_TRUE(is_read(file.path()));
  EXPECT_GT(refused, 20);
  EXPECT_GT(read, 20);
}

TEST(Recording, AFileWithoutChecksumsIsRefused) {
  const TemporaryFile file("old.h5");
  Simulation sim = make_simulation();
  sim.record(file.path());
  sim.close_recording();
  std::fstream head(file.path(), std::ios::binary | std::ios::in | std::ios::out);
  head.seekp(8).put(0);  // the version of HDF5's first table
  head.close();
  try {
    const RecordingReader reader(file.path());
    FAIL() << "it was accepted";
  } catch (const BadRecording& error) {
    EXPECT_NE(std::string(error.what()).find("without checksums"), std::string::npos) << error.what();
  }
}

TEST(Recording, AFileThatCannotBeWrittenIsTheUsersBusiness) {
  Simulation sim = make_simulation();
  EXPECT_THROW(sim.record("/nowhere/at/all.h5"), BadInput);
}

}  // namespace
}  // namespace touchstone
