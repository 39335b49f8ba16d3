#pragma once
// Points to build polytopes from, and the messages when they are refused.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "touchstone/geometry/shapes.h"
#include "touchstone/math/random.h"

namespace touchstone {

using Faces = std::vector<std::vector<int>>;

template <int D>
void shuffle(std::vector<Vec<D>>& points, Random& random) {
  for (int i = static_cast<int>(points.size()) - 1; i > 0; --i)
    std::swap(points[i], points[random.index(i + 1)]);
}

template <int D>
std::vector<Vec<D>> turned(std::vector<Vec<D>> points, const Mat<D>& R) {
  for (Vec<D>& x : points) x = R * x;
  return points;
}

/// Adds points that lie on the edges and on the facets of P, up to round-off.
inline void add_points_on_surface(const Polytope<3>& P, int per_feature, Random& random,
                                  std::vector<Vec<3>>& points) {
  for (const Edge& e : P.edges()) {
    for (int i = 0; i < per_feature; ++i) {
      points.push_back(P.vertex(e.tail) + random.uniform(0.1, 0.9) * (P.vertex(e.head) - P.vertex(e.tail)));
    }
  }
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto loop = P.facet_vertices(f);
    for (int i = 0; i < per_feature; ++i) {
      Vec<3> x = Vec<3>::Zero();
      double sum = 0;
      for (int v : loop) {
        const double weight = random.uniform(0.1, 1);
        x += weight * P.vertex(v);
        sum += weight;
      }
      points.push_back(x / sum);
    }
  }
}

inline std::vector<Polytope<3>> some_solids() {
  return {make_box<3>({2, 1, 0.5}),    make_tetrahedron(1),        make_octahedron(1),
          make_dodecahedron(1),        make_icosahedron(1),        make_cylinder(1, 2, 17),
          make_cone(1, 2, 12),         make_random_hull<3>(40, 3), make_tessellated_sphere(300, 1),
          make_cylinder(1, 0.01, 1000)};
}

template <int D>
std::string message_of(const std::vector<Vec<D>>& points) {
  try {
    Polytope<D>::hull(points);
  } catch (const BadShape& trouble) {
    return trouble.what();
  }
  return "taken";
}

template <int D>
std::string message_of(const std::vector<Vec<D>>& points, const Faces& faces) {
  try {
    Polytope<D>::from_faces(points, faces);
  } catch (const BadShape& trouble) {
    return trouble.what();
  }
  return "taken";
}

#define EXPECT_SAYS(message, part) EXPECT_NE((message).find(part), std::string::npos) << (message)

}  // namespace touchstone
