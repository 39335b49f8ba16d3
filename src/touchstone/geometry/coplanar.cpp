#include "touchstone/geometry/coplanar.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "touchstone/geometry/loop_plane.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

constexpr int kNone = -1;
/// A plane fitted to a part of a facet reaches further than that of its first triangle; a few rounds suffice,
/// for each makes the part several times larger.
constexpr int kRefinements = 8;
/// How often the tolerance is halved when a group has a hole, before its first triangle stays alone.
constexpr int kHalvings = 6;

}  // namespace

// ---- polygons -------------------------------------------------------------------------------------------

Loop straightened(std::span<const Vec<2>> points, const Loop& corners, double tolerance) {
  const int n = static_cast<int>(corners.size());
  assert(n >= 3 && tolerance >= 0);
  const auto at = [&](int i) -> const Vec<2>& { return points[corners[i % n]]; };
  Vec<2> low = at(0), high = at(0);
  for (int c : corners) {
    low = low.cwiseMin(points[c]);
    high = high.cwiseMax(points[c]);
  }
  // The corner furthest from the middle surely stays.
  const Vec<2> middle = (low + high) / 2;
  int start = 0;
  for (int i = 1; i < n; ++i) {
    if ((at(i) - middle).norm() > (at(start) - middle).norm()) start = i;
  }
  Loop kept{corners[start]};
  int from = start,
      highest = start + 1;  // the corner furthest outside the chord only moves forth with its end
  for (int to = start + 2; to <= start + n; ++to) {
    const Vec<2> normal = right_of(at(to) - at(from)).normalized();
    const auto height = [&](int i) { return normal.dot(at(i) - at(from)); };
    while (highest + 1 < to && height(highest + 1) >= height(highest)) ++highest;
    if (height(highest) <= tolerance) continue;
    from = to - 1;
    highest = to;
    kept.push_back(corners[from % n]);
  }
  return kept;
}

// ---- polyhedra ------------------------------------------------------------------------------------------

FacetGroups::FacetGroups(std::span<const Vec<3>> points, TriangleSurface surface, double tolerance)
    : points_(points), surface_(std::move(surface)) {
  const int n = static_cast<int>(surface_.corners.size());
  assert(surface_.beyond.size() == surface_.corners.size() && tolerance >= 0);
  std::vector<double> size(n);
  for (int t = 0; t < n; ++t) {
    areas_.push_back(area_vector(points_, surface_.corners[t]));
    size[t] = areas_[t].norm();
  }
  group_.assign(n, kNone);
  trial_.assign(n, kNone);
  dissolved_.assign(n, false);
  // Grown from the largest triangles, whose planes are the best known, so that slivers join their neighbours
  // and not the other way round.
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size[a] > size[b]; });
  for (int seed : order) {
    if (group_[seed] != kNone) continue;
    for (int t : flat_disc(seed, tolerance)) group_[t] = seed;
  }
  assert(std::find(group_.begin(), group_.end(), kNone) == group_.end());
}

/// The largest disc found around a triangle whose corners all lie in one plane within the tolerance.
std::vector<int> FacetGroups::flat_disc(int seed, double tolerance) {
  for (int i = 0; i < kHalvings; ++i, tolerance /= 2) {
    std::vector<int> disc = grow(seed, middle_plane({seed}), tolerance);
    for (int round = 0; round < kRefinements && disc.size() > 1; ++round) {
      std::vector<int> larger = grow(seed, middle_plane(disc), tolerance);
      if (larger.size() <= disc.size()) break;
      disc = std::move(larger);
    }
    ++trials_;
    for (int t : disc) trial_[t] = trials_;
    if (is_disc(disc)) return disc;
  }
  return {seed};
}

/// The triangles that can be reached from the seed without leaving the plane or entering another group.
std::vector<int> FacetGroups::grow(int seed, const Plane<3>& plane, double tolerance) {
  const auto flat = [&](int t) {
    return std::all_of(surface_.corners[t].begin(), surface_.corners[t].end(),
                       [&](int v) { return std::abs(plane.height(points_[v])) <= tolerance; });
  };
  ++trials_;
  trial_[seed] = trials_;
  std::vector<int> grown{seed};
  for (std::size_t i = 0; i < grown.size(); ++i) {
    for (int t : surface_.beyond[grown[i]]) {
      if (trial_[t] == trials_ || group_[t] != kNone || !flat(t)) continue;
      trial_[t] = trials_;
      grown.push_back(t);
    }
  }
  return grown;
}

/// The plane normal to the sum of areas, midway between the highest and the lowest corner.
Plane<3> FacetGroups::middle_plane(const std::vector<int>& triangles) const {
  assert(!triangles.empty());
  Vec<3> area = Vec<3>::Zero();
  for (int t : triangles) area += areas_[t];
  const Vec<3> normal = area.stableNormalized();
  double low = normal.dot(points_[surface_.corners[triangles[0]][0]]), high = low;
  for (int t : triangles) {
    for (int v : surface_.corners[t]) {
      low = std::min(low, normal.dot(points_[v]));
      high = std::max(high, normal.dot(points_[v]));
    }
  }
  return {normal, (low + high) / 2};
}

