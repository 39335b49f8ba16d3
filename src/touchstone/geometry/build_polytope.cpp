// From points or faces to a Polytope: checks, hull, merging of coplanar facets, adjacency.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "touchstone/geometry/extremal.h"
#include "touchstone/geometry/hull.h"
#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/polytope.h"
#include "touchstone/geometry/support_hierarchy.h"
#include "touchstone/math/tolerance.h"

namespace touchstone {
namespace {

/// Largest coordinate that is taken: beyond it, squares and products of lengths overflow.
constexpr double kLargestCoordinate = 1e60;
/// Smallest extent of a body, in its largest one, that is taken for a volume.
constexpr double kFlattest = 1e-12;
/// Meshes may deviate from convexity by this much of their size: files often hold six digits only.
constexpr double kMeshPrecision = 1e-5;

using Loop = std::vector<int>;

template <int D>
std::string text_of(const Vec<D>& x) {
  std::string text = "(";
  for (int k = 0; k < D; ++k) {
    char number[40];
    std::snprintf(number, sizeof number, "%s%.9g", k ? ", " : "", x[k]);
    text += number;
  }
  return text + ")";
}

template <int D>
bool lexicographic(const Vec<D>& a, const Vec<D>& b) {
  return std::lexicographical_compare(a.data(), a.data() + D, b.data(), b.data() + D);
}

/// The points sorted by their coordinates, or a message of what is wrong with them.
template <int D>
std::vector<Vec<D>> checked_points(std::span<const Vec<D>> points) {
  if (points.size() < D + 1) {
    throw BadShape("a " + std::to_string(D) + "D solid needs at least " + std::to_string(D + 1) + " points, not " +
                   std::to_string(points.size()));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const char* trouble = points[i].hasNaN() ? "is not a number"
                          : !points[i].allFinite() ? "is infinite"
                          : points[i].cwiseAbs().maxCoeff() > kLargestCoordinate ? "is too large (limit 1e60)"
                                                                                 : nullptr;
    if (trouble) throw BadShape("point " + std::to_string(i) + " " + text_of(points[i]) + " " + trouble);
  }
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return points[a] == points[b] ? a < b : lexicographic<D>(points[a], points[b]);
  });
  std::vector<Vec<D>> sorted;
  sorted.reserve(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Vec<D>& x = points[order[i]];
    if (i > 0 && x == points[order[i - 1]]) {
      throw BadShape("points " + std::to_string(order[i - 1]) + " and " + std::to_string(order[i]) +
                     " are the same: " + text_of(x));
    }
    sorted.push_back(x + Vec<D>::Zero());  // -0 becomes +0: equal numbers, equal bits
  }
  return sorted;
}

template <int D>
double extent(std::span<const Vec<D>> points) {
  Vec<D> low = points[0], high = points[0];
  for (const Vec<D>& x : points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return (high - low).norm();
}

/// The plane of a loop: area-weighted normal (Newell) in extended precision; all corners lie below it.
Plane<3> plane_of_loop(std::span<const Vec<3>> points, std::span<const int> loop) {
  using Long3 = Eigen::Matrix<long double, 3, 1>;
  const Long3 origin = points[loop[0]].cast<long double>();
  Long3 area = Long3::Zero();
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    const Long3 u = points[loop[i]].cast<long double>() - origin;
    const Long3 v = points[loop[i + 1]].cast<long double>() - origin;
    area += u.cross(v);
  }
  const Long3 n = area / area.norm();
  long double offset = n.dot(origin);
  for (int v : loop) offset = std::max(offset, n.dot(points[v].cast<long double>()));
  return {n.cast<double>(), static_cast<double>(offset)};
}

