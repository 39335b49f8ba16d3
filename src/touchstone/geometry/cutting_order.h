#pragma once
// In which order are many planes best taken? Private to geometry/.

#include <span>

#include "touchstone/math/plane.h"

namespace touchstone {

/// The numbers of the planes in the order of cutting: successive planes are neighbours, and few cuts create
/// faces that later cuts remove. Valid until the thread's next call.
///
/// 2D: by direction, once round. 3D: in rounds, each about twice as large as the one before and drawn at
/// random, so that every round is spread over all directions; within a round along a curve that fills space
/// (Amenta, Choi and Rote, "Incremental constructions con BRIO", 2003).
template <int D>
std::span<const int> cutting_order(std::span<const Plane<D>> planes);

}  // namespace touchstone
