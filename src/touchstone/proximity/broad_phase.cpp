#include "touchstone/proximity/broad_phase.h"
#include "touchstone/math/checks.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>

namespace touchstone {
namespace {

/// Boxes that reach further [m] count as unbounded: their surface is not a number to compare.
constexpr double kFarthest = 1e60;
/// A stored box that reaches further beyond the given one [fats] is stored anew: a body that came to rest
/// after a fast motion needs no large box. Beyond 2, so that a small move to and fro costs nothing.
constexpr double kLoosest = 4;

template <int D>
bool is_bounded(const Box<D>& box) {
  return std::max(-box.low.minCoeff(), box.high.maxCoeff()) < kFarthest;
}

template <int D>
void require_points(const Box<D>& box) {
  if (!(box.low.array() <= box.high.array()).all()) {
    throw std::invalid_argument("a box must have low <= high along each axis; is a pose not a number?");
  }
}

using Pair = std::pair<int, int>;

/// Bits of a number that are sorted at once; the counters fit into the first-level cache.
constexpr int kDigitBits = 11;
/// Fewer pairs are sorted by comparing.
constexpr std::size_t kFewPairs = 500;

/// Stable, by the kDigitBits bits of pair.*number that begin at `shift`.
void sort_by_digit(std::span<const Pair> from, Pair* to, int Pair::*number, int shift) {
  constexpr unsigned kDigits = 1u << kDigitBits;
  std::array<std::uint32_t, kDigits + 1> begin{};
  const auto digit = [&](const Pair& pair) {
    return (static_cast<unsigned>(pair.*number) >> shift) % kDigits;
  };
  for (const Pair& pair : from) ++begin[digit(pair) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  for (const Pair& pair : from) to[begin[digit(pair)]++] = pair;
}

/// Sorts pairs of numbers below `limit` digit by digit, least significant first: several times faster than by
/// comparing, which guesses every other branch wrongly. The scratch memory is the rear of the buffer itself.
void sort_pairs(std::vector<Pair>& pairs, int limit) {
  const std::size_t count = pairs.size();
  if (count < kFewPairs) {
    std::sort(pairs.begin(), pairs.end());
    return;
  }
  pairs.resize(2 * count);
  Pair *from = pairs.data(), *to = from + count;
  for (int Pair::*number : {&Pair::second, &Pair::first}) {
    for (int shift = 0; (limit - 1) >> shift > 0; shift += kDigitBits) {
      sort_by_digit({from, count}, to, number, shift);
      std::swap(from, to);
    }
  }
  assert(from == pairs.data());
  // As many digits of the first number as of the second: the result is back at the front.
  pairs.resize(count);
  assert(std::is_sorted(pairs.begin(), pairs.end()));
}

}  // namespace

template <int D>
BroadPhase<D>::BroadPhase(double fat) : fat_(fat) {
  if (!(fat >= 0 && std::isfinite(fat))) {
    throw std::invalid_argument("the fat of a broad phase must be a length >= 0");
  }
}

template <int D>
int BroadPhase<D>::insert(const Box<D>& box) {
  require_points(box);
  int proxy = static_cast<int>(proxies_.size());
  if (free_.empty()) {
    proxies_.push_back({box, Place::none});
  } else {
    proxy = free_.back();
    free_.pop_back();
    proxies_[proxy].box = box;
  }
  assert(proxies_[proxy].place == Place::none);
  store(proxy);
  return proxy;
}

template <int D>
void BroadPhase<D>::remove(int proxy) {
  assert(is_index(proxy, proxies_.size()) && proxies_[proxy].place != Place::none);
  forget(proxy);
  proxies_[proxy].place = Place::none;
  free_.push_back(proxy);
}

template <int D>
void BroadPhase<D>::move(int proxy, const Box<D>& box) {
  require_points(box);
  assert(is_index(proxy, proxies_.size()));
  Proxy& moved = proxies_[proxy];
  assert(moved.place != Place::none);
  moved.box = box;
  if (moved.place == Place::tree) {
    const Box<D>& stored = tree_.box(proxy);
    if (stored.holds(box) && box.grown(kLoosest * fat_).holds(stored)) return;
  }
  forget(proxy);
  store(proxy);
}

template <int D>
void BroadPhase<D>::store(int proxy) {
  Proxy& stored = proxies_[proxy];
  if (is_bounded(stored.box)) {
    stored.place = Place::tree;
    tree_.insert(proxy, stored.box.grown(fat_));
  } else {
    stored.place = Place::list;
    unbounded_.push_back(proxy);
  }
}

template <int D>
void BroadPhase<D>::forget(int proxy) {
  if (proxies_[proxy].place == Place::tree) {
    tree_.remove(proxy);
  } else {
    assert(std::find(unbounded_.begin(), unbounded_.end(), proxy) != unbounded_.end());
    unbounded_.erase(std::find(unbounded_.begin(), unbounded_.end(), proxy));
  }
}

template <int D>
typename BroadPhase<D>::Pairs BroadPhase<D>::pairs() const {
  Pairs found;
  pairs(found);
  return found;
}

template <int D>
void BroadPhase<D>::pairs(Pairs& found) const {
  found.clear();
  tree_.find_pairs(found);
  for (std::size_t i = 0; i < unbounded_.size(); ++i) {
    const int proxy = unbounded_[i];
    tree_.find_pairs(proxies_[proxy].box, proxy, found);
    for (std::size_t j = 0; j < i; ++j) found.push_back(std::minmax(unbounded_[j], proxy));
  }
  std::erase_if(found,
                [&](const Pair& pair) { return !proxies_[pair.first].box.meets(proxies_[pair.second].box); });
  sort_pairs(found, static_cast<int>(proxies_.size()));
  assert(std::adjacent_find(found.begin(), found.end()) == found.end());  // each pair once
}

template <int D>
std::vector<int> BroadPhase<D>::overlapping(const Box<D>& box) const {
  std::vector<int> found;
  overlapping(box, found);
  return found;
}

template <int D>
void BroadPhase<D>::overlapping(const Box<D>& box, std::vector<int>& found) const {
  found = unbounded_;
  tree_.find(box, found);
  std::erase_if(found, [&](int proxy) { return !proxies_[proxy].box.meets(box); });
  std::sort(found.begin(), found.end());
}

template class BroadPhase<2>;
template class BroadPhase<3>;

}  // namespace touchstone
