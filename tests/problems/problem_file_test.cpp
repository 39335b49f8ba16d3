#include "touchstone/problems/problem_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/friction_sets.h"
#include "support/problem_sets.h"
#include "support/temporary_folder.h"
#include "touchstone/store/array_file.h"

namespace touchstone {
namespace {

using std::filesystem::path;

Problem sample(const std::string& kind) {
  Random random(31);
  if (kind == "friction") return support::local_form(support::make_friction({"random", 3, 3}, random));
  if (kind == "global-friction") return support::make_friction({"stack", 2, 3}, random);
  const support::ContactSystem contacts = support::make_contacts("contact", 6, 32);
  if (kind == "mlcp") return support::frictionless_mixed(contacts);
  if (kind == "qp") return support::frictionless_qp(contacts);
  return support::frictionless(contacts);
}

/// Matrices bit by bit, dense or sparse.
bool same(const ProblemMatrix& a, const ProblemMatrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.to_dense() == b.to_dense();
}
bool same(const SparseMatrix& a, const SparseMatrix& b) { return same(ProblemMatrix(a), ProblemMatrix(b)); }
bool same(const Lcp& a, const Lcp& b) { return same(a.M, b.M) && a.q == b.q; }
bool same(const Mlcp& a, const Mlcp& b) { return same(a.M, b.M) && a.q == b.q && a.free == b.free; }
bool same(const FrictionProblem& a, const FrictionProblem& b) {
  return a.dimension == b.dimension && same(a.W, b.W) && a.q == b.q && a.mu == b.mu;
}
bool same(const GlobalFrictionProblem& a, const GlobalFrictionProblem& b) {
  return a.dimension == b.dimension && same(a.M, b.M) && same(a.H, b.H) && a.f == b.f && a.w == b.w &&
         a.mu == b.mu;
}
bool same(const Qp& a, const Qp& b) {
  return same(a.P, b.P) && a.c == b.c && same(a.A, b.A) && a.b == b.b && a.equality == b.equality;
}
bool same(const Problem& a, const Problem& b) {
  return a.index() == b.index() &&
         std::visit([&](const auto& p) { return same(p, std::get<std::decay_t<decltype(p)>>(b)); }, a);
}

class ProblemFiles : public testing::TestWithParam<std::string> {};

TEST_P(ProblemFiles, GiveBackEveryBit) {
  const TemporaryFolder folder;
  const Problem problem = sample(GetParam());
  const VectorX solution = VectorX::LinSpaced(size_of(problem), 0, 1) / 3;
  for (const char* ending : {"json", "h5", "hdf5"}) {
    const path file = folder / (std::string("p.") + ending);
    write_problem(file, problem, solution);
    const StoredProblem back = read_stored_problem(file);
    EXPECT_TRUE(same(problem, back.problem)) << ending;
    ASSERT_TRUE(back.solution) << ending;
    EXPECT_EQ(*back.solution, solution) << ending;
    write_problem(file, problem);
    EXPECT_FALSE(read_stored_problem(file).solution) << ending;
  }
}

TEST_P(ProblemFiles, AreReadFromSiconosTextWhereThatHasAForm) {
  const TemporaryFolder folder;
  const Problem problem = sample(GetParam());
  const bool has_form = GetParam() != "global-friction" && GetParam() != "qp";
  if (!has_form) {
    EXPECT_THROW(write_problem(folder / "p.dat", problem), ProblemFileError);
    return;
  }
  write_problem(folder / "p.dat", problem);
  EXPECT_TRUE(same(problem, read_problem(folder / "p.dat")));
  EXPECT_TRUE(same(problem, read_problem(folder / "p.dat", GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Solve, ProblemFiles,
                         testing::Values("lcp", "mlcp", "friction", "global-friction", "qp"),
                         [](const auto& info) {
                           return info.param == "global-friction" ? "global" : info.param;
                         });

TEST(ProblemFile, SmallProblemsKeepTheirKindInText) {
  const TemporaryFolder folder;
  for (int n = 1; n <= 3; ++n) {
    const Lcp lcp{MatrixX(MatrixX::Identity(n, n)), VectorX::Constant(n, -1)};
    write_problem(folder / "p.dat", lcp);
    EXPECT_EQ(kind_of(read_problem(folder / "p.dat")), "lcp") << n;
    for (int equations = 0; equations <= n; ++equations) {
      Mlcp mlcp{lcp.M, lcp.q, std::vector<bool>(n, false)};
      for (int i = 0; i < equations; ++i) mlcp.free[i] = true;
      write_problem(folder / "p.dat", mlcp);
      EXPECT_EQ(kind_of(read_problem(folder / "p.dat")), "mlcp") << n << equations;
    }
  }
}

std::string complaint_of(const path& file, const std::string& text, const std::string& kind = "") {
  std::ofstream(file) << text;
  try {
    read_problem(file, kind);
  } catch (const ProblemFileError& error) {
    return error.what();
  }
  return "none";
}

TEST(ProblemFile, ComplaintsNameFileAndPlace) {
  const TemporaryFolder folder;
  const auto complains = [&](const std::string& text, const std::string& place) {
    const std::string complaint = complaint_of(folder / "bad.x", text);
    EXPECT_NE(complaint.find("bad.x: "), std::string::npos) << complaint;
    EXPECT_NE(complaint.find(place), std::string::npos) << complaint;
  };
  complains("", "empty");
  complains("hello", "expected HDF5, JSON");
  complains("2\n0\n2\n2\n2\t2\n1 0\n0 one\n-1 -1\n", "line 7: M");
  complains("2\n0\n2\n2\n2\t2\n1 0\n0 1\n-1\n", "q");
  complains("2\n0\n2\n2\n2\t2\n1 0\n0 nan\n-1 -1", "line 7: M");
  complains("3\n1\n7\n3\n3\n", "line 1");
  complains("100000\n0\n100000\n100000\n100000\t100000\n1 2\n", "M");
  complains("{\"kind\": \"lcp\"}", "touchstone_problem");
  complains("{\"touchstone_problem\": 1, \"kind\": \"lpc\"}", "kind");
  complains("{\"touchstone_problem\": 1, \"kind\": \"lcp\", \"q\": [1]}", "\"M\" is missing");
  complains("{\"touchstone_problem\": 1, \"kind\": \"lcp\", \"M\": [[1]], \"q\": [1, 2]}", "M");
  complains("{\"touchstone_problem\": 1, \"kind\": \"lcp\", \"M\": [[\"1\"]], \"q\": [1]}", "M[0][0]");
  complains("{\"touchstone_problem\": 1,\n \"kind\": \"lcp\",,}", "line 2");
  complains("{\"touchstone_problem\": 2, \"kind\": \"lcp\"}", "version");
  complains("\x89HDF\r\n\x1a\n and no more", "HDF5");
}

TEST(ProblemFile, OfFrictionRefusesWhatIsNone) {
  const TemporaryFolder folder;
  const std::string head = "{\"touchstone_problem\": 1, \"kind\": \"friction\", \"W\": [[1, 0], [0, 1]], ";
  const auto says = [&](const std::string& rest, const std::string& word) {
    return complaint_of(folder / "f.json", head + rest).find(word) != std::string::npos;
  };
  EXPECT_TRUE(says("\"q\": [1, 2], \"mu\": [-1], \"dimension\": 2}", "mu"));
  EXPECT_TRUE(says("\"q\": [1, 2], \"mu\": [1], \"dimension\": 4}", "dimension"));
  EXPECT_TRUE(says("\"q\": [1, 2], \"mu\": [1], \"dimension\": 3}", "mu"));
}

TEST(ProblemFile, TakesOnlyEndingsItKnows) {
  EXPECT_THROW(write_problem("problem.xls", sample("lcp")), ProblemFileError);
  EXPECT_THROW(write_problem(std::filesystem::path("no") / "folder" / "p.json", sample("lcp")),
               ProblemFileError);
  EXPECT_THROW(read_problem("nowhere.json"), ProblemFileError);
  EXPECT_THROW(read_problem("/"), ProblemFileError);
}

/// The three ways in which FCLIB stores a matrix, and parts that a file may lack.
class FclibFile : public testing::Test {
 protected:
  void write(int nz, const std::vector<std::int32_t>& p, const std::vector<std::int32_t>& i) {
    ArrayFile file = ArrayFile::create(folder_ / "f.hdf5");
    const auto put = [&](const std::string& name, int value) {
      file.write("fclib_local/" + name, std::vector<std::int32_t>{value});
    };
    put("spacedim", 2);
    put("W/m", 2);
    put("W/n", 2);
    put("W/nz", nz);
    put("W/nzmax", 3);
    file.write("fclib_local/W/p", p);
    file.write("fclib_local/W/i", i);
    file.write("fclib_local/W/x", std::vector<double>{1, 2, 3});
    file.write("fclib_local/vectors/q", std::vector<double>{-1, 0});
    file.write("fclib_local/vectors/mu", std::vector<double>{0.5});
  }
  MatrixX read() { return std::get<FrictionProblem>(read_problem(folder_ / "f.hdf5")).W.to_dense(); }

  TemporaryFolder folder_;
};

TEST_F(FclibFile, HoldsMatricesByRowsByColumnsAndByTriplets) {
  const MatrixX upper = (MatrixX(2, 2) << 1, 2, 0, 3).finished();
  write(-2, {0, 2, 3}, {0, 1, 1});
  EXPECT_EQ(read(), upper);
  write(-1, {0, 2, 3}, {0, 1, 1});
  EXPECT_EQ(read(), (MatrixX(2, 2) << 1, 0, 2, 3).finished());
  write(3, {0, 1, 1}, {0, 0, 1});
  EXPECT_EQ(read(), upper);
}

TEST_F(FclibFile, IsRefusedWhenItsIndicesLeaveTheMatrix) {
  write(-2, {0, 2, 4}, {0, 1, 1});
  EXPECT_THROW(read(), ProblemFileError);
  write(-2, {0, 2, 3}, {0, 2, 1});
  EXPECT_THROW(read(), ProblemFileError);
  write(4, {0, 1, 1}, {0, 0, 1});
  EXPECT_THROW(read(), ProblemFileError);
  write(-3, {0, 2, 3}, {0, 1, 1});
  EXPECT_THROW(read(), ProblemFileError);
  write(-2, {0, 3}, {0, 1, 1});
  EXPECT_THROW(read(), ProblemFileError);
}

}  // namespace
}  // namespace touchstone
