#pragma once
// The formulations behind formulate(); inside dynamics only.

#include "touchstone/dynamics/formulation.h"

namespace touchstone {

template <int D>
std::unique_ptr<Formulation<D>> make_reduced_lcp(const StepEquations<D>& equations);
template <int D>
std::unique_ptr<Formulation<D>> make_mixed_lcp(const StepEquations<D>& equations);
template <int D>
std::unique_ptr<Formulation<D>> make_cones(const StepEquations<D>& equations);

}  // namespace touchstone
