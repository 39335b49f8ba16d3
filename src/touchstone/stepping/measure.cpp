#include "touchstone/stepping/measure.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "touchstone/geometry/bounds.h"
#include "touchstone/proximity/box.h"

namespace touchstone {
namespace {

/// [margins] by which stored boxes of sweeps are larger: those of bodies that hardly move stay in the tree as
/// they are.
constexpr double kFat = 4;

}  // namespace

template <int D>
double contact_margin(const World<D>& world, std::span<const Twist<D>> V, double h) {
  assert(V.size() == world.bodies.size() && h > 0);
  double fastest = 0;
  for (const ContactShape<D>& part : world.shapes) {
    fastest = std::max(fastest, linear<D>(V[part.body]).norm() +
                                    angular<D>(V[part.body]).norm() * reach_of(*part.shape, part.X_CS));
  }
  return 2 * h * (fastest + h * world.gravity.norm());
}

template <int D>
std::vector<Pose<D>> part_poses(const World<D>& world) {
  std::vector<Pose<D>> X_WS;
  X_WS.reserve(world.shapes.size());
  for (const ContactShape<D>& part : world.shapes) X_WS.push_back(world.bodies[part.body].X_WC() * part.X_CS);
  return X_WS;
}

template <int D>
Measure<D>::Measure(const World<D>& world, double h, const PairFinder<D>& finder, const PairTree<D>& tree)
    : world_(world), h_(h), finder_(finder), tree_(tree), start_(part_poses(world)), end_(start_) {
  moved_by_forces_.reserve(world.bodies.size());
  for (const Body<D>& body : world.bodies) moved_by_forces_.push_back(body.is_dynamic());
}

template <int D>
TriedMotion<D> Measure<D>::motion(const std::vector<Path<D>>& paths, double margin) const {
  TriedMotion<D> motion{world_.shapes, paths, start_, end_, pairs_, h_, margin};
  motion.acceleration = world_.gravity.norm(), motion.widened = widened_;
  motion.moved_by_forces = moved_by_forces_;
  return motion;
}

template <int D>
void Measure<D>::place_ends(const std::vector<Path<D>>& paths) {
  assert(paths.size() == world_.bodies.size());
  for (std::size_t i = 0; i < end_.size(); ++i) {
    end_[i] = paths[world_.shapes[i].body].at(1) * world_.shapes[i].X_CS;
  }
}

template <int D>
TriedMotion<D> Measure<D>::first(const std::vector<Path<D>>& paths, double margin, bool sweeps) {
  ++widened_, swept_ = false;
  assert(margin >= 0 && widened_ >= 0);
  const double reach = std::ldexp(margin, widened_);
  return sweeps ? sweep(paths, reach) : near(paths, reach);
}

template <int D>
TriedMotion<D> Measure<D>::near(const std::vector<Path<D>>& paths, double margin) {
  place_ends(paths);
  swept_ = false;
  boxes_.clear();
  for (std::size_t i = 0; i < start_.size(); ++i) {
    boxes_.push_back(bounding_box(*world_.shapes[i].shape, start_[i], 0.5 * margin));
  }
  find_pairs(margin);
  return motion(paths, margin);
}

template <int D>
TriedMotion<D> Measure<D>::sweep(const std::vector<Path<D>>& paths, double margin) {
  assert(margin >= 0 && paths.size() == world_.bodies.size());
  place_ends(paths);
  if (!swept_) boxes_.assign(start_.size(), Box<D>());
  bool left = !swept_;
  double room = margin;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const double about = swept_ ? boxes_[i].room_about(swept(paths, i, 0)) : -1;
    if (about >= 0) {  // bodies elsewhere do not change what this part may meet
      room = std::min(room, about);
    } else {
      boxes_[i] = swept(paths, i, margin), left = true;
    }
  }
  // Boxes that do not meet are apart along an axis, and the parts by the room that both have in theirs.
  clearance_ = 2 * room, swept_ = true;
  if (left) find_pairs(kFat * margin);
  return motion(paths, margin);
}

template <int D>
Box<D> Measure<D>::swept(const std::vector<Path<D>>& paths, std::size_t i, double margin) const {
  const ContactShape<D>& part = world_.shapes[i];
  return swept_box(*part.shape, paths[part.body], start_[i], end_[i], margin);
}

template <int D>
void Measure<D>::search_tree(double fat) {
  const int count = static_cast<int>(boxes_.size());
  if (!tree_ || tree_->count() != count) {
    tree_.emplace(fat);
    for (const Box<D>& box : boxes_) tree_->insert(box);
  } else {
    for (int i = 0; i < count; ++i) tree_->move(i, boxes_[i]);
  }
  tree_->pairs(candidates_);
}

/// Sorted and each once: then the step does not depend on the order in which the user lists them.
template <int D>
void Measure<D>::ask_finder() {
  candidates_ = finder_(boxes_);
  const int count = static_cast<int>(boxes_.size());
  for (auto& [i, j] : candidates_) {
    if (std::min(i, j) < 0 || std::max(i, j) >= count || i == j) {
      throw std::invalid_argument("the pair finder names parts " + std::to_string(i) + " and " +
                                  std::to_string(j) + "; expected two different ones from 0 to " +
                                  std::to_string(count - 1));
    }
    if (i > j) std::swap(i, j);
  }
  std::sort(candidates_.begin(), candidates_.end());
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
}

template <int D>
void Measure<D>::find_pairs(double fat) {
  if (finder_) {
    ask_finder();
  } else {
    search_tree(fat);
  }
  assert(std::is_sorted(candidates_.begin(), candidates_.end()));
  const CollisionFilter<D> filter(world_);
  pairs_.clear(), pairs_.reserve(candidates_.size());
  std::copy_if(candidates_.begin(), candidates_.end(), std::back_inserter(pairs_),
               [&](const auto& pair) { return filter.allows(pair.first, pair.second); });
}

#define TOUCHSTONE_INSTANTIATE(D)                                                     \
  template double contact_margin(const World<D>&, std::span<const Twist<D>>, double); \
  template std::vector<Pose<D>> part_poses(const World<D>&);                          \
  template class Measure<D>;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
