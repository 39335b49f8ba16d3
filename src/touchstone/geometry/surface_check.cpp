#include "touchstone/geometry/surface_check.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "touchstone/geometry/loop_plane.h"
#include "touchstone/geometry/point_text.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// A surface may leave its hull by this much of its size: files often hold six digits only.
constexpr double kMeshPrecision = 1e-5;
/// A face of more than three corners shows itself how exact its points are: by as much as these leave a
/// plane, the surface may leave its hull there. Beyond this much of the size, a face is no polygon at all.
constexpr double kWarped = 1e-2;

template <int D>
std::string point_text(std::span<const Vec<D>> points, int v) {
  return "point " + std::to_string(v) + " " + text_of<D>(points[v]);
}

std::string edge_text(std::span<const Vec<3>> points, int a, int b) {
  return "the edge from " + point_text(points, a) + " to " + point_text(points, b);
}

void check_closed(std::span<const Vec<2>>, const std::vector<Loop>&) {}  // a loop always is

void check_closed(std::span<const Vec<3>> points, const std::vector<Loop>& faces) {
  const HalfEdges half_edges(faces, static_cast<int>(points.size()));
  if (const auto edge = half_edges.repeated()) {
    throw BadShape(
        "the surface is not a closed, evenly oriented one: " + edge_text(points, (*edge)[0], (*edge)[1]) +
        " runs the same way in two faces (one of them is turned round or doubled)");
  }
  if (const auto edge = half_edges.unpaired()) {
    throw BadShape("the surface is open: " + edge_text(points, (*edge)[0], (*edge)[1]) +
                   " has no face on its other side");
  }
}

/// Volume and area (2D: area and length) that loops enclose.
struct Extent {
  double volume = 0, area = 0;
};

Extent measure(std::span<const Vec<3>> points, const std::vector<Loop>& faces) {
  assert(!faces.empty());
  Extent sum;
  for (const Loop& loop : faces) {
    const Vec<3> area = area_vector(points, loop);
    sum.volume += (points[loop[0]] - points[faces[0][0]]).dot(area) / 3;
    sum.area += area.norm();
  }
  return sum;
}

Extent measure(std::span<const Vec<2>> points, const std::vector<Loop>& faces) {
  Extent sum;
  const Loop& loop = faces[0];
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec<2> a = points[loop[i]] - points[loop[0]],
                 b = points[loop[(i + 1) % loop.size()]] - points[loop[0]];
    sum.volume += cross(a, b) / 2;
    sum.area += (b - a).norm();
  }
  return sum;
}

std::vector<Loop> loops_of(const Polytope<3>& P) {
  std::vector<Loop> loops;
  for (int f = 0; f < P.facet_count(); ++f)
    loops.emplace_back(P.facet_vertices(f).begin(), P.facet_vertices(f).end());
  return loops;
}

std::vector<Loop> loops_of(const Polytope<2>& P) {
  Loop loop;
  for (int v = 0; v < P.vertex_count(); ++v) loop.push_back(v);
  return {loop};
}

/// How far the surface may leave its hull [m]. A warped face excuses itself and its border, nothing else.
struct Allowance {
  std::vector<double> of_face, of_point;
  double volume = 0;  // faces times their allowance [m^D]
};

/// How far the corners of a face leave its plane [m].
double warp(std::span<const Vec<2>>, const Loop&) { return 0; }

double warp(std::span<const Vec<3>> points, const Loop& face) {
  if (face.size() == 3) return 0;
  const Plane<3> plane = plane_of_loop(points, face);
  double lowest = 0;
  for (int v : face) lowest = std::min(lowest, plane.height(points[v]));
  return -lowest;
}

template <int D>
Allowance find_allowance(std::span<const Vec<D>> points, const std::vector<Loop>& faces, double size) {
  Allowance allowed;
  assert(size > 0);
  allowed.of_point.resize(points.size(), kMeshPrecision * size);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const double leaves = warp(points, faces[f]);
    if (leaves > kWarped * size) {
      throw BadShape("face " + std::to_string(f) + " is not flat: its corners leave its plane by " +
                     text_of(leaves));
    }
    const double face = std::max(kMeshPrecision * size, 2 * leaves);
    allowed.of_face.push_back(face);
    allowed.volume += face * measure(points, {faces[f]}).area;
    for (int v : faces[f]) allowed.of_point[v] = std::max(allowed.of_point[v], face);
  }
  return allowed;
}

[[noreturn]] void refuse_dent(const std::string& where, double depth) {
  throw BadShape("the surface is not convex: " + where + " lies " + text_of(depth) + " below its hull");
}

std::array<int, 2> facets_beside(const Polytope<2>& P, int f, int i) {
  const int n = P.facet_count();
  return {f, i == 0 ? (f + n - 1) % n : (f + 1) % n};
}

std::array<int, 2> facets_beside(const Polytope<3>& P, int f, int i) {
  const Edge& edge = P.edge(P.facet_edges(f)[i]);
  return {edge.left, edge.right};
}

/// Where the ray from the centre of P through a point leaves P: the facet that the ray meets first, found by
/// climbing from facet to facet.
template <int D>
int facet_above(const Polytope<D>& P, const Vec<D>& point, int hint) {
  assert(is_index(hint, P.facet_count()));
  const Vec<D> ray = point - P.centre();
  const auto nearness = [&](int f) { return P.plane(f).normal.dot(ray) / -P.plane(f).height(P.centre()); };
  int best = hint;
  double most = nearness(best);
  for (bool climbed = true; climbed;) {
    climbed = false;
    const int from = best;
    for (int i = 0; i < static_cast<int>(P.facet_edges(from).size()); ++i) {
      for (int f : facets_beside(P, from, i)) {
        if (nearness(f) <= most) continue;
        best = f;
        most = nearness(f);
        climbed = true;
      }
    }
  }
  return best;
}

