#include "support/orders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace touchstone::support {
namespace {

/// The order that is measured may differ by this from the one claimed: errors have terms of higher order, and
/// events fall anywhere in a step.
constexpr double kOrderBelow = 0.2, kOrderAbove = 0.3;
constexpr std::size_t kFewestSteps = 4;
constexpr double kPhases = 0.3;  // steps between h and h/1.3

std::string text_of(const char* format, double number) {
  char text[40];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string listed(const std::vector<double>& numbers) {
  std::string text;
  for (double number : numbers) text += (text.empty() ? "" : ", ") + text_of("%.2g", number);
  return text;
}

/// How it was measured.
struct Cells {
  std::string steps, errors, order;
};

void print_row(const Benchmark& benchmark, const Quantity& quantity, const Cells& cells) {
  std::printf("benchmark | %s | %dD | %s | %.12g | %s | %s | %s |\n", benchmark.id.c_str(),
              benchmark.dimension, quantity.name.c_str(), quantity.value, cells.steps.c_str(),
              cells.errors.c_str(), cells.order.c_str());
}

/// The largest error of each quantity over the phases of a step.
std::vector<double> errors_at(double h, const std::vector<Quantity>& quantities, int phases,
                              const Measure& measure) {
  std::vector<double> errors(quantities.size(), 0);
  for (int phase = 0; phase < phases; ++phase) {
    const std::vector<double> found = measure(h / (1 + kPhases * phase / phases));
    for (std::size_t i = 0; i < errors.size(); ++i) {
      errors[i] = std::max(errors[i], std::abs(found.at(i) - quantities[i].value));
    }
  }
  return errors;
}

void judge(const Benchmark& benchmark, const Quantity& quantity, const Convergence& found) {
  const double order = found.order();
  const std::string what = benchmark.id + " " + quantity.name;
  EXPECT_GE(found.h.size(), kFewestSteps) << what;
  const bool exact = std::all_of(found.error.begin(), found.error.end(), [](double e) { return e < 1e-11; });
  if (exact) return print_row(benchmark, quantity, {listed(found.h), listed(found.error), "exact"});
  EXPECT_GT(order, quantity.order - kOrderBelow) << what;
  EXPECT_LT(order, quantity.order + kOrderAbove) << what;
  EXPECT_LT(found.constant(quantity.order), quantity.constant) << what;
  print_row(benchmark, quantity, {listed(found.h), listed(found.error), text_of("%.2f", order)});
}

}  // namespace

std::vector<double> halved(double h, int count) {
  std::vector<double> steps(count);
  for (int i = 0; i < count; ++i) steps[i] = std::ldexp(h, -i);
  return steps;
}

std::vector<double> phased(double event, double h, int count) {
  std::vector<double> steps = halved(h, count);
  for (double& step : steps) step = event / (std::floor(event / step) + 0.5);
  return steps;
}

std::vector<double> dividing(double time, double h, int count) {
  std::vector<double> steps = halved(h, count);
  for (double& step : steps) step = time / std::round(time / step);
  return steps;
}

double Convergence::order() const {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(h.size());
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double x = std::log(h[i]), y = std::log(error[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double Convergence::constant(double order) const {
  double largest = 0;
  for (std::size_t i = 0; i < h.size(); ++i) largest = std::max(largest, error[i] / std::pow(h[i], order));
  return largest;
}

void expect_orders(const Benchmark& benchmark, const std::vector<Quantity>& quantities, const Study& study,
                   const Measure& measure) {
  std::vector<Convergence> found(quantities.size());
  for (const double h : study.steps) {
    const std::vector<double> errors = errors_at(h, quantities, study.phases, measure);
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i].h.push_back(h);
      found[i].error.push_back(errors[i]);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) judge(benchmark, quantities[i], found[i]);
}

void expect_exact(const Benchmark& benchmark, const Quantity& quantity, double found) {
  const double error = std::abs(found - quantity.value);
  EXPECT_LE(error, quantity.constant) << benchmark.id << " " << quantity.name << ": " << found;
  print_row(benchmark, quantity, {"any", text_of("%.1g", error), "exact"});
}

}  // namespace touchstone::support
