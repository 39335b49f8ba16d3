#include "touchstone/geometry/half_edges.h"
#include "touchstone/math/checks.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <tuple>

namespace touchstone {

HalfEdges::HalfEdges(const std::vector<Loop>& loops, int vertex_count) : begin_(vertex_count + 1, 0) {
  for (const Loop& loop : loops) {
    assert(std::all_of(loop.begin(), loop.end(), [&](int v) { return is_index(v, vertex_count); }));
    for (int tail : loop) ++begin_[tail + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  entries_.resize(begin_.back());
  std::vector<int> end(begin_.begin(), begin_.end() - 1);
  int number = 0;
  for (const Loop& loop : loops) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      entries_[end[loop[i]]++] = {loop[(i + 1) % loop.size()], number++};
    }
  }
  for (int v = 0; v < vertex_count; ++v) {
    std::sort(entries_.begin() + begin_[v], entries_.begin() + begin_[v + 1],
              [](const Entry& a, const Entry& b) {
                return std::tie(a.head, a.number) < std::tie(b.head, b.number);
              });
  }
}

int HalfEdges::find(int a, int b) const {
  assert(is_index(a, begin_.size() - 1));
  const auto last = entries_.begin() + begin_[a + 1];
  const auto it = std::lower_bound(entries_.begin() + begin_[a], last, b,
                                   [](const Entry& entry, int head) { return entry.head < head; });
  return it != last && it->head == b ? it->number : kNone;
}

std::optional<std::array<int, 2>> HalfEdges::repeated() const {
  for (int v = 0; v + 1 < static_cast<int>(begin_.size()); ++v) {
    for (int i = begin_[v]; i + 1 < begin_[v + 1]; ++i) {
      if (entries_[i].head == entries_[i + 1].head) return std::array{v, entries_[i].head};
    }
  }
  return std::nullopt;
}

std::optional<std::array<int, 2>> HalfEdges::unpaired() const {
  for (int v = 0; v + 1 < static_cast<int>(begin_.size()); ++v) {
    for (int i = begin_[v]; i < begin_[v + 1]; ++i) {
      if (find(entries_[i].head, v) == kNone) return std::array{v, entries_[i].head};
    }
  }
  return std::nullopt;
}

}  // namespace touchstone
