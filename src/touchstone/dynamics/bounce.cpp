#include "touchstone/dynamics/bounce.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

/// Of the kinetic energy: what an island may gain by round-off.
constexpr double kRoundOff = 1e-11;

/// The largest s in [0, 1] at which the quadratic through (0, at_0), (1/2, at_half), (1, at_1) is not
/// positive, where at_1 is and at_0 is not.
double last_root(double at_0, double at_half, double at_1) {
  assert(at_1 > 0);
  if (at_0 >= 0) return 0;
  const double a = 2 * (at_0 + at_1 - 2 * at_half), b = at_1 - at_0 - a;
  const double discriminant = std::sqrt(std::max(b * b - 4 * a * at_0, 0.));
  const double s = -2 * at_0 / (b + discriminant);  // a > 0 or not: the root where the quadratic rises
  return std::isfinite(s) ? std::clamp(s, 0., 1.) : 0;
}

}  // namespace

template <int D>
Bounce<D>::Bounce(const Assembly<D>& assembly, const StepImpulses<D>& found, double h)
    : assembly_(assembly),
      h_(h),
      islands_(number_islands(assembly.equations)),
      gives_(islands_.count, false) {
  const std::vector<IslandEnergy> energies = island_energies(assembly, found, islands_, h);
  for (const IslandEnergy& energy : energies) allowed_.push_back(std::min(energy.change, 0.));
  for (const Strike& strike : assembly.strikes) allowed_[island_of(strike)] -= strike.late;
  for (const Strike& strike : assembly.strikes) {
    const int island = island_of(strike);
    gives_[island] = energies[island].given > allowed_[island] + kRoundOff * energies[island].kinetic;
  }
}

template <int D>
int Bounce<D>::island_of(const Strike& strike) const {
  return islands_.of_body[any_body_of(assembly_.equations.unilateral[strike.unilateral])];
}

template <int D>
bool Bounce<D>::gives() const {
  return std::any_of(gives_.begin(), gives_.end(), [](char gives) { return gives; });
}

template <int D>
Assembly<D> Bounce<D>::without() const {
  Assembly<D> dull = assembly_;
  dull.strikes.clear();
  for (const Strike& strike : assembly_.strikes) {
    if (gives_[island_of(strike)]) {
      dull.equations.unilateral[strike.unilateral].offset = strike.dull;
    } else {
      dull.strikes.push_back(strike);
    }
  }
  return dull;
}

/// (1 - s) dull + s found, with the share s of each island.
template <int D>
StepImpulses<D> Bounce<D>::between(const StepImpulses<D>& dull, const StepImpulses<D>& found,
                                   const std::vector<double>& share) const {
  StepImpulses<D> mixed = found;
  for (std::size_t b = 0; b < mixed.V.size(); ++b) {
    const double s = share[islands_.of_body[b]];
    mixed.V[b] = (1 - s) * dull.V[b] + s * found.V[b];
  }
  const auto mix = [&](const std::vector<Row<D>>& rows, const std::vector<double>& from,
                       std::vector<double>& to) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double s = share[islands_.of_body[any_body_of(rows[i])]];
      to[i] = (1 - s) * from[i] + s * to[i];
    }
  };
  const StepEquations<D>& eq = assembly_.equations;
  mix(eq.bilateral, dull.bilateral, mixed.bilateral);
  mix(eq.unilateral, dull.unilateral, mixed.unilateral);
  mix(eq.tangent, dull.tangent, mixed.tangent);
  return mixed;
}

template <int D>
void Bounce<D>::limit(const StepImpulses<D>& dull, StepImpulses<D>& found) const {
  const auto energies_at = [&](double s) {
    return island_energies(assembly_, between(dull, found, std::vector<double>(islands_.count, s)), islands_,
                           h_);
  };
  const auto at_0 = energies_at(0), at_half = energies_at(0.5), at_1 = energies_at(1);
  std::vector<double> share(islands_.count, 1.);
  for (int k = 0; k < islands_.count; ++k) {
    const auto beyond = [&](const std::vector<IslandEnergy>& at) { return at[k].given - allowed_[k]; };
    if (gives_[k]) share[k] = last_root(beyond(at_0), beyond(at_half), beyond(at_1));
  }
  found = between(dull, found, share);
}

template class Bounce<2>;
template class Bounce<3>;

}  // namespace touchstone