/// Loops with the directed edges that bound them: who is on the other side of (a, b)?
class HalfEdges {
 public:
  explicit HalfEdges(const std::vector<Loop>& loops) {
    for (int f = 0; f < static_cast<int>(loops.size()); ++f) {
      const Loop& loop = loops[f];
      for (std::size_t i = 0; i < loop.size(); ++i) {
        entries_.push_back({{loop[i], loop[(i + 1) % loop.size()]}, f});
      }
    }
    std::sort(entries_.begin(), entries_.end());
  }
  /// The face whose loop holds a -> b, if one does; `twice` says that more than one does.
  int face(int a, int b) const {
    const auto it = std::lower_bound(entries_.begin(), entries_.end(), Entry{{a, b}, -1});
    return it != entries_.end() && it->first == std::array{a, b} ? it->second : -1;
  }
  std::optional<std::array<int, 2>> repeated() const {
    for (std::size_t i = 0; i + 1 < entries_.size(); ++i) {
      if (entries_[i].first == entries_[i + 1].first) return entries_[i].first;
    }
    return std::nullopt;
  }
  std::optional<std::array<int, 2>> unpaired() const {
    for (const auto& [edge, f] : entries_) {
      if (face(edge[1], edge[0]) < 0) return edge;
    }
    return std::nullopt;
  }

 private:
  using Entry = std::pair<std::array<int, 2>, int>;
  std::vector<Entry> entries_;
};

/// Labels loops so that coplanar neighbours share a label. Grown from the largest loops, whose planes are
/// the best known, so that slivers join their neighbours and not the other way round.
std::vector<int> coplanar_groups(std::span<const Vec<3>> points, const std::vector<Loop>& loops, double tolerance) {
  const int n = static_cast<int>(loops.size());
  std::vector<Plane<3>> planes(n);
  std::vector<double> area(n);
  for (int f = 0; f < n; ++f) {
    Vec<3> twice = Vec<3>::Zero();
    for (std::size_t i = 1; i + 1 < loops[f].size(); ++i) {
      twice += (points[loops[f][i]] - points[loops[f][0]]).cross(points[loops[f][i + 1]] - points[loops[f][0]]);
    }
    area[f] = twice.norm();
    if (area[f] > 0) planes[f] = plane_of_loop(points, loops[f]);
  }
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return area[a] > area[b]; });

  const HalfEdges half_edges(loops);
  std::vector<int> group(n, -1), stack;
  for (int seed : order) {
    if (group[seed] >= 0) continue;
    group[seed] = seed;
    stack.assign(1, seed);
    while (!stack.empty()) {
      const Loop& loop = loops[stack.back()];
      stack.pop_back();
      for (std::size_t i = 0; i < loop.size(); ++i) {
        const int g = half_edges.face(loop[(i + 1) % loop.size()], loop[i]);
        if (g < 0 || group[g] >= 0) continue;
        const bool flat = std::all_of(loops[g].begin(), loops[g].end(), [&](int v) {
          return std::abs(planes[seed].height(points[v])) <= tolerance;
        });
        if (!flat) continue;
        group[g] = seed;
        stack.push_back(g);
      }
    }
  }
  return group;
}

/// One loop per group: its border, without the vertices that fewer than three groups share (those lie
/// within a facet or on a straight edge).
std::vector<Loop> merged_loops(const std::vector<Loop>& loops, const std::vector<int>& group, int vertex_count) {
  std::vector<std::vector<int>> groups_at(vertex_count);
  for (std::size_t f = 0; f < loops.size(); ++f) {
    for (int v : loops[f]) {
      auto& at = groups_at[v];
      if (std::find(at.begin(), at.end(), group[f]) == at.end()) at.push_back(group[f]);
    }
  }
  const HalfEdges half_edges(loops);
  std::map<int, std::map<int, int>> next;  // group -> border vertex -> the one after it
  for (std::size_t f = 0; f < loops.size(); ++f) {
    for (std::size_t i = 0; i < loops[f].size(); ++i) {
      const int a = loops[f][i], b = loops[f][(i + 1) % loops[f].size()];
      const int other = half_edges.face(b, a);
      if (other < 0 || group[other] != group[f]) next[group[f]][a] = b;
    }
  }
  std::vector<Loop> merged;
  for (const auto& [g, border] : next) {
    Loop loop;
    const int start = border.begin()->first;
    int v = start;
    do {
      if (groups_at[v].size() >= 3) loop.push_back(v);
      const auto it = border.find(v);
      if (it == border.end() || loop.size() > border.size()) throw BadShape("the hull's surface is torn");
      v = it->second;
    } while (v != start);
    if (loop.size() >= 3) merged.push_back(std::move(loop));
  }
  return merged;
}

