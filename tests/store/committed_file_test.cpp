#include "touchstone/store/committed_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include "support/temporary_folder.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

using Access = CommittedFile::Access;
using std::filesystem::path;

std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::string content_of(const CommittedFile& file, std::size_t size) {
  std::string text(size, '?');
  file.read(0, std::as_writable_bytes(std::span(text)));
  return text;
}
std::string committed_in(const path& file, std::size_t size) {
  return content_of(CommittedFile(file, Access::read), size);
}

std::string raw_bytes(const path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The obvious file: a text in memory.
void put(std::string& model, std::size_t place, const std::string& text) {
  model.resize(std::max(model.size(), place + text.size()), '\0');
  model.replace(place, text.size(), text);
}

TEST(CommittedFile, OthersSeeTheLastCommitAndItsWriterSeesAll) {
  const TemporaryFolder folder;
  Random random(7);
  const path name = folder / "a";
  CommittedFile file(name, Access::create);
  std::string model, committed;
  int below = 0;
  for (int i = 0; i < 400; ++i) {
    const auto place = static_cast<std::size_t>(random.uniform(0, 3000)),
               size = static_cast<std::size_t>(random.uniform(1, 300));
    const std::string text(size, static_cast<char>('a' + i % 26));
    below += place < committed.size();
    file.write(place, bytes_of(text));
    put(model, place, text);
    ASSERT_EQ(content_of(file, model.size()), model);
    ASSERT_EQ(committed_in(name, committed.size()), committed);
    if (i % 10 != 9) continue;
    file.commit(model.size());
    committed = model;
    ASSERT_EQ(raw_bytes(name), model) << "the journal is gone";
  }
  EXPECT_GT(below, 100) << "most were written where something was committed";
}

TEST(CommittedFile, WhatWasNotCommittedIsGoneWithItsWriter) {
  const TemporaryFolder folder;
  {
    CommittedFile file(folder / "a", Access::create);
    file.write(0, bytes_of("one"));
    file.commit(3);
    file.write(1, bytes_of("XXXXXXX"));
  }
  EXPECT_EQ(raw_bytes(folder / "a"), "one");
  { CommittedFile(folder / "b", Access::create).write(0, bytes_of("nothing")); }
  EXPECT_FALSE(std::filesystem::exists(folder / "b")) << "a file without content is of no use";
}

/// Fills many places with the same letter, commits, and takes the next letter, for ever.
constexpr int kPlaces = 200, kStride = 100;
[[noreturn]] void commit_for_ever(const path& name) {
  CommittedFile file(name, Access::create);
  for (int i = 0;; ++i) {
    const auto letters = bytes_of(std::string(10, static_cast<char>('a' + i % 26)));
    for (int k = 0; k < kPlaces; ++k) file.write(static_cast<std::uint64_t>(k) * kStride, letters);
    file.commit(kPlaces * kStride);
  }
}

/// Do all places have the same letter?
bool is_whole(const std::string& content) {
  for (int k = 0; k < kPlaces; ++k) {
    for (int i = 0; i < 10; ++i) {
      if (content.at(static_cast<std::size_t>(k) * kStride + i) != content[0]) return false;
    }
  }
  return content[0] != '\0';
}

TEST(CommittedFile, AKillAtAnyMomentLeavesTheOldContentOrTheNew) {
  constexpr int kKills = 40, kMostKills = 2000, kTorn = 5;
  const TemporaryFolder folder;
  const path name = folder / "a";
  Random random(11);
  int kills = 0, torn = 0;
  // A kill in the middle of putting bytes in their places is what the journal is there for: until some were.
  for (; kills < kKills || (torn < kTorn && kills < kMostKills); ++kills) {
    std::filesystem::remove(name);
    const pid_t child = fork();
    if (child == 0) commit_for_ever(name);
    while (!std::filesystem::exists(name) || std::filesystem::file_size(name) < kPlaces * kStride)
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(random.uniform(0, 3000))));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    std::string raw = raw_bytes(name);
    raw.resize(std::max<std::size_t>(raw.size(), kPlaces * kStride));
    torn += !is_whole(raw);
    ASSERT_TRUE(is_whole(committed_in(name, kPlaces * kStride))) << kills;
    const CommittedFile mended(name, Access::change);
    ASSERT_TRUE(is_whole(raw_bytes(name).substr(0, kPlaces * kStride))) << kills;
  }
  EXPECT_GE(torn, kTorn) << "of " << kills << " kills";
}

TEST(CommittedFile, AJournalThatIsNotWholeCountsForNothing) {
  const TemporaryFolder folder;
  Random random(13);
  int journals = 0;
  for (int tries = 0; tries < 2000 && journals < 3; ++tries) {
    const path name = folder / "a";
    std::filesystem::remove(name);
    const pid_t child = fork();
    if (child == 0) commit_for_ever(name);
    while (!std::filesystem::exists(name) || std::filesystem::file_size(name) < kPlaces * kStride)
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(random.uniform(0, 3000))));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string raw = raw_bytes(name);
    if (raw.size() <= kPlaces * kStride + 100) continue;
    ++journals;
    for (const std::size_t spoilt : {raw.size() - 1, raw.size() - 40, kPlaces * kStride + raw.size() / 100}) {
      std::string bytes = raw;
      bytes[spoilt] = static_cast<char>(~bytes[spoilt]);
      std::ofstream(name, std::ios::binary) << bytes;
      EXPECT_EQ(committed_in(name, bytes.size()), bytes) << "read as it is";
    }
  }
  EXPECT_EQ(journals, 3);
}

TEST(CommittedFile, AFullDiskLeavesTheLastCommit) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto unheeded = signal(SIGXFSZ, SIG_IGN);
  const TemporaryFolder folder;
  int in_journal = 0, beyond = 0;
  for (rlim_t most = 3100; most < 6500; most += 100) {
    CommittedFile file(folder / "a", Access::create);
    file.write(0, bytes_of(std::string(3000, 'a')));
    file.commit(3000);
    const rlimit small{most, before.rlim_max};  // [bytes] a disk that is soon full
    setrlimit(RLIMIT_FSIZE, &small);
    bool refused = false;
    try {
      file.write(1000, bytes_of(std::string(1500, 'b')));
      file.write(3000, bytes_of(std::string(1000, 'c')));
      ++in_journal;
      file.commit(4000);
    } catch (const FileTrouble& trouble) {
      refused = true;
      EXPECT_STREQ(trouble.what(), "File too large");
      EXPECT_EQ(file.trouble(), trouble.what());
      beyond += most < 4000;
    }
    setrlimit(RLIMIT_FSIZE, &before);
    const std::string old(3000, 'a'), now = std::string(1000, 'a') + std::string(1500, 'b') +
                                            std::string(500, 'a') + std::string(1000, 'c');
    EXPECT_EQ(committed_in(folder / "a", 3000), refused ? old : now.substr(0, 3000)) << most;
    if (refused) {
      EXPECT_THROW(file.commit(4000), FileTrouble) << "once lost, always lost";
    }
  }
  EXPECT_GT(in_journal, 5);
  EXPECT_GT(beyond, 5);
  signal(SIGXFSZ, unheeded);
}

TEST(CommittedFile, AFolderThatIsGoneIsTold) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  CommittedFile file(folder / "sub/a", Access::create);
  file.write(0, bytes_of("one"));
  file.commit(3);
  std::filesystem::rename(folder / "sub", folder / "elsewhere");
  EXPECT_THROW(file.commit(3), FileTrouble);
  EXPECT_NE(file.trouble().find("no longer there"), std::string::npos);
}

}  // namespace
}  // namespace touchstone
