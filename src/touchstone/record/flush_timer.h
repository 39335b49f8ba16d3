#pragma once
// A thread that does something every now and then. Private to record/.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace touchstone {

class FlushTimer {
 public:
  /// `action` must not throw.
  FlushTimer(std::chrono::milliseconds period, std::function<void()> action);
  FlushTimer(const FlushTimer&) = delete;
  FlushTimer& operator=(const FlushTimer&) = delete;
  ~FlushTimer();  ///< waits for an action that is under way

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace touchstone
