#pragma once
// Which pairs of many bodies may touch? A dynamic tree of axis-aligned boxes.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "touchstone/proximity/placed.h"

namespace touchstone {

/// An axis-aligned box in the world; may be unbounded (half-spaces).
template <int D>
struct Box {
  Vec<D> low, high;
  bool meets(const Box& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

/// The tightest box of a shape at a pose, grown by `margin` [m] on each side.
template <int D>
Box<D> bounding_box(const Shape<D>& shape, const Pose<D>& X_WB, double margin = 0);

/// A box that holds the shape throughout a step: the centre of mass moves straight from one pose to the
/// other while the shape turns about it in any way. Grown by `margin` [m].
template <int D>
Box<D> swept_box(const Shape<D>& shape, const Pose<D>& from, const Pose<D>& to, double margin = 0);

/// Proxies with boxes; `pairs()` lists those whose boxes meet, each once, sorted: the same for the same
/// boxes whatever the history. Moving a box by little costs little (fat boxes), inserting and removing
/// costs O(log n), pairs O(n + k).
template <int D>
class BroadPhase {
 public:
  /// `fat` [m]: how far a stored box reaches beyond the given one, so that small moves need no update.
  explicit BroadPhase(double fat = 0);

  int insert(const Box<D>& box);                ///< a proxy for the box; numbers of removed proxies are used again
  void remove(int proxy);
  void move(int proxy, const Box<D>& box);
  const Box<D>& box(int proxy) const;           ///< as given, without the fat

  /// All pairs (i < j) of proxies whose boxes, as given, meet.
  std::vector<std::pair<int, int>> pairs() const;
  /// All proxies whose boxes meet the box, sorted.
  std::vector<int> overlapping(const Box<D>& box) const;

  int count() const;
  int height() const;                           ///< of the tree

 private:
  struct Node;
  std::vector<Node> nodes_;
  double fat_;
};

}  // namespace touchstone
