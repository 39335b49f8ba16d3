#include "touchstone/proximity/box_tree.h"
#include "touchstone/math/checks.h"

#include <algorithm>
#include <cassert>

namespace touchstone {
namespace {

/// A small tree is rebuilt after this many changes at the earliest.
constexpr int kFewestChanges = 64;

/// Half of the surface: the sum, over the axes, of the product of the sides along the other ones.
template <int D>
double surface(const Box<D>& box) {
  assert((box.low.array() <= box.high.array()).all());
  const Vec<D> sides = box.high - box.low;
  double sum = 0;
  for (int k = 0; k < D; ++k) {
    double face = 1;
    for (int j = 0; j < D; ++j) face *= j == k ? 1 : sides[j];
    sum += face;
  }
  return sum;
}

template <int D, class Seed>
int widest_axis(std::span<const Seed> seeds) {
  assert(!seeds.empty());
  Vec<D> low = seeds[0].twice_centre, high = low;
  for (const Seed& seed : seeds) {
    low = low.cwiseMin(seed.twice_centre);
    high = high.cwiseMax(seed.twice_centre);
  }
  int axis = 0;
  (high - low).maxCoeff(&axis);
  return axis;
}

}  // namespace

// ---- changing the tree ----------------------------------------------------------------------------------

template <int D>
void BoxTree<D>::insert(int item, const Box<D>& box) {
  assert(item >= 0 && box.low.allFinite() && box.high.allFinite());
  if (item >= static_cast<int>(leaf_of_.size())) leaf_of_.resize(item + 1, -1);
  assert(leaf_of_[item] < 0);
  leaf_of_[item] = new_node({box, -1, -1, item, 0});
  attach(leaf_of_[item]);
  ++leaves_;
  count_change();
}

template <int D>
void BoxTree<D>::remove(int item) {
  assert(is_index(item, leaf_of_.size()) && leaf_of_[item] >= 0);
  detach(leaf_of_[item]);
  free_.push_back(leaf_of_[item]);
  leaf_of_[item] = -1;
  --leaves_;
  assert(leaves_ >= 0 && (leaves_ > 0) == (root_ >= 0));
}

template <int D>
void BoxTree<D>::attach(int leaf) {
  assert(is_index(leaf, nodes_.size()) && nodes_[leaf].is_leaf());
  if (root_ < 0) {
    root_ = leaf;
    return;
  }
  const int sibling = closest_leaf(nodes_[leaf].box);
  const int parent = nodes_[sibling].parent;
  const int fork = new_node({nodes_[leaf].box, parent, sibling, leaf, 1});
  replace_child(parent, sibling, fork);
  nodes_[sibling].parent = nodes_[leaf].parent = fork;
  refit(fork);
  mend_upward(parent);
}

template <int D>
void BoxTree<D>::detach(int leaf) {
  assert(is_index(leaf, nodes_.size()) && nodes_[leaf].is_leaf());
  const int fork = nodes_[leaf].parent;
  if (fork < 0) {
    root_ = -1;
    return;
  }
  const int sibling = nodes_[fork].left == leaf ? nodes_[fork].right : nodes_[fork].left;
  const int parent = nodes_[fork].parent;
  replace_child(parent, fork, sibling);
  nodes_[sibling].parent = parent;
  free_.push_back(fork);
  mend_upward(parent);
}

template <int D>
int BoxTree<D>::new_node(const Node& node) {
  if (free_.empty()) {
    nodes_.push_back(node);
    return static_cast<int>(nodes_.size()) - 1;
  }
  const int at = free_.back();
  free_.pop_back();
  nodes_[at] = node;
  return at;
}

/// Down the children that grow least by the box. A leaf is always reached: a fork higher up could not be
/// balanced by one rotation per node.
template <int D>
int BoxTree<D>::closest_leaf(const Box<D>& box) const {
  assert(root_ >= 0);
  int at = root_;
  while (!nodes_[at].is_leaf()) {
    const Box<D>&left = nodes_[nodes_[at].left].box, &right = nodes_[nodes_[at].right].box;
    const double left_growth = surface(left.joined(box)) - surface(left);
    const double right_growth = surface(right.joined(box)) - surface(right);
    at = left_growth <= right_growth ? nodes_[at].left : nodes_[at].right;
  }
  return at;
}

/// `parent` may be none: then `by` becomes the root.
template <int D>
void BoxTree<D>::replace_child(int parent, int child, int by) {
  if (parent < 0) {
    root_ = by;
  } else {
    assert(nodes_[parent].left == child || nodes_[parent].right == child);
    (nodes_[parent].left == child ? nodes_[parent].left : nodes_[parent].right) = by;
  }
}

/// Neither may hold the other.
template <int D>
void BoxTree<D>::change_places(int a, int b) {
  const int parent_a = nodes_[a].parent, parent_b = nodes_[b].parent;
  assert(a != b && parent_a != b && parent_b != a);
  replace_child(parent_a, a, b);
  replace_child(parent_b, b, a);
  nodes_[a].parent = parent_b;
  nodes_[b].parent = parent_a;
}

template <int D>
void BoxTree<D>::refit(int node) {
  assert(is_index(nodes_[node].left, nodes_.size()) && is_index(nodes_[node].right, nodes_.size()));
  Node& at = nodes_[node];
  at.box = nodes_[at.left].box.joined(nodes_[at.right].box);
  at.height = 1 + std::max(nodes_[at.left].height, nodes_[at.right].height);
}

/// Whether the node's own box or height changed.
template <int D>
bool BoxTree<D>::mend(int node) {
  const Box<D> box = nodes_[node].box;
  const int height = nodes_[node].height;
  balance(node);
  shrink(node);
  refit(node);
  assert(std::abs(nodes_[nodes_[node].left].height - nodes_[nodes_[node].right].height) <= 1);
  return height != nodes_[node].height || box.low != nodes_[node].box.low ||
         box.high != nodes_[node].box.high;
}

template <int D>
void BoxTree<D>::mend_upward(int node) {
  while (node >= 0 && mend(node)) node = nodes_[node].parent;
}

/// A child that is higher than its sibling by two gives its lower child in exchange for the sibling:
///
///        node                    node
///       /    \                  /    \        h(high) = h(low) + 2, so high's taller child has h(low) + 1
///    low     high      =>   taller   high
///           /    \                  /    \      .
///       taller  other             low   other
template <int D>
void BoxTree<D>::balance(int node) {
  int low = nodes_[node].left, high = nodes_[node].right;
  if (nodes_[low].height > nodes_[high].height) std::swap(low, high);
  if (nodes_[high].height - nodes_[low].height < 2) return;
  int taller = nodes_[high].left, other = nodes_[high].right;
  if (nodes_[other].height > nodes_[taller].height) std::swap(other, taller);
  if (nodes_[other].height == nodes_[taller].height &&
      surface(nodes_[low].box.joined(nodes_[taller].box)) <
          surface(nodes_[low].box.joined(nodes_[other].box))) {
    std::swap(other, taller);
  }
  change_places(low, taller);
  refit(high);
}

/// The best swap, if any gains, of two subtrees of equal height below the node: no height changes.
template <int D>
void BoxTree<D>::shrink(int node) {
  const int left = nodes_[node].left, right = nodes_[node].right;
  Swap best;
  try_swap_up(left, right, best);
  try_swap_up(right, left, best);
  try_swap_across(left, right, best);
  if (best.a < 0) return;
  const int parent_a = nodes_[best.a].parent, parent_b = nodes_[best.b].parent;
  change_places(best.a, best.b);
  if (parent_a != node) refit(parent_a);
  if (parent_b != node) refit(parent_b);
}

/// The surface that `node` would have with `by` in the place of `child`.
template <int D>
double BoxTree<D>::surface_without(int node, int child, int by) const {
  assert(nodes_[node].left == child || nodes_[node].right == child);
  const int kept = nodes_[node].left == child ? nodes_[node].right : nodes_[node].left;
  return surface(nodes_[kept].box.joined(nodes_[by].box));
}

/// A child of `sibling` against `child` itself.
template <int D>
void BoxTree<D>::try_swap_up(int child, int sibling, Swap& best) const {
  if (nodes_[sibling].is_leaf()) return;
  for (int nephew : {nodes_[sibling].left, nodes_[sibling].right}) {
    if (nodes_[nephew].height != nodes_[child].height) continue;
    const double gain = surface(nodes_[sibling].box) - surface_without(sibling, nephew, child);
    if (gain > best.gain) best = {child, nephew, gain};
  }
}

/// A child of `left` against one of `right`; to move the other child of `left` would come to the same.
template <int D>
void BoxTree<D>::try_swap_across(int left, int right, Swap& best) const {
  if (nodes_[left].is_leaf() || nodes_[right].is_leaf()) return;
  const double before = surface(nodes_[left].box) + surface(nodes_[right].box);
  for (int a : {nodes_[left].left, nodes_[left].right}) {
    for (int b : {nodes_[right].left, nodes_[right].right}) {
      if (nodes_[a].height != nodes_[b].height) continue;
      const double gain = before - surface_without(left, a, b) - surface_without(right, b, a);
      if (gain > best.gain) best = {a, b, gain};
    }
  }
}

// ---- building it anew -----------------------------------------------------------------------------------

template <int D>
void BoxTree<D>::count_change() {
  if (++changes_ >= std::max(leaves_, kFewestChanges)) build_anew();
}

/// Nodes come to lie in the order in which a search meets them.
template <int D>
void BoxTree<D>::build_anew() {
  changes_ = 0;
  if (leaves_ == 0) return;
  old_.swap(nodes_);
  nodes_.clear();
  free_.clear();
  seeds_.clear();
  for (int leaf : leaf_of_) {
    if (leaf >= 0) seeds_.push_back({old_[leaf].box.low + old_[leaf].box.high, leaf});
  }
  root_ = build(seeds_, -1);
  assert(static_cast<int>(nodes_.size()) == 2 * leaves_ - 1);
}

/// Halves at the median along the axis on which the centres lie furthest apart: the heights of siblings
/// differ by at most one.
template <int D>
int BoxTree<D>::build(std::span<Seed> seeds, int parent) {
  assert(!seeds.empty());
  const int node = static_cast<int>(nodes_.size());
  nodes_.push_back(old_[seeds[0].leaf]);
  nodes_[node].parent = parent;
  if (seeds.size() == 1) {
    leaf_of_[nodes_[node].right] = node;
    return node;
  }
  const int axis = widest_axis<D, Seed>(seeds);
  const auto middle = seeds.begin() + static_cast<std::ptrdiff_t>(seeds.size() / 2);
  std::nth_element(seeds.begin(), middle, seeds.end(), [axis](const Seed& a, const Seed& b) {
    return a.twice_centre[axis] < b.twice_centre[axis];
  });
  const int left = build({seeds.begin(), middle}, node), right = build({middle, seeds.end()}, node);
  nodes_[node].left = left;
  nodes_[node].right = right;
  refit(node);
  return node;
}

// ---- searching it ---------------------------------------------------------------------------------------

template <int D>
template <class Visit>
void BoxTree<D>::for_leaves(int node, const Box<D>& box, Visit visit) const {
  const Node& at = nodes_[node];
  if (!at.box.meets(box)) return;
  if (at.is_leaf()) return visit(at.right);
  for_leaves(at.left, box, visit);
  for_leaves(at.right, box, visit);
}

template <int D>
void BoxTree<D>::find(const Box<D>& box, std::vector<int>& items) const {
  if (root_ >= 0) for_leaves(root_, box, [&](int item) { items.push_back(item); });
}

template <int D>
void BoxTree<D>::find_pairs(const Box<D>& box, int item, std::vector<std::pair<int, int>>& pairs) const {
  if (root_ >= 0) for_leaves(root_, box, [&](int other) { pairs.push_back(std::minmax(item, other)); });
}

template <int D>
void BoxTree<D>::find_pairs(std::vector<std::pair<int, int>>& pairs) const {
  if (root_ >= 0) find_pairs_within(root_, pairs);
}

template <int D>
void BoxTree<D>::find_pairs_within(int node, std::vector<std::pair<int, int>>& pairs) const {
  const Node& at = nodes_[node];
  if (at.is_leaf()) return;
  find_pairs_within(at.left, pairs);
  find_pairs_within(at.right, pairs);
  find_pairs_between(at.left, at.right, pairs);
}

/// Opens the higher of two nodes whose boxes meet, until both are leaves.
template <int D>
void BoxTree<D>::find_pairs_between(int a, int b, std::vector<std::pair<int, int>>& pairs) const {
  if (!nodes_[a].box.meets(nodes_[b].box)) return;
  if (nodes_[a].height < nodes_[b].height) std::swap(a, b);
  const Node &high = nodes_[a], &low = nodes_[b];
  if (high.is_leaf()) {
    pairs.push_back(std::minmax(high.right, low.right));
    return;
  }
  find_pairs_between(high.left, b, pairs);
  find_pairs_between(high.right, b, pairs);
}

template class BoxTree<2>;
template class BoxTree<3>;

}  // namespace touchstone
