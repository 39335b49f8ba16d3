#pragma once
// The hierarchy behind find_extremal for large polytopes. Private to geometry/.

#include <memory>

#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// Null for polytopes too small to need one.
template <int D>
std::shared_ptr<const SupportHierarchy<D>> build_support_hierarchy(const PolytopeData<D>& data);

}  // namespace touchstone
