#include "touchstone/apps/triangles.h"

#include <numbers>

namespace touchstone {
namespace {

using Corner = Vec<3>;

/// Of a sphere from pole to pole, and of a disc all around.
constexpr int kRings = 16, kDiscCorners = 64;

std::array<float, 3> rounded(const Corner& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

Pose<3> in_space(const Pose<3>& X) { return X; }
Pose<3> in_space(const Pose<2>& X) {
  Pose<3> lifted;
  lifted.R.topLeftCorner<2, 2>() = X.R;
  lifted.p.head<2>() = X.p;
  return lifted;
}

struct Pen {
  Triangles& to;
  Pose<3> X_BS;

  void corner(const Corner& at, const Corner& normal) {
    to.corners.push_back(rounded(X_BS * at));
    to.normals.push_back(rounded(X_BS.R * normal));
  }
  /// A flat convex polygon.
  void polygon(const std::vector<Corner>& loop, const Corner& normal) {
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
      for (const std::size_t k : {std::size_t{0}, i, i + 1}) corner(loop[k], normal);
    }
  }
  /// A polygon of the plane with some depth.
  void slab(const std::vector<Vec<2>>& loop, double depth) {
    std::vector<Corner> top, bottom;
    for (const Vec<2>& v : loop) top.emplace_back(v.x(), v.y(), depth / 2);
    for (std::size_t i = loop.size(); i-- > 0;) bottom.emplace_back(loop[i].x(), loop[i].y(), -depth / 2);
    polygon(top, Corner::UnitZ());
    polygon(bottom, -Corner::UnitZ());
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Corner a = top[i], b = top[(i + 1) % top.size()], down = -depth * Corner::UnitZ();
      const Corner normal = (b - a).cross(Corner::UnitZ()).normalized();
      polygon({a, a + down, b + down, b}, normal);
    }
  }
};

void draw(Pen& pen, const Polytope<3>& P, const TriangleSettings&) {
  for (int f = 0; f < P.facet_count(); ++f) {
    std::vector<Corner> loop;
    for (const int v : P.facet_vertices(f)) loop.push_back(P.vertex(v));
    pen.polygon(loop, P.plane(f).normal);
  }
}
void draw(Pen& pen, const Polytope<2>& P, const TriangleSettings& settings) {
  std::vector<int> next(P.vertex_count());
  for (int f = 0; f < P.facet_count(); ++f) next[P.facet_vertices(f)[0]] = P.facet_vertices(f)[1];
  std::vector<Vec<2>> loop;
  for (int v = 0, i = 0; i < P.vertex_count(); ++i, v = next[v]) loop.push_back(P.vertex(v));
  pen.slab(loop, settings.depth);
}

void draw(Pen& pen, const Sphere<3>& ball, const TriangleSettings&) {
  const auto point = [](int i, int j) {
    const double a = std::numbers::pi * i / kRings, b = std::numbers::pi * j / kRings;
    return Corner(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a));
  };
  for (int i = 0; i < kRings; ++i) {
    for (int j = 0; j < 2 * kRings; ++j) {
      const Corner a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1), d = point(i, j + 1);
      for (const Corner& n : {a, b, c, a, c, d}) pen.corner(ball.radius * n, n);
    }
  }
}
void draw(Pen& pen, const Sphere<2>& ball, const TriangleSettings& settings) {
  std::vector<Vec<2>> loop;
  for (int i = 0; i < kDiscCorners; ++i) {
    const double a = 2 * std::numbers::pi * i / kDiscCorners;
    loop.push_back(ball.radius * Vec<2>(std::cos(a), std::sin(a)));
  }
  pen.slab(loop, settings.depth);
}

void draw(Pen& pen, const HalfSpace<3>& half, const TriangleSettings& settings) {
  const Corner n = half.plane.normal, on = half.plane.offset * n;
  const Eigen::Matrix<double, 3, 2> T = settings.reach * tangents<3>(n);
  const Corner u = T.col(0), v = T.col(1);
  pen.polygon({on - u - v, on + u - v, on + u + v, on - u + v}, n);
}
void draw(Pen& pen, const HalfSpace<2>& half, const TriangleSettings& settings) {
  const Vec<2> n = half.plane.normal, on = half.plane.offset * n, along = settings.reach * right_of(n);
  const Vec<2> down = -settings.reach * n;
  pen.slab({on - along + down, on + along + down, on + along, on - along}, settings.depth);
}

}  // namespace

template <int D>
void add_triangles(Triangles& triangles, const Shape<D>& shape, const Pose<D>& X_BS,
                   const TriangleSettings& settings) {
  std::visit(
      [&](const auto& s) {
        Pen pen{triangles, in_space(X_BS)};
        draw(pen, s, settings);
      },
      shape);
}

template void add_triangles<2>(Triangles&, const Shape<2>&, const Pose<2>&, const TriangleSettings&);
template void add_triangles<3>(Triangles&, const Shape<3>&, const Pose<3>&, const TriangleSettings&);

}  // namespace touchstone
