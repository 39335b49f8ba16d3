#include "touchstone/proximity/time_of_contact.h"

#include <algorithm>
#include <cassert>

namespace touchstone {
namespace {

constexpr int kMostStrides = 1000;
constexpr int kBisections = 14;

template <int D>
Gap<D> gap_at(const MovingPair<D>& pair, double t, GapMemory<D>& memory) {
  assert(t >= 0 && t <= 1);
  constexpr GapSettings kGapOnly = {.find_candidates = false, .find_points = false};
  return find_gap(pair.A.at(t), pair.B.at(t), &memory, kGapOnly);
}

}  // namespace

/// The mean velocities close by n.u h; of bodies that fall they are off by at most h a/2 at either end.
template <int D>
double MovingPair<D>::closing(const Vec<D>& n) const {
  const Path<D>&a = *A.path, &b = *B.path;
  const double fall = 0.5 * a.h * a.h * std::abs(n.dot(a.acceleration - b.acceleration));
  return std::max(0., fall - n.dot(a.shift() - b.shift())) + turning;
}

template <int D>
TimeOfContact find_time_of_contact(const MovingPair<D>& pair, const AdvancementSettings& settings,
                                   GapMemory<D>& memory) {
  assert(pair.turning >= 0 && settings.skip > 0 && settings.depth >= 0);
  using Status = TimeOfContact::Status;
  TimeOfContact found{Status::apart, 0, settings.from};
  if (!(settings.from < settings.until)) return {};
  for (int stride = 0; stride < kMostStrides; ++stride) {
    const Gap<D> now = gap_at(pair, found.closed, memory);
    if (now.gap < -settings.depth) {
      found.status = Status::meets;
      return found;
    }
    found.apart = found.closed;
    found.closed += (std::max(now.gap, 0.) + settings.skip) / pair.closing(now.normal);
    if (!(found.closed < settings.until)) return {Status::apart, found.apart, 1};
  }
  return {Status::undecided, found.apart, std::min(found.closed, 1.)};
}

template <int D>
double refine_time_of_contact(const MovingPair<D>& pair, TimeOfContact bracket, double depth,
                              GapMemory<D>& memory) {
  assert(0 <= bracket.apart && bracket.apart <= bracket.closed && bracket.closed <= 1);
  for (int pass = 0; pass < kBisections; ++pass) {
    const double middle = 0.5 * (bracket.apart + bracket.closed);
    (gap_at(pair, middle, memory).gap < -depth ? bracket.closed : bracket.apart) = middle;
  }
  return bracket.apart;
}

/// The rule of false position; the end that stays is believed half as much the next time, so that it moves,
/// too (Dowell and Jarratt: the Illinois algorithm).
template <int D>
double locate_contact(const MovingPair<D>& pair, const TimeOfContact& bracket, GapMemory<D>& memory) {
  constexpr double kTouching = 1e-13;  // [m]
  constexpr int kMost = 100;
  double low = bracket.apart, high = bracket.closed;
  double above = gap_at(pair, low, memory).gap, below = gap_at(pair, high, memory).gap;
  int last = 0;
  double gap = above;
  for (int pass = 0; pass < kMost && gap > kTouching && above > 0 && below < 0; ++pass) {
    double t = low + (high - low) * (above / (above - below));
    if (!(t > low && t < high))
      t = 0.5 * (low + high);  // the secant ends in what is overlapping by round-off
    if (!(t > low && t < high)) break;
    const double now = gap_at(pair, t, memory).gap;
    if (now < 0) {
      high = t, below = now;
      if (last < 0) above *= 0.5;
      last = -1;
    } else {
      low = t, gap = above = now;
      if (last > 0) below *= 0.5;
      last = 1;
    }
  }
  return low;
}

template struct MovingPair<2>;
template struct MovingPair<3>;
template TimeOfContact find_time_of_contact(const MovingPair<2>&, const AdvancementSettings&, GapMemory<2>&);
template TimeOfContact find_time_of_contact(const MovingPair<3>&, const AdvancementSettings&, GapMemory<3>&);
template double refine_time_of_contact(const MovingPair<2>&, TimeOfContact, double, GapMemory<2>&);
template double refine_time_of_contact(const MovingPair<3>&, TimeOfContact, double, GapMemory<3>&);
template double locate_contact(const MovingPair<2>&, const TimeOfContact&, GapMemory<2>&);
template double locate_contact(const MovingPair<3>&, const TimeOfContact&, GapMemory<3>&);

}  // namespace touchstone
