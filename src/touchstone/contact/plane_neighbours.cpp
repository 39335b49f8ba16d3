#include "touchstone/contact/plane_neighbours.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace touchstone {
namespace {

template <int D>
struct Member {
  std::pair<int, int> bodies;
  PairState<D>* state;
  bool hit;
};

/// By bodies; -1: fixed or scripted.
template <int D>
std::vector<Member<D>> members_of(const TriedMotion<D>& motion, std::span<PairState<D>* const> hit,
                                  std::span<PairState<D>* const> held, double tolerance) {
  std::vector<Member<D>> members;
  members.reserve(hit.size() + held.size());
  const auto body_of = [&](int shape) {
    const int body = motion.shapes[shape].body;
    return motion.moves(body) ? body : -1;
  };
  const auto join = [&](PairState<D>* state, bool is_hit) {
    assert(state->plane);
    const std::vector<PlaneRow<D>>& rows = state->plane->rows;
    const bool touches =
        std::any_of(rows.begin(), rows.end(), [&](const PlaneRow<D>& row) { return row.gap <= tolerance; });
    if (!touches) return;  // it carried nothing until now
    members.push_back({std::minmax(body_of(state->record.i), body_of(state->record.j)), state, is_hit});
  };
  for (PairState<D>* state : hit) join(state, true);
  for (PairState<D>* state : held) join(state, false);
  std::stable_sort(members.begin(), members.end(),
                   [](const Member<D>& x, const Member<D>& y) { return x.bodies < y.bodies; });
  return members;
}

}  // namespace

template <int D>
std::vector<PairState<D>*> find_followers(const TriedMotion<D>& motion, std::span<PairState<D>* const> hit,
                                          std::span<PairState<D>* const> held, bool first_try,
                                          double tolerance) {
  std::vector<PairState<D>*> followers;
  if (hit.size() + held.size() < 2) return followers;
  const std::vector<Member<D>> members = members_of(motion, hit, held, tolerance);
  for (auto first = members.begin(), last = first; first != members.end(); first = last) {
    last = std::find_if(first, members.end(), [&](const Member<D>& m) { return m.bodies != first->bodies; });
    for (auto m = first; m != last; ++m) {
      bool follows = false;
      for (auto other = first; other != last; ++other) {
        if (other == m || !lie_in_one_plane(*m->state->plane, *other->state->plane)) continue;
        m->state->plane->shared = true;
        follows |= other->hit && (!first_try || other->state->plane->from_first_try);
      }
      if (!m->hit && follows && m->state->plane->goes_with_others()) followers.push_back(m->state);
    }
  }
  return followers;
}

template std::vector<PairState<2>*> find_followers(const TriedMotion<2>&, std::span<PairState<2>* const>,
                                                   std::span<PairState<2>* const>, bool, double);
template std::vector<PairState<3>*> find_followers(const TriedMotion<3>&, std::span<PairState<3>* const>,
                                                   std::span<PairState<3>* const>, bool, double);

}  // namespace touchstone
