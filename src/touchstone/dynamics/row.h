#pragma once

#include <cassert>

#include "touchstone/math/twist.h"

namespace touchstone {

/// One scalar constraint between two bodies: its rate is  G_A . V_A + G_B . V_B  and its impulse p acts on
/// them as G_A p and G_B p. Newton's third law holds where G_B = -G_A about a common point.
template <int D>
struct Row {
  int body_A = -1, body_B = -1;  ///< -1: nobody
  Twist<D> G_A = Twist<D>::Zero(), G_B = Twist<D>::Zero();
  double offset = 0;      ///< w = rate + offset + compliance p; unit of the rate once formulated
  double compliance = 0;  ///< [rate per impulse] of springs and dampers; 0: rigid

  bool operator==(const Row&) const = default;
};

/// A body that the row acts on; it must have one.
template <int D>
int any_body_of(const Row<D>& row) {
  assert(row.body_A >= 0 || row.body_B >= 0);
  return row.body_A >= 0 ? row.body_A : row.body_B;
}

/// The rate of a row where `velocity(b)` is the twist of body b.
template <int D, class Velocity>
double rate_by(const Row<D>& row, const Velocity& velocity) {
  double sum = 0;
  if (row.body_A >= 0) sum += row.G_A.dot(velocity(row.body_A));
  if (row.body_B >= 0) sum += row.G_B.dot(velocity(row.body_B));
  return sum;
}

}  // namespace touchstone
