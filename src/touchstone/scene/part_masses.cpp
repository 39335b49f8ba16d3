#include "touchstone/scene/part_masses.h"

#include <numbers>

namespace touchstone {
namespace {

constexpr double kPi = std::numbers::pi;

/// Of a ball: in the plane pi r^2 and pi r^4/4 per axis, in space 4/3 pi r^3 and 4/15 pi r^5.
MassProperties<2> properties_of(const Sphere<2>& disc) {
  const double r = disc.radius;
  return {kPi * r * r, Vec<2>::Zero(), Mat<2>::Identity() * (kPi * r * r * r * r / 4)};
}
MassProperties<3> properties_of(const Sphere<3>& ball) {
  const double r = ball.radius;
  return {4 * kPi / 3 * r * r * r, Vec<3>::Zero(), Mat<3>::Identity() * (4 * kPi / 15 * r * r * r * r * r)};
}
template <int D>
MassProperties<D> properties_of(const Polytope<D>& P) {
  return find_mass_properties(P);
}
template <int D>
MassProperties<D> properties_of(const HalfSpace<D>&) {
  return {};
}

/// Placed and weighted.
template <int D>
MassProperties<D> placed(const MassPart<D>& part) {
  MassProperties<D> m = std::visit([](const auto& s) { return properties_of(s); }, *part.shape);
  m.volume *= part.density;
  m.centre = part.X_BS * m.centre;
  m.second_moment = part.density * (part.X_BS.R * m.second_moment * part.X_BS.R.transpose());
  return m;
}

}  // namespace

template <int D>
MassProperties<D> sum_masses(std::span<const MassPart<D>> parts) {
  // One part keeps its own bits.
  if (parts.size() == 1) return placed(parts[0]);
  MassProperties<D> all;
  for (const MassPart<D>& part : parts) {
    const MassProperties<D> m = placed(part);
    all.volume += m.volume;
    all.centre += m.volume * m.centre;
  }
  if (all.volume > 0) all.centre /= all.volume;
  for (const MassPart<D>& part : parts) {
    const MassProperties<D> m = placed(part);
    const Vec<D> r = m.centre - all.centre;
    all.second_moment += m.second_moment + m.volume * r * r.transpose();
  }
  return all;
}

template MassProperties<2> sum_masses(std::span<const MassPart<2>>);
template MassProperties<3> sum_masses(std::span<const MassPart<3>>);

}  // namespace touchstone
