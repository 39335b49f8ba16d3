// How the broad phase grows with the number of bodies: boxes at constant density, two or three pairs per
// body.
//
//   brute_force     every pair
//   cold            all boxes inserted into an empty tree, then all pairs
//   coherent        every body moves by a fiftieth of its width, then all pairs; per step
//   swept           the same with boxes that hold the whole step
//   pairs           all pairs again, nothing moved
//
// Times in microseconds.

#include <cmath>

#include "growth_table.h"
#include "touchstone/math/random.h"
#include "touchstone/proximity/broad_phase.h"

namespace touchstone {
namespace {

constexpr double kWidth = 1;           // [m] of a body, about
constexpr double kFat = 0.1 * kWidth;  // [m]
constexpr double kStep = kWidth / 50;  // [m] that a body moves
using Pairs = BroadPhase<3>::Pairs;

/// Bodies that fly about in a cube at one per cubic metre.
class Swarm {
 public:
  explicit Swarm(int n) : random_(1), side_(std::cbrt(n)) {
    for (int i = 0; i < n; ++i) {
      const Vec<3> centre = side_ * Vec<3>(random_.unit(), random_.unit(), random_.unit());
      const Vec<3> half =
          kWidth * Vec<3>(random_.uniform(0.3, 0.6), random_.uniform(0.3, 0.6), random_.uniform(0.3, 0.6));
      boxes.push_back({centre - half, centre + half});
      steps.push_back(kStep * random_.direction<3>());
    }
  }
  /// Straight on, and back from the walls.
  void fly() {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Vec<3> centre = (boxes[i].low + boxes[i].high) / 2;
      for (int k = 0; k < 3; ++k) {
        if (centre[k] < 0) steps[i][k] = std::abs(steps[i][k]);
        if (centre[k] > side_) steps[i][k] = -std::abs(steps[i][k]);
      }
      boxes[i].low += steps[i];
      boxes[i].high += steps[i];
    }
  }
  std::vector<Box<3>> boxes;
  std::vector<Vec<3>> steps;

 private:
  Random random_;
  double side_;
};

BroadPhase<3> filled(const Swarm& swarm) {
  BroadPhase<3> broad_phase(kFat);
  for (const Box<3>& box : swarm.boxes) broad_phase.insert(box);
  return broad_phase;
}

void brute_force(benchmark::State& state) {
  const Swarm swarm(static_cast<int>(state.range(0)));
  Pairs found;
  for (auto _ : state) {
    found.clear();
    for (int i = 0; i < state.range(0); ++i) {
      for (int j = i + 1; j < state.range(0); ++j) {
        if (swarm.boxes[i].meets(swarm.boxes[j])) found.emplace_back(i, j);
      }
    }
    benchmark::DoNotOptimize(found.data());
  }
}

void cold(benchmark::State& state) {
  const Swarm swarm(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(filled(swarm).pairs());
}

/// Moves the bodies by box_of(swarm, i).
template <class BoxOf>
void motion(benchmark::State& state, BoxOf box_of) {
  Swarm swarm(static_cast<int>(state.range(0)));
  BroadPhase<3> broad_phase = filled(swarm);
  Pairs found;
  for (auto _ : state) {
    state.PauseTiming();
    swarm.fly();
    state.ResumeTiming();
    for (int i = 0; i < state.range(0); ++i) broad_phase.move(i, box_of(swarm, i));
    broad_phase.pairs(found);
  }
  state.counters["pairs"] = static_cast<double>(found.size());
  state.counters["height"] = broad_phase.height();
}

void coherent(benchmark::State& state) {
  motion(state, [](const Swarm& swarm, int i) { return swarm.boxes[i]; });
}

void swept(benchmark::State& state) {
  motion(state, [](const Swarm& swarm, int i) {
    const Box<3>& box = swarm.boxes[i];
    return box.joined({box.low + swarm.steps[i], box.high + swarm.steps[i]});
  });
}

void pairs(benchmark::State& state) {
  const BroadPhase<3> broad_phase = filled(Swarm(static_cast<int>(state.range(0))));
  Pairs found;
  for (auto _ : state) broad_phase.pairs(found);
}

void sizes(benchmark::internal::Benchmark* family) {
  family->Unit(benchmark::kMicrosecond);
  for (int n : {100, 300, 1000, 3000, 10000, 30000}) family->Arg(n);
}

BENCHMARK(brute_force)->Unit(benchmark::kMicrosecond)->Arg(100)->Arg(300)->Arg(1000)->Arg(3000)->Arg(10000);
BENCHMARK(cold)->Apply(sizes);
BENCHMARK(coherent)->Apply(sizes);
BENCHMARK(swept)->Apply(sizes);
BENCHMARK(pairs)->Apply(sizes);

}  // namespace
}  // namespace touchstone

int main(int argc, char** argv) { return touchstone::bench::run_and_tabulate(argc, argv); }
