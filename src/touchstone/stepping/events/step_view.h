#pragma once
// An accepted step as a motion of bodies: where they are at any time within it, and how fast at most.

#include <vector>

#include "touchstone/proximity/motion_bounds.h"
#include "touchstone/stepping/events/dense_step.h"
#include "touchstone/stepping/events/phase.h"

namespace touchstone {

template <int D>
class StepView {
 public:
  StepView(const Phase<D>& phase, const DenseStep& step);

  double begin() const { return step_->begin; }
  double end() const { return step_->end(); }
  const Phase<D>& phase() const { return *phase_; }
  /// The state at a time, what is held put right: all that is asked between steps is asked of this motion.
  Eigen::VectorXd state(double time) const;
  std::vector<Moving<D>> at(double time) const { return phase_->flight().bodies(time, state(time)); }
  /// Over the whole step. Polynomials lie in the hull of their Bernstein coefficients, so these are bounds,
  /// not samples; those of scripted bodies are samples.
  const Pace& pace(int body) const { return paces_[body]; }

 private:
  const Phase<D>* phase_;
  const DenseStep* step_;
  std::vector<Pace> paces_;
};

extern template class StepView<2>;
extern template class StepView<3>;

}  // namespace touchstone
