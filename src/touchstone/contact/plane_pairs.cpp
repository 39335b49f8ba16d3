#include "touchstone/contact/plane_pairs.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace touchstone {
namespace {

template <int D>
std::pair<int, int> parts_of(const PairRecord<D>& record) {
  return {record.i, record.j};
}

template <int D>
PairRecord<D> unknown(const TriedMotion<D>& motion, std::pair<int, int> parts) {
  const auto [i, j] = parts;
  PairRecord<D> record;
  record.i = i, record.j = j, record.sizes = {motion.shapes[i], motion.shapes[j]};
  return record;
}

}  // namespace

template <int D>
PlanePairs<D>::PlanePairs(const TriedMotion<D>& motion, std::span<const PairRecord<D>> known) {
  assert(std::is_sorted(known.begin(), known.end(),
                        [](const auto& x, const auto& y) { return parts_of(x) < parts_of(y); }));
  begun_.reserve(motion.pairs.size()), all_.reserve(motion.pairs.size());
  auto at = known.begin();
  for (const std::pair<int, int>& pair : motion.pairs) {
    while (at != known.end() && parts_of(*at) < pair) ++at;
    const bool is_known = at != known.end() && parts_of(*at) == pair;
    all_.push_back(&(is_known ? begun_.emplace_back(*at) : begun_.emplace_back(unknown(motion, pair))));
  }
  swept_ = all_;
}

template <int D>
void PlanePairs<D>::match(const TriedMotion<D>& motion) {
  assert(std::is_sorted(motion.pairs.begin(), motion.pairs.end()));
  const auto parts = [](const PairState<D>* state) { return parts_of(state->record); };
  const bool as_before =
      std::equal(swept_.begin(), swept_.end(), motion.pairs.begin(), motion.pairs.end(),
                 [&](const PairState<D>* state, const auto& pair) { return parts(state) == pair; });
  if (as_before) return;
  std::vector<PairState<D>*> next;
  next.reserve(motion.pairs.size());
  swept_.clear(), swept_.reserve(motion.pairs.size());
  auto old = all_.begin();
  const auto keep_until = [&](const std::pair<int, int>& limit) {
    for (; old != all_.end() && parts(*old) < limit; ++old) {
      if ((*old)->plane) next.push_back(*old);
    }
  };
  for (const std::pair<int, int>& pair : motion.pairs) {
    keep_until(pair);
    if (old != all_.end() && parts(*old) == pair) {
      next.push_back(*old++);
    } else {
      next.push_back(met_.emplace_back(std::make_unique<PairState<D>>(unknown(motion, pair))).get());
    }
    swept_.push_back(next.back());
  }
  constexpr int kLast = std::numeric_limits<int>::max();
  keep_until({kLast, kLast});
  all_ = std::move(next);
  assert(swept_.size() == motion.pairs.size());
}

template class PlanePairs<2>;
template class PlanePairs<3>;

}  // namespace touchstone
