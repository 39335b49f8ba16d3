#include "touchstone/proximity/time_of_contact.h"

#include <algorithm>
#include <cassert>

namespace touchstone {
namespace {

constexpr int kMostStrides = 1000;
constexpr int kBisections = 14;

template <int D>
double gap_at(const MovingPair<D>& pair, double t, GapMemory<D>& memory) {
  assert(t >= 0 && t <= 1);
  constexpr GapSettings kGapOnly = {.find_candidates = false, .find_points = false};
  return find_gap(pair.A.at(t), pair.B.at(t), &memory, kGapOnly).gap;
}

}  // namespace

template <int D>
TimeOfContact find_time_of_contact(const MovingPair<D>& pair, const AdvancementSettings& settings,
                                   GapMemory<D>& memory) {
  assert(pair.way > 0 && settings.skip > 0 && settings.depth >= 0);
  using Status = TimeOfContact::Status;
  TimeOfContact found{Status::apart, 0, 0};
  for (int stride = 0; stride < kMostStrides; ++stride) {
    const double gap = gap_at(pair, found.closed, memory);
    if (gap < -settings.depth) {
      found.status = Status::meets;
      return found;
    }
    found.apart = found.closed;
    found.closed += (std::max(gap, 0.) + settings.skip) / pair.way;
    if (found.closed >= 1) return {Status::apart, found.apart, 1};
  }
  return {Status::undecided, found.apart, std::min(found.closed, 1.)};
}

template <int D>
double refine_time_of_contact(const MovingPair<D>& pair, TimeOfContact bracket, double depth,
                              GapMemory<D>& memory) {
  assert(0 <= bracket.apart && bracket.apart <= bracket.closed && bracket.closed <= 1);
  for (int pass = 0; pass < kBisections; ++pass) {
    const double middle = 0.5 * (bracket.apart + bracket.closed);
    (gap_at(pair, middle, memory) < -depth ? bracket.closed : bracket.apart) = middle;
  }
  return bracket.apart;
}

template TimeOfContact find_time_of_contact(const MovingPair<2>&, const AdvancementSettings&, GapMemory<2>&);
template TimeOfContact find_time_of_contact(const MovingPair<3>&, const AdvancementSettings&, GapMemory<3>&);
template double refine_time_of_contact(const MovingPair<2>&, TimeOfContact, double, GapMemory<2>&);
template double refine_time_of_contact(const MovingPair<3>&, TimeOfContact, double, GapMemory<3>&);

}  // namespace touchstone
