#include "touchstone/solve/friction/friction_fixed_point.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

/// rho |F(r) - F(r')| / |r - r'| must stay below kMost; below kLeast rho may grow [Khobotov's rule].
constexpr double kMost = 0.9, kLeast = 0.3, kShrink = 2.0 / 3.0, kGrow = 1.5;
constexpr int kMaxShrinks = 60;
constexpr int kStepsPerCheck = 10;

template <int D>
class FixedPoint {
 public:
  explicit FixedPoint(const FrictionBlocks<D>& blocks) : blocks_(blocks), rho_(blocks.contacts()) {
    for (int i = 0; i < blocks.contacts(); ++i) rho_[i] = blocks.weight(i) > 0 ? 1 / blocks.weight(i) : 0;
    for (VectorX* x : {&force_, &trial_force_, &trial_}) x->resize(blocks.size());
  }

  void advance(VectorX& r) {
    augmented(r, force_);
    for (int k = 0; k < kMaxShrinks; ++k) {
      move(r, force_, trial_);
      augmented(trial_, trial_force_);
      const double ratio = step_ratio(r);
      if (ratio <= kMost) {
        move(r, trial_force_, r);
        if (ratio < kLeast) factor_ *= kGrow;
        return;
      }
      factor_ *= kShrink * std::min(1.0, 1 / ratio);
    }
  }

 private:
  /// u + mu |u_t| e_n at r.
  void augmented(const VectorX& r, VectorX& out) const {
    blocks_.velocities(r, out);
    for (int i = 0; i < blocks_.contacts(); ++i) {
      const ContactVector<D> u = out.segment<D>(D * i);
      out.segment<D>(D * i) = augmented_velocity<D>(u, blocks_.mu(i));
    }
  }
  void move(const VectorX& r, const VectorX& force, VectorX& out) const {
    for (int i = 0; i < blocks_.contacts(); ++i) {
      const ContactVector<D> x = r.segment<D>(D * i) - factor_ * rho_[i] * force.segment<D>(D * i);
      out.segment<D>(D * i) = project_on_cone<D>(x, blocks_.mu(i));
    }
  }
  /// How far F changed for how far r moved, both as energies.
  double step_ratio(const VectorX& r) const {
    double change = 0, moved = 0;
    for (int i = 0; i < blocks_.contacts(); ++i) {
      if (rho_[i] == 0) continue;
      change += rho_[i] * (trial_force_ - force_).template segment<D>(D * i).squaredNorm();
      moved += (trial_ - r).template segment<D>(D * i).squaredNorm() / rho_[i];
    }
    return moved > 0 ? factor_ * std::sqrt(change / moved) : 0;
  }

  const FrictionBlocks<D>& blocks_;
  std::vector<double> rho_;
  VectorX force_, trial_force_, trial_;
  double factor_ = 1;
};

}  // namespace

template <int D>
void step_fixed_point(const FrictionBlocks<D>& blocks, const FrictionLimits& limits,
                      FrictionIterate& iterate) {
  assert(iterate.r.size() == blocks.size());
  FixedPoint<D> fixed_point(blocks);
  VectorX u(blocks.size());
  for (int k = 1; k <= limits.iterations && !iterate.reached(limits); ++k) {
    fixed_point.advance(iterate.r);
    ++iterate.iterations;
    if (k % kStepsPerCheck == 0 || k == limits.iterations) take_note<D>(blocks, iterate, u);
  }
}

template void step_fixed_point<2>(const FrictionBlocks<2>&, const FrictionLimits&, FrictionIterate&);
template void step_fixed_point<3>(const FrictionBlocks<3>&, const FrictionLimits&, FrictionIterate&);

}  // namespace touchstone
