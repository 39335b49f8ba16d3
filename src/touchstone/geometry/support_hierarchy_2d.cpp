#include <algorithm>
#include <cassert>

#include "touchstone/geometry/support_hierarchy.h"

namespace touchstone {
namespace {

/// Polygons with more corners are bisected: from here on that is faster than looking at all of them
/// (bench/extremal_bench).
constexpr int kMostScanned = 64;

/// The last corner of the border from `first` to `last` (which may be one past the end, that is corner 0)
/// up to which the height rises.
int top_of_border(const PolytopeData<2>& data, const Vec<2>& direction, int first, int last) {
  const int n = static_cast<int>(data.vertices.size());
  assert(first <= last && last <= n);
  while (first < last) {
    const int middle = first + (last - first) / 2;
    const Vec<2>& next = data.vertices[middle + 1 == n ? 0 : middle + 1];
    if (direction.dot(next) > direction.dot(data.vertices[middle])) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first == n ? 0 : first;
}

}  // namespace

int SupportHierarchy<2>::find(const PolytopeData<2>& data, const Vec<2>& direction) const {
  if (scanned) return blocks.furthest(direction);
  if (direction.y() <= 0) return top_of_border(data, direction, 0, rightmost);
  return top_of_border(data, direction, rightmost, static_cast<int>(data.vertices.size()));
}

template <>
std::shared_ptr<const SupportHierarchy<2>> build_support_hierarchy(const PolytopeData<2>& data) {
  const auto hierarchy = std::make_shared<SupportHierarchy<2>>();
  const auto& corners = data.vertices;
  hierarchy->level = level_of(data);
  hierarchy->scanned = corners.size() <= kMostScanned;
  if (hierarchy->scanned) hierarchy->blocks = VertexBlocks<2>(corners);
  const auto rightmost = std::max_element(
      corners.begin(), corners.end(),
      [](const Vec<2>& a, const Vec<2>& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  hierarchy->rightmost = static_cast<int>(rightmost - corners.begin());
  return hierarchy;
}

}  // namespace touchstone
