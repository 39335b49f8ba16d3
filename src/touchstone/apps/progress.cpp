#include "touchstone/apps/progress.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace touchstone {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenLines = std::chrono::milliseconds(100);
constexpr int kBarWidth = 30;

volatile std::sig_atomic_t stop_asked = 0;

void raise_flag(int) { stop_asked = 1; }

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
  stop_asked = 0;
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
}

bool StopWish::asked() const { return stop_asked != 0; }

}  // namespace touchstone
