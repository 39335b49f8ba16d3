#include "touchstone/dynamics/sticking.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace touchstone {
namespace {

bool asks(const Surface& surface) { return surface.friction == FrictionLaw::static_kinetic; }

/// [m/s] How fast A moves along B at the contact, at the start of the step.
template <int D>
double start_slip(const StepInput<D>& input, const Contact<D>& contact) {
  const auto velocity = [&](int body) -> Vec<D> {
    return point_velocity<D>(input.velocities[body], contact.point - input.bodies[body].position);
  };
  const Vec<D> v = velocity(contact.body_A) - velocity(contact.body_B);
  return (v - v.dot(contact.normal) * contact.normal).norm();
}

/// How a pair moves along itself in a step.
struct Slip {
  double fastest = 0;  ///< [m/s] at the end
  double forward = 0;  ///< [m^2/s^2] slip at the end along the slip at the start, summed over its contacts
};

}  // namespace

bool contains(const BodyPairs& pairs, int body_1, int body_2) {
  return std::binary_search(pairs.begin(), pairs.end(), BodyPairs::value_type(std::minmax(body_1, body_2)));
}

template <int D>
std::vector<double> slip_rates(const Assembly<D>& assembly, const FrictionGroup& group,
                               const std::vector<Twist<D>>& V) {
  std::vector<double> rates;
  for (int i = group.first; i < group.first + group.count; ++i) {
    const Row<D>& row = assembly.equations.tangent[i];
    rates.push_back(rate(row, V) + row.offset);
  }
  return rates;
}

template <int D>
BodyPairs find_sliding(const StepInput<D>& input, const ConstraintSet<D>& set) {
  BodyPairs sliding;
  if (!input.surfaces.ask_for_sticking()) return sliding;
  const BodyPairs stuck(input.sticking.begin(), input.sticking.end());
  const auto last = static_cast<int>(input.bodies.size()), contacts = static_cast<int>(set.contacts.size());
  for (const int k : set.unilateral) {
    if (k < 0 || k >= contacts) continue;  // refused where rows are made
    const Contact<D>& contact = set.contacts[k];
    const auto& [a, b] = std::minmax(contact.body_A, contact.body_B);
    if (a < 0 || b >= last || !asks(surface_at(input.surfaces, contact)) || contains(stuck, a, b)) continue;
    if (start_slip(input, contact) > kSlides) sliding.push_back({a, b});
  }
  std::sort(sliding.begin(), sliding.end());
  sliding.erase(std::unique(sliding.begin(), sliding.end()), sliding.end());
  return sliding;
}

template <int D>
BodyPairs find_sticking(const SurfaceTable& surfaces, const SolvedStep<D>& solved) {
  BodyPairs sticking;
  if (!surfaces.ask_for_sticking()) return sticking;
  const auto& [set, assembly, found] = std::tie(solved.set, solved.assembly, solved.impulses);
  std::map<std::pair<int, int>, Slip> slips;
  for (std::size_t i = 0; i < set.unilateral.size(); ++i) {
    const int row = assembly.row_of_contact[i], g = assembly.group_of_contact[i];
    const Contact<D>& contact = set.contacts[set.unilateral[i]];
    if (row < 0 || g < 0 || !(found.unilateral[row] > 0) || !asks(surface_at(surfaces, contact))) continue;
    const FrictionGroup& group = assembly.equations.groups[g];
    const std::vector<double> before = slip_rates(assembly, group, assembly.V_start),
                              after = slip_rates(assembly, group, found.V);
    Slip& slip = slips[std::minmax(contact.body_A, contact.body_B)];
    const auto dot = [&](const auto& x) {
      return std::inner_product(after.begin(), after.end(), x.begin(), 0.);
    };
    slip.fastest = std::max(slip.fastest, std::sqrt(dot(after)));
    slip.forward += dot(before);
  }
  for (const auto& [pair, slip] : slips)
    if (slip.fastest <= kSlides || slip.forward < 0) sticking.push_back(pair);
  return sticking;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                   \
  template std::vector<double> slip_rates(const Assembly<D>&, const FrictionGroup&, \
                                          const std::vector<Twist<D>>&);            \
  template BodyPairs find_sliding(const StepInput<D>&, const ConstraintSet<D>&);    \
  template BodyPairs find_sticking(const SurfaceTable&, const SolvedStep<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
