// Jobs done behind the back of whoever computes: all of them, in order, and their failures told once.

#include "touchstone/store/write_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <stdexcept>
#include <string>
#include <vector>

namespace touchstone {
namespace {

/// [bytes] A job of so many wakes the thread, and one of so few never does.
constexpr std::size_t kLarge = std::size_t{1} << 20, kSmall = 1;

/// A thread may have to wait for a busy machine; a test that hangs is ended.
constexpr std::chrono::minutes kPatience{10};

std::vector<int> first_numbers(int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

void add_numbers(WriteQueue& queue, int count, std::size_t bytes, std::vector<int>& done) {
  for (int i = 0; i < count; ++i) queue.add([&done, i] { done.push_back(i); }, bytes);
}

void fail() { throw std::runtime_error("the disk is full"); }

std::string told_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(WriteQueue, DoesAllJobsInOrderBeforeItEnds) {
  for (const std::size_t bytes : {kSmall, kLarge}) {
    std::vector<int> done;
    {
      WriteQueue queue;
      add_numbers(queue, 100, bytes, done);
    }
    EXPECT_EQ(done, first_numbers(100)) << bytes << " bytes each";
  }
}

TEST(WriteQueue, HasDoneAllJobsInOrderAfterAWait) {
  for (const std::size_t bytes : {kSmall, kLarge}) {
    std::vector<int> done;
    WriteQueue queue;
    add_numbers(queue, 100, bytes, done);
    queue.wait();
    EXPECT_EQ(done, first_numbers(100)) << bytes << " bytes each";
  }
}

/// A wait without any job ends at once, and it uses nothing up: the next wait waits for the jobs that came
/// after it.
TEST(WriteQueue, WaitsForTheNextJobsAfterAWaitWithoutAny) {
  for (const std::size_t bytes : {kSmall, kLarge}) {
    std::vector<int> done;
    WriteQueue queue;
    queue.wait();
    queue.wait();
    add_numbers(queue, 3, bytes, done);
    queue.wait();
    EXPECT_EQ(done, first_numbers(3)) << bytes << " bytes each";
    queue.wait();
    EXPECT_EQ(done, first_numbers(3)) << "no job is done twice";
  }
}

/// Who adds an urgent job need not wait for it, nor for those before it.
TEST(WriteQueue, DoesAnUrgentJobSoonHoweverSmall) {
  std::vector<int> done;
  std::promise<void> reached;
  WriteQueue queue;
  add_numbers(queue, 3, kSmall, done);
  queue.add([&] { reached.set_value(); }, kSmall, true);
  ASSERT_EQ(reached.get_future().wait_for(kPatience), std::future_status::ready);
  EXPECT_EQ(done, first_numbers(3));
}

TEST(WriteQueue, DoesSmallJobsOnceManyBytesWait) {
  std::promise<void> reached;
  WriteQueue queue;
  queue.add([&] { reached.set_value(); }, kSmall);
  queue.add([] {}, kLarge);
  EXPECT_EQ(reached.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST(WriteQueue, MakesWhoAddsTooMuchWait) {
  std::atomic<int> done = 0;
  WriteQueue queue;
  constexpr std::size_t kHuge = std::size_t{1} << 26;
  queue.add([&] { ++done; }, kHuge);
  queue.add([&] { ++done; }, kHuge);
  EXPECT_GE(done, 1);
  queue.wait();
  EXPECT_EQ(done, 2);
}

TEST(WriteQueue, TellsAFailureOnceAndDropsTheJobsBehindIt) {
  std::vector<int> done;
  WriteQueue queue;
  add_numbers(queue, 2, kSmall, done);
  queue.add(fail, kSmall);
  add_numbers(queue, 5, kSmall, done);
  EXPECT_EQ(told_by([&] { queue.wait(); }), "the disk is full");
  EXPECT_EQ(done, first_numbers(2));
  queue.wait();
  queue.add([&] { done.push_back(2); }, kSmall);
  queue.wait();
  EXPECT_EQ(done, first_numbers(3));
}

/// Behind the failing job others wait while the next one is added: none of them is done.
TEST(WriteQueue, TellsAFailureToWhoAddsTheNextJob) {
  std::atomic<int> done = 0;
  std::promise<void> failing;
  WriteQueue queue;
  const auto fail_soon = [&] {
    failing.set_value();
    fail();
  };
  queue.add(fail_soon, kSmall);
  for (int i = 0; i < 1000; ++i) queue.add([&] { ++done; }, kSmall);
  queue.add([&] { ++done; }, kSmall, true);
  failing.get_future().wait();
  std::string told = "nothing";
  while (told == "nothing") told = told_by([&] { queue.add([&] { ++done; }, kSmall, true); });
  EXPECT_EQ(told, "the disk is full");
  queue.wait();
  EXPECT_EQ(done, 0);
}

/// Nobody is left to tell the failure to; it must not leave the destructor, and no job behind it is done.
TEST(WriteQueue, KeepsAFailureToItselfWhenItEnds) {
  for (const std::size_t bytes : {kSmall, kLarge}) {
    std::vector<int> done;
    const auto end_with_a_failure = [&] {
      WriteQueue queue;
      add_numbers(queue, 2, kSmall, done);
      queue.add([&] { done.push_back(2), fail(); }, bytes);
      try {
        add_numbers(queue, 5, kSmall, done);
      } catch (
          const std::runtime_error&) {  // told already: the failing job was done before the last was added
      }
    };
    EXPECT_EQ(told_by(end_with_a_failure), "nothing");
    EXPECT_EQ(done, first_numbers(3)) << bytes << " bytes";
  }
}

}  // namespace
}  // namespace touchstone
