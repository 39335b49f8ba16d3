#include "touchstone/store/array_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>

#include "support/temporary_folder.h"

namespace touchstone {
namespace {

using std::filesystem::path;

TEST(ArrayFile, GivesBackArraysOfEveryTypeAndRank) {
  const TemporaryFolder folder;
  {
    ArrayFile file = ArrayFile::create(folder / "a.h5");
    file.write<double>("reals/matrix", std::vector<double>{1, 2, 3, 4, 5, 6.5}, {2, 3});
    file.write("small", std::vector<std::int32_t>{-7, 7});
    file.write("large", std::vector<std::int64_t>{std::int64_t{1} << 60});
    file.write("/bytes", std::vector<std::uint8_t>{0, 255});
    file.write("texts", std::vector<std::string>{"", "peg", "Käfer"});
    file.write_scalar("title", std::string("one\ntwo"));
    file.write_fixed_text("fixed", "of its own length");
    file.write_fixed_text("blank", "");
    file.write("nothing", std::vector<double>{});
  }
  const ArrayFile file = ArrayFile::open(folder / "a.h5");
  EXPECT_EQ(file.read<double>("reals/matrix"), (std::vector<double>{1, 2, 3, 4, 5, 6.5}));
  EXPECT_EQ(file.extents("reals/matrix"), (Extents{2, 3}));
  EXPECT_EQ(file.read<std::int32_t>("small"), (std::vector<std::int32_t>{-7, 7}));
  EXPECT_EQ(file.read<double>("small"), (std::vector<double>{-7, 7}));
  EXPECT_EQ(file.read<std::int64_t>("large")[0], std::int64_t{1} << 60);
  EXPECT_EQ(file.read<std::uint8_t>("bytes"), (std::vector<std::uint8_t>{0, 255}));
  EXPECT_EQ(file.read<std::string>("texts"), (std::vector<std::string>{"", "peg", "Käfer"}));
  EXPECT_EQ(file.read<std::string>("title")[0], "one\ntwo");
  EXPECT_TRUE(file.extents("title").empty());
  EXPECT_EQ(file.read<std::string>("fixed")[0], "of its own length");
  EXPECT_EQ(file.read<std::string>("blank")[0], "");
  EXPECT_TRUE(file.read<double>("nothing").empty());
}

TEST(ArrayFile, KnowsWhatLiesInIt) {
  const TemporaryFolder folder;
  ArrayFile file = ArrayFile::create(folder / "a.h5");
  file.make_group("empty/inner");
  file.write("b", std::vector<double>{1});
  file.write("a", std::vector<std::string>{"x"});
  EXPECT_EQ(file.names(), (std::vector<std::string>{"a", "b", "empty"}));
  EXPECT_EQ(file.names("empty"), std::vector<std::string>{"inner"});
  EXPECT_TRUE(file.is_group("empty") && file.has("/empty/inner") && file.has("b"));
  EXPECT_FALSE(file.is_group("b") || file.has("c") || file.has("b/c") || file.has("empty/none/x"));
  EXPECT_EQ(file.kind("a"), ElementKind::text);
  EXPECT_EQ(file.kind("b"), ElementKind::real);
}

TEST(ArrayFile, KeepsAttributesOfFilesGroupsAndArrays) {
  const TemporaryFolder folder;
  ArrayFile file = ArrayFile::create(folder / "a.h5");
  file.write("x", std::vector<double>{1});
  file.set_attribute("", "format", std::string("touchstone-recording"));
  file.set_attribute("x", "unit", std::string("m"));
  file.set_attribute("x", "unit", std::string("metres"));
  file.set_attribute("x", "scale", 0.5);
  file.set_attribute("x", "hash", std::int64_t{-1});
  EXPECT_EQ(file.attribute<std::string>("", "format"), "touchstone-recording");
  EXPECT_EQ(file.attribute<std::string>("x", "unit"), "metres");
  EXPECT_EQ(file.attribute<double>("x", "scale"), 0.5);
  EXPECT_EQ(file.attribute<std::int64_t>("x", "hash"), -1);
  EXPECT_FALSE(file.has_attribute("x", "none"));
  EXPECT_THROW(file.attribute<double>("x", "unit"), StoreError);
}

TEST(ArrayFile, GrowsByRowsOverManyPiecesAndOverReopening) {
  const TemporaryFolder folder;
  constexpr int kRows = 5000;  // of 24 bytes: several pieces of 32 KiB
  {
    ArrayFile file = ArrayFile::create(folder / "a.h5");
    file.make_rows<double>("positions", {3});
    file.make_rows<std::string>("events");
    for (int i = 0; i < kRows; ++i) {
      file.append_rows<double>("positions", std::vector<double>{i + 0.0, i + 0.25, i + 0.5});
      if (i % 700 == 0) file.flush();
    }
    file.append_rows<std::string>("events", std::vector<std::string>{"start"});
    EXPECT_EQ(file.extents("positions"), (Extents{kRows, 3}));
  }
  {
    ArrayFile file = ArrayFile::append(folder / "a.h5");
    file.append_rows<double>("positions", std::vector<double>{kRows, -1, -2});
    file.append_rows<std::string>("events", std::vector<std::string>{"resume", "end"});
  }
  const ArrayFile file = ArrayFile::open(folder / "a.h5");
  const auto all = file.read<double>("positions");
  ASSERT_EQ(all.size(), 3u * (kRows + 1));
  for (int i = 0; i < kRows; ++i) ASSERT_EQ(all[3 * i + 1], i + 0.25) << i;
  EXPECT_EQ(file.read_rows<double>("positions", kRows, 1), (std::vector<double>{kRows, -1, -2}));
  EXPECT_EQ(file.read<std::string>("events"), (std::vector<std::string>{"start", "resume", "end"}));
}

TEST(ArrayFile, ReadsWhatItWentOnWith) {
  const TemporaryFolder folder;
  {
    ArrayFile file = ArrayFile::create(folder / "a.h5", Checksums::all);
    file.make_rows<double>("x");
    file.append_rows<double>("x", std::vector<double>(100, 1.5));
  }
  ArrayFile file = ArrayFile::append(folder / "a.h5", Checksums::all);
  file.cut_rows("x", 90);
  EXPECT_EQ(file.read<double>("x"), std::vector<double>(90, 1.5));
  file.append_rows<double>("x", std::vector<double>{2});
  EXPECT_EQ(file.extents("x"), Extents{91});
  EXPECT_EQ(file.read_rows<double>("x", 89, 2), (std::vector<double>{1.5, 2}));
}

TEST(ArrayFile, AThreadOfItsOwnWritesTheSame) {
  const TemporaryFolder folder;
  constexpr int kRows = 20000;  // several pieces
  std::vector<double> sent;
  {
    ArrayFile file = ArrayFile::create(folder / "a.h5", Checksums::all);
    file.make_rows<double>("x", {2});
    file.make_rows<std::string>("kind");
    file.write_behind();
    for (int i = 0; i < kRows; ++i) {
      sent.insert(sent.end(), {i + 0.5, -i + 0.0});
      file.append_rows<double>("x", std::span(sent).last(2));
      if (i % 900 == 0) file.append_rows<std::string>("kind", std::vector<std::string>{"impact"});
      if (i % 1700 == 0) file.flush();
      if (i == 9000) file.set_attribute("", "note", std::string("between"));
      if (i == 11000)
        EXPECT_EQ(file.read_rows<double>("x", 11000, 1), (std::vector<double>{11000.5, -11000}));
    }
    file.close();
  }
  const ArrayFile file = ArrayFile::open(folder / "a.h5", Checksums::all);
  EXPECT_EQ(file.read<double>("x"), sent);
  EXPECT_EQ(file.read<std::string>("kind").size(), 23u);
}

TEST(ArrayFile, WhatGoesWrongInItsThreadReachesTheCaller) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto unheeded = signal(SIGXFSZ, SIG_IGN);
  const TemporaryFolder folder;
  ArrayFile file = ArrayFile::create(folder / "a.h5", Checksums::all);
  file.make_rows<double>("x");
  file.flush();
  file.write_behind();
  const rlimit small{100000, before.rlim_max};  // [bytes] a disk that is soon full
  setrlimit(RLIMIT_FSIZE, &small);
  const std::vector<double> rows(100000, 0.25);
  const auto write = [&] {
    file.append_rows<double>("x", rows);
    file.flush();
    file.close();
  };
  EXPECT_THROW(write(), StoreError);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, unheeded);
}

