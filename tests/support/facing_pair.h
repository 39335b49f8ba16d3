#pragma once
// Two bodies turned and placed so that chosen features face each other across a chosen gap: what the contact
// plane, the manifold and its features must be is then known without any search.

#include <cmath>
#include <vector>

#include "touchstone/math/random.h"
#include "touchstone/proximity/gap.h"

namespace touchstone::support {

/// The facets that meet in a feature.
template <int D>
std::vector<int> facets_at(const Polytope<D>& P, const Feature& feature) {
  std::vector<int> facets;
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto has = [&](int v) {
      for (int w : P.facet_vertices(f)) {
        if (w == v) return true;
      }
      return false;
    };
    const bool meets = feature.kind == FeatureKind::vertex ? has(feature.index)
                       : static_cast<int>(feature.kind) == D - 1
                           ? f == feature.index
                           : has(P.edge(feature.index).tail) && has(P.edge(feature.index).head);
    if (meets) facets.push_back(f);
  }
  return facets;
}

template <int D>
std::vector<Vec<D>> vertices_of(const Polytope<D>& P, const Feature& feature) {
  if (feature.kind == FeatureKind::vertex) return {P.vertex(feature.index)};
  if (feature.kind == FeatureKind::edge)
    return {P.vertex(P.edge(feature.index).tail), P.vertex(P.edge(feature.index).head)};
  std::vector<Vec<D>> corners;
  for (int v : P.facet_vertices(feature.index)) corners.push_back(P.vertex(v));
  return corners;
}

/// A random point inside a feature, with every weight at least 1/10 of the largest.
template <int D>
Vec<D> point_inside(const std::vector<Vec<D>>& corners, Random& random) {
  Vec<D> sum = Vec<D>::Zero();
  double total = 0;
  for (const Vec<D>& x : corners) {
    const double weight = random.uniform(0.1, 1);
    sum += weight * x;
    total += weight;
  }
  return sum / total;
}

/// A direction in which the feature, and nothing else, reaches furthest.
template <int D>
Vec<D> outward_of(const Polytope<D>& P, const Feature& feature, Random& random) {
  Vec<D> sum = Vec<D>::Zero();
  for (int f : facets_at(P, feature)) sum += random.uniform(0.3, 1) * P.plane(f).normal;
  return sum.normalized();
}

/// The rotation that takes the unit vector `from` to `to` and, in space, the rest of `beside` to `aside`.
inline Mat<2> aligned(const Vec<2>& from, const Vec<2>& to, const Vec<2>&, const Vec<2>&) {
  const double c = from.dot(to), s = cross(from, to);
  return (Mat<2>() << c, -s, s, c).finished();
}
inline Mat<3> frame_of(const Vec<3>& z, const Vec<3>& near_x) {
  Mat<3> F;
  F.col(2) = z;
  F.col(0) = (near_x - near_x.dot(z) * z).normalized();
  F.col(1) = z.cross(F.col(0));
  return F;
}
inline Mat<3> aligned(const Vec<3>& from, const Vec<3>& to, const Vec<3>& beside, const Vec<3>& aside) {
  return frame_of(to, aside) * frame_of(from, beside).transpose();
}

/// What a facing pair shows to each other.
struct FacingFeatures {
  Feature a, b;
  bool parallel = false;  ///< the first sides of both features run along the same line, in either sense
};

template <int D>
struct FacingPair {
  Placed<D> A, B;
  Gap<D> gap;
  Vec<D> shared;  ///< a point that the manifold must hold

  FacingPair(const Polytope<D>& P, const Polytope<D>& Q, const FacingFeatures& features, double distance,
             Random& random)
      : A{&P, {}}, B{&Q, {}} {
    const Vec<D> n = random.direction<D>(), aside = random.direction<D>();
    shared = pair_size(A, B) * random.direction<D>();
    turn(A, features.a, -n, aside, random);
    turn(B, features.b, n,
         features.parallel ? Vec<D>((random.unit() < 0.5 ? 1 : -1) * aside) : random.direction<D>(), random);
    place(A, features.a, shared + distance / 2 * n, random);
    place(B, features.b, shared - distance / 2 * n, random);
    gap.gap = distance;
    gap.normal = n;
    gap.point_A = shared + distance / 2 * n;
    gap.point_B = shared - distance / 2 * n;
    gap.features = {features.a, features.b};
  }

 private:
  static void turn(Placed<D>& body, const Feature& feature, const Vec<D>& to, const Vec<D>& aside,
                   Random& random) {
    const auto corners = vertices_of(*body.polytope, feature);
    const Vec<D> beside = corners.size() > 1 ? Vec<D>(corners[1] - corners[0]) : random.direction<D>();
    body.X_WB.R = aligned(outward_of(*body.polytope, feature, random), to, beside, aside);
  }
  static void place(Placed<D>& body, const Feature& feature, const Vec<D>& at, Random& random) {
    body.X_WB.p = at - body.X_WB.R * point_inside(vertices_of(*body.polytope, feature), random);
  }
};

/// The bodies after each was moved by half of the gap, as the contact manifold wants them.
template <int D>
Placed<D> moved_A(const Placed<D>& A, const Gap<D>& gap) {
  return {A.polytope, {A.X_WB.R, A.X_WB.p - gap.gap / 2 * gap.normal}};
}
template <int D>
Placed<D> moved_B(const Placed<D>& B, const Gap<D>& gap) {
  return {B.polytope, {B.X_WB.R, B.X_WB.p + gap.gap / 2 * gap.normal}};
}

/// How far a point lies outside of a body: the largest height above its facets [m].
template <int D>
double height_above(const Placed<D>& P, const Vec<D>& x) {
  double height = -1e300;
  const Vec<D> local = P.X_WB.to_local(x);
  for (const Plane<D>& plane : P.polytope->facet_planes()) height = std::max(height, plane.height(local));
  return height;
}

}  // namespace touchstone::support
