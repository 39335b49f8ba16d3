#pragma once
// A balanced binary tree of boxes, the search structure of the broad phase. Private to proximity/.

#include <span>
#include <utility>
#include <vector>

#include "touchstone/proximity/box.h"

namespace touchstone {

/// Leaves carry the caller's items, small numbers >= 0; an inner node's box joins those of its two children.
/// The heights of two siblings differ by at most one (Adelson-Velsky and Landis), so that the tree is never
/// higher than 1.44 log2 n. Among the trees allowed by that, swaps of subtrees of equal height look for small
/// surfaces: the chance that two boxes meet grows with them. Still a tree that has lived through many changes
/// is worse than a fresh one, so it is built anew after as many changes as it has leaves, which costs each of
/// them O(log n). Boxes must be bounded.
template <int D>
class BoxTree {
 public:
  void insert(int item, const Box<D>& box);  ///< an item that is not in the tree
  void remove(int item);
  const Box<D>& box(int item) const { return nodes_[leaf_of_[item]].box; }
  int height() const { return root_ < 0 ? 0 : nodes_[root_].height; }

  /// Appends the items of all leaves whose boxes meet the box, in no order that matters.
  void find(const Box<D>& box, std::vector<int>& items) const;
  /// The same as pairs with an item that is not in the tree, smaller number first.
  void find_pairs(const Box<D>& box, int item, std::vector<std::pair<int, int>>& pairs) const;
  /// Appends the items of all pairs of leaves whose boxes meet, smaller number first.
  void find_pairs(std::vector<std::pair<int, int>>& pairs) const;

 private:
  struct Node {
    Box<D> box;
    int parent;
    int left, right;  ///< children; of a leaf -1 and its item
    int height;       ///< 0 for a leaf
    bool is_leaf() const { return height == 0; }
  };
  struct Swap {
    int a = -1, b = -1;  ///< nodes to change places
    double gain = 0;     ///< by how much the surface shrinks
  };

  struct Seed {
    Vec<D> twice_centre;
    int leaf;
  };

  void attach(int leaf);
  void detach(int leaf);
  int new_node(const Node& node);
  int closest_leaf(const Box<D>& box) const;
  void replace_child(int parent, int child, int by);
  void change_places(int a, int b);
  void refit(int node);
  bool mend(int node);
  void mend_upward(int node);
  void balance(int node);
  void shrink(int node);
  void try_swap_up(int child, int sibling, Swap& best) const;
  void try_swap_across(int left, int right, Swap& best) const;
  double surface_without(int node, int child, int by) const;

  template <class Visit>
  void for_leaves(int node, const Box<D>& box, Visit visit) const;
  void find_pairs_within(int node, std::vector<std::pair<int, int>>& pairs) const;
  void find_pairs_between(int a, int b, std::vector<std::pair<int, int>>& pairs) const;

  void count_change();
  void build_anew();
  int build(std::span<Seed> seeds, int parent);

  std::vector<Node> nodes_;
  std::vector<int> free_;     ///< nodes to be used again
  std::vector<int> leaf_of_;  ///< node of each item, -1 without
  int root_ = -1;
  int leaves_ = 0;         ///< how many there are
  int changes_ = 0;        ///< since it was built anew
  std::vector<Node> old_;  ///< scratch of build_anew, as is the next
  std::vector<Seed> seeds_;
};

extern template class BoxTree<2>;
extern template class BoxTree<3>;

}  // namespace touchstone