/// Whether the triangles of the last trial have one border that meets no vertex twice.
bool FacetGroups::is_disc(const std::vector<int>& triangles) const {
  if (triangles.size() == 1) return true;
  std::size_t sides = 0;
  Side some{};
  for (int t : triangles) {
    for (int edge = 0; edge < 3; ++edge) {
      if (!on_border({t, edge}, trial_)) continue;
      some = {t, edge};
      ++sides;
    }
  }
  if (sides == 0) return false;
  Loop loop = border(some, trial_);
  std::sort(loop.begin(), loop.end());
  return loop.size() == sides && std::adjacent_find(loop.begin(), loop.end()) == loop.end();
}

bool FacetGroups::on_border(const Side& side, const Label& label) const {
  return label[surface_.beyond[side.triangle][side.edge]] != label[side.triangle];
}

FacetGroups::Side FacetGroups::next_on_border(Side side, const Label& label) const {
  side.edge = (side.edge + 1) % 3;
  while (!on_border(side, label)) {  // turn about the vertex at which this side begins
    const int vertex = surface_.corners[side.triangle][side.edge];
    side.triangle = surface_.beyond[side.triangle][side.edge];
    const auto& corners = surface_.corners[side.triangle];
    side.edge = static_cast<int>(std::find(corners.begin(), corners.end(), vertex) - corners.begin());
    assert(side.edge < 3);  // neighbours share the vertex
  }
  return side;
}

Loop FacetGroups::border(const Side& start, const Label& label) const {
  Loop loop;
  Side side = start;
  do {
    loop.push_back(surface_.corners[side.triangle][side.edge]);
    side = next_on_border(side, label);
  } while (side != start);
  return loop;
}

std::vector<FacetGroups::Facet> FacetGroups::borders() const {
  const int n = static_cast<int>(group_.size());
  std::vector<int> degree(points_.size(), 0);  // how many groups meet at a vertex
  for (int t = 0; t < n; ++t) {
    for (int edge = 0; edge < 3; ++edge) {
      if (on_border({t, edge}, group_)) ++degree[surface_.corners[t][edge]];
    }
  }
  std::vector<bool> done(n, false);
  std::vector<Facet> facets;
  for (int t = 0; t < n; ++t) {
    for (int edge = 0; edge < 3; ++edge) {
      if (done[group_[t]] || !on_border({t, edge}, group_)) continue;
      done[group_[t]] = true;
      Loop loop = border({t, edge}, group_);
      std::erase_if(loop, [&](int v) { return degree[v] < 3; });
      facets.push_back({std::move(loop), group_[t]});
    }
  }
  return facets;
}

std::vector<FacetGroups::Facet> FacetGroups::facets() {
  for (;;) {
    std::vector<Facet> facets = borders();
    if (!merge_slivers(facets)) return facets;
  }
}

/// A facet with two corners is a sliver between two others; it joins the larger of them.
bool FacetGroups::merge_slivers(const std::vector<Facet>& facets) {
  const int n = static_cast<int>(group_.size());
  std::vector<int> target(n, kNone);  // of a sliver: its largest neighbour; else itself
  bool any = false;
  std::iota(target.begin(), target.end(), 0);
  for (const Facet& facet : facets) {
    if (facet.loop.size() >= 3 || dissolved_[facet.group]) continue;
    target[facet.group] = kNone;
    any = true;
  }
  if (!any) return false;
  for (int t = 0; t < n; ++t) {
    int& best = target[group_[t]];
    if (best == group_[t]) continue;
    for (int other : surface_.beyond[t]) {
      const int g = group_[other];
      if (g != group_[t] && (best == kNone || areas_[g].norm() > areas_[best].norm())) best = g;
    }
  }
  return relabel(target);
}

/// Each group takes the label of its target. Targets that run in a circle are followed once around only.
bool FacetGroups::relabel(const Label& target) {
  assert(target.size() == group_.size());
  Label to(group_.size());
  std::iota(to.begin(), to.end(), 0);
  const auto end_of = [&](int g) {
    while (to[g] != g) g = to[g];
    return g;
  };
  bool changed = false;
  for (int g = 0; g < static_cast<int>(to.size()); ++g) {
    assert(is_index(target[g], to.size()));
    to[g] = end_of(target[g]);
    changed = changed || to[g] != g;
  }
  for (int& g : group_) g = end_of(g);
  return changed;
}

bool FacetGroups::dissolve(const std::vector<int>& groups) {
  std::vector<bool> chosen(group_.size(), false);
  for (int g : groups) chosen[g] = true;
  bool changed = false;
  for (int t = 0; t < static_cast<int>(group_.size()); ++t) {
    if (!chosen[group_[t]] || dissolved_[t]) continue;
    changed = changed || group_[t] != t;
    group_[t] = t;
    dissolved_[t] = true;
  }
  return changed;
}

void FacetGroups::dissolve_all() {
  std::iota(group_.begin(), group_.end(), 0);
  dissolved_.assign(dissolved_.size(), true);
}

}  // namespace touchstone
