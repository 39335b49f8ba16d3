// Steps per second of resting stacks, and the cost per contact as they grow: one tall stack, and many
// separate ones.
//
//     stepping_bench [--boxes N]       prints a table, up to one stack of N boxes and N stacks of ten; times
//                                      are medians over the steps after the first ten, of one thread on its
//                                      processor (others may use the machine)

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "touchstone/geometry/mass_properties.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

void add_box(World<3>& world, const Vec<3>& at, BodyKind kind, const Vec<3>& sides) {
  const auto shape = std::make_shared<const Shape<3>>(make_box<3>(sides));
  const auto properties = find_mass_properties(std::get<Polytope<3>>(*shape));
  Body<3> body;
  body.name = "box" + std::to_string(world.bodies.size());
  body.kind = kind, body.mass = properties.volume, body.inertia = properties.inertia(body.mass);
  body.position = at;
  world.shapes.push_back({shape, static_cast<int>(world.bodies.size()), {}});
  world.bodies.push_back(body);
}

World<3> stacks(int count, int height, double mu) {
  World<3> world;
  world.gravity = Vec<3>(0, 0, -9.81);
  Surface surface;
  surface.friction = mu > 0 ? FrictionLaw::linear : FrictionLaw::none, surface.mu = mu,
  surface.directions = 4;
  world.surfaces = SurfaceTable(1, surface);
  const int side = static_cast<int>(std::ceil(std::sqrt(count)));
  for (int s = 0; s < count; ++s) {
    const Vec<3> foot(3. * (s % side), 3. * (s / side), 0);
    add_box(world, foot - Vec<3>(0, 0, 0.5), BodyKind::fixed, Vec<3>(2, 2, 1));
    for (int i = 0; i < height; ++i)
      add_box(world, foot + Vec<3>(0, 0, 0.5 + i), BodyKind::dynamic, Vec<3>::Ones());
  }
  return world;
}

struct Result {
  double step = 0;  ///< [s] median
  int contacts = 0;
  bool done = true;
  StageTimes times;  ///< [s] summed over the steps, on the wall's clock
};

void add(const StageTimes& times, StageTimes& sum) {
  sum.measure += times.measure, sum.relate += times.relate, sum.formulate += times.formulate;
  sum.solve += times.solve, sum.advance += times.advance;
}

/// [s] of this process on its processor.
double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Result run(World<3> world, int steps) {
  Stepper<3> stepper({.h = 0.005, .threads = 1});
  std::vector<double> seconds;
  Result result;
  for (int i = 0; i < steps + 10; ++i) {
    const double start = processor_time();
    const StepReport<3> report = stepper.step(world);
    const double time = processor_time() - start;
    result.done &= report.status == StepStatus::done;
    result.contacts = report.contacts;
    if (i >= 10) {
      seconds.push_back(time);
      add(report.times, result.times);
    }
    if (!result.done) break;
  }
  if (seconds.empty()) return result;
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  result.step = seconds[seconds.size() / 2];
  return result;
}

std::size_t boxes_in(const World<3>& world) {
  return std::count_if(world.bodies.begin(), world.bodies.end(),
                       [](const Body<3>& body) { return body.kind == BodyKind::dynamic; });
}

/// One row of the table, and the power of n with which the cost per contact grew since the row before.
void print_row(const char* what, const World<3>& world, double mu, const Result& r, double before) {
  const double cost = 1e6 * r.step / std::max(1, r.contacts);
  std::printf("| %s | %zu | %.1f | %d | %s | %.0f | %.2f | ", what, boxes_in(world), mu, r.contacts,
              r.done ? "yes" : "no", r.step > 0 ? 1 / r.step : 0, cost);
  if (before > 0) std::printf("%.2f", std::log10(cost / before));
  const StageTimes& t = r.times;
  const double all = t.measure + t.relate + t.formulate + t.solve + t.advance, percent = 100 / all;
  std::printf(" | %.0f/%.0f/%.0f/%.0f/%.0f |\n", percent * t.measure, percent * t.relate,
              percent * t.formulate, percent * t.solve, percent * t.advance);
  std::fflush(stdout);
}

/// Boxes ten times as many from row to row, all in one stack or in stacks of ten.
void print_growth(bool one_stack, double mu, int most_boxes) {
  double before = 0;
  for (int n = 10; n <= most_boxes; n *= 10) {
    const World<3> world = one_stack ? stacks(1, n, mu) : stacks(n / 10, 10, mu);
    const Result result = run(world, n < 500 ? 100 : 20);
    print_row(one_stack ? "one stack" : "stacks of ten", world, mu, result, before);
    before = 1e6 * result.step / std::max(1, result.contacts);
  }
}

}  // namespace
}  // namespace touchstone

int main(int argc, char** argv) {
  using namespace touchstone;
  const int boxes = argc == 3 && !std::strcmp(argv[1], "--boxes") ? std::atoi(argv[2]) : 1000;
  std::printf(
      "| scene | boxes | mu | contacts | solved | steps/s | us per contact | exponent | %% of the time: "
      "measure/relate/formulate/solve/advance |\n");
  std::printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const double mu : {0., 0.5})
    for (const bool one_stack : {false, true}) print_growth(one_stack, mu, one_stack ? boxes : 10 * boxes);
}
