#pragma once
// The matrix of a step with linearised friction in its factors. Inside dynamics only.

#include <optional>

#include "touchstone/dynamics/pyramid.h"
#include "touchstone/solve/problem_matrix.h"

namespace touchstone {

/// Unknowns in the order unilateral rows, sides, groups [reduced_lcp.cpp]. Nothing where the matrix is not of
/// this kind: joints, compliance, no friction at all, or directions of a group that are not those of a
/// regular pyramid.
template <int D>
std::optional<PyramidFactors> pyramid_factors(const StepEquations<D>& equations,
                                              const std::vector<PyramidSide>& sides);

}  // namespace touchstone
