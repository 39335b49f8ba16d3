#include "touchstone/stepping/events/step_view.h"

#include <algorithm>
#include <cassert>

namespace touchstone {
namespace {

constexpr int kScriptSamples = 9;

/// The largest column of some rows, and the largest difference of neighbouring columns.
std::pair<double, double> extremes(const Eigen::MatrixXd& columns) {
  double most = 0, change = 0;
  assert(columns.cols() > 0);
  for (int i = 0; i < columns.cols(); ++i) {
    most = std::max(most, columns.col(i).norm());
    if (i > 0) change = std::max(change, (columns.col(i) - columns.col(i - 1)).norm());
  }
  return {most, change};
}

}  // namespace

template <int D>
StepView<D>::StepView(const Phase<D>& phase, const DenseStep& step)
    : phase_(&phase), step_(&step), paces_(phase.flight().world().bodies.size()) {
  const Flight<D>& flight = phase.flight();
  const auto points = step.control_points();
  const int degree = static_cast<int>(points.cols()) - 1;
  for (int i = 0; i < flight.count(); ++i) {
    const int at = (i + 1) * kStateSize<D> - kDof<D>;
    const auto [v, dv] = extremes(points.middleRows(at, D));
    const auto [w, dw] = extremes(points.middleRows(at + D, kSpinSize<D>));
    paces_[flight.body(i)] = {v, w, degree * dv / step.h, degree * dw / step.h};
  }
  for (std::size_t b = 0; b < paces_.size(); ++b) {
    if (flight.world().bodies[b].kind != BodyKind::scripted) continue;
    for (int k = 0; k < kScriptSamples; ++k) {
      const Moving<D> m = flight.bodies(step.begin + step.h * k / (kScriptSamples - 1), step.from)[b];
      Pace& p = paces_[b];
      p.v = std::max(p.v, linear<D>(m.V).norm()), p.w = std::max(p.w, angular<D>(m.V).norm());
      p.a = std::max(p.a, linear<D>(m.given).norm()), p.alpha = std::max(p.alpha, angular<D>(m.given).norm());
    }
  }
}

template <int D>
Eigen::VectorXd StepView<D>::state(double time) const {
  Eigen::VectorXd y = step_->at(time);
  phase_->project(time, y);
  return y;
}

template class StepView<2>;
template class StepView<3>;

}  // namespace touchstone
