#include "touchstone/store/write_queue.h"

#include <cassert>
#include <utility>

namespace touchstone {
namespace {

/// Waking a thread costs some microseconds, so it sleeps until this many bytes wait ...
constexpr std::size_t kWorthWaking = std::size_t{1} << 19;
/// ... and who adds more than these waits for it: the disk does not keep up.
constexpr std::size_t kMostWaiting = std::size_t{1} << 25;

}  // namespace

WriteQueue::~WriteQueue() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_one();
  // Few small jobs never woke a thread: they are done here, where a thread that cannot start does no harm.
  thread_.joinable() ? thread_.join() : work();
  assert(jobs_.empty());
}

void WriteQueue::add(std::function<void()> job, std::size_t bytes, bool urgent) {
  assert(job);
  std::unique_lock lock(mutex_);
  assert(!ends_);
  // Told only once those behind it are dropped: else some of them would still be done.
  if (failure_ || waiting_bytes_ > kMostWaiting) settle(lock);
  jobs_.push_back({std::move(job), bytes});
  waiting_bytes_ += bytes;
  if (!urgent && waiting_bytes_ < kWorthWaking) return;
  hurry_ = true;
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  lock.unlock();
  wake_.notify_one();
}

void WriteQueue::wait() {
  std::unique_lock lock(mutex_);
  settle(lock);
}

/// Without a thread there is nothing to wait for but what waits itself.
void WriteQueue::settle(std::unique_lock<std::mutex>& lock) {
  assert(lock.owns_lock());
  if (!jobs_.empty() && !thread_.joinable()) thread_ = std::thread([this] { work(); });
  hurry_ = true;
  wake_.notify_one();
  idle_.wait(lock, [this] { return jobs_.empty() && !busy_; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void WriteQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return (hurry_ && !jobs_.empty()) || ends_; });
    if (jobs_.empty()) return;
    busy_ = true;
    while (!jobs_.empty()) {
      const Job job = std::move(jobs_.front());
      jobs_.pop_front();
      const bool dropped = failure_ != nullptr;
      lock.unlock();
      std::exception_ptr failure;
      try {
        if (!dropped) job.run();
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (failure) failure_ = failure;
      assert(waiting_bytes_ >= job.bytes);
      waiting_bytes_ -= job.bytes;
    }
    assert(waiting_bytes_ == 0);
    busy_ = hurry_ = false;
    idle_.notify_all();
  }
}

}  // namespace touchstone
