#pragma once
// One degree of freedom of a joint as it changes while bodies move, and the limits of joints as rows that
// push one way, like contacts.
//
//     value'' = row . a + bend        a: accelerations of the two bodies

#include <optional>

#include "touchstone/dynamics/joint.h"
#include "touchstone/stepping/events/contact_row.h"
#include "touchstone/stepping/events/step_view.h"

namespace touchstone {

template <int D>
struct AxisNow {
  Row<D> row;
  double value = 0, rate = 0, bend = 0;  ///< [m or rad], per second, per second squared
};

/// The value continues that of the world's joint over full turns, so it must be within half a turn of it.
template <int D>
AxisNow<D> axis_now(const World<D>& world, int joint, int axis, const std::vector<Moving<D>>& bodies);

/// The value that is nearest to the one the joint had, of all that differ by full turns.
template <int D>
double continued(const Joint<D>& joint, int axis, double value);

/// All limits of the world's joints. One that is exceeded at the start lies where the value is.
template <int D>
std::vector<ContactRow<D>> limit_rows(const World<D>& world);

/// A row of any kind, contact or limit, at an instant.
template <int D>
RowNow<D> row_now(const ContactRow<D>& row, const World<D>& world, const std::vector<Moving<D>>& bodies);

/// [rad] By how much a value that limits or servos ask for can turn within the step, at most.
template <int D>
double largest_turn(const StepView<D>& view);

/// The first time in [begin, end] at which a limit is exceeded by more than kOverlap. That none is missed is
/// proved for ways, and for angles about one axis; angles of spherical and universal joints are sampled.
template <int D>
std::optional<double> first_reach(const StepView<D>& view, const ContactRow<D>& limit, double end);

}  // namespace touchstone
