// The fast way to the penetration depth: an expanding polytope whose answer is proved or not given.
//
//   1. a fat tetrahedron inside A - B (its corners are support points far apart)
//   2. take the face nearest to the origin (most negative: the origin lies outside of it), look how far
//      A - B reaches along its normal; not further: this is a facet of A - B, done
//   3. else add the point found, replace the faces that see it by a fan, and repeat
//
// [van den Bergen 2001]; the certificate is ours [expansion.h]. Anything doubtful (a sliver, a face
// that turns its back, too many faces) gives up, and the full separating-axis test is made.

#include "touchstone/math/checks.h"
#include "touchstone/proximity/expansion.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "touchstone/math/tolerance.h"
#include "touchstone/proximity/axis_collector.h"
#include "touchstone/proximity/facet_features.h"

namespace touchstone {
namespace {

using V3 = Vec<3>;
using Expansion3 = Expansion<3>;

/// Up to this many edge pairs, the full separating-axis test takes less time than an expansion.
constexpr int kFewEdgePairs = 400;
/// Beyond this many times sqrt(E_A E_B) faces the full test is the better deal (measured).
constexpr double kMostFaces = 2;
/// A warm polytope with more than this many times the faces of its cold start is started anew next time.
constexpr std::size_t kWarmGrowth = 2;
/// Sine of the sharpest corner of a face that is still trusted.
constexpr double kSliver = 1e-9;

/// [ties] Shallower than this, a facet of A - B that ties with the best one may hide behind faces of the
/// inner polytope that seem further from the origin.
constexpr double kHidesTies = 1e4;

/// Corners and neighbours of the faces of a tetrahedron.
constexpr std::pair<std::array<int, 3>, std::array<int, 3>> kTetrahedron[] = {
    {{0, 1, 2}, {1, 2, 3}}, {{0, 3, 1}, {3, 2, 0}}, {{1, 3, 2}, {1, 3, 0}}, {{2, 3, 0}, {2, 1, 0}}};

Expansion3::Face new_face(const std::array<int, 3>& corner, const std::array<int, 3>& neighbour) {
  return {corner, neighbour, V3::Zero(), 0, 0, 0, true, false};
}

class Growth {
 public:
  Growth(const PairInFrameA<3>& pair, Expansion3& polytope, double tie)
      : pair_(pair),
        P_(polytope),
        size_(pair.size()),
        tolerance_(kCertified * size_),
        tie_(tie),
        most_faces_(64 + static_cast<std::size_t>(
                             kMostFaces * std::sqrt(double(pair.A.edge_count()) * pair.B.edge_count()))) {}

  /// The proved answer, or none.
  std::optional<Penetration<3>> run() {
    const bool warm = rewarm();
    if (!warm && !start()) return std::nullopt;
    AxisCollector<3> axes(tie_);
    double lower =
        std::numeric_limits<double>::infinity();  // of the depth: the least distance of a proved face
    for (int f = nearest_face(); f >= 0; f = nearest_face()) {
      const V3 normal = P_.faces[f].area / std::sqrt(P_.faces[f].squared_area);
      const double distance = distance_along(normal, P_.faces[f]);
      if (-distance < axes.best() - std::max(tie_, tolerance_)) break;
      if (lies_in_best_facet(normal, distance, axes)) {  // one facet of A - B has many triangles
        P_.faces[f].proved = true;
        continue;
      }
      const Expansion3::Corner far = support(normal, P_.corners[P_.faces[f].corner[0]].at);
      if (normal.dot(far.w) - distance <= tolerance_) {
        lower = std::min(lower, distance);
        axes.offer(axis_of(P_.faces[f], normal, far));
        P_.faces[f].proved = true;
      } else if (P_.faces.size() > most_faces_ || !grow(f, far)) {
        return std::nullopt;
      }
    }
    keep_for_next_time(warm, axes.best());
    Penetration<3> answer = axes.result();
    answer.upper = std::max(answer.best.separation, -lower);
    answer.certified = answer.upper - answer.lower <= tolerance_;
    return answer.certified ? std::optional(std::move(answer)) : std::nullopt;
  }

 private:
  /// The point of A - B furthest along n: a furthest along n, b furthest against it.
  Expansion3::Corner support(const V3& n, const SupportPair& hint) const {
    const SupportPair at = pair_.supports(-n, hint);
    return {pair_.difference(at), at};
  }

  bool lies_in_best_facet(const V3& normal, double distance, const AxisCollector<3>& axes) const {
    return std::abs(axes.best() + distance) <= noise_ && axes.axis().normal.dot(normal) < -kSameNormal;
  }

  void keep_for_next_time(bool warm, double separation) {
    const auto size = static_cast<std::size_t>(
        std::count_if(P_.faces.begin(), P_.faces.end(), [](const auto& face) { return face.alive; }));
    if (!warm) P_.first_size = size;
    P_.usable = separation < 0 && size <= kWarmGrowth * P_.first_size;
  }

  // ---- the beginning ----------------------------------------------------------------------------------

