#include "oracles/minkowski_distance.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "oracles/exact_points.h"

namespace touchstone::oracle {
namespace {

template <int D>
using LongVec = RealVec<long double, D>;
template <int D>
using Loop = std::vector<LongVec<D>>;

/// Facets this close to the best one are looked at in extended precision [sizes].
constexpr double kSlack = 1e-9;

struct HullFacet {
  std::vector<int> points;  ///< in the order of its border, either way round
  double height = 0;        ///< [m] of the origin over its plane
  std::vector<double> normal;
};

/// The hull of points given as rows of coordinates; empty if qhull finds none.
class Qhull {
 public:
  Qhull(std::vector<double> coordinates, int dimension)
      : coordinates_(std::move(coordinates)), dimension_(dimension), silence_(std::fopen("/dev/null", "w")) {
    qh_zero(&qh_, silence_.get());
    char command[] = "qhull";
    const int count = static_cast<int>(coordinates_.size()) / dimension;
    failed_ = qh_new_qhull(&qh_, dimension, count, coordinates_.data(), False, command, nullptr,
                           silence_.get()) != 0;
  }
  ~Qhull() {
    qh_freeqhull(&qh_, !qh_ALL);
    int short_memory = 0, long_memory = 0;
    qh_memfreeshort(&qh_, &short_memory, &long_memory);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  std::vector<HullFacet> facets() {
    std::vector<HullFacet> list;
    if (failed_) return list;
    facetT* facet;
    qhT* qh = &qh_;  // the macros of qhull expect this name
    FORALLfacets {
      list.push_back({points_of(facet), facet->offset, {facet->normal, facet->normal + dimension_}});
    }
    return list;
  }

 private:
  std::vector<int> points_of(facetT* facet) {
    qhT* qh = &qh_;
    setT* vertices = dimension_ == 3 ? qh_facet3vertex(qh, facet) : facet->vertices;
    std::vector<int> points;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(vertices) points.push_back(qh_pointid(qh, vertex->point));
    if (dimension_ == 3) qh_settempfree(qh, &vertices);
    return points;
  }

  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::vector<double> coordinates_;
  int dimension_;
  std::unique_ptr<std::FILE, Close> silence_;
  qhT qh_;
  bool failed_ = false;
};

/// All a - b, exactly enough.
template <int D>
Loop<D> differences(const Placed<D>& A, const Placed<D>& B) {
  const ExactBody<long double, D> body_A(A, A.X_WB.p), body_B(B, A.X_WB.p);
  Loop<D> result;
  for (const LongVec<D>& a : body_A.points()) {
    for (const LongVec<D>& b : body_B.points()) result.push_back(a - b);
  }
  return result;
}

template <int D>
std::vector<HullFacet> hull_of(const Loop<D>& points) {
  std::vector<double> coordinates;
  for (const LongVec<D>& x : points) {
    for (int k = 0; k < D; ++k) coordinates.push_back(static_cast<double>(x[k]));
  }
  return Qhull(std::move(coordinates), D).facets();
}

LongVec<2> across(const Loop<2>& loop) {
  const LongVec<2> e = loop[1] - loop[0];
  return LongVec<2>(e[1], -e[0]);
}

LongVec<3> across(const Loop<3>& loop) {
  LongVec<3> area = LongVec<3>::Zero();
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) area += (loop[i] - loop[0]).cross(loop[i + 1] - loop[0]);
  return area;
}

/// The corners of a facet, counter-clockwise seen from outside.
template <int D>
Loop<D> loop_of(const HullFacet& facet, const Loop<D>& points) {
  Loop<D> loop;
  for (int i : facet.points) loop.push_back(points[i]);
  LongVec<D> outward;
  for (int k = 0; k < D; ++k) outward[k] = facet.normal[k];
  if (across(loop).dot(outward) < 0) std::reverse(loop.begin(), loop.end());
  return loop;
}

template <int D>
long double origin_to_span(const LongVec<D>& p, const LongVec<D>& q) {
  const LongVec<D> u = q - p;
  const long double t = std::clamp(-p.dot(u) / u.squaredNorm(), 0.0L, 1.0L);
  return (p + t * u).norm();
}

/// The distance of the origin from a facet that it lies outside of.
long double origin_to_facet(const Loop<2>& loop) { return origin_to_span<2>(loop[0], loop[1]); }

long double origin_to_facet(const Loop<3>& loop) {
  const LongVec<3> n = across(loop).normalized();
  bool above = true;
  long double nearest = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const LongVec<3>&p = loop[i], &q = loop[(i + 1) % loop.size()];
    above = above && (q - p).cross(-p).dot(n) >= 0;
    nearest = std::min(nearest, origin_to_span<3>(p, q));
  }
  return above ? std::abs(n.dot(loop[0])) : nearest;
}

/// How far the origin lies above the highest of the points along n.
template <int D>
long double height_of_origin(const Loop<D>& points, const LongVec<D>& n) {
  long double highest = -std::numeric_limits<long double>::infinity();
  for (const LongVec<D>& x : points) highest = std::max(highest, n.dot(x));
  return -highest;
}

}  // namespace

template <int D>
std::optional<long double> minkowski_distance(const Placed<D>& A, const Placed<D>& B) {
  const Loop<D> points = differences(A, B);
  const std::vector<HullFacet> facets = hull_of<D>(points);
  if (facets.empty()) return std::nullopt;
  double best = -std::numeric_limits<double>::infinity();
  for (const HullFacet& facet : facets) best = std::max(best, facet.height);
  const double slack = kSlack * pair_size(A, B);
  long double inside = -std::numeric_limits<long double>::infinity();
  long double outside = std::numeric_limits<long double>::infinity();
  for (const HullFacet& facet : facets) {
    if (facet.height < (best > slack ? 0 : best - slack)) continue;
    const Loop<D> loop = loop_of<D>(facet, points);
    inside = std::max(inside, height_of_origin<D>(points, across(loop).normalized()));
    outside = std::min(outside, origin_to_facet(loop));
  }
  return inside > 0 ? outside : inside;
}

template std::optional<long double> minkowski_distance(const Placed<2>&, const Placed<2>&);
template std::optional<long double> minkowski_distance(const Placed<3>&, const Placed<3>&);

}  // namespace touchstone::oracle