/// Keeps only the points that loops use, in their order, and renumbers the loops.
template <int D>
std::vector<Vec<D>> compacted(std::span<const Vec<D>> points, std::vector<Loop>& loops) {
  std::vector<int> number(points.size(), -1);
  for (const Loop& loop : loops) {
    for (int v : loop) number[v] = 0;
  }
  std::vector<Vec<D>> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<int>(kept.size());
    kept.push_back(points[i]);
  }
  for (Loop& loop : loops) {
    for (int& v : loop) v = number[v];
  }
  return kept;
}

/// Each loop begins at its smallest vertex and the loops are sorted: one order for one solid.
void canonicalise(std::vector<Loop>& loops) {
  for (Loop& loop : loops) std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  std::sort(loops.begin(), loops.end());
}

void fill_facets(PolytopeData<3>& data, const std::vector<Loop>& loops) {
  const HalfEdges half_edges(loops);
  std::map<std::array<int, 2>, int> edge_of;
  data.facet_begin.assign(1, 0);
  for (int f = 0; f < static_cast<int>(loops.size()); ++f) {
    const Loop& loop = loops[f];
    data.facet_planes.push_back(plane_of_loop(data.vertices, loop));
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int a = loop[i], b = loop[(i + 1) % loop.size()];
      const std::array key{std::min(a, b), std::max(a, b)};
      const auto [it, fresh] = edge_of.try_emplace(key, static_cast<int>(data.edges.size()));
      if (fresh) {
        const int left = half_edges.face(key[0], key[1]), right = half_edges.face(key[1], key[0]);
        if (left < 0 || right < 0) throw BadShape("the hull's surface is torn");
        data.edges.push_back({key[0], key[1], left, right});
      }
      data.facet_vertices.push_back(a);
      data.facet_edges.push_back(it->second);
    }
    data.facet_begin.push_back(static_cast<int>(data.facet_vertices.size()));
  }
}

/// Neighbours of each vertex, counter-clockwise seen from outside: from an edge, cross the facet on its
/// left (as it leaves the vertex) to the facet's other edge at the vertex.
void fill_neighbours(PolytopeData<3>& data) {
  const int n = static_cast<int>(data.vertices.size());
  std::vector<int> some_edge(n, -1), degree(n, 0);
  for (int e = static_cast<int>(data.edges.size()) - 1; e >= 0; --e) {
    for (int v : {data.edges[e].tail, data.edges[e].head}) {
      some_edge[v] = e;
      ++degree[v];
    }
  }
  const auto facet_edge_into = [&](int f, int v) {  // the edge of loop f that ends at v
    for (int i = data.facet_begin[f]; i < data.facet_begin[f + 1]; ++i) {
      if (data.facet_vertices[i] == v) return data.facet_edges[i == data.facet_begin[f] ? data.facet_begin[f + 1] - 1 : i - 1];
    }
    throw BadShape("the hull's surface is torn");
  };
  data.vertex_begin.assign(1, 0);
  for (int v = 0; v < n; ++v) {
    int e = some_edge[v];
    for (int i = 0; i < degree[v]; ++i) {
      const Edge& edge = data.edges[e];
      data.vertex_edges.push_back(e);
      data.vertex_neighbours.push_back(edge.tail == v ? edge.head : edge.tail);
      e = facet_edge_into(edge.tail == v ? edge.left : edge.right, v);
    }
    if (e != some_edge[v]) throw BadShape("the hull's surface is torn");
    data.vertex_begin.push_back(static_cast<int>(data.vertex_edges.size()));
  }
}

