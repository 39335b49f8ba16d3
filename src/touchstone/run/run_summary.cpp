#include "touchstone/run/run_summary.h"

#include <cstdio>

namespace touchstone {
namespace {

/// Share of the largest energy at play that one step may gain by closing joints: beyond, the motion is not
/// the one asked for.
constexpr double kGainOfStep = 1e-2;

std::string sentence(const char* form, double a, double b) {
  char text[256];
  std::snprintf(text, sizeof text, form, a, b);
  return text;
}

}  // namespace

std::vector<std::string> warnings_of(const RunSummary& s) {
  std::vector<std::string> told;
  if (s.energy_excess > 0) {
    told.push_back(sentence("energy: %.3g J were gained that nothing gave (largest energy at play %.3g J)",
                            s.energy_excess, s.energy_scale));
  }
  if (s.energy_excess == 0 && s.joint_work > 0 && s.largest_gain > kGainOfStep * s.energy_scale) {
    told.push_back(
        sentence("energy: joints that closed gave %.3g J in one step (largest energy at play %.3g J); take a "
                 "shorter step",
                 s.largest_gain, s.energy_scale));
  }
  if (s.joint_error > kWideOpenJoint) {
    told.push_back(sentence("joints: one was open by %.3g m or rad (more than %.3g is worth a warning)",
                            s.joint_error, kWideOpenJoint));
  }
  if (s.accuracy && !s.accuracy->reason.empty()) {
    told.push_back(sentence("accuracy: the motion is known to %.3g m until %.6g s only; then ",
                            s.accuracy->requested, s.accuracy->trusted_until) +
                   s.accuracy->reason);
  }
  if (!s.unstable_joint.empty()) {
    told.push_back("controller: the force on joint \"" + s.unstable_joint +
                   "\" changes its sign in every step and grows: it is unstable at this step; use a "
                   "controller of the scene, which is stable for any gain, or a shorter step");
  }
  return told;
}

}  // namespace touchstone
