#include "touchstone/dynamics/material.h"

namespace touchstone {
namespace {

bool stands_before(const std::pair<SurfaceTable::Pair, Surface>& entry, const SurfaceTable::Pair& bodies) {
  return entry.first < bodies;
}

}  // namespace

void SurfaceTable::add(const Surface& own) {
  SurfaceTable larger(count_ + 1, own);
  for (int a = 0; a < count_; ++a) {
    for (int b = 0; b <= a; ++b) larger.set(a, b, of(a, b));
    larger.set(a, count_, mixed(of(a, a), own));
  }
  larger.bodies_ = std::move(bodies_);
  *this = std::move(larger);
}

void SurfaceTable::set_bodies(int body_1, int body_2, const Surface& surface) {
  assert(body_1 >= 0 && body_2 >= 0 && body_1 != body_2);
  const Pair bodies = std::minmax(body_1, body_2);
  const auto place = std::lower_bound(bodies_.begin(), bodies_.end(), bodies, stands_before);
  if (place != bodies_.end() && place->first == bodies) {
    place->second = surface;
  } else {
    bodies_.insert(place, {bodies, surface});
  }
}

const Surface* SurfaceTable::of_bodies(int body_1, int body_2) const {
  const Pair bodies = std::minmax(body_1, body_2);
  const auto place = std::lower_bound(bodies_.begin(), bodies_.end(), bodies, stands_before);
  return place != bodies_.end() && place->first == bodies ? &place->second : nullptr;
}

std::vector<Surface> SurfaceTable::all() const {
  std::vector<Surface> surfaces;
  for (int a = 0; a < count_; ++a) {
    for (int b = 0; b <= a; ++b) surfaces.push_back(of(a, b));
  }
  for (const auto& [bodies, surface] : bodies_) surfaces.push_back(surface);
  return surfaces;
}

bool SurfaceTable::ask_for_sticking() const {
  const auto asks = [](const Surface& surface) { return surface.friction == FrictionLaw::static_kinetic; };
  return std::any_of(table_.begin(), table_.end(), asks) ||
         std::any_of(bodies_.begin(), bodies_.end(), [&](const auto& entry) { return asks(entry.second); });
}

}  // namespace touchstone
