// A run that is stopped and resumed has the same bits as one that never was.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "touchstone/record/recording.h"
#include "touchstone/scene/simulation.h"
#include "touchstone/store/array_file.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

class Resume : public testing::TestWithParam<const char*> {
 protected:
  Resume() : folder_(fs::temp_directory_path() / ("touchstone-resume-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Resume() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path file(const char* name) const { return folder_ / name; }

 private:
  fs::path folder_;
};

void run_and_record(const std::string& scene, double end, const fs::path& file) {
  Simulation sim(load_scene(scene));
  sim.record(file);
  ASSERT_TRUE(sim.run_until(end));
  sim.close_recording();
}

/// Every array of numbers that does not tell the time of day.
void expect_same_numbers(const ArrayFile& one, const ArrayFile& other, const std::string& group) {
  for (const std::string& name : one.names(group)) {
    const std::string path = group.empty() ? name : group + "/" + name;
    if (one.is_group(path)) {
      expect_same_numbers(one, other, path);
    } else if (one.kind(path) != ElementKind::text && path != "steps/wall_time") {
      ASSERT_EQ(one.extents(path), other.extents(path)) << path;
      const auto a = one.read<double>(path), b = other.read<double>(path);
      EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0) << path;
    }
  }
}

TEST_P(Resume, HasTheSameBitsAsARunThatNeverStopped) {
  const std::string scene = GetParam();
  run_and_record(scene, 1.4, file("whole.h5"));
  run_and_record(scene, 0.73, file("parts.h5"));
  {
    Simulation sim = Simulation::resume(file("parts.h5"));
    EXPECT_LE(sim.time(), 0.73 + 1e-9);
    ASSERT_TRUE(sim.run_until(1.1));
  }  // a recording that nobody closes is as good
  Simulation sim = Simulation::resume(file("parts.h5"), {"duration=1.4"});
  EXPECT_EQ(sim.scene().duration, 1.4);
  ASSERT_TRUE(sim.run_until(sim.scene().duration));
  sim.close_recording();
  EXPECT_EQ(RecordingReader(file("parts.h5")).text_attribute("state_hash"),
            RecordingReader(file("whole.h5")).text_attribute("state_hash"));
  expect_same_numbers(ArrayFile::open(file("whole.h5")), ArrayFile::open(file("parts.h5")), "");
}

// Bodies that appear, wheels and controllers, friction, contacts that are chosen; plane and space.
INSTANTIATE_TEST_SUITE_P(OfAScene, Resume,
                         testing::Values("rain", "polygons-in-box", "pendulum-arm", "four-bar", "slope",
                                         "twin-tetrahedra"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_F(Resume, CountsGoOnWhereTheyStood) {
  Simulation whole(load_scene("rain"));
  ASSERT_TRUE(whole.run_until(1.4));
  run_and_record("rain", 0.9, file("parts.h5"));
  Simulation resumed = Simulation::resume(file("parts.h5"));
  ASSERT_TRUE(resumed.run_until(1.4));
  const RunSummary a = whole.summary(), b = resumed.summary();
  EXPECT_EQ(a.state_hash, b.state_hash);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.min_gap, b.min_gap);
  EXPECT_EQ(a.min_gap_bodies[1], b.min_gap_bodies[1]);
  EXPECT_EQ(a.energy_gained, b.energy_gained);
  EXPECT_EQ(a.energy_scale, b.energy_scale);
  EXPECT_EQ(a.momentum_error, b.momentum_error);
  EXPECT_EQ(a.contacts, b.contacts);
  EXPECT_EQ(a.fastest, b.fastest);
}

TEST_F(Resume, RecordingChangesNoBit) {
  Simulation plain(load_scene("rain")), recorded(load_scene("rain"));
  ASSERT_TRUE(plain.run_until(0.3));
  ASSERT_TRUE(recorded.run_until(0.3));
  recorded.record(file("late.h5"));
  ASSERT_TRUE(plain.run_until(1));
  ASSERT_TRUE(recorded.run_until(1));
  EXPECT_EQ(plain.summary().state_hash, recorded.summary().state_hash);
}

std::size_t frames_in(const fs::path& file) { return RecordingReader(file).frame_count(); }

TEST_F(Resume, ARunThatEndsBeforeItMakesNewFramesLosesNone) {
  run_and_record("rain", 0.9, file("parts.h5"));
  const std::size_t frames = frames_in(file("parts.h5"));
  const std::string hash = RecordingReader(file("parts.h5")).text_attribute("state_hash");
  for (const int steps : {0, 1, 5}) {
    Simulation sim = Simulation::resume(file("parts.h5"));
    ASSERT_LT(sim.time(), 0.9 - 6 * sim.scene().settings.h) << "it has steps to make again";
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(sim.step());
    sim.close_recording();
    EXPECT_EQ(frames_in(file("parts.h5")), frames) << steps;
    EXPECT_EQ(RecordingReader(file("parts.h5")).text_attribute("state_hash"), hash);
  }
}

TEST_F(Resume, ARunThatDoesNotRepeatWhatWasRecordedIsRefused) {
  run_and_record("rain", 0.9, file("parts.h5"));
  const std::size_t frames = frames_in(file("parts.h5"));
  Simulation sim = Simulation::resume(file("parts.h5"));
  sim.before_step([](Simulation& s) {
    if (s.dimension() == 3) s.world<3>().bodies.back().force[0] += 100;
    if (s.dimension() == 2) s.world<2>().bodies.back().force[0] += 100;
  });
  EXPECT_THROW(sim.run_until(1.4), BadInput);
  sim.close_recording();
  EXPECT_EQ(frames_in(file("parts.h5")), frames);
}

TEST_F(Resume, OverridesMayHaveSeveralLines) {
  Simulation sim(load_scene("rain", {"about=\"two\nlines\"", "duration=3"}));
  sim.record(file("lines.h5"));
  ASSERT_TRUE(sim.step());
  sim.close_recording();
  EXPECT_EQ(Simulation::resume(file("lines.h5")).scene().overrides, sim.scene().overrides);
}

TEST_F(Resume, FramesThatLackVelocitiesAreNoFrames) {
  run_and_record("rain", 0.5, file("cut.h5"));
  const std::size_t frames = frames_in(file("cut.h5"));
  {
    ArrayFile cut = ArrayFile::append(file("cut.h5"));
    cut.cut_rows("velocity", frames - 2);
    cut.cut_rows("joints/value", frames - 3);
    cut.close();
  }
  const RecordingReader recording(file("cut.h5"));
  EXPECT_EQ(recording.frame_count(), frames - 3);
  EXPECT_EQ(recording.series(recording.body_names()[0] + ".speed").size(), frames - 3);
}

std::string refusal(const fs::path& file) {
  try {
    Simulation::resume(file);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "it was accepted";
}

TEST_F(Resume, WhatCannotGoOnIsRefusedAndLeftAsItWas) {
  EXPECT_NE(refusal(file("absent.h5")).find("absent.h5"), std::string::npos);
  // Recorded from the middle on: no state of it is one to go on from.
  Simulation sim(load_scene("rain"));
  ASSERT_TRUE(sim.run_until(0.3));
  sim.record(file("late.h5"));
  ASSERT_TRUE(sim.run_until(0.35));
  sim.close_recording();
  const auto size = fs::file_size(file("late.h5"));
  EXPECT_NE(refusal(file("late.h5")).find("no state to go on from"), std::string::npos);
  EXPECT_EQ(fs::file_size(file("late.h5")), size);
  // A checkpoint that was tampered with.
  run_and_record("rain", 0.9, file("bent.h5"));
  {
    ArrayFile bent = ArrayFile::append(file("bent.h5"));
    std::vector<double> position = bent.read<double>("checkpoint/position");
    for (double& x : position) x += 1e-9;
    bent.write<double>("checkpoint/position", std::span<const double>(position),
                       bent.extents("checkpoint/position"));
    bent.close();
  }
  EXPECT_NE(refusal(file("bent.h5")).find("is damaged"), std::string::npos);
}

TEST_F(Resume, AMeshThatChangedIsNoticed) {
  const auto write_mesh = [&](const char* top) {
    std::ofstream(file("m.obj")) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 " << top
                                 << "\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  };
  write_mesh("1");
  std::ofstream(file("s.yaml")) << "touchstone: 1\ndimension: 3\nbodies:\n"
                                   "  - {name: m, shape: {mesh: m.obj}, density: 1, position: [0, 0, 3]}\n";
  run_and_record(file("s.yaml").string(), 0.6, file("s.h5"));
  EXPECT_EQ(refusal(file("s.h5")), "it was accepted");
  write_mesh("2");
  EXPECT_NE(refusal(file("s.h5")).find("are not those of the recording"), std::string::npos);
}

TEST_F(Resume, AMeshThatChangedIsNoticedAlsoWhereNoMassDoes) {
  const auto write_mesh = [&](const char* half) {
    std::ofstream out(file("m.obj"));
    for (const char* x : {"-", ""}) {
      for (const char* y : {"-", ""}) out << "v " << x << half << " " << y << half << " -1\n";
    }
    out << "v 0 0 0\nf 1 2 4\nf 1 4 3\nf 1 5 2\nf 2 5 4\nf 4 5 3\nf 3 5 1\n";
  };
  write_mesh("2");
  std::ofstream(file("s.yaml")) << "touchstone: 1\ndimension: 3\nbodies:\n"
                                   "  - {name: floor, shape: {mesh: m.obj}, fixed: true}\n"
                                   "  - {name: ball, shape: {sphere: 1}, mass: 1, position: [0, 0, 3]}\n";
  run_and_record(file("s.yaml").string(), 0.2, file("s.h5"));
  EXPECT_EQ(refusal(file("s.h5")), "it was accepted");
  write_mesh("1");
  EXPECT_NE(refusal(file("s.h5")).find("are not those of the recording"), std::string::npos);
}

}  // namespace
}  // namespace touchstone
