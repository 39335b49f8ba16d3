#pragma once
// Who lies on the other side of an edge? Private to geometry/.

#include <array>
#include <optional>
#include <vector>

namespace touchstone {

/// A loop of vertex indices, without end: the last is joined to the first.
using Loop = std::vector<int>;

/// The directed edges of loops. They are numbered through: loop after loop, each in its order.
class HalfEdges {
 public:
  static constexpr int kNone = -1;

  HalfEdges(const std::vector<Loop>& loops, int vertex_count);

  /// The half-edge that runs from a to b; kNone when there is none, any when there are several.
  int find(int a, int b) const;
  /// Two vertices joined by more than one half-edge in the same direction.
  std::optional<std::array<int, 2>> repeated() const;
  /// A half-edge a -> b without one b -> a.
  std::optional<std::array<int, 2>> unpaired() const;

 private:
  struct Entry {
    int head, number;
  };
  std::vector<int> begin_;  // the entries of tail v are at [begin_[v], begin_[v+1]), sorted by head
  std::vector<Entry> entries_;
};

}  // namespace touchstone
