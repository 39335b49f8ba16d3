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

void blend(double s, const std::vector<double>& dull, std::vector<double>& found, std::size_t i) {
  found[i] = (1 - s) * dull[i] + s * found[i];
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
  for (const Strike& strike : assembly.strikes) {
    const Row<D>& row = assembly.equations.unilateral[strike.unilateral];
    const int island = islands_.of_body[row.body_A >= 0 ? row.body_A : row.body_B];
    gives_[island] = energies[island].given > allowed_[island] + kRoundOff * energies[island].kinetic;
  }
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
    Row<D>& row = dull.equations.unilateral[strike.unilateral];
    if (gives_[islands_.of_body[row.body_A >= 0 ? row.body_A : row.body_B]]) {
      row.offset = strike.dull;
    } else {
      dull.strikes.push_back(strike);
    }
  }
  return dull;
}

template <int D>
std::vector<double> Bounce<D>::given_at(double s, const StepImpulses<D>& dull,
                                        const StepImpulses<D>& found) const {
  StepImpulses<D> between = found;
  for (std::size_t b = 0; b < between.V.size(); ++b) between.V[b] = (1 - s) * dull.V[b] + s * found.V[b];
  for (std::size_t i = 0; i < between.bilateral.size(); ++i) blend(s, dull.bilateral, between.bilateral, i);
  for (std::size_t i = 0; i < between.unilateral.size(); ++i)
    blend(s, dull.unilateral, between.unilateral, i);
  for (std::size_t i = 0; i < between.tangent.size(); ++i) blend(s, dull.tangent, between.tangent, i);
  std::vector<double> given;
  for (const IslandEnergy& energy : island_energies(assembly_, between, islands_, h_))
    given.push_back(energy.given);
  return given;
}

template <int D>
void Bounce<D>::limit(const StepImpulses<D>& dull, StepImpulses<D>& found) const {
  const std::vector<double> at_0 = given_at(0, dull, found), at_half = given_at(0.5, dull, found),
                            at_1 = given_at(1, dull, found);
  std::vector<double> share(islands_.count, 1.);
  for (int k = 0; k < islands_.count; ++k) {
    const double allowed = allowed_[k];
    if (gives_[k]) share[k] = last_root(at_0[k] - allowed, at_half[k] - allowed, at_1[k] - allowed);
  }
  const auto share_of = [&](const Row<D>& row) {
    return share[islands_.of_body[row.body_A >= 0 ? row.body_A : row.body_B]];
  };
  const StepEquations<D>& eq = assembly_.equations;
  for (std::size_t b = 0; b < found.V.size(); ++b) {
    const double s = share[islands_.of_body[b]];
    found.V[b] = (1 - s) * dull.V[b] + s * found.V[b];
  }
  for (std::size_t i = 0; i < eq.bilateral.size(); ++i)
    blend(share_of(eq.bilateral[i]), dull.bilateral, found.bilateral, i);
  for (std::size_t i = 0; i < eq.unilateral.size(); ++i)
    blend(share_of(eq.unilateral[i]), dull.unilateral, found.unilateral, i);
  for (std::size_t i = 0; i < eq.tangent.size(); ++i)
    blend(share_of(eq.tangent[i]), dull.tangent, found.tangent, i);
}

template class Bounce<2>;
template class Bounce<3>;

}  // namespace touchstone
