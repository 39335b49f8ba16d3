#pragma once
// Which pairs of many bodies may touch? A dynamic tree of axis-aligned boxes.

#include <utility>
#include <vector>

#include "touchstone/proximity/box.h"
#include "touchstone/proximity/box_tree.h"

namespace touchstone {

/// Proxies with boxes; `pairs()` lists the pairs whose boxes meet, each once, sorted: the same for the
/// same boxes, whatever was asked before. Moving a box by little costs little (fat boxes), inserting and
/// removing costs O(log n) on average, k pairs O(n + k). Searches may run in several threads at once; with
/// the caller's buffer they allocate nothing once it has grown.
template <int D>
class BroadPhase {
 public:
  using Pairs = std::vector<std::pair<int, int>>;

  /// `fat` [m]: how far a stored box reaches beyond the given one, so that small moves need no update.
  /// Throws std::invalid_argument if it is negative or not finite.
  explicit BroadPhase(double fat = 0);

  /// A proxy for the box; numbers of removed proxies are used again. Boxes may be unbounded. A
  /// box without a point (low above high, or NaN) is refused with std::invalid_argument.
  int insert(const Box<D>& box);
  void remove(int proxy);
  void move(int proxy, const Box<D>& box);
  const Box<D>& box(int proxy) const { return proxies_[proxy].box; }  ///< as given, without the fat

  /// All pairs (i < j) of proxies whose boxes, as given, meet. What the boxes hold is the caller's business:
  /// bodies that cannot move against each other are listed too. Among them are any two half-spaces that
  /// meet, of which find_gap has no answer.
  Pairs pairs() const;
  void pairs(Pairs& found) const;  ///< the same into the caller's buffer, which is emptied first
  /// All proxies whose boxes meet the box, sorted.
  std::vector<int> overlapping(const Box<D>& box) const;
  void overlapping(const Box<D>& box, std::vector<int>& found) const;

  int count() const { return static_cast<int>(proxies_.size() - free_.size()); }
  int height() const { return tree_.height(); }  ///< of the tree

 private:
  enum class Place { none, tree, list };
  struct Proxy {
    Box<D> box;
    Place place;
  };

  void store(int proxy);
  void forget(int proxy);

  double fat_;
  BoxTree<D> tree_;             ///< of the bounded boxes, fat
  std::vector<int> unbounded_;  ///< proxies of the others, which would spoil the tree
  std::vector<Proxy> proxies_;
  std::vector<int> free_;
};

extern template class BroadPhase<2>;
extern template class BroadPhase<3>;

}  // namespace touchstone