  /// Moves the polytope of the last query to the present pose; false if the origin is not strictly inside.
  bool rewarm() {
    if (!P_.usable) return false;
    P_.usable = false;
    compact();
    for (auto& corner : P_.corners) corner.w = pair_.difference(corner.at);
    for (auto& face : P_.faces) {
      if (!measure(face) || face.volume <= 0) return false;
    }
    return true;
  }

  /// Drops dead faces, and corners that no face uses.
  void compact() {
    if (std::all_of(P_.faces.begin(), P_.faces.end(), [](const auto& face) { return face.alive; })) return;
    std::vector<int>& number = P_.renumbered;
    number.assign(P_.faces.size(), -1);
    int count = 0;
    for (std::size_t f = 0; f < P_.faces.size(); ++f) {
      if (P_.faces[f].alive) number[f] = count++;
    }
    for (std::size_t f = 0; f < P_.faces.size(); ++f) {
      if (number[f] < 0) continue;
      assert(std::all_of(P_.faces[f].neighbour.begin(), P_.faces[f].neighbour.end(),
                         [&](int g) { return number[g] >= 0; }));
      for (int& g : P_.faces[f].neighbour) g = number[g];
      P_.faces[number[f]] = P_.faces[f];
    }
    P_.faces.resize(count);
    number.assign(P_.corners.size(), -1);
    for (const auto& face : P_.faces) {
      for (int c : face.corner) number[c] = 0;
    }
    count = 0;
    for (std::size_t c = 0; c < P_.corners.size(); ++c) {
      if (number[c] < 0) continue;
      number[c] = count++;
      P_.corners[number[c]] = P_.corners[c];
    }
    P_.corners.resize(count);
    for (auto& face : P_.faces) {
      for (int& c : face.corner) c = number[c];
    }
  }

  /// A tetrahedron of support points that are as far apart as four directions can make them.
  bool start() {
    P_.corners.clear();
    P_.faces.clear();
    V3 n = pair_.X_AB * pair_.B.centre() - pair_.A.centre();
    n = n.norm() > tolerance_ ? V3(n.normalized()) : V3::UnitX();
    P_.corners.push_back(support(n, {}));
    P_.corners.push_back(support(-n, P_.corners[0].at));
    const V3 line = P_.corners[1].w - P_.corners[0].w;
    if (line.norm() <= tolerance_) return false;
    add_further_of(any_perpendicular(line.normalized()));
    const V3 normal = line.cross(P_.corners[2].w - P_.corners[0].w);
    if (normal.norm() <= kSliver * line.squaredNorm()) return false;
    add_further_of(normal.normalized());
    // Outward, counter-clockwise: corner 3 lies above the triangle 0 1 2 or below it.
    if ((P_.corners[3].w - P_.corners[0].w).dot(normal) > 0) std::swap(P_.corners[1], P_.corners[2]);
    for (const auto& [corner, neighbour] : kTetrahedron) P_.faces.push_back(new_face(corner, neighbour));
    return std::all_of(P_.faces.begin(), P_.faces.end(), [&](auto& face) { return measure(face); });
  }

  /// Of the support points along n and -n, the one further from the first corner.
  void add_further_of(const V3& n) {
    const V3 origin = P_.corners[0].w;
    const auto up = support(n, P_.corners[0].at), down = support(-n, P_.corners[0].at);
    P_.corners.push_back(n.dot(up.w - origin) >= n.dot(origin - down.w) ? up : down);
  }

  // ---- growth -----------------------------------------------------------------------------------------

  /// Area, side and distance from the corners, without a root; false for a sliver, whose normal would mean
  /// nothing.
  bool measure(Expansion3::Face& face) const {
    const V3 &a = P_.corners[face.corner[0]].w, &b = P_.corners[face.corner[1]].w,
             &c = P_.corners[face.corner[2]].w;
    const V3 u = b - a, v = c - a;
    face.area = u.cross(v);
    face.squared_area = face.area.squaredNorm();
    const double longest = std::max({u.squaredNorm(), v.squaredNorm(), (c - b).squaredNorm()});
    if (face.squared_area <= kSliver * kSliver * longest * longest) return false;
    face.volume = face.area.dot(a);
    face.key = face.volume * std::abs(face.volume) / face.squared_area;
    face.proved = false;
    return true;
  }

  /// No corner of the face is nearer to the origin along its normal than this.
  double distance_along(const V3& normal, const Expansion3::Face& face) const {
    return std::min({normal.dot(P_.corners[face.corner[0]].w), normal.dot(P_.corners[face.corner[1]].w),
                     normal.dot(P_.corners[face.corner[2]].w)});
  }

  int nearest_face() const {
    int best = -1;
    double key = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < P_.faces.size(); ++f) {
      const auto& face = P_.faces[f];
      if (face.key < key && face.alive && !face.proved) {
        key = face.key;
        best = static_cast<int>(f);
      }
    }
    return best;
  }

