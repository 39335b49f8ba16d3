#pragma once
// measure: where the parts are, and which pairs may touch within the step.

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "touchstone/proximity/broad_phase.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// How far apart features may be and still meet within the step, whichever bodies they are of [m]. A resting
/// body may be struck within the step and then move as fast as the one that struck it, hence one number for
/// all [PEG 1.4]: twice the way of the fastest point plus that of free fall.
template <int D>
double contact_margin(const World<D>& world, double h);

/// Poses of the parts of bodies.
template <int D>
void place_parts(const World<D>& world, const std::vector<Body<D>>& bodies, std::vector<Pose<D>>& X_WS);

/// A user's own search for pairs: given the boxes of all parts (in which they stay within the step, margin
/// included), the pairs of parts whose boxes meet. Order does not matter; those that may not touch are left
/// out afterwards.
template <int D>
using PairFinder = std::function<std::vector<std::pair<int, int>>(std::span<const Box<D>>)>;

template <int D>
class Measure {
 public:
  /// In place of the broad phase; empty: the broad phase again.
  void set_pair_finder(PairFinder<D> finder) { finder_ = std::move(finder); }
  /// What it remembers of earlier steps; the finder stays.
  void forget() {
    Measure fresh;
    fresh.finder_ = std::move(finder_);
    *this = std::move(fresh);
  }

  /// Finds the poses of all parts and the pairs nearer than the margin that may touch.
  void update(const World<D>& world, double margin);

  /// Finds the pairs whose parts, moving from their present poses to X_end, may meet. A later sweep of the
  /// same step (`again`) that stays within the margin [m] of the last finds the same pairs without a search.
  void sweep(const World<D>& world, const std::vector<Pose<D>>& X_end, double margin = 0, bool again = false);

  const std::vector<Pose<D>>& X_WS() const { return X_WS_; }
  const std::vector<std::pair<int, int>>& pairs() const { return pairs_; }  ///< sorted, i < j
  /// [m] After a sweep: pairs that may touch and were not found end further apart than this. None: a user
  /// finds the pairs.
  std::optional<double> clearance() const { return finder_ ? std::nullopt : std::optional(clearance_); }

 private:
  void place(const World<D>& world);
  void find_pairs(const World<D>& world, const std::vector<Box<D>>& boxes, double fat);
  void search_tree(const std::vector<Box<D>>& boxes, double fat);
  void ask_finder(const std::vector<Box<D>>& boxes);
  double room_about(const World<D>& world, const std::vector<Pose<D>>& X_end) const;

  PairFinder<D> finder_;
  std::optional<BroadPhase<D>> broad_phase_;
  std::vector<Pose<D>> X_WS_;
  std::vector<Box<D>> boxes_;
  double clearance_ = 0;
  std::vector<std::pair<int, int>> candidates_, pairs_;
};

}  // namespace touchstone
