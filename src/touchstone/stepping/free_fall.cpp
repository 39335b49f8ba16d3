#include "touchstone/stepping/free_fall.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

/// Of the change of speed by forces: smaller changes by impulses are round-off of solvers.
constexpr double kNothing = 1e-9;

template <int D>
class Falling {
 public:
  Falling(const SolvedStep<D>& solved, double h)
      : eq_(solved.assembly.equations), found_(solved.impulses), h_(h), fall_(eq_.body_count()) {
    least_push_.reserve(fall_.size());
    for (int b = 0; b < eq_.body_count(); ++b) {
      fall_[b] = eq_.inverse_mass[b] * linear<D>(solved.assembly.external[b]);
      least_push_.push_back(kNothing * h_ * fall_[b].norm());
    }
  }

  std::vector<Vec<D>> run() {
    hold_pushed();
    while (hold_blocked()) {
    }
    return std::move(fall_);
  }

 private:
  void hold_pushed();
  bool hold_blocked();
  template <class Act>
  void each_body(const Row<D>& row, const Act& act) {
    if (row.body_A >= 0) act(row.body_A, row.G_A);
    if (row.body_B >= 0) act(row.body_B, row.G_B);
  }
  /// Adds what an impulse p changes of the speed of the row's bodies, as far as it is not known yet that they
  /// are pushed.
  void add_push(const Row<D>& row, double p, std::vector<double>& push) {
    if (p == 0) return;
    each_body(row, [&](int b, const Twist<D>& G) {
      if (push[b] <= least_push_[b]) push[b] += std::abs(p) * eq_.inverse_mass[b] * linear<D>(G).norm();
    });
  }

  const StepEquations<D>& eq_;
  const StepImpulses<D>& found_;
  double h_;
  std::vector<Vec<D>> fall_;        ///< per body of the equations
  std::vector<double> least_push_;  ///< [m/s] likewise: by which a body counts as pushed
};

template <int D>
void Falling<D>::hold_pushed() {
  std::vector<double> push(fall_.size(), 0.);  // [m/s]
  for (const Row<D>& row : eq_.bilateral) {
    each_body(row, [&](int b, const Twist<D>&) { push[b] = HUGE_VAL; });
  }
  for (std::size_t i = 0; i < eq_.unilateral.size(); ++i)
    add_push(eq_.unilateral[i], found_.unilateral[i], push);
  for (std::size_t i = 0; i < eq_.tangent.size(); ++i) add_push(eq_.tangent[i], found_.tangent[i], push);
  for (std::size_t b = 0; b < fall_.size(); ++b) {
    if (!(push[b] <= least_push_[b])) fall_[b].setZero();
  }
}

/// Bodies of a row that the fall would break do not fall; true: there was one.
template <int D>
bool Falling<D>::hold_blocked() {
  bool held = false;
  const auto falls = [&](int b) { return b >= 0 && !fall_[b].isZero(0); };
  for (const Row<D>& row : eq_.unilateral) {
    if (!falls(row.body_A) && !falls(row.body_B)) continue;
    double less = 0, most = 0;  // [m/s] of the row's rate
    each_body(row, [&](int b, const Twist<D>& G) {
      less += 0.5 * h_ * linear<D>(G).dot(fall_[b]);
      most = std::max(most, h_ * fall_[b].norm());
    });
    if (most == 0 || rate(row, found_.V) + row.offset - less >= -kNothing * most) continue;
    each_body(row, [&](int b, const Twist<D>&) { fall_[b].setZero(); });
    held = true;
  }
  return held;
}

}  // namespace

template <int D>
bool flies_exactly(const Stages<D>& stages) {
  const FormulationSettings& formulation = stages.settings.formulation;
  const bool as_paper = stages.model->is_as_printed() || formulation.scheme != Scheme::stewart_trinkle ||
                        formulation.form == Form::choices;
  const FreeFlight told = stages.settings.free_flight;
  return told == FreeFlight::as_model ? !as_paper : told == FreeFlight::exact;
}

template <int D>
std::vector<Vec<D>> find_falling(const World<D>& world, const SolvedStep<D>& solved, const Stages<D>& stages,
                                 double h) {
  if (!flies_exactly(stages)) return {};
  assert(h > 0 && solved.assembly.local.size() == world.bodies.size());
  const std::vector<Vec<D>> fall = Falling<D>(solved, h).run();
  std::vector<Vec<D>> all(world.bodies.size(), Vec<D>::Zero());
  for (std::size_t i = 0; i < fall.size(); ++i) all[solved.assembly.dynamic[i]] = fall[i];
  return all;
}

template bool flies_exactly(const Stages<2>&);
template bool flies_exactly(const Stages<3>&);
template std::vector<Vec<2>> find_falling(const World<2>&, const SolvedStep<2>&, const Stages<2>&, double);
template std::vector<Vec<3>> find_falling(const World<3>&, const SolvedStep<3>&, const Stages<3>&, double);

}  // namespace touchstone
