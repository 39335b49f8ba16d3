#include <cassert>

#include "touchstone/geometry/bounds.h"
#include "touchstone/geometry/mass_properties.h"

namespace touchstone {
namespace {

/// Placed and weighted.
template <int D>
MassProperties<D> placed(const MassPart<D>& part) {
  assert(part.shape && part.density > 0);
  MassProperties<D> m = find_mass_properties(*part.shape);
  assert(m.volume > 0);  // no half-space
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
