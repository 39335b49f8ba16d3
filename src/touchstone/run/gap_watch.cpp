#include "touchstone/run/gap_watch.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>

#include "touchstone/math/checks.h"
#include "touchstone/proximity/box.h"
#include "touchstone/proximity/broad_phase.h"
#include "touchstone/proximity/contact_data.h"
#include "touchstone/proximity/gap.h"

namespace touchstone {
namespace {

/// The first search reaches this many times as far as the last gap, so that one search is usually enough.
constexpr double kReachGrowth = 1.5;
/// ... and at least this share of the smallest part's size, where the last gap was none.
constexpr double kLeastReach = 0.01;
/// Of all parts' extent: how well their places are known.
constexpr double kRoundOff = std::numeric_limits<double>::epsilon();

template <int D>
PlacedShape<D> placed(const World<D>& world, int shape) {
  assert(is_index(shape, world.shapes.size()));
  const ContactShape<D>& part = world.shapes[shape];
  return {part.shape.get(), world.bodies[part.body].X_WC() * part.X_CS};
}

/// The tightest boxes of all parts.
template <int D>
void find_boxes(const World<D>& world, std::vector<Box<D>>& boxes) {
  boxes.clear();
  for (int i = 0; i < static_cast<int>(world.shapes.size()); ++i) {
    const PlacedShape<D> shape = placed(world, i);
    boxes.push_back(bounding_box(*shape.shape, shape.X_WB));
  }
}

template <int D>
void keep_allowed(const World<D>& world, std::vector<std::pair<int, int>>& pairs) {
  const CollisionFilter<D> filter(world);
  std::erase_if(pairs, [&](const auto& pair) { return !filter.allows(pair.first, pair.second); });
}

/// The size of the smallest bounded part, and that of all bounded parts together.
struct Sizes {
  double smallest = std::numeric_limits<double>::infinity(), all = 0;
};
template <int D>
Sizes sizes_of(const std::vector<Box<D>>& boxes) {
  Sizes sizes;
  Box<D> all{Vec<D>::Constant(std::numeric_limits<double>::infinity()),
             Vec<D>::Constant(-std::numeric_limits<double>::infinity())};
  for (const Box<D>& box : boxes) {
    if (!box.low.allFinite() || !box.high.allFinite()) continue;
    sizes.smallest = std::min(sizes.smallest, (box.high - box.low).norm());
    all = all.joined(box);
    sizes.all = (all.high - all.low).norm();
  }
  return sizes;
}

constexpr GapSettings kGapOnly = {.find_candidates = false, .find_points = false};

}  // namespace

template <int D>
std::vector<OverlappingPair> find_overlaps(const World<D>& world, double depth) {
  assert(depth >= 0);
  std::vector<Box<D>> boxes;
  find_boxes(world, boxes);
  BroadPhase<D> tree;
  for (const Box<D>& box : boxes) tree.insert(box);
  std::vector<std::pair<int, int>> pairs = tree.pairs();
  keep_allowed(world, pairs);
  std::map<std::pair<int, int>, double> gaps;  // of bodies, each by its deepest parts
  for (const auto& [a, b] : pairs) {
    const double gap = find_gap<D>(placed(world, a), placed(world, b), nullptr, kGapOnly).gap;
    double& deepest = gaps[std::minmax(world.shapes[a].body, world.shapes[b].body)];
    deepest = std::min(deepest, gap);
  }
  std::vector<OverlappingPair> found;
  for (const auto& [bodies, gap] : gaps) {
    if (gap < -depth) found.push_back({bodies.first, bodies.second, gap});
  }
  return found;
}

template <int D>
void GapWatch<D>::find_pairs(const World<D>& world, double reach) {
  assert(reach > 0 && boxes_.size() == world.shapes.size());
  const int count = static_cast<int>(boxes_.size());
  if (!tree_ || tree_->count() > count) tree_.emplace(reach);
  while (tree_->count() < count) tree_->insert(boxes_[tree_->count()].grown(reach / 2));
  for (int i = 0; i < count; ++i) tree_->move(i, boxes_[i].grown(reach / 2));
  tree_->pairs(pairs_);
  keep_allowed(world, pairs_);
  memory_.follow(pairs_);
}

template <int D>
Closeness GapWatch<D>::look(const World<D>& world, double reach) {
  find_pairs(world, reach);
  Closeness found;
  for (int i = 0; i < static_cast<int>(pairs_.size()); ++i) {
    const auto [a, b] = pairs_[i];
    const PlacedShape<D> A = placed(world, a), B = placed(world, b);
    const Gap<D> gap = find_gap<D>(A, B, &memory_.of(i), kGapOnly);
    if (gap.status == Status::overlapping) found.overlap += find_overlap<D>(A, B);
    if (gap.gap >= found.min_gap) continue;
    found.min_gap = gap.gap;
    found.body_A = world.shapes[a].body, found.body_B = world.shapes[b].body;
  }
  assert(found.overlap >= 0);
  return found;
}

/// Boxes that are grown by half of `reach` and do not meet belong to bodies further apart than `reach`: a
/// gap found within it is the least of all. Otherwise the look is repeated with the gap that was found, or
/// further and further until every box meets every other.
template <int D>
Closeness GapWatch<D>::search(const World<D>& world) {
  find_boxes(world, boxes_);
  const Sizes sizes = sizes_of(boxes_);
  if (!std::isfinite(sizes.smallest)) return {};
  // Far from the origin the size of a box may be lost in round-off, so the search reaches at least that far.
  double reach = std::max({kReachGrowth * last_gap_, kLeastReach * sizes.smallest, kRoundOff * sizes.all});
  for (;;) {
    const Closeness found = look(world, reach);
    if (found.min_gap <= reach || reach >= 2 * sizes.all) {
      last_gap_ = std::isfinite(found.min_gap) ? found.min_gap : 2 * sizes.all;
      return found;
    }
    reach = std::isfinite(found.min_gap) ? kReachGrowth * found.min_gap : 4 * reach;
  }
}

/// The pairs that a step looked at hold the closest of all where its gap is within the clearance of the rest.
template <int D>
Closeness GapWatch<D>::measure(const World<D>& world, const std::optional<EndCloseness>& ends) {
  const bool looked = ends && ends->closest.first >= 0;
  if (!looked || ends->lowest > ends->clearance) return search(world);
  const auto body_of = [&](int part) { return world.shapes[part].body; };
  Closeness found{ends->lowest, body_of(ends->closest.first), body_of(ends->closest.second), 0};
  for (const auto& [a, b] : ends->overlapping) {
    found.overlap += find_overlap<D>(placed(world, a), placed(world, b));
  }
  last_gap_ = found.min_gap;
  return found;
}

template std::vector<OverlappingPair> find_overlaps(const World<2>&, double);
template std::vector<OverlappingPair> find_overlaps(const World<3>&, double);
template class GapWatch<2>;
template class GapWatch<3>;

}  // namespace touchstone