PolytopeData<3> build(std::span<const Vec<3>> points) {
  const double size = extent<3>(points);
  std::vector<Loop> loops = hull_facets(points);
  loops = merged_loops(loops, coplanar_groups(points, loops, kFlatness * size), static_cast<int>(points.size()));
  PolytopeData<3> data;
  data.vertices = compacted<3>(points, loops);
  canonicalise(loops);
  fill_facets(data, loops);
  fill_neighbours(data);
  const auto V = data.vertices.size(), E = data.edges.size(), F = data.facet_planes.size();
  if (F < 4 || V + F != E + 2) throw BadShape("the points are flat: they span no volume");  // Euler's formula
  return data;
}

PolytopeData<2> build(std::span<const Vec<2>> points) {
  std::vector<Loop> loops{hull_corners(points)};
  PolytopeData<2> data;
  const std::vector<Vec<2>> kept = compacted<2>(points, loops);
  Loop& loop = loops[0];
  std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  // Number the corners along the border, so that edge i joins corners i and i+1.
  const int n = static_cast<int>(loop.size());
  for (int v : loop) data.vertices.push_back(kept[v]);
  data.facet_begin.assign(1, 0);
  data.vertex_begin.assign(1, 0);
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n, before = (i + n - 1) % n;
    const Vec<2> normal = right_of(data.vertices[j] - data.vertices[i]).normalized();
    data.facet_planes.push_back({normal, std::max(normal.dot(data.vertices[i]), normal.dot(data.vertices[j]))});
    data.edges.push_back({i, j, i, -1});
    data.facet_vertices.insert(data.facet_vertices.end(), {i, j});
    data.facet_edges.insert(data.facet_edges.end(), {i, i});
    data.facet_begin.push_back(2 * (i + 1));
    data.vertex_neighbours.insert(data.vertex_neighbours.end(), {j, before});
    data.vertex_edges.insert(data.vertex_edges.end(), {i, before});
    data.vertex_begin.push_back(2 * (i + 1));
  }
  return data;
}

/// Refuses bodies so thin that their thickness is round-off of their length.
template <int D>
void check_thickness(const PolytopeData<D>& data, double volume) {
  const double size = extent<D>(data.vertices);
  if (!(volume > 0)) throw BadShape("the points are flat: they span no volume");
  for (const Plane<D>& plane : data.facet_planes) {
    double depth = 0;
    for (const Vec<D>& x : data.vertices) depth = std::min(depth, plane.height(x));
    if (-depth <= kFlattest * size) throw BadShape("the points are flat: their thickness is below 1e-12 of their size");
    if (data.facet_planes.size() > 1000) break;  // a body of many facets is thick if it is so below one
  }
}

// ---- surfaces -------------------------------------------------------------------------------------------

template <int D>
void check_indices(const std::vector<Loop>& faces, std::size_t point_count) {
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const std::string name = "face " + std::to_string(f);
    if (faces[f].size() < 3) throw BadShape(name + " has fewer than three corners");
    for (int v : faces[f]) {
      if (v < 0 || v >= static_cast<int>(point_count)) {
        throw BadShape(name + " names point " + std::to_string(v) + " of " + std::to_string(point_count));
      }
    }
    Loop sorted = faces[f];
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      throw BadShape(name + " names the same point twice");
    }
  }
}

std::string edge_text(const std::array<int, 2>& edge) {
  return "the edge from point " + std::to_string(edge[0]) + " to " + std::to_string(edge[1]);
}

void check_closed(const std::vector<Loop>& faces) {
  const HalfEdges half_edges(faces);
  if (const auto edge = half_edges.repeated()) {
    throw BadShape("the surface is not a closed, evenly oriented one: " + edge_text(*edge) + " belongs to two faces");
  }
  if (const auto edge = half_edges.unpaired()) {
    throw BadShape("the surface is open: " + edge_text(*edge) + " has no face on its other side");
  }
}