/// Numbers that compress badly.
std::vector<double> noisy_row(std::size_t row) {
  std::vector<double> numbers(40);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = std::sin(static_cast<double>(40 * row + k));
  return numbers;
}

/// Rows and flushes until the disk is full; how many rows were flushed before.
int fill_disk(const path& name, rlim_t most, rlim_t hard) {
  ArrayFile file = ArrayFile::create(name, Checksums::all);
  file.make_rows<double>("x", {40});
  file.make_rows<std::int64_t>("y");
  file.flush();
  file.write_behind();
  const rlimit small{most, hard};
  setrlimit(RLIMIT_FSIZE, &small);
  int flushed = 0;
  try {
    for (int i = 0;; ++i) {
      file.append_rows<double>("x", noisy_row(static_cast<std::size_t>(i)));
      file.append_rows<std::int64_t>("y", std::vector<std::int64_t>{i});
      if (i % 20 != 19) continue;
      file.flush();
      static_cast<void>(file.extents("y"));  // waits for the thread
      flushed = i + 1;
    }
  } catch (const StoreLost& lost) {
    EXPECT_NE(std::string(lost.what()).find("cannot be written any further (File too large)"),
              std::string::npos);
  }
  return flushed;
}

TEST(ArrayFile, AFullDiskLeavesAllThatWasFlushed) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto unheeded = signal(SIGXFSZ, SIG_IGN);
  const TemporaryFolder folder;
  std::set<int> lengths;
  for (rlim_t most = 80000; most < 400000; most += 7777) {
    const int flushed = fill_disk(folder / "a.h5", most, before.rlim_max);
    setrlimit(RLIMIT_FSIZE, &before);
    lengths.insert(flushed);
    const ArrayFile file = ArrayFile::open(folder / "a.h5", Checksums::all);
    const auto x = file.read<double>("x");
    const auto y = file.read<std::int64_t>("y");
    ASSERT_EQ(static_cast<int>(y.size()), flushed) << most;
    ASSERT_EQ(x.size(), 40 * y.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::vector<double> row = noisy_row(i);
      ASSERT_TRUE(std::equal(row.begin(), row.end(), x.begin() + static_cast<std::ptrdiff_t>(40 * i))) << i;
    }
  }
  EXPECT_GT(lengths.size(), 10u) << "the disk was full at many moments";
  signal(SIGXFSZ, unheeded);
}

