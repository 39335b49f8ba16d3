#include "touchstone/geometry/hull.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "touchstone/math/tolerance.h"

namespace touchstone {
namespace {

/// A run of qhull and the memory it holds.
class QhullRun {
 public:
  explicit QhullRun(std::span<const Vec<3>> points) : coordinates_(3 * points.size()) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (int k = 0; k < 3; ++k) coordinates_[3 * i + k] = points[i][k];
    }
    silence_.reset(std::fopen("/dev/null", "w"));
    qh_zero(&qh_, silence_.get());
    char command[] = "qhull";
    failed_ = qh_new_qhull(&qh_, 3, static_cast<int>(points.size()), coordinates_.data(), False, command,
                           nullptr, silence_.get()) != 0;
  }
  ~QhullRun() {
    qh_freeqhull(&qh_, !qh_ALL);
    int short_memory = 0, long_memory = 0;
    qh_memfreeshort(&qh_, &short_memory, &long_memory);
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;

  bool failed() const { return failed_; }

  std::vector<std::vector<int>> facets() {
    std::vector<std::vector<int>> loops;
    qhT* qh = &qh_;  // the macros of qhull expect this name
    facetT* facet;
    FORALLfacets {
      setT* loop = qh_facet3vertex(qh, facet);
      std::vector<int> indices;
      vertexT *vertex, **vertexp;
      FOREACHvertex_(loop) indices.push_back(qh_pointid(qh, vertex->point));
      qh_settempfree(qh, &loop);
      std::reverse(indices.begin(), indices.end());  // qhull looks from within
      loops.push_back(std::move(indices));
    }
    return loops;
  }

 private:
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::vector<coordT> coordinates_;
  std::unique_ptr<std::FILE, Close> silence_;
  qhT qh_;
  bool failed_ = false;
};

long double orientation(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c) {
  const long double abx = static_cast<long double>(b.x()) - a.x(), aby = static_cast<long double>(b.y()) - a.y();
  const long double acx = static_cast<long double>(c.x()) - a.x(), acy = static_cast<long double>(c.y()) - a.y();
  return abx * acy - aby * acx;
}

/// Drops corners that lie on the line of their neighbours within the flatness tolerance.
void drop_straight_corners(std::span<const Vec<2>> points, std::vector<int>& corners) {
  double size = 0;
  for (int c : corners) size = std::max(size, (points[c] - points[corners[0]]).norm());
  for (std::size_t i = 0; i < corners.size() && corners.size() > 3;) {
    const std::size_t n = corners.size();
    const Vec<2>&a = points[corners[(i + n - 1) % n]], &b = points[corners[i]], &c = points[corners[(i + 1) % n]];
    const double height = static_cast<double>(orientation(a, b, c)) / (c - a).norm();
    if (height <= kFlatness * size) {
      corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

}  // namespace

std::vector<std::vector<int>> hull_facets(std::span<const Vec<3>> points) {
  // qhull speaks of a flat input by an error; what it calls flat has no volume beyond its round-off.
  QhullRun run(points);
  if (run.failed()) throw BadShape("the points are flat: they span no volume");
  return run.facets();
}

std::vector<int> hull_corners(std::span<const Vec<2>> points) {
  // Andrew's monotone chain.
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::pair(points[a].x(), points[a].y()) < std::pair(points[b].x(), points[b].y());
  });
  std::vector<int> chain;
  const auto extend = [&](auto first, auto last) {
    const std::size_t floor = chain.size() + 1;
    for (auto it = first; it != last; ++it) {
      while (chain.size() > floor &&
             orientation(points[chain[chain.size() - 2]], points[chain.back()], points[*it]) <= 0) {
        chain.pop_back();
      }
      chain.push_back(*it);
    }
    chain.pop_back();
  };
  extend(order.begin(), order.end());
  extend(order.rbegin(), order.rend());
  if (chain.size() < 3) throw BadShape("the points are flat: they lie on one line");
  drop_straight_corners(points, chain);
  return chain;
}

}  // namespace touchstone
