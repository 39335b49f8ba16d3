#pragma once
// The truth about the gap of two polytopes, slow and in extended precision, to judge
// src/touchstone/proximity. It shares no code with that room.
//
// What is exact: the vertices and the entries of the poses, taken as they are (a rotation matrix of doubles
// is not quite orthogonal; the body is its image all the same). World points are formed relative to A's
// position in long double (64 bits), so far-off bodies lose nothing.
//
// Why the answer can be trusted: for *every* unit n, s(n) = min_A n.a - max_B n.b is a lower bound of the
// gap, and for every a in A, b in B of disjoint bodies |a - b| is an upper one. So
//   disjoint     s(n) and |a - b| meet: nothing else needs to be believed;
//   overlapping  the gap is the largest s(n) over the facets of A - B, which are made by a facet of A or B
//                or by two edges [Checked 1.1]. All facets are tried; only a bound rules some out, never a
//                guess.
// tests/oracles/minkowski_distance.h finds the same numbers in another way.

#include <vector>

#include "touchstone/proximity/placed.h"

namespace touchstone::oracle {

template <int D>
using LongVec = Eigen::Matrix<long double, D, 1>;

/// A direction n (B to A) with its separation s(n).
template <int D>
struct Axis {
  LongVec<D> normal;
  long double separation = 0;  ///< [m]
};

template <int D>
struct SignedDistance {
  long double gap = 0;        ///< [m] negative when overlapping
  long double error = 0;      ///< [m] the true gap lies within gap +- error
  LongVec<D> normal;          ///< unit, from B to A; the closest direction, or the best axis when overlapping
  std::vector<Axis<D>> axes;  ///< normals of the facets of A - B whose separation is within kTie sizes of the
                              ///<   largest one, best first, one per direction
  long double size = 0;       ///< [m] of the larger body
};

/// Axes this close to the best are listed [sizes]; wide, so that a test can tell clear cases from unclear
/// ones.
inline constexpr double kTie = 1e-9;

template <int D>
SignedDistance<D> signed_distance(const Placed<D>& A, const Placed<D>& B);
/// The same judged with 113 bits: slow, to see that `error` above is honest.
template <int D>
SignedDistance<D> signed_distance_113(const Placed<D>& A, const Placed<D>& B);

/// s(n) = min_A n.a - max_B n.b in the world; n need not be unit, it is normalised.
template <int D>
long double separation(const Placed<D>& A, const Placed<D>& B, const Vec<D>& n);

/// How far x lies outside P, at most zero if inside: the largest height over a facet's plane [m]. Exact
/// inside; outside it is a lower bound of the distance.
template <int D>
long double height_over(const Placed<D>& P, const Vec<D>& x);

}  // namespace touchstone::oracle
