#include "touchstone/solve/friction/nsgs.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include "touchstone/solve/friction/friction_contact.h"
#include "touchstone/solve/friction/friction_extrapolation.h"

namespace touchstone {
namespace {

/// The residual costs as much as half a sweep: it is asked for when a sweep changed little, and at least this
/// often. Of few contacts it is asked for always: they often need one sweep only.
constexpr int kSweepsPerCheck = 10;
constexpr int kFewContacts = 8;
/// The first sweeps change which contacts are open and which slide; extrapolating them would mislead.
constexpr int kPlainSweeps = 3;

/// One sweep over all contacts. Returns the largest change of a velocity that one of them made for itself.
template <int D>
double sweep(const FrictionBlocks<D>& blocks, VectorX& r) {
  double change = 0;
  OneContact<D> contact;
  for (int i = 0; i < blocks.contacts(); ++i) {
    contact.W = blocks.diagonal(i);
    contact.q = blocks.free_velocity(i, r);
    contact.mu = blocks.mu(i);
    const ContactVector<D> before = r.segment<D>(D * i);
    const ContactVector<D> r_new = solve_contact<D>(contact, before).r;
    const ContactVector<D> step = r_new - before;
    change = std::max(change, blocks.weight(i) * step.cwiseAbs().maxCoeff());
    r.segment<D>(D * i) = r_new;
  }
  return change;
}

/// Defects weighed by the square root of W_ii: then their squares are energies.
template <int D>
VectorX energy_weights(const FrictionBlocks<D>& blocks) {
  VectorX weight(blocks.size());
  for (int i = 0; i < blocks.contacts(); ++i)
    weight.segment<D>(D * i).setConstant(std::sqrt(std::max(0.0, blocks.weight(i))));
  return weight;
}

/// An extrapolated impulse may have left its cone.
template <int D>
void return_to_cones(const FrictionBlocks<D>& blocks, VectorX& r) {
  for (int i = 0; i < blocks.contacts(); ++i) {
    const ContactVector<D> x = r.segment<D>(D * i);
    r.segment<D>(D * i) = project_on_cone<D>(x, blocks.mu(i));
  }
}

}  // namespace

template <int D>
void sweep_nsgs(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, FrictionIterate& iterate) {
  assert(iterate.r.size() == blocks.size());
  const int per_check = blocks.contacts() <= kFewContacts ? 1 : kSweepsPerCheck;
  const double little = limits.tolerance * blocks.scale();
  VectorX before = iterate.r, u(blocks.size());
  std::optional<Extrapolation> extrapolation;
  for (int k = 1; k <= limits.iterations && !iterate.reached(limits); ++k) {
    before = iterate.r;
    const double change = sweep<D>(blocks, iterate.r);
    ++iterate.iterations;
    if (change <= little || k % per_check == 0 || k == limits.iterations) {
      take_note<D>(blocks, iterate, u);
      if (iterate.reached(limits) || k == limits.iterations) break;
    }
    if (k < kPlainSweeps) continue;
    if (!extrapolation) extrapolation.emplace(energy_weights<D>(blocks));
    extrapolation->advance(before, iterate.r);
    return_to_cones<D>(blocks, iterate.r);
  }
}

template void sweep_nsgs<2>(const FrictionBlocks<2>&, const FrictionLimits&, FrictionIterate&);
template void sweep_nsgs<3>(const FrictionBlocks<3>&, const FrictionLimits&, FrictionIterate&);

}  // namespace touchstone
