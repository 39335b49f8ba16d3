#pragma once
// measure: where the parts are along the paths of their bodies, and which pairs may touch within the step.

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "touchstone/contact/contact_model.h"
#include "touchstone/proximity/broad_phase.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// How far apart features may be and still meet within the step, whichever bodies they are of [m]. A resting
/// body may be struck within the step and then move as fast as the one that struck it, hence one number for
/// all [PEG 1.4]: twice the way of the fastest point plus that of free fall. `V`: per body.
template <int D>
double contact_margin(const World<D>& world, std::span<const Twist<D>> V, double h);

/// Poses of the parts at present.
template <int D>
std::vector<Pose<D>> part_poses(const World<D>& world);

/// A user's own search for pairs: given the boxes of all parts (in which they stay within the step, margin
/// included), the pairs of parts whose boxes meet. Order does not matter; pairs that may not touch are left
/// out afterwards.
template <int D>
using PairFinder = std::function<std::vector<std::pair<int, int>>(std::span<const Box<D>>)>;

/// What the search for pairs remembers between steps: it makes them faster and changes nothing else.
template <int D>
using PairTree = std::optional<BroadPhase<D>>;

/// Measures the motions of one attempt. The motions it returns are valid until the next is measured.
template <int D>
class Measure {
 public:
  /// `finder` takes the place of the broad phase, unless it is empty; it must outlive this.
  Measure(const World<D>& world, double h, const PairFinder<D>& finder, const PairTree<D>& tree);

  /// For a proposal: the pairs that may touch and are nearer than the margin at the start of the step or, if
  /// the model sweeps, on their paths. Each further call doubles the margin, and the motion says how often.
  TriedMotion<D> first(const std::vector<Path<D>>& paths, double margin, bool sweeps);
  /// For a judgement: the pairs that may meet on their paths. A later sweep of the same step that stays
  /// within the margin [m] of the last finds the same pairs without a search.
  TriedMotion<D> sweep(const std::vector<Path<D>>& paths, double margin);

  /// [m] After a sweep: pairs that may touch and were not found end further apart than this. None: a user
  /// finds the pairs.
  std::optional<double> clearance() const { return finder_ ? std::nullopt : std::optional(clearance_); }
  const std::vector<std::pair<int, int>>& pairs() const { return pairs_; }  ///< sorted, i < j
  int widened() const { return widened_; }
  PairTree<D> take_tree() { return std::move(tree_); }

 private:
  TriedMotion<D> motion(const std::vector<Path<D>>& paths, double margin) const;
  TriedMotion<D> near(const std::vector<Path<D>>& paths, double margin);
  void place_ends(const std::vector<Path<D>>& paths);
  void find_pairs(double fat);
  void search_tree(double fat);
  void ask_finder();
  Box<D> swept(const std::vector<Path<D>>& paths, std::size_t i, double margin) const;

  const World<D>& world_;
  double h_;
  const PairFinder<D>& finder_;
  PairTree<D> tree_;
  int widened_ = -1;
  bool swept_ = false;                 ///< boxes_ are those of a sweep
  std::vector<Pose<D>> start_, end_;   ///< per part
  std::vector<char> moved_by_forces_;  ///< per body
  std::vector<Box<D>> boxes_;
  double clearance_ = 0;
  std::vector<std::pair<int, int>> candidates_, pairs_;
};

}  // namespace touchstone
