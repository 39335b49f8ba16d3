// What a killed program leaves behind.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include "support/temporary_folder.h"
#include "touchstone/math/random.h"
#include "touchstone/store/array_file.h"

namespace touchstone {
namespace {

using std::chrono::microseconds;

/// Shared with the child: how many rows it has flushed, and whether it is inside a flush now.
struct Progress {
  std::atomic<int> flushed{0};
  std::atomic<bool> flushing{false};
};

Progress* shared_progress() {
  void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Progress;
}

constexpr int kBetween = 50;  ///< rows from flush to flush

/// Writes rows for ever and flushes now and then, as a recording does.
[[noreturn]] void write_for_ever(const std::filesystem::path& path, Progress& progress) {
  ArrayFile file = ArrayFile::create(path, Checksums::all);
  file.make_rows<double>("time");
  file.make_rows<double>("steps/position", {7, 3});
  file.make_rows<std::string>("events/kind");
  for (int i = 0;; ++i) {
    file.append_rows<double>("time", std::vector<double>{i + 0.5});
    file.append_rows<double>("steps/position", std::vector<double>(21, i));
    if (i % 10 == 0) file.append_rows<std::string>("events/kind", std::vector<std::string>{"impact"});
    if (i % kBetween == kBetween - 1) {
      progress.flushing = true;
      file.flush();
      progress.flushed = i + 1;
      progress.flushing = false;
      std::this_thread::sleep_for(microseconds(1000));
    }
  }
}

/// Kills the child at some moment after `wait`. True when it had flushed something.
bool kill_after(pid_t child, const Progress& progress, microseconds wait) {
  std::this_thread::sleep_for(wait);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return progress.flushed > 0;
}

/// Kills the child between two flushes, at some moment after `wait`. True when that came about.
bool kill_between_flushes(pid_t child, const Progress& progress, microseconds wait) {
  std::this_thread::sleep_for(wait);
  kill(child, SIGSTOP);
  int status = 0;
  waitpid(child, &status, WUNTRACED);
  const bool between = !progress.flushing && progress.flushed > 0;
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return between;
}

/// A flush that was under way may have come to its end.
void expect_rows(const std::filesystem::path& path, const Progress& progress) {
  const ArrayFile file = ArrayFile::open(path, Checksums::all);
  const auto time = file.read<double>("time");
  const auto position = file.read<double>("steps/position");
  const int flushed = static_cast<int>(time.size());
  ASSERT_TRUE(flushed == progress.flushed || (progress.flushing && flushed == progress.flushed + kBetween))
      << flushed << " rows, " << progress.flushed << " flushed";
  ASSERT_EQ(position.size(), 21 * time.size());
  for (int i = 0; i < flushed; ++i) ASSERT_TRUE(time[i] == i + 0.5 && position[21 * i + 20] == i) << i;
  EXPECT_EQ(static_cast<int>(file.read<std::string>("events/kind").size()), flushed / 10);
}

TEST(KilledWriter, LeavesAllThatItHadFlushedAlsoWithinAFlush) {
  constexpr int kKills = 30, kMostKills = 500, kManyRows = 500;
  const TemporaryFolder folder;
  Random random(3);
  int after = 0, within = 0, most = 0;
  // On a busy machine many kills come before the first flush: then there are more, and later ones.
  for (int i = 0; i < kKills || (i < kMostKills && (after <= kKills / 5 || within == 0 || most <= kManyRows));
       ++i) {
    Progress* progress = shared_progress();
    ASSERT_NE(progress, nullptr);
    const pid_t child = fork();
    if (child == 0) write_for_ever(folder / "killed.h5", *progress);
    const microseconds wait(static_cast<int>(random.uniform(20000, 120000)) * (1 + i / kKills));
    if (kill_after(child, *progress, wait)) {
      ++after;
      within += progress->flushing;
      most = std::max<int>(most, progress->flushed);
      expect_rows(folder / "killed.h5", *progress);
    }
    munmap(progress, sizeof(Progress));
  }
  EXPECT_GT(after, kKills / 5);
  EXPECT_GT(within, 0) << "some kills should have hit a flush";
  EXPECT_GT(most, kManyRows) << "the file should have had several pieces";
}

TEST(KilledWriter, LeavesAFileThatH5pyReadsWithoutFlags) {
  const TemporaryFolder folder;
  const std::string path = (folder / "killed.h5").string();
  Progress* progress = shared_progress();
  ASSERT_NE(progress, nullptr);
  constexpr int kMostKills = 200;  // on a busy machine most of them hit a flush
  bool between = false;
  for (int kills = 0; !between && kills < kMostKills; ++kills) {
    progress->flushed = 0, progress->flushing = false;
    const pid_t child = fork();
    if (child == 0) write_for_ever(path, *progress);
    between = kill_between_flushes(child, *progress, microseconds(100000 + 7000 * kills));
  }
  ASSERT_TRUE(between);
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"}) {
    const std::string probe = std::string(candidate) + " -c 'import h5py' 2>/dev/null";
    if (python.empty() && std::system(probe.c_str()) == 0) python = candidate;
  }
  if (python.empty()) GTEST_SKIP() << "no Python with h5py on this machine";
  const std::string script = "import h5py; f = h5py.File(\"" + path +
                             "\", \"r\"); n = " + std::to_string(progress->flushed) +
                             "; assert f[\"time\"].shape == (n,) and f[\"time\"][n-1] == n - 0.5; "
                             "assert f[\"steps/position\"].shape == (n, 7, 3); "
                             "assert f[\"events/kind\"].asstr()[0] == \"impact\"";
  EXPECT_EQ(std::system((python + " -c '" + script + "'").c_str()), 0);
  munmap(progress, sizeof(Progress));
}

}  // namespace
}  // namespace touchstone
