// How the search for the furthest vertex grows with the number of vertices, from 8 to 100 000.
//
//   every_vertex   one dot product after the other
//   climb_cold     along edges from vertex 0: about sqrt n steps
//   climb_warm     along edges from the last answer, the direction turning by 0.01 rad: near constant
//   find_extremal  from scratch: all vertices of a small polytope, the hierarchy of a large one
//   build          of the hierarchy; make: of the polytope with all it holds

#include <cmath>
#include <map>

#include "growth_table.h"
#include "touchstone/geometry/extremal.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/geometry/support_hierarchy.h"
#include "touchstone/math/pose.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

/// Too many for a branch predictor to learn the answers.
constexpr int kDirections = 1 << 14;
constexpr double kTurn = 0.01;  // [rad] per query

const Polytope<3>& polytope(int n) {
  static std::map<int, Polytope<3>> made;
  const auto it = made.find(n);
  if (it != made.end()) return it->second;
  return made.emplace(n, n == 8 ? make_box<3>({1, 2, 3}) : make_random_hull<3>(n, 1)).first->second;
}

const std::vector<Vec<3>>& random_directions() {
  static const std::vector<Vec<3>> directions = [] {
    Random random(2);
    std::vector<Vec<3>> some;
    for (int i = 0; i < kDirections; ++i) some.push_back(random.direction<3>());
    return some;
  }();
  return directions;
}

/// Calls find(P, direction) once per iteration.
template <class Find>
void query(benchmark::State& state, Find find) {
  const Polytope<3>& P = polytope(static_cast<int>(state.range(0)));
  const std::vector<Vec<3>>& directions = random_directions();
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(find(P, directions[i]));
    i = (i + 1) % kDirections;
  }
}

void every_vertex(benchmark::State& state) {
  query(state, [](const Polytope<3>& P, const Vec<3>& direction) {
    int best = 0;
    double height = direction.dot(P.vertex(0));
    for (int v = 1; v < P.vertex_count(); ++v) {
      const double h = direction.dot(P.vertex(v));
      if (h <= height) continue;
      height = h;
      best = v;
    }
    return best;
  });
}

void climb_cold(benchmark::State& state) {
  query(state, [](const Polytope<3>& P, const Vec<3>& direction) { return climb_extremal(P, direction, 0); });
}

void climb_warm(benchmark::State& state) {
  const Polytope<3>& P = polytope(static_cast<int>(state.range(0)));
  const Mat<3> turn = rotation(Vec<3>(1, 2, 3).normalized(), kTurn);
  std::vector<Vec<3>> directions{Vec<3>::UnitX()};
  while (directions.size() < kDirections) directions.push_back((turn * directions.back()).normalized());
  std::size_t i = 0;
  int hint = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(hint = climb_extremal(P, directions[i], hint));
    i = (i + 1) % kDirections;
  }
}

void find(benchmark::State& state) {
  query(state, [](const Polytope<3>& P, const Vec<3>& direction) { return find_extremal(P, direction); });
}

void build(benchmark::State& state) {
  const Polytope<3>& P = polytope(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(build_support_hierarchy<3>(P.data()));
}

void make(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(make_random_hull<3>(n, 1));
}

void sizes(benchmark::internal::Benchmark* family) {
  for (int n : {8, 16, 32, 64, 128, 256, 1000, 3000, 10000, 30000, 100000}) family->Arg(n);
}

BENCHMARK(every_vertex)->Apply(sizes);
BENCHMARK(climb_cold)->Apply(sizes);
BENCHMARK(climb_warm)->Apply(sizes);
BENCHMARK(find)->Name("find_extremal")->Apply(sizes);
BENCHMARK(build)->Apply(sizes);
BENCHMARK(make)->Apply(sizes);

}  // namespace
}  // namespace touchstone

int main(int argc, char** argv) { return touchstone::bench::run_and_tabulate(argc, argv); }