/// Volume and area of the surface, relative to one of its points.
std::array<double, 2> measure(std::span<const Vec<3>> points, const std::vector<Loop>& faces) {
  double volume = 0, area = 0;
  for (const Loop& loop : faces) {
    const Vec<3> a = points[loop[0]] - points[faces[0][0]];
    Vec<3> twice = Vec<3>::Zero();
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
      twice += (points[loop[i]] - points[loop[0]]).cross(points[loop[i + 1]] - points[loop[0]]);
    }
    volume += a.dot(twice) / 6;
    area += twice.norm() / 2;
  }
  return {volume, area};
}

std::array<double, 2> measure(std::span<const Vec<2>> points, const std::vector<Loop>& faces) {
  const Loop& loop = faces[0];
  double area = 0, length = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec<2> a = points[loop[i]] - points[loop[0]], b = points[loop[(i + 1) % loop.size()]] - points[loop[0]];
    area += cross(a, b) / 2;
    length += (b - a).norm();
  }
  return {area, length};
}

template <int D>
std::vector<Loop> loops_of(const PolytopeData<D>& data) {
  std::vector<Loop> loops;
  if constexpr (D == 2) {
    loops.emplace_back(data.vertices.size());
    std::iota(loops[0].begin(), loops[0].end(), 0);
  } else {
    for (std::size_t f = 0; f + 1 < data.facet_begin.size(); ++f) {
      loops.emplace_back(data.facet_vertices.begin() + data.facet_begin[f],
                         data.facet_vertices.begin() + data.facet_begin[f + 1]);
    }
  }
  return loops;
}

/// A closed surface inside its hull that has the hull's volume and the hull's area is the hull's surface.
template <int D>
void check_convex(std::span<const Vec<D>> points, const std::vector<Loop>& faces, const PolytopeData<D>& hull) {
  const auto [volume, area] = measure(points, faces);
  const auto [hull_volume, hull_area] = measure(std::span<const Vec<D>>(hull.vertices), loops_of<D>(hull));
  const double thickness = kMeshPrecision * extent<D>(points);
  if (volume <= 0) throw BadShape("the surface is inside out: its faces run clockwise seen from outside");
  if (std::abs(hull_volume - volume) > thickness * hull_area ||
      std::abs(hull_area - area) > kMeshPrecision * hull_area) {
    throw BadShape("the surface is not convex: it bounds " + std::to_string(volume / hull_volume) +
                   " of its hull's volume");
  }
}

}  // namespace

template <int D>
Polytope<D> Polytope<D>::hull(std::span<const Vec<D>> points) {
  const std::vector<Vec<D>> sorted = checked_points<D>(points);
  return Polytope(build(std::span<const Vec<D>>(sorted)));
}

template <int D>
Polytope<D> Polytope<D>::from_faces(std::span<const Vec<D>> points, const std::vector<std::vector<int>>& faces) {
  Polytope P = hull(points);
  if (faces.empty()) throw BadShape("the surface has no faces");
  check_indices<D>(faces, points.size());
  if constexpr (D == 2) {
    if (faces.size() != 1) throw BadShape("a polygon is one loop, not " + std::to_string(faces.size()));
  } else {
    check_closed(faces);
  }
  check_convex<D>(points, faces, P.data_);
  return P;
}

template <int D>
Polytope<D>::Polytope(PolytopeData<D> data) : data_(std::move(data)) {
  const MassProperties<D> mass = find_mass_properties(*this);
  check_thickness<D>(data_, mass.volume);
  centre_ = mass.centre;
  for (const Vec<D>& x : data_.vertices) radius_ = std::max(radius_, (x - centre_).norm());
  hierarchy_ = build_support_hierarchy<D>(data_);
}

template class Polytope<2>;
template class Polytope<3>;

}  // namespace touchstone
