#pragma once
// A progress bar on the terminal, and the wish of whoever sits there to stop.

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace touchstone {

/// One line on standard error that is drawn anew a few times a second; nothing where that is no terminal.
class Progress {
 public:
  /// Time simulated before this program began counts for the bar, but not for the rate and the time left.
  struct Span {
    double begin = 0, end = 0;
  };
  /// `unit` stands behind the numbers: "s" for seconds of a simulation.
  Progress(Span span, std::string unit, bool quiet);
  ~Progress();  ///< wipes the line

  void show(double done);
  /// More was done before than was known at first.
  void begin_at(double done) { span_.begin = done; }

 private:
  Span span_;
  std::string unit_;
  bool shown_;
  std::chrono::steady_clock::time_point begin_, last_;
};

/// From its creation on, Ctrl-C and SIGTERM raise a flag; a second one ends the program as usual. Where
/// nobody looks at the flag for a tenth of a second of work, as while a large mesh is read, the program ends
/// there and then, with kStopped: a recording then holds what was flushed.
class StopWish {
 public:
  StopWish();
  ~StopWish();
  /// Whoever is told so sees to it that the program ends.
  bool asked() const;
  /// For those who only stop what they are at.
  const std::atomic<bool>* flag() const;

 private:
  void watch() const;

  int wake_[2] = {-1, -1};  ///< a pipe: the handler writes, the thread reads
  std::thread thread_;
};

}  // namespace touchstone
