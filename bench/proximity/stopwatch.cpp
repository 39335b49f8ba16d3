#include "stopwatch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>

namespace touchstone::bench {
namespace {

constexpr int kMaxRepeats = 1000;

/// Runs a piece of work and returns how long it took [us].
template <class Work>
double time_us(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

double time_batch(Peer& peer, int query, double batch_us) {
  const double once = time_us([&] { peer.ask(query); });
  const int repeats = std::clamp(static_cast<int>(batch_us / std::max(once, 0.01)), 1, kMaxRepeats);
  return time_us([&] {
           for (int i = 0; i < repeats; ++i) peer.ask(query);
         }) /
         repeats;
}

/// In processor time, for a sweep is long enough to be interrupted by other programs, and for its coarse
/// grain.
double time_sweep(Peer& peer, int queries) {
  const std::clock_t start = std::clock();
  for (int q = 0; q < queries; ++q) peer.ask(q);
  return 1e6 / CLOCKS_PER_SEC * static_cast<double>(std::clock() - start) / queries;
}

double time_motion(Peer& peer, int first, int steps) {
  peer.forget();
  peer.follow(first);
  return time_us([&] {
           for (int q = first + 1; q < first + steps; ++q) peer.follow(q);
         }) /
         (steps - 1);
}

/// The samples of all rounds, `[peer][item][round]`, each taken by `sample(peer, item)`. The peer that starts
/// changes from round to round.
template <class Sample>
std::vector<std::vector<double>> medians(std::size_t peers, int items, int rounds, const Sample& sample) {
  std::vector<std::vector<std::vector<double>>> samples(peers, std::vector<std::vector<double>>(items));
  for (int round = 0; round < rounds; ++round)
    for (int item = 0; item < items; ++item)
      for (std::size_t turn = 0; turn < peers; ++turn) {
        const std::size_t peer = (turn + round) % peers;
        samples[peer][item].push_back(sample(peer, item));
      }
  std::vector<std::vector<double>> result(peers, std::vector<double>(items));
  for (std::size_t peer = 0; peer < peers; ++peer)
    for (int item = 0; item < items; ++item) result[peer][item] = median(samples[peer][item]);
  return result;
}

}  // namespace

std::vector<Timing> time_queries(std::span<Peer* const> peers, int queries, const Effort& effort) {
  const auto each = medians(peers.size(), queries, effort.rounds, [&](std::size_t peer, int query) {
    return time_batch(*peers[peer], query, effort.batch_us);
  });
  const auto sweeps = medians(peers.size(), 1, effort.rounds,
                              [&](std::size_t peer, int) { return time_sweep(*peers[peer], queries); });
  std::vector<Timing> timings;
  for (std::size_t peer = 0; peer < peers.size(); ++peer) timings.push_back({each[peer], sweeps[peer][0]});
  return timings;
}

std::vector<Timing> time_motions(std::span<Peer* const> peers, const MotionLayout& layout,
                                 const Effort& effort) {
  const auto each = medians(peers.size(), layout.motions, effort.rounds, [&](std::size_t peer, int motion) {
    return time_motion(*peers[peer], motion * layout.steps, layout.steps);
  });
  std::vector<Timing> timings;
  for (const auto& times : each) timings.push_back({times, mean(times)});
  return timings;
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double quantile(std::vector<double> values, double fraction) {
  const auto index = static_cast<std::size_t>(std::floor(fraction * static_cast<double>(values.size())));
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(std::min(index, values.size() - 1));
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

}  // namespace touchstone::bench