  /// Adds a corner beyond face f; false where the surface would no longer be sound.
  bool grow(int f, const Expansion3::Corner& far) {
    assert(is_index(f, P_.faces.size()) && P_.faces[f].alive);
    find_horizon(f, far.w);
    const int tip = static_cast<int>(P_.corners.size());
    P_.corners.push_back(far);
    const int first = static_cast<int>(P_.faces.size());
    const bool inside = P_.faces[f].volume > 0;
    const int count = static_cast<int>(P_.horizon.size());
    if (count < 3) return false;
    for (int i = 0; i < count; ++i) {
      const auto [old, edge] = P_.horizon[i];
      const int a = P_.faces[old].corner[edge], b = P_.faces[old].corner[(edge + 1) % 3];
      const int outer = P_.faces[old].neighbour[edge];
      // The horizon runs counter-clockwise around the tip: fan i lies between fans i-1 and i+1.
      Expansion3::Face face =
          new_face({a, b, tip}, {outer, first + (i + 1) % count, first + (i + count - 1) % count});
      if (!measure(face) || (inside && face.key < -tolerance_ * tolerance_)) return false;
      for (int k = 0; k < 3; ++k) {
        if (P_.faces[outer].corner[k] == b) P_.faces[outer].neighbour[k] = first + i;
      }
      P_.faces.push_back(face);
    }
    return closes(first, count);
  }

  /// Each fan's second corner must be the next fan's first.
  bool closes(int first, int count) const {
    for (int i = 0; i < count; ++i) {
      if (P_.faces[first + i].corner[1] != P_.faces[first + (i + 1) % count].corner[0]) return false;
    }
    return true;
  }

  /// Collects the border of the faces that see x, counter-clockwise, and marks those faces dead.
  void find_horizon(int f, const V3& x) {
    P_.horizon.clear();
    P_.faces[f].alive = false;
    // Depth first, each face's edges in order from where it was entered: the border comes out in order.
    walk_horizon(P_.faces[f].neighbour[0], entry(P_.faces[f].neighbour[0], f), {f, 0}, x);
    walk_horizon(P_.faces[f].neighbour[1], entry(P_.faces[f].neighbour[1], f), {f, 1}, x);
    walk_horizon(P_.faces[f].neighbour[2], entry(P_.faces[f].neighbour[2], f), {f, 2}, x);
  }

  int entry(int face, int from) const {
    const auto& neighbour = P_.faces[face].neighbour;
    assert(std::find(neighbour.begin(), neighbour.end(), from) != neighbour.end());
    return neighbour[0] == from ? 0 : neighbour[1] == from ? 1 : 2;
  }

  void walk_horizon(int f, int entered, const Expansion3::HorizonEdge& via, const V3& x) {
    auto& face = P_.faces[f];
    if (!face.alive) return;
    // Coplanar points are not seen: the height over the face must exceed round-off.
    const double height = face.area.dot(x - P_.corners[face.corner[0]].w);
    if (height <= 0 || height * height <= noise_ * noise_ * face.squared_area) {
      P_.horizon.push_back(via);
      return;
    }
    face.alive = false;
    for (int k : {(entered + 1) % 3, (entered + 2) % 3}) {
      const int next = P_.faces[f].neighbour[k];
      walk_horizon(next, entry(next, f), {f, k}, x);
    }
  }

  SeparatingAxis<3> axis_of(const Expansion3::Face& face, const V3& outward,
                            const Expansion3::Corner& far) const {
    const V3 n = -outward;  // contact normals point from B to A
    const FeaturePair vertices{{FeatureKind::vertex, far.at.a}, {FeatureKind::vertex, far.at.b}};
    const FacetCorners at{P_.corners[face.corner[0]].at, P_.corners[face.corner[1]].at,
                          P_.corners[face.corner[2]].at};
    return name_facet(pair_, at, {n.dot(far.w), n, vertices});
  }

  const PairInFrameA<3>& pair_;
  Expansion3& P_;
  double size_, tolerance_, tie_;  ///< [m]
  double noise_ = tolerance_ / 8;  ///< [m] of a corner's position
  std::size_t most_faces_;
};

/// Bodies that kiss: the nearest face of the inner polytope is proved, its ties are not.
bool may_hide_ties(const Penetration<3>& answer, double tie) {
  return answer.best.separation <= tie && answer.best.separation >= -kHidesTies * tie;
}

}  // namespace

template <>
Penetration<3> find_penetration(const Polytope<3>& A, const Polytope<3>& B, const Pose<3>& X_AB,
                                const PenetrationSettings& settings, Expansion<3>* expansion) {
  if (expansion || static_cast<long>(A.edge_count()) * B.edge_count() > kFewEdgePairs) {
    thread_local Expansion<3> scratch;
    if (!expansion) scratch.usable = false;
    const PairInFrameA<3> pair{A, B, X_AB};
    Expansion<3>& polytope = expansion ? *expansion : scratch;
    const bool warm = polytope.usable;
    auto answer = Growth(pair, polytope, settings.tie).run();
    if (!answer && warm) answer = Growth(pair, polytope, settings.tie).run();
    if (answer && !may_hide_ties(*answer, settings.tie)) return *std::move(answer);
  }
  return test_separating_axes<3>(A, B, X_AB, settings);
}

}  // namespace touchstone
