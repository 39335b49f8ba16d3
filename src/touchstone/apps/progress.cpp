#include "touchstone/apps/progress.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "touchstone/apps/commands.h"

namespace touchstone {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenLines = std::chrono::milliseconds(100);
constexpr int kBarWidth = 30;

/// Work after which a wish that nobody has seen ends the program, and time for a program that only waits.
constexpr double kWorkUnseen = 0.1, kTimeUnseen = 1;  // [s]
constexpr char kAsked = 's', kOver = 'o';

// A handler of signals can know nothing but these.
std::atomic<bool> stop_asked = false, stop_seen = false;
std::atomic<int> stop_pipe = -1;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void raise_flag(int) {
  const int error = errno;
  stop_asked = true;
  static_cast<void>(write(stop_pipe, &kAsked, 1) == 1);
  errno = error;
}

/// [s] By a clock of the system.
double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// 75 s as 1:15, for a person who waits.
std::string waiting_time(double seconds) {
  char text[32];
  const long whole = static_cast<long>(std::min(seconds, 359999.0) + 0.5);
  if (whole < 3600) {
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return text;
}

}  // namespace

Progress::Progress(Span span, std::string unit, bool quiet)
    : span_(span),
      unit_(std::move(unit)),
      shown_(!quiet && span.end > 0 && isatty(STDERR_FILENO) != 0),
      begin_(Clock::now()),
      last_(begin_) {}

Progress::~Progress() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
}

void Progress::show(double done) {
  const auto now = Clock::now();
  if (!shown_ || now - last_ < kBetweenLines) return;
  last_ = now;
  const double share = std::clamp(done / span_.end, 0.0, 1.0), made = done - span_.begin;
  const double passed = std::chrono::duration<double>(now - begin_).count();
  const int filled = static_cast<int>(share * kBarWidth);
  const std::string bar = std::string(filled, '#') + std::string(kBarWidth - filled, '.');
  const std::string left = made > 0 ? waiting_time(passed * (span_.end - done) / made) + " left" : "";
  std::fprintf(stderr, "\r\033[K[%s] %.4g of %.4g %s, %.3g %s/s, %s", bar.c_str(), done, span_.end,
               unit_.c_str(), made / passed, unit_.c_str(), left.c_str());
  std::fflush(stderr);
}

StopWish::StopWish() {
  stop_asked = stop_seen = false;
  if (pipe2(wake_, O_CLOEXEC) == 0) {
    stop_pipe = wake_[1];
    thread_ = std::thread([this] { watch(); });
  }
  struct sigaction action = {};
  action.sa_handler = raise_flag;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

StopWish::~StopWish() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  stop_pipe = -1, stop_seen = true;  // whoever has come to this place ends soon
  if (!thread_.joinable()) return;
  if (write(wake_[1], &kOver, 1) == 1) thread_.join();
  for (const int end : wake_) close(end);
}

bool StopWish::asked() const {
  if (stop_asked) stop_seen = true;
  return stop_asked;
}

const std::atomic<bool>* StopWish::flag() const { return &stop_asked; }

/// By the time of the processor: a busy machine gives a program little of it, and that is no reason to end
/// it.
void StopWish::watch() const {
  char word = 0;
  while (read(wake_[0], &word, 1) < 0 && errno == EINTR) {
  }
  if (word != kAsked) return;
  const double work = seconds_of(CLOCK_PROCESS_CPUTIME_ID), begin = seconds_of(CLOCK_MONOTONIC);
  while (!stop_seen) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - work < kWorkUnseen &&
        seconds_of(CLOCK_MONOTONIC) - begin < kTimeUnseen)
      continue;
    if (stop_seen) break;
    std::fprintf(stderr, "touchstone: stopped; what was recorded up to a second before is kept\n");
    std::_Exit(kStopped);
  }
}

}  // namespace touchstone
