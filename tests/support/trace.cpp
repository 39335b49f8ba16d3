#include "support/trace.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace touchstone::support {
namespace {

constexpr int kNewtonPasses = 20;  // from the straight line it needs three
constexpr double kStill = 1e-9;    // slower is round-off of a body at rest

}  // namespace

Sample Trace::at(double time) const {
  const auto after = std::lower_bound(samples_.begin(), samples_.end(), time,
                                      [](const Sample& s, double t) { return s.time < t; });
  if (after == samples_.begin()) return samples_.front();
  if (after == samples_.end()) return samples_.back();
  const Sample &a = *(after - 1), &b = *after;
  const double s = (time - a.time) / (b.time - a.time);
  return {time, a.x + s * (b.x - a.x), a.rate + s * (b.rate - a.rate)};
}

std::size_t Trace::last_before(const Event& event, int n) const {
  for (std::size_t i = 1; i + 1 < samples_.size(); ++i) {
    if (event(i) && --n == 0) return i;
  }
  throw std::out_of_range("what was watched for never happened");
}

double Trace::slope(std::size_t i) const {
  return (samples_[i].rate - samples_[i - 1].rate) / (samples_[i].time - samples_[i - 1].time);
}

Sample Trace::continued(std::size_t i, double dt) const {
  const Sample& s = samples_[i];
  return {s.time + dt, s.x + (s.rate + 0.5 * slope(i) * dt) * dt, s.rate + slope(i) * dt};
}

Sample Trace::continued_to(std::size_t i, double value) const {
  double dt = (value - samples_[i].x) / samples_[i].rate;
  for (int pass = 0; pass < kNewtonPasses; ++pass) {
    const Sample s = continued(i, dt);
    dt -= (s.x - value) / s.rate;
  }
  return continued(i, dt);
}

Sample Trace::reaching(double value, int n) const {
  const auto passes = [&](std::size_t i) { return (samples_[i].x < value) != (samples_[i + 1].x < value); };
  return continued_to(last_before(passes, n), value);
}

Sample Trace::turning(int n) const {
  const auto turns = [&](std::size_t i) {
    const double before = samples_[i].rate, after = samples_[i + 1].rate;
    return std::abs(before) > kStill && (before * after <= 0 || std::abs(after) <= kStill);
  };
  const std::size_t i = last_before(turns, n);
  return continued(i, -samples_[i].rate / slope(i));
}

Sample Trace::striking(double value, int n) const {
  const auto strikes = [&](std::size_t i) {
    const Sample &a = samples_[i - 1], &b = samples_[i], &c = samples_[i + 1];
    const bool approaches = (a.x - value) * a.rate < 0 && a.rate * b.rate > 0;
    const bool is_braked = b.rate * c.rate <= 0 || std::abs(c.rate) < std::abs(b.rate);
    return approaches && std::abs(b.rate) > std::abs(a.rate) && is_braked;
  };
  return continued_to(last_before(strikes, n), value);
}

template <int D>
std::vector<Trace> traces(World<D>& world, double h, double end, const std::vector<Watch<D>>& watches) {
  std::vector<Trace> all(watches.size());
  const auto add = [&](const World<D>& now, const StepReport<D>& report) {
    for (std::size_t i = 0; i < watches.size(); ++i) {
      Sample sample = watches[i](now, report);
      sample.time = now.time;
      all[i].add(sample);
    }
    return true;
  };
  add(world, {});
  run<D>(world, with_step(h), end, add);
  return all;
}

template std::vector<Trace> traces(World<2>&, double, double, const std::vector<Watch<2>>&);
template std::vector<Trace> traces(World<3>&, double, double, const std::vector<Watch<3>>&);

}  // namespace touchstone::support
