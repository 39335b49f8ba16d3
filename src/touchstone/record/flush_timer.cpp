#include "touchstone/record/flush_timer.h"

#include <signal.h>

#include <utility>

namespace touchstone {

/// Signals are for the threads of whoever made it.
FlushTimer::FlushTimer(std::chrono::milliseconds period, std::function<void()> action) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this, period, act = std::move(action)] {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, period, [this] { return ends_; })) {
      lock.unlock();
      act();
      lock.lock();
    }
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

FlushTimer::~FlushTimer() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

}  // namespace touchstone
