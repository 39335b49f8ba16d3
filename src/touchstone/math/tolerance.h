#pragma once
// Every tolerance that more than one room needs, with its unit and its reason. All are relative to the
// size of the larger body, so that a gear of a watch and a ship are treated alike.

namespace touchstone {

/// Bodies touch when |gap| <= this times the size of the larger body. About ten thousand round-offs:
/// far above the noise of a pose, far below any tolerance of manufacture.
inline constexpr double kTouching = 1e-12;

/// Points this close (times the size of the body) to a plane lie on it when a polytope is built.
/// Above the round-off of a rotated face, below the error of 1e-14 that gaps are allowed.
inline constexpr double kFlatness = 4e-15;

/// Upper and lower bound of a gap are equal when they differ by at most this times the size.
inline constexpr double kCertified = 4e-15;

/// Edges cross at an angle if the sine between them exceeds this; else they count as parallel.
inline constexpr double kParallel = 1e-12;

}  // namespace touchstone
