#pragma once
// Between which bodies does the rigid problem determine the forces? [docs/friction.md]

#include "touchstone/dynamics/solve_step.h"

namespace touchstone {

/// Pairs of bodies whose wrench (force and torque together) could be another at the same motion, changed a
/// little together with forces elsewhere: with the columns G of the forces that are free to change (normals
/// that push, with friction along where the contact slides; friction of contacts that stick; joints; motors
/// below their limit) there is an x with G x = 0 that has a part in the pair's wrench. How a pair's wrench is
/// split between its points does not count. The time grows with the cube of the bodies of an island.
template <int D>
BodyPairs find_undetermined(const SolvedStep<D>& solved);

}  // namespace touchstone
