#include "touchstone/stepping/measure.h"

#include <algorithm>

#include "touchstone/proximity/box.h"

namespace touchstone {
namespace {

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
void Measure<D>::place(const World<D>& world, double margin) {
  const int count = static_cast<int>(world.shapes.size());
  if (!broad_phase_ || broad_phase_->count() != count) {
    broad_phase_.emplace(margin);
    X_WS_.clear();
  }
  const bool fresh = X_WS_.empty();
  X_WS_.resize(count);
  for (int i = 0; i < count; ++i) {
    const ContactShape<D>& part = world.shapes[i];
    X_WS_[i] = world.bodies[part.body].X_WC() * part.X_CS;
    const Box<D> box = bounding_box(*part.shape, X_WS_[i], 0.5 * margin);
    if (fresh) {
      broad_phase_->insert(box);
    } else {
      broad_phase_->move(i, box);
    }
  }
}

template <int D>
void Measure<D>::update(const World<D>& world, double margin) {
  place(world, margin);
  broad_phase_->pairs(candidates_);
  const CollisionFilter<D> filter(world);
  pairs_.clear();
  std::copy_if(candidates_.begin(), candidates_.end(), std::back_inserter(pairs_),
               [&](const auto& pair) { return filter.allows(pair.first, pair.second); });
}

template double contact_margin(const World<2>&, double);
template double contact_margin(const World<3>&, double);
template class Measure<2>;
template class Measure<3>;

}  // namespace touchstone
