#pragma once
// Which bodies swing through a step, pushed by nothing but joints [dynamics/swing.h]; inside stepping only.

#include <optional>

#include "touchstone/stepping/attempt.h"

namespace touchstone {

/// How the islands of joints would swing depends on the start of the step only: each is found once, when it
/// is first asked for.
template <int D>
class Swings {
 public:
  Swings(const World<D>& world, std::span<const Twist<D>> V_start, double h, const Stages<D>& stages);

  /// The bodies that swing where contacts and limits push as solved. None of their rows may push, nor be
  /// broken on the way that they take then. `V` and `falling`, per body of the world, become theirs: the
  /// velocity at the end and the mean acceleration, so that V - h/2 a is the drift.
  SwingingBodies<D> find(const SolvedStep<D>& solved, const SteadyBodies<D>& steady, std::vector<Twist<D>>& V,
                         std::vector<Vec<D>>& falling);

 private:
  struct Island {
    std::vector<int> bodies, joints;  ///< of the world
    std::optional<Swing<D>> swing;
  };
  void find_islands();
  bool may_swing(const Island& island) const;
  void make(Island& island) const;
  void find_pushed(const SolvedStep<D>& solved, const SteadyBodies<D>& steady);
  bool hold_blocked(const SolvedStep<D>& solved, std::vector<Twist<D>>& drift);
  void take(const Island& island, SwingingBodies<D>& swinging, std::vector<Twist<D>>& V,
            std::vector<Vec<D>>& falling) const;

  const World<D>& world_;
  std::span<const Twist<D>> V_start_;
  double h_, share_;
  std::vector<Island> islands_;
  std::vector<int> island_of_;  ///< per body; -1: none
  std::vector<char> held_;      ///< per island: in the present call, it does not swing
};

/// What is wrong with the energy that joints give to swinging bodies, or nothing: they swing too far for a
/// step of this length.
template <int D>
std::optional<std::string> trouble_with_swings(const World<D>& world, const Attempt<D>& attempt,
                                               const StepSettings& settings);

}  // namespace touchstone
