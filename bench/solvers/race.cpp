#include "race.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "touchstone/solve/residual.h"
#include "touchstone/solve/solver.h"

namespace touchstone::bench {
namespace {

/// A child may take this many times its limit of wall time, because it may have to share the processor.
constexpr unsigned kPatience = 20;
/// Shorter work is over before another process could take the processor away; its clock is finer.
constexpr double kShort = 200;  // [us]

/// [us] of this thread on a processor: on a shared machine the clock on the wall measures the others.
double processor_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double time_us(const Work& work) {
  using Clock = std::chrono::steady_clock;
  const double processor = processor_us();
  const auto start = Clock::now();
  work();
  const double wall = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  return wall < kShort ? wall : std::min(wall, processor_us() - processor);
}

/// Others can only make a run slower.
double best(const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); }

double ours_us(const RaceCourse& course) {
  SolveSettings settings;
  settings.tolerance = course.goal;
  return time_us([&] { touchstone::solve(course.problem, "auto", settings); });
}

/// Siconos measures its error in its own ways: the loosest tolerance that is enough is looked for.
double loosest_tolerance(const RaceCourse& course, const SiconosSolver& solver, double& reached) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12, 1e-14}) {
    SiconosPeer peer(course.problem, course.file, solver, tolerance);
    peer.prepare();
    peer.solve();
    reached = residual(course.problem, peer.z());
    if (reached <= course.goal) return tolerance;
  }
  return 0;
}

RaceResult run(const RaceCourse& course, const SiconosSolver& solver, const RaceEffort& effort) {
  RaceResult result{true, 0, 0, 0};
  const double tolerance = loosest_tolerance(course, solver, result.siconos_residual);
  if (tolerance == 0) return result;
  std::vector<double> theirs, ours;
  double spent = 0;
  for (int round = 0; round < effort.most_rounds && (round < 3 || spent < effort.seconds * 1e6); ++round) {
    SiconosPeer peer(course.problem, course.file, solver, tolerance);
    peer.prepare();
    theirs.push_back(time_us([&] { peer.solve(); }));
    ours.push_back(ours_us(course));
    spent += std::max(theirs.back(), ours.back());
  }
  result.siconos_us = best(theirs);
  result.our_us = best(ours);
  return result;
}

[[noreturn]] void be_child(int pipe, const RaceCourse& course, const SiconosSolver& solver,
                           const RaceEffort& effort) {
  const itimerval limit{{}, {static_cast<time_t>(effort.time_limit), 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);  // of the processor's time; its signal ends the process
  alarm(kPatience * static_cast<unsigned>(effort.time_limit));
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  const RaceResult result = run(course, solver, effort);
  const ssize_t written = write(pipe, &result, sizeof result);
  _exit(written == sizeof result ? 0 : 1);
}

}  // namespace

RaceResult race(const RaceCourse& course, const SiconosSolver& solver, const RaceEffort& effort) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) be_child(ends[1], course, solver, effort);
  close(ends[1]);
  RaceResult result;
  if (read(ends[0], &result, sizeof result) != sizeof result) result = {};
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return result;
}

double time_alone(const RaceCourse& course, const RaceEffort& effort) {
  std::vector<double> times;
  double spent = 0;
  for (int round = 0; round < effort.most_rounds && (round < 3 || spent < effort.seconds * 1e6); ++round) {
    times.push_back(ours_us(course));
    spent += times.back();
  }
  return best(times);
}

}  // namespace touchstone::bench
