#pragma once
// Was it right? Numbers about a run that need no closed form: energy, momentum, and a hash of the state.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "touchstone/stepping/step_report.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// How well momentum is kept, step by step.
///
/// The momentum of all bodies that move by forces may change only by what acts on them from outside:
///
///     p+ = p + h (sum m g + sum f) + sum of impulses from bodies that do not
///     L+ = L + h (sum x x (m g + f) + sum of torques) + moments of these impulses      (about the origin)
///
/// Forces between them cancel, joints included. What a joint to the world or to a body that does not move by
/// forces does is not reported by a step, so with one of these there is no answer; steps that were divided
/// are not judged.
template <int D>
class MomentumWatch {
 public:
  /// To be called before a step, with all forces set.
  void before(const World<D>& world, double h);
  /// ... and after it was made.
  void after(const World<D>& world, const StepReport<D>& report);
  /// The worst error of a step, relative to the momenta and impulses involved; NaN where there is no answer.
  double worst() const { return worst_; }
  /// Of the last step; NaN also where it was divided.
  double last() const { return last_; }
  /// Goes on from the worst of earlier steps.
  void set_worst(double worst) { worst_ = worst; }

 private:
  /// A body before the step, and what forces do to its momentum in it.
  struct Start {
    Vec<D> position, kick;
  };

  std::vector<Start> starts_;  ///< per dynamic body
  Momentum<D> expected_;
  double linear_scale_ = 0, angular_scale_ = 0;
  bool known_ = true;
  double worst_ = 0;
  double last_ = std::numeric_limits<double>::quiet_NaN();
};

/// Energy that came from nowhere in a step [J]: what kinetic and potential energy gained beyond the work of
/// forces, of motors and of scripted bodies; 0 when they gained none. What restitution, joints that close and
/// overlaps that are pushed out add counts as gained.
double energy_gained(const EnergyBalance& balance);

/// Of the energy gained in a step [J], what nobody asked for: beyond 1e-9 of the energies that the step had
/// to do with and `slack` [J], which the tolerance of gaps explains; without what joints gave that closed. 0
/// when there is none.
double energy_excess(const EnergyBalance& balance, double kinetic_after, double slack);

/// A hash of every bit of the state: time, poses, velocities. 64 bits, FNV-1a.
template <int D>
std::uint64_t state_hash(const World<D>& world);
/// The numbers that it is made of, for whoever wants the hash later.
template <int D>
std::vector<double> state_numbers(const World<D>& world);
std::uint64_t numbers_hash(std::span<const double> numbers);
/// The same hash of a text.
std::uint64_t text_hash(std::string_view text);
/// As 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace touchstone