template <int D>
double depth_below(const Polytope<D>& P, const Vec<D>& point) {
  double depth = P.size();
  for (const Plane<D>& plane : P.facet_planes()) depth = std::min(depth, -plane.height(point));
  return depth;
}

template <int D>
void check_depth(std::span<const Vec<D>> points, const std::vector<Loop>& faces, const Polytope<D>& hull,
                 const Allowance& allowance) {
  int facet = 0;
  for (const Loop& loop : faces) {
    for (int v : loop) {
      const double allowed = allowance.of_point[v];
      facet = facet_above(hull, points[v], facet);
      if (-hull.plane(facet).height(points[v]) <= allowed) continue;
      const double depth = depth_below(hull, points[v]);
      if (depth > allowed) refuse_dent(point_text(points, v), depth);
    }
  }
}

// clang-format off
/// Two faces that meet in the edge ab, seen along their normals:
///
///         c          c and d are the corners furthest from ab. Where the surface is convex, cd passes
///       /   \        below ab; where it passes above, ab is the bottom of a valley as deep as the two
///     a --+-- b      lines are apart, if they cross (+) between a and b.
///       \   /
///         d
// clang-format on
struct Crease {
  Vec<3> a, b, c, d;

  double depth() const {
    constexpr double kEnd = 1e-9;  // [edge lengths] how far beyond its ends ab still counts as crossed
    const Vec<3> ab = b - a, cd = d - c, across = ab.cross(cd);
    const double square = across.squaredNorm();
    if (square == 0) return 0;
    const double s = (c - a).cross(cd).dot(across) / square;
    return s < -kEnd || s > 1 + kEnd ? 0 : ab.cross(c - a).dot(d - a) / std::sqrt(square);
  }
};

/// The corner of a face that lies furthest to the left of its edge ab.
Vec<3> opposite_corner(std::span<const Vec<3>> points, const Loop& loop, const Vec<3>& left) {
  const auto further = [&](int v, int w) { return left.dot(points[v]) < left.dot(points[w]); };
  return points[*std::max_element(loop.begin(), loop.end(), further)];
}

void check_creases(std::span<const Vec<2>>, const std::vector<Loop>&, const Allowance&) {}

void check_creases(std::span<const Vec<3>> points, const std::vector<Loop>& faces,
                   const Allowance& allowance) {
  const HalfEdges half_edges(faces, static_cast<int>(points.size()));
  std::vector<int> face_of;
  std::vector<Vec<3>> areas;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    face_of.insert(face_of.end(), faces[f].size(), static_cast<int>(f));
    areas.push_back(area_vector(points, faces[f]));
  }
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Loop& loop = faces[f];
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int a = loop[i], b = loop[(i + 1) % loop.size()];
      if (a > b) continue;
      assert(is_index(half_edges.find(b, a), face_of.size()));  // check_closed has seen it
      const int g = face_of[half_edges.find(b, a)];
      const Vec<3> ab = points[b] - points[a];
      const Crease crease{points[a], points[b], opposite_corner(points, loop, areas[f].cross(ab)),
                          opposite_corner(points, faces[g], ab.cross(areas[g]))};
      if (crease.depth() > std::max(allowance.of_face[f], allowance.of_face[g]))
        refuse_dent(edge_text(points, a, b), crease.depth());
    }
  }
}

void check_loop(const Loop& face, const std::string& name, int point_count) {
  if (face.size() < 3) throw BadShape(name + " has fewer than three corners");
  for (int v : face) {
    if (v < 0 || v >= point_count) {
      throw BadShape(name + " names point " + std::to_string(v) + " of " + std::to_string(point_count));
    }
  }
  Loop sorted = face;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) throw BadShape(name + " names point " + std::to_string(*twice) + " twice");
}

}  // namespace

template <>
void check_loops<2>(const std::vector<Loop>& faces, int point_count) {
  if (faces.size() != 1) throw BadShape("a polygon is one loop, not " + std::to_string(faces.size()));
  check_loop(faces[0], "the loop", point_count);
}

template <>
void check_loops<3>(const std::vector<Loop>& faces, int point_count) {
  if (faces.empty()) throw BadShape("the surface has no faces");
  for (std::size_t f = 0; f < faces.size(); ++f)
    check_loop(faces[f], "face " + std::to_string(f), point_count);
}

// A closed surface whose corners all lie on the hull's surface, which has no valleys, and which has the
// hull's volume and area, is the hull's surface.
template <int D>
void check_surface(std::span<const Vec<D>> points, const std::vector<Loop>& faces, const Polytope<D>& hull) {
  check_closed(points, faces);
  const Allowance allowed = find_allowance(points, faces, hull.size());
  const Extent surface = measure(points, faces);
  if (surface.volume <= 0)
    throw BadShape("the surface is inside out: its faces run clockwise seen from outside");
  check_depth<D>(points, faces, hull, allowed);
  check_creases(points, faces, allowed);
  const Extent whole = measure(hull.vertices(), loops_of(hull));
  if (std::abs(whole.volume - surface.volume) > allowed.volume ||
      std::abs(whole.area - surface.area) > allowed.volume / hull.size()) {
    throw BadShape("the surface is not convex: it bounds " + text_of(surface.volume / whole.volume) +
                   " of its hull's volume with " + text_of(surface.area / whole.area) + " of its area");
  }
}

template void check_surface(std::span<const Vec<2>>, const std::vector<Loop>&, const Polytope<2>&);
template void check_surface(std::span<const Vec<3>>, const std::vector<Loop>&, const Polytope<3>&);

}  // namespace touchstone
