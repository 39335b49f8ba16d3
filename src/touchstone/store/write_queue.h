#pragma once
// One thread that writes in the background: it does jobs in their order. Private to store/.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace touchstone {

class WriteQueue {
 public:
  WriteQueue() = default;
  WriteQueue(const WriteQueue&) = delete;
  WriteQueue& operator=(const WriteQueue&) = delete;
  ~WriteQueue();  ///< does all jobs first; drops their exceptions, see wait()

  /// To be done after those before it, soon if it is urgent and otherwise once enough bytes wait. Throws what
  /// an earlier one threw; waits where too many bytes would wait.
  void add(std::function<void()> job, std::size_t bytes, bool urgent = false);
  /// Waits until all jobs are done. Rethrows the exception of a job, once; jobs behind that job are dropped.
  void wait();

 private:
  struct Job {
    std::function<void()> run;
    std::size_t bytes;
  };
  void work();
  void settle(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::deque<Job> jobs_;
  std::size_t waiting_bytes_ = 0;
  bool hurry_ = false, busy_ = false, ends_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  ///< runs from the first job on
};

}  // namespace touchstone
