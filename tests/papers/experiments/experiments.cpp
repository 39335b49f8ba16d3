#include <cmath>

#include "experiment.h"

namespace touchstone {
namespace {

using Error = std::function<double(const Positions&, const Positions&)>;

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < b.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

/// The last body ends there. Coordinates that are NaN are not looked at.
Error ends_at(std::vector<double> truth) {
  return [truth = std::move(truth)](const Positions& end, const Positions&) {
    double sum = 0;
    for (std::size_t k = 0; k < truth.size(); ++k) {
      const double off = std::isnan(truth[k]) ? 0 : end.back()[k] - truth[k];
      sum += off * off;
    }
    return std::sqrt(sum);
  };
}

/// The last body ends where it began, moved by this.
Error moves_by(std::vector<double> way) {
  return [way = std::move(way)](const Positions& end, const Positions& start) {
    std::vector<double> truth = start.back();
    for (std::size_t k = 0; k < way.size(); ++k) truth[k] += way[k];
    return distance(end.back(), truth);
  };
}

/// The first body ends where it began, moved by this.
Error first_moves_by(std::vector<double> way) {
  return [way = std::move(way)](const Positions& end, const Positions& start) {
    std::vector<double> truth = start.front();
    for (std::size_t k = 0; k < way.size(); ++k) truth[k] += way[k];
    return distance(end.front(), truth);
  };
}

/// Unit boxes end upon each other, moved straight down; the worst of them.
double stacks_up(const Positions& end, const Positions& start) {
  double worst = 0;
  for (std::size_t i = 0; i < end.size(); ++i) {
    std::vector<double> truth = start[i];
    truth.back() = 0.5 + static_cast<double>(i);
    worst = std::max(worst, distance(end[i], truth));
  }
  return worst;
}

const double kAny = std::nan("");
const char* kStudy = "spec, four digits";
const char* kRest = "it rests";
constexpr double kFine = 2e-4;  ///< [s]
const std::string kFineWords = "plane, h = 2e-4, mean over the run";

Experiment compared(const char* scene, const char* tracked) {
  return {scene, {0.01, 0.005}, 0, kFineWords, nullptr, kFine, tracked};
}

}  // namespace

const std::vector<Experiment>& experiments() {
  const std::vector<double> some = {0.005, 0.01}, one = {0.01};
  static const std::vector<Experiment> all = {
      {"case-5-1", one, 0, "closed form", moves_by({0.015, 0}), 0, ""},
      {"case-5-2", one, 0, "closed form", moves_by({0.015, 0}), 0, ""},
      {"case-5-3", one, 0, "closed form", moves_by({-0.005, 0.002, 0}), 0, ""},
      {"case-5-4", one, 0, "closed form", moves_by({0.003, 0.001, 0}), 0, ""},
      {"triangle-drop",
       {0.001, 0.004, 0.01, 0.016},
       0,
       "event-driven",
       ends_at({3.726979, -2.234137}),
       0,
       ""},
      {"slide-off", {0.002, 0.01, 0.02}, 0, "spec, h = 2e-4", ends_at({0.83709, -0.07357}), 0, ""},
      {"slide-off-cube", some, 0, "spec, h = 2e-4", ends_at({0.83709, 0, -0.07357}), 0, ""},
      {"stack-10", {0.005}, 0, "closed form", stacks_up, 0, ""},
      {"stack-50", {0.005}, 0, "closed form", stacks_up, 0, ""},
      {"stack-10-boxes", some, 0, "closed form", stacks_up, 0, ""},
      {"rotation-error", {0.01, 0.1, 0.5}, 0, "", nullptr, 0, ""},
      {"momentum", one, 0, "closed form", nullptr, 0, ""},
      {"plank-out", some, 0, kStudy, ends_at({0.5694, 0, 0.0455}), 0, ""},
      {"plank-in", some, 0, kRest, moves_by({0, 0, 0}), 0, ""},
      {"crossed-planks-out", some, 0, kStudy, ends_at({0.2693, 0, 0.0956}), 0, ""},
      {"crossed-planks-in", some, 0, kRest, moves_by({0, 0, 0}), 0, ""},
      {"overhang-out", some, 0, kStudy, ends_at({0.5995, 0.2, 0.2330}), 0, ""},
      {"overhang-in", some, 0, kRest, moves_by({0, 0, 0}), 0, ""},
      {"overhang-corner", some, 0, kStudy, ends_at({0.7221, 0.5888, 0.1355}), 0, ""},
      {"twin-tetrahedra", some, 0, kRest, moves_by({0, 0, 0}), 0, ""},
      {"twin-tetrahedra-pushed", some, 0, "closed form", moves_by({0.3, 0.1, 0}), 0, ""},
      compared("crossing-edges", "upper"),
      compared("parallel-edges", "upper"),
      compared("nearly-parallel-edges", "upper"),
      compared("vertex-on-vertex", "upper"),
      compared("sphere-off-edge", "sphere"),
      {"erleben-spikes", one, 0, "", nullptr, 0, ""},
      {"erleben-wedges", one, 0, "", nullptr, 0, ""},
      {"erleben-spike-and-wedge", one, 0, "", nullptr, 0, ""},
      {"erleben-cliff", one, 0, "closed form", first_moves_by({0, -0.05, 0}), 0, ""},
      {"erleben-sliding-spike", one, 0, "closed form", first_moves_by({10, 0, 0}), 0, ""},
      {"tunneling",
       {0.001, 0.01, 0.025},
       0,
       "it stays before the wall",
       [](const Positions& end, const Positions&) { return std::max(0.0, end.back()[0]); },
       0,
       ""},
      {"gripper", {0.002, 0.005, 0.01}, 10, kFineWords, nullptr, kFine, "object"},
      {"gripper-friction", {0.002, 0.005, 0.01}, 10, kFineWords, nullptr, kFine, "object"},
      {"polygons-in-box", {0.01, 0.016}, 10, "", nullptr, 0, ""},
      {"polyhedra-in-box", {0.01, 0.016}, 10, "", nullptr, 0, ""},
  };
  return all;
}

}  // namespace touchstone