TEST(ArrayFile, HasOneWriterAndTellsOthersWhoItIs) {
  const TemporaryFolder folder;
  const std::string self = "process " + std::to_string(getpid());
  EXPECT_EQ(writer_of(folder / "a.h5"), "");
  {
    ArrayFile file = ArrayFile::create(folder / "a.h5");
    file.write("x", std::vector<double>{1});
    file.flush();
    EXPECT_TRUE(writer_of(folder / "a.h5").starts_with(self)) << writer_of(folder / "a.h5");
    for (const auto& open :
         {+[](const path& p) { ArrayFile::create(p); }, +[](const path& p) { ArrayFile::append(p); }}) {
      try {
        open(folder / "a.h5");
        ADD_FAILURE() << "a second writer was let in";
      } catch (const StoreError& error) {
        EXPECT_NE(std::string(error.what()).find("is being written by " + self), std::string::npos);
      }
    }
    EXPECT_EQ(ArrayFile::open(folder / "a.h5").read<double>("x"), std::vector<double>{1}) << "readers are";
  }
  EXPECT_EQ(writer_of(folder / "a.h5"), "");
  EXPECT_NO_THROW(ArrayFile::append(folder / "a.h5"));
}

TEST(ArrayFile, TextsWithoutAChecksumAreNotReadWhereAllIsToHaveOne) {
  const TemporaryFolder folder;
  {
    ArrayFile file = ArrayFile::create(folder / "a.h5", Checksums::all);
    file.set_attribute("", "free", std::string("for h5py"));
    file.set_fixed_attribute("", "fixed", "for us");
    file.set_fixed_attribute("", "fixed", "for all");
    const std::string large(200000, 'x');  // more than an object's head can hold
    file.set_fixed_attribute("", "large", large);
    file.write("names", std::vector<std::string>{"a", "bcd", ""});
  }
  const ArrayFile file = ArrayFile::open(folder / "a.h5", Checksums::all);
  EXPECT_EQ(file.attribute<std::string>("", "fixed"), "for all");
  EXPECT_EQ(file.attribute<std::string>("", "large").size(), 200000u);
  EXPECT_EQ(file.read<std::string>("names"), (std::vector<std::string>{"a", "bcd", ""}));
  EXPECT_THROW(file.attribute<std::string>("", "free"), StoreError);
  EXPECT_EQ(ArrayFile::open(folder / "a.h5").attribute<std::string>("", "free"), "for h5py");
}

