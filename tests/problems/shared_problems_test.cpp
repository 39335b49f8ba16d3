// The problems of the folder TOUCHSTONE_DATA (skipped if it is not there), by auto: every one is solved.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "touchstone/problems/problem_file.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

fs::path data_folder() {
  const char* chosen = std::getenv("TOUCHSTONE_DATA");
  return chosen ? fs::path(chosen) : fs::path(TOUCHSTONE_SOURCE_DIR) / "../shared/data";
}

std::vector<fs::path> files(const std::string& kind) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(data_folder() / kind)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

class SharedProblems : public testing::TestWithParam<std::pair<const char*, int>> {
 protected:
  void SetUp() override {
    if (!fs::is_directory(data_folder())) GTEST_SKIP() << "no folder " << data_folder();
  }
};

TEST_P(SharedProblems, AreAllSolvedByAuto) {
  const auto& [kind, count] = GetParam();
  int solved = 0;
  for (const fs::path& file : files(kind)) {
    const Solution solution = solve(read_problem(file, kind));
    EXPECT_EQ(solution.status, SolveStatus::solved) << file << " " << solution.residual;
    solved += solution.status == SolveStatus::solved;
  }
  EXPECT_EQ(solved, count);
}

INSTANTIATE_TEST_SUITE_P(Solve, SharedProblems,
                         testing::Values(std::pair{"lcp", 10}, std::pair{"mlcp", 9},
                                         std::pair{"friction", 10}),
                         [](const auto& info) { return std::string(info.param.first); });

TEST_F(SharedProblems, OfSmallSizeAreSolvedByEnumerationToo) {
  int solved = 0;
  for (const char* kind : {"lcp", "mlcp"})
    for (const fs::path& file : files(kind)) {
      if (file.filename() == "diodeBridge20_mlcp.dat") continue;  // 2^20 supports
      const Solution solution = solve(read_problem(file, kind), "enumeration");
      EXPECT_TRUE(solution.status == SolveStatus::solved || solution.status == SolveStatus::too_large)
          << file;
      solved += solution.status == SolveStatus::solved;
    }
  EXPECT_EQ(solved, 17);
}

/// Every problem of a step that was ever hard.
TEST(CorpusProblems, AreAllSolvedByAuto) {
  int solved = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(TOUCHSTONE_SOURCE_DIR) / "tests/corpus/problems")) {
    const Solution solution = solve(read_problem(entry.path()));
    EXPECT_EQ(solution.status, SolveStatus::solved) << entry.path() << " " << solution.residual;
    solved += solution.status == SolveStatus::solved;
  }
  EXPECT_GE(solved, 8);
}

}  // namespace
}  // namespace touchstone
