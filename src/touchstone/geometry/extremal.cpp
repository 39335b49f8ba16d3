// On a convex body, a vertex that no neighbour exceeds is the furthest one. Round-off breaks this where the
// top is level: at the low end of a tilted cap with a thousand corners, the neighbours on its rim rise by
// 1e-17 of its width while the other end is 1e-11 higher. So a peak is trusted only if all of its neighbours
// lie clearly below; else the search continues over the neighbours that do not.

#include "touchstone/geometry/extremal.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "touchstone/geometry/support_hierarchy.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// Plateaus beyond this many vertices are rare (caps with many corners) and left to a scan of all vertices.
constexpr int kLargestPlateau = 16;

/// Computing this many heights at once costs less than a single step of a climb.
constexpr int kFewVertices = 8;

template <int D>
int scan(const Polytope<D>& P, const Vec<D>& direction) {
  if (P.hierarchy()->scanned) return P.hierarchy()->find(P.data(), direction);
  int best = 0;
  double height = direction.dot(P.vertex(0));
  for (int v = 1; v < P.vertex_count(); ++v) {
    const double h = direction.dot(P.vertex(v));
    if (h > height) {
      height = h;
      best = v;
    }
  }
  return best;
}

/// A vertex that no neighbour exceeds.
struct Peak {
  int vertex;
  double height;
  bool level;  ///< a neighbour lies less than the slack below
};

/// Moves to the neighbours that lie higher, one after the other. True: there was one.
template <int D>
bool climb_once(const Polytope<D>& P, const Vec<D>& direction, double slack, Peak& peak) {
  bool climbed = false;
  peak.level = false;
  for (int v : P.neighbours(peak.vertex)) {
    const double h = direction.dot(P.vertex(v));
    if (!(h >= peak.height - slack)) continue;
    if (h > peak.height) {
      peak = {v, h, false};
      climbed = true;
    } else {
      peak.level = true;
    }
  }
  return climbed;
}

template <int D>
Peak climb(const Polytope<D>& P, const Vec<D>& direction, int from, double slack) {
  assert(is_index(from, P.vertex_count()) && slack >= 0);
  Peak peak{from, direction.dot(P.vertex(from)), false};
  while (climb_once(P, direction, slack, peak)) {
  }
  return peak;
}

/// The vertices around a peak that lie level with it.
class Plateau {
 public:
  explicit Plateau(int peak) : vertices_{peak} {}
  int count() const { return count_; }
  bool full() const { return count_ == kLargestPlateau; }
  int operator[](int i) const { return vertices_[i]; }
  bool holds(int v) const {
    return std::find(vertices_.begin(), vertices_.begin() + count_, v) != vertices_.begin() + count_;
  }
  void add(int v) {
    assert(!full() && !holds(v));
    vertices_[count_++] = v;
  }

 private:
  std::array<int, kLargestPlateau> vertices_;
  int count_ = 1;
};

enum class Outcome { none_higher, higher, too_large };
struct Crossing {
  Outcome outcome;
  int vertex;
};

/// Looks for a vertex above the peak at the edges of its plateau, whose vertices lie at most `slack` below
/// it.
template <int D>
Crossing cross_plateau(const Polytope<D>& P, const Vec<D>& direction, const Peak& peak, double slack) {
  Plateau plateau(peak.vertex);
  for (int i = 0; i < plateau.count(); ++i) {
    for (int v : P.neighbours(plateau[i])) {
      const double h = direction.dot(P.vertex(v));
      if (h > peak.height) return {Outcome::higher, v};
      if (h < peak.height - slack || plateau.holds(v)) continue;
      if (plateau.full()) return {Outcome::too_large, v};
      plateau.add(v);
    }
  }
  return {Outcome::none_higher, peak.vertex};
}

}  // namespace

template <int D>
int climb_extremal(const Polytope<D>& P, const Vec<D>& direction, int hint) {
  assert(P.hierarchy() && is_index(hint, P.vertex_count()));
  const SupportHierarchy<D>& hierarchy = *P.hierarchy();
  if (P.vertex_count() <= kFewVertices) return hierarchy.find(P.data(), direction);
  const double slack = hierarchy.level * direction.template lpNorm<1>();
  for (int from = hint;;) {
    const Peak peak = climb(P, direction, from, slack);
    if (!peak.level) return peak.vertex;
    if (hierarchy.scanned) return scan(P, direction);
    const Crossing crossing = cross_plateau(P, direction, peak, slack);
    if (crossing.outcome == Outcome::none_higher) return peak.vertex;
    if (crossing.outcome == Outcome::too_large) return scan(P, direction);
    from = crossing.vertex;
  }
}

template <int D>
int find_extremal(const Polytope<D>& P, const Vec<D>& direction) {
  assert(P.hierarchy());
  const SupportHierarchy<D>& hierarchy = *P.hierarchy();
  const int found = hierarchy.find(P.data(), direction);
  assert(is_index(found, P.vertex_count()));
  return hierarchy.scanned ? found : climb_extremal(P, direction, found);
}

template int climb_extremal<2>(const Polytope<2>&, const Vec<2>&, int);
template int climb_extremal<3>(const Polytope<3>&, const Vec<3>&, int);
template int find_extremal<2>(const Polytope<2>&, const Vec<2>&);
template int find_extremal<3>(const Polytope<3>&, const Vec<3>&);

}  // namespace touchstone