TEST(ArrayFile, RowsWithoutElementsAreCountedToo) {
  const TemporaryFolder folder;
  ArrayFile file = ArrayFile::create(folder / "a.h5");
  file.make_rows<double>("joints", {0});
  for (int i = 0; i < 3; ++i) file.append_rows<double>("joints", {});
  file.flush();
  EXPECT_EQ(file.extents("joints"), (Extents{3, 0}));
}

TEST(ArrayFile, OverwritesAnArrayOfTheSameExtentsOnly) {
  const TemporaryFolder folder;
  ArrayFile file = ArrayFile::create(folder / "a.h5");
  file.write("x", std::vector<double>{1, 2});
  file.write("x", std::vector<double>{3, 4});
  EXPECT_EQ(file.read<double>("x"), (std::vector<double>{3, 4}));
  EXPECT_THROW(file.write("x", std::vector<double>{3, 4, 5}), StoreError);
}

/// What a call complains of.
template <class F>
std::string complaint(F&& call) {
  try {
    call();
  } catch (const StoreError& error) {
    return error.what();
  }
  return "none";
}

TEST(ArrayFile, ComplainsWithFileAndObject) {
  const TemporaryFolder folder;
  ArrayFile file = ArrayFile::create(folder / "a.h5");
  file.write("x", std::vector<double>{1});
  file.write("t", std::vector<std::string>{"text"});
  const auto names = [&](const std::string& text, const std::string& object) {
    return text.find("a.h5: " + object) != std::string::npos;
  };
  EXPECT_TRUE(names(complaint([&] { file.read<double>("none/there"); }), "none/there"));
  EXPECT_TRUE(names(complaint([&] { file.read<double>("t"); }), "t: "));
  EXPECT_TRUE(names(complaint([&] { file.read<std::string>("x"); }), "x: "));
  EXPECT_TRUE(names(complaint([&] { file.append_rows<double>("x", std::vector<double>{1}); }), "x: "));
  EXPECT_TRUE(names(complaint([&] { file.read_rows<double>("x", 1, 1); }), "x: "));
  EXPECT_TRUE(names(complaint([&] { file.make_rows<double>("x"); }), "x: "));
  file.close();
  EXPECT_NE(complaint([&] { file.has("x"); }), "none");
}

TEST(ArrayFile, RefusesWhatIsNotHdf5) {
  const TemporaryFolder folder;
  std::ofstream(folder / "text.h5") << "no HDF5 at all";
  EXPECT_NE(complaint([&] { ArrayFile::open(folder / "text.h5"); }), "none");
  EXPECT_NE(complaint([&] { ArrayFile::append(folder / "text.h5"); }), "none");
  EXPECT_NE(complaint([&] { ArrayFile::open(folder / "absent.h5"); }), "none");
  EXPECT_NE(complaint([&] { ArrayFile::create(folder / "no" / "folder.h5"); }), "none");
}

TEST(ArrayFile, CannotBeWrittenWhenOpenedForReading) {
  const TemporaryFolder folder;
  ArrayFile::create(folder / "a.h5").write("x", std::vector<double>{1});
  ArrayFile file = ArrayFile::open(folder / "a.h5");
  EXPECT_NE(complaint([&] { file.write("y", std::vector<double>{1}); }), "none");
  EXPECT_NE(complaint([&] { file.write("x", std::vector<double>{2}); }), "none");
}

/// A damaged file is refused or read, but nothing crashes: every byte of the head is spoilt once.
TEST(ArrayFile, SurvivesDamagedFiles) {
  const TemporaryFolder folder;
  ArrayFile::create(folder / "a.h5").write("group/x", std::vector<double>{1, 2, 3});
  std::ifstream in(folder / "a.h5", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  int refused = 0, read = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 800); ++i) {
    std::string spoilt = bytes;
    spoilt[i] = static_cast<char>(~spoilt[i]);
    std::ofstream(folder / "b.h5", std::ios::binary) << spoilt;
    try {
      ArrayFile::open(folder / "b.h5").read<double>("group/x");
      ++read;
    } catch (const StoreError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(read, 50);
}

}  // namespace
}  // namespace touchstone
