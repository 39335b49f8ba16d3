#include "touchstone/stepping/measure.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "touchstone/proximity/box.h"

namespace touchstone {
namespace {

/// [margins] by which stored boxes of sweeps are larger: those of bodies that hardly move stay in the tree as
/// they are.
constexpr double kFat = 4;

/// The largest distance of a part's point from the body's centre of mass; 0 for a half-space, which moves
/// rigidly with a body that does not turn.
template <int D>
double reach_of(const ContactShape<D>& part) {
  if (const auto* P = std::get_if<Polytope<D>>(part.shape.get()))
    return (part.X_CS * P->centre()).norm() + P->radius();
  if (const auto* S = std::get_if<Sphere<D>>(part.shape.get())) return part.X_CS.p.norm() + S->radius;
  return 0;
}

}  // namespace

template <int D>
double contact_margin(const World<D>& world, double h) {
  double fastest = 0;
  for (const ContactShape<D>& part : world.shapes) {
    const Twist<D>& V = world.bodies[part.body].velocity;
    fastest = std::max(fastest, linear<D>(V).norm() + angular<D>(V).norm() * reach_of(part));
  }
  return 2 * h * (fastest + h * world.gravity.norm());
}

template <int D>
void place_parts(const World<D>& world, const std::vector<Body<D>>& bodies, std::vector<Pose<D>>& X_WS) {
  X_WS.resize(world.shapes.size());
  for (std::size_t i = 0; i < X_WS.size(); ++i) {
    X_WS[i] = bodies[world.shapes[i].body].X_WC() * world.shapes[i].X_CS;
  }
}

template <int D>
void Measure<D>::update(const World<D>& world, double margin) {
  place_parts(world, world.bodies, X_WS_);
  boxes_.clear();
  for (std::size_t i = 0; i < X_WS_.size(); ++i) {
    boxes_.push_back(bounding_box(*world.shapes[i].shape, X_WS_[i], 0.5 * margin));
  }
  find_pairs(world, boxes_, margin);
}

template <int D>
void Measure<D>::sweep(const World<D>& world, const std::vector<Pose<D>>& X_end, double margin, bool again) {
  // Boxes that do not meet are apart along an axis, and the parts by the room that both have in theirs.
  clearance_ = 2 * (again ? room_about(world, X_end) : margin);
  if (again && clearance_ >= 0) return;
  clearance_ = 2 * margin;
  if (!again) place_parts(world, world.bodies, X_WS_);
  boxes_.clear();
  for (std::size_t i = 0; i < X_WS_.size(); ++i) {
    boxes_.push_back(swept_box(*world.shapes[i].shape, X_WS_[i], X_end[i], margin));
  }
  find_pairs(world, boxes_, kFat * margin);
}

/// [m] that the boxes of the last sweep have around this one, where they have least; negative: it leaves one.
template <int D>
double Measure<D>::room_about(const World<D>& world, const std::vector<Pose<D>>& X_end) const {
  double room = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < X_end.size() && room >= 0; ++i) {
    room = std::min(room, boxes_[i].room_about(swept_box(*world.shapes[i].shape, X_WS_[i], X_end[i])));
  }
  return room;
}

template <int D>
void Measure<D>::search_tree(const std::vector<Box<D>>& boxes, double fat) {
  const int count = static_cast<int>(boxes.size());
  if (!broad_phase_ || broad_phase_->count() != count) {
    broad_phase_.emplace(fat);
    for (const Box<D>& box : boxes) broad_phase_->insert(box);
  } else {
    for (int i = 0; i < count; ++i) broad_phase_->move(i, boxes[i]);
  }
  broad_phase_->pairs(candidates_);
}

/// Sorted and each once: then the step does not depend on the order in which the user lists them.
template <int D>
void Measure<D>::ask_finder(const std::vector<Box<D>>& boxes) {
  candidates_ = finder_(boxes);
  const int count = static_cast<int>(boxes.size());
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
void Measure<D>::find_pairs(const World<D>& world, const std::vector<Box<D>>& boxes, double fat) {
  if (finder_) {
    ask_finder(boxes);
  } else {
    search_tree(boxes, fat);
  }
  const CollisionFilter<D> filter(world);
  pairs_.clear();
  std::copy_if(candidates_.begin(), candidates_.end(), std::back_inserter(pairs_),
               [&](const auto& pair) { return filter.allows(pair.first, pair.second); });
}

template void place_parts(const World<2>&, const std::vector<Body<2>>&, std::vector<Pose<2>>&);
template void place_parts(const World<3>&, const std::vector<Body<3>>&, std::vector<Pose<3>>&);
template double contact_margin(const World<2>&, double);
template double contact_margin(const World<3>&, double);
template class Measure<2>;
template class Measure<3>;

}  // namespace touchstone
