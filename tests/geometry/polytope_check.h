#pragma once
// What must hold for every polytope, and when two of them are the same to the last bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "touchstone/geometry/polytope.h"
#include "touchstone/math/tolerance.h"

namespace touchstone {

template <int D>
bool same_bits(const Vec<D>& a, const Vec<D>& b) {
  return std::memcmp(a.data(), b.data(), sizeof(double) * D) == 0;
}

inline bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// The same arrays, bit for bit.
template <int D>
::testing::AssertionResult same_bits(const Polytope<D>& P, const Polytope<D>& Q) {
  const PolytopeData<D>&p = P.data(), &q = Q.data();
  if (P.vertex_count() != Q.vertex_count() || P.edge_count() != Q.edge_count() ||
      P.facet_count() != Q.facet_count()) {
    return ::testing::AssertionFailure()
           << P.vertex_count() << "/" << P.edge_count() << "/" << P.facet_count()
           << " vertices/edges/facets against " << Q.vertex_count() << "/" << Q.edge_count() << "/"
           << Q.facet_count();
  }
  for (int v = 0; v < P.vertex_count(); ++v) {
    if (!same_bits<D>(P.vertex(v), Q.vertex(v))) return ::testing::AssertionFailure() << "vertex " << v;
  }
  for (int f = 0; f < P.facet_count(); ++f) {
    if (!same_bits<D>(P.plane(f).normal, Q.plane(f).normal) ||
        !same_bits(P.plane(f).offset, Q.plane(f).offset)) {
      return ::testing::AssertionFailure() << "plane " << f;
    }
  }
  const auto same_edge = [](const Edge& a, const Edge& b) {
    return a.tail == b.tail && a.head == b.head && a.left == b.left && a.right == b.right;
  };
  const bool lists = std::equal(p.edges.begin(), p.edges.end(), q.edges.begin(), same_edge) &&
                     p.facet_begin == q.facet_begin && p.facet_vertices == q.facet_vertices &&
                     p.facet_edges == q.facet_edges && p.vertex_begin == q.vertex_begin &&
                     p.vertex_neighbours == q.vertex_neighbours && p.vertex_edges == q.vertex_edges;
  if (!lists) return ::testing::AssertionFailure() << "adjacency";
  if (!same_bits<D>(P.centre(), Q.centre()) || !same_bits(P.radius(), Q.radius())) {
    return ::testing::AssertionFailure() << "centre or radius";
  }
  return ::testing::AssertionSuccess();
}

/// The highest that a vertex rises above a facet's plane, in sizes.
template <int D>
double worst_rise(const Polytope<D>& P) {
  double worst = 0;
  for (const Plane<D>& plane : P.facet_planes()) {
    for (const Vec<D>& x : P.vertices()) worst = std::max(worst, plane.height(x));
  }
  return worst / P.size();
}

/// The coordinates' own round-off, in sizes, counts besides the flatness.
template <int D>
double allowed_rise(const Polytope<D>& P) {
  double reach = P.size();
  for (const Vec<D>& x : P.vertices()) reach = std::max(reach, x.norm());
  return 2 * kFlatness * reach / P.size();
}

inline void expect_facets_join(const Polytope<3>& P) {
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto loop = P.facet_vertices(f), edges = P.facet_edges(f);
    ASSERT_GE(loop.size(), 3u);
    ASSERT_EQ(loop.size(), edges.size());
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int a = loop[i], b = loop[(i + 1) % loop.size()];
      const Edge& e = P.edge(edges[i]);
      EXPECT_LT(e.tail, e.head);
      EXPECT_TRUE(a < b ? (e.tail == a && e.head == b && e.left == f)
                        : (e.tail == b && e.head == a && e.right == f))
          << "facet " << f << ", side " << i;
    }
    EXPECT_NEAR(P.plane(f).normal.norm(), 1, 4e-16);
  }
}

/// Each edge stands in the loops of exactly the two facets that it names.
inline void expect_edges_paired(const Polytope<3>& P) {
  std::vector<int> uses(P.edge_count(), 0);
  for (int f = 0; f < P.facet_count(); ++f) {
    for (int e : P.facet_edges(f)) ++uses[e];
  }
  for (int e = 0; e < P.edge_count(); ++e) {
    EXPECT_EQ(uses[e], 2) << "edge " << e;
    EXPECT_NE(P.edge(e).left, P.edge(e).right);
  }
}

/// Between neighbours i and i+1 of a vertex, counter-clockwise, lies the facet on the left of the edge to i.
inline void expect_neighbours_turn(const Polytope<3>& P) {
  int ends = 0;
  for (int v = 0; v < P.vertex_count(); ++v) {
    const auto around = P.neighbours(v), edges = P.vertex_edges(v);
    ASSERT_GE(around.size(), 3u) << "vertex " << v;
    ends += static_cast<int>(around.size());
    for (std::size_t i = 0; i < around.size(); ++i) {
      const Edge& e = P.edge(edges[i]);
      ASSERT_TRUE((e.tail == v && e.head == around[i]) || (e.head == v && e.tail == around[i]));
      const int next = around[(i + 1) % around.size()], f = e.tail == v ? e.left : e.right;
      const auto loop = P.facet_vertices(f);
      const std::size_t at = std::find(loop.begin(), loop.end(), v) - loop.begin();
      ASSERT_LT(at, loop.size());
      EXPECT_EQ(loop[(at + 1) % loop.size()], around[i]);
      EXPECT_EQ(loop[(at + loop.size() - 1) % loop.size()], next);
      const Vec<3> u = P.vertex(around[i]) - P.vertex(v), w = P.vertex(next) - P.vertex(v);
      const double turn = u.cross(w).dot(P.plane(f).normal) / (u.norm() * w.norm());
      EXPECT_GT(turn, loop.size() == 3 ? -1e-15 : 0) << "vertex " << v << ", neighbour " << i;
    }
  }
  EXPECT_EQ(ends, 2 * P.edge_count());
}

inline void expect_sound(const Polytope<3>& P) {
  EXPECT_EQ(P.vertex_count() + P.facet_count(), P.edge_count() + 2);
  expect_facets_join(P);
  expect_edges_paired(P);
  expect_neighbours_turn(P);
  EXPECT_LE(worst_rise(P), allowed_rise(P));
}

inline void expect_sound(const Polytope<2>& P) {
  const int n = P.vertex_count();
  ASSERT_EQ(P.edge_count(), n);
  ASSERT_EQ(P.facet_count(), n);
  for (int i = 0; i < n; ++i) {
    const Edge& e = P.edge(i);
    EXPECT_EQ(e.tail, i);
    EXPECT_EQ(e.head, (i + 1) % n);
    EXPECT_EQ(e.left, i);
    EXPECT_EQ(e.right, -1);
    ASSERT_EQ(P.neighbours(i).size(), 2u);
    EXPECT_EQ(P.neighbours(i)[0], (i + 1) % n);
    EXPECT_EQ(P.neighbours(i)[1], (i + n - 1) % n);
    EXPECT_EQ(P.vertex_edges(i)[0], i);
    EXPECT_EQ(P.vertex_edges(i)[1], (i + n - 1) % n);
    EXPECT_EQ(P.facet_vertices(i)[0], i);
    EXPECT_EQ(P.facet_vertices(i)[1], (i + 1) % n);
    EXPECT_NEAR(P.plane(i).normal.norm(), 1, 4e-16);
  }
  EXPECT_LE(worst_rise(P), allowed_rise(P));
}

/// The vertices as a list that can be changed.
template <int D>
std::vector<Vec<D>> points_of(const Polytope<D>& P) {
  return {P.vertices().begin(), P.vertices().end()};
}

inline std::vector<std::vector<int>> faces_of(const Polytope<3>& P) {
  std::vector<std::vector<int>> faces;
  for (int f = 0; f < P.facet_count(); ++f)
    faces.emplace_back(P.facet_vertices(f).begin(), P.facet_vertices(f).end());
  return faces;
}

/// Each loop cut into triangles, as a fan around its corner `apex` (counted from the loop's start).
inline std::vector<std::vector<int>> fans(const std::vector<std::vector<int>>& loops, int apex = 0) {
  std::vector<std::vector<int>> triangles;
  for (const auto& loop : loops) {
    const std::size_t n = loop.size();
    for (std::size_t i = 1; i + 1 < n; ++i) {
      triangles.push_back({loop[apex % n], loop[(apex + i) % n], loop[(apex + i + 1) % n]});
    }
  }
  return triangles;
}

}  // namespace touchstone
