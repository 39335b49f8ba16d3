#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/geometry/hull.h"
#include "touchstone/geometry/point_order.h"
#include "touchstone/math/orientation.h"

namespace touchstone {
namespace {

/// Quickhull [Barber, Dobkin, Huhdanpaa 1996] with exact predicates. A point sees a face when it lies
/// strictly above it. The faces that a point outside sees are a disc, whose border (the horizon) is joined
/// to the point; the new triangles are never degenerate, for a point on the line of a face's edge does not
/// see that face. A point that sees no face lies in the hull, so nothing need be perturbed.
class Quickhull {
 public:
  explicit Quickhull(std::span<const Vec<3>> points)
      : points_(points), next_(points.size(), kNone), face_from_(points.size(), kNone) {
    begin();
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      if (!faces_[f].dead && faces_[f].outside != kNone) grow(f);
    }
  }

  TriangleSurface surface() const {
    std::vector<int> number(faces_.size(), kNone);
    int count = 0;
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      if (!faces_[f].dead) number[f] = count++;
    }
    TriangleSurface surface;
    for (const Face& face : faces_) {
      if (face.dead) continue;
      assert(std::none_of(face.beyond.begin(), face.beyond.end(), [&](int f) { return faces_[f].dead; }));
      surface.corners.push_back(face.corners);
      surface.beyond.push_back({number[face.beyond[0]], number[face.beyond[1]], number[face.beyond[2]]});
    }
    return surface;
  }

 private:
  static constexpr int kNone = -1;

  struct Face {
    std::array<int, 3> corners{}, beyond{};
    Vec<3> normal;        // not of unit length
    double error;         // of a height above the face, per largest coordinate of the lever
    int outside = kNone;  // first of the points that see this face and are listed with no other
    int furthest = kNone;
    double height = 0;  // of the furthest
    bool dead = false;
  };
  struct HorizonEdge {
    int tail, head;
    int face, side;  // the face that stays, and which of its edges this is
  };

  int add_face(int a, int b, int c) {
    // n.w is off by less than 48 round-offs of |u||v||w| (largest coordinates), counted over all operations.
    constexpr double kHeightError = 64 * 0x1p-53;
    const Vec<3> u = points_[b] - points_[a], v = points_[c] - points_[a];
    Face face;
    face.corners = {a, b, c};
    face.normal = u.cross(v);
    face.error = kHeightError * u.lpNorm<Eigen::Infinity>() * v.lpNorm<Eigen::Infinity>();
    faces_.push_back(face);
    return static_cast<int>(faces_.size()) - 1;
  }

  double height(const Face& face, int p) const {
    return face.normal.dot(points_[p] - points_[face.corners[0]]);
  }

  bool sees(int p, const Face& face) const {
    const Vec<3> w = points_[p] - points_[face.corners[0]];
    const double h = face.normal.dot(w);
    if (std::abs(h) > face.error * w.lpNorm<Eigen::Infinity>()) return h > 0;
    const auto& [a, b, c] = face.corners;
    return orientation(points_[a], points_[b], points_[c], points_[p]) > 0;
  }

  /// Gives the point to the first face of the range that it sees; one that sees none lies within.
  void give(int p, int first_face, int last_face) {
    for (int f = first_face; f < last_face; ++f) {
      Face& face = faces_[f];
      if (!sees(p, face)) continue;
      const double h = height(face, p);
      if (face.furthest == kNone || h > face.height) {
        face.furthest = p;
        face.height = h;
      }
      next_[p] = face.outside;
      face.outside = p;
      return;
    }
  }

  /// The point with the largest measure among the points that pass the test.
  template <class Measure, class Test>
  int furthest(Measure measure, Test passes) const {
    int best = kNone;
    double most = -1;
    for (int p = 0; p < static_cast<int>(points_.size()); ++p) {
      const double m = measure(points_[p]);
      if (m > most && passes(points_[p])) {
        best = p;
        most = m;
      }
    }
    if (best == kNone) throw BadShape("the points are flat: they span no volume");
    return best;
  }

  /// A first tetrahedron, as thick as is easily found.
  void begin() {
    const auto [low, high] = std::minmax_element(points_.begin(), points_.end(), lexicographic<3>);
    const Vec<3> a = *low, b = *high;
    const int c_index = furthest([&](const Vec<3>& x) { return (x - a).cross(b - a).norm(); },
                                 [&](const Vec<3>& x) { return !on_line(a, b, x); });
    const Vec<3> c = points_[c_index], normal = (b - a).cross(c - a);
    const int d = furthest([&](const Vec<3>& x) { return std::abs(normal.dot(x - a)); },
                           [&](const Vec<3>& x) { return orientation(a, b, c, x) != 0; });
    std::array<int, 4> corners{static_cast<int>(low - points_.begin()),
                               static_cast<int>(high - points_.begin()), c_index, d};
    if (orientation(a, b, c, points_[d]) > 0) std::swap(corners[0], corners[1]);
    add_tetrahedron(corners);
    for (int p = 0; p < static_cast<int>(points_.size()); ++p) {
      if (std::find(corners.begin(), corners.end(), p) == corners.end()) give(p, 0, 4);
    }
  }

  static bool on_line(const Vec<3>& a, const Vec<3>& b, const Vec<3>& x) {
    for (int i = 0; i < 3; ++i) {
      const auto shadow = [&](const Vec<3>& p) { return Vec<2>(p[i], p[(i + 1) % 3]); };
      if (orientation(shadow(a), shadow(b), shadow(x)) != 0) return false;
    }
    return true;
  }

  /// d lies below a, b, c.
  void add_tetrahedron(const std::array<int, 4>& corners) {
    const auto [a, b, c, d] = corners;
    assert(orientation(points_[a], points_[b], points_[c], points_[d]) < 0);
    faces_.reserve(8 * points_.size());
    const int abc = add_face(a, b, c), bad = add_face(b, a, d), cbd = add_face(c, b, d),
              acd = add_face(a, c, d);
    faces_[abc].beyond = {bad, cbd, acd};
    faces_[bad].beyond = {abc, acd, cbd};
    faces_[cbd].beyond = {abc, bad, acd};
    faces_[acd].beyond = {abc, cbd, bad};
  }

  /// Takes in the point furthest above the face.
  void grow(int face) {
    const int p = faces_[face].furthest;
    assert(p != kNone && !faces_[face].dead);
    bury(face, p);
    assert(horizon_.size() >= 3);
    const int first_new = static_cast<int>(faces_.size());
    for (const HorizonEdge& edge : horizon_) {
      const int f = add_face(edge.tail, edge.head, p);
      faces_[f].beyond[0] = edge.face;
      faces_[edge.face].beyond[edge.side] = f;
      face_from_[edge.tail] = f;
    }
    const int last_new = static_cast<int>(faces_.size());
    for (int f = first_new; f < last_new; ++f) {
      const int after = face_from_[faces_[f].corners[1]];
      assert(after >= first_new && after < last_new);  // the horizon is closed
      faces_[f].beyond[1] = after;
      faces_[after].beyond[2] = f;
    }
    for (int f : buried_) {
      for (int q = faces_[f].outside, next; q != kNone; q = next) {
        next = next_[q];
        if (q != p) give(q, first_new, last_new);
      }
    }
  }

  /// Marks the faces that p sees, beginning with one of them, as dead and finds their border.
  void bury(int face, int p) {
    horizon_.clear();
    buried_.assign(1, face);
    faces_[face].dead = true;
    for (std::size_t i = 0; i < buried_.size(); ++i) {
      const Face seen = faces_[buried_[i]];
      for (int k = 0; k < 3; ++k) look_beyond(seen, k, p);
    }
  }

  /// The neighbour beyond side k of a face that p sees: p sees it too, or the side is on the border.
  void look_beyond(const Face& seen, int k, int p) {
    Face& other = faces_[seen.beyond[k]];
    if (other.dead) return;
    if (sees(p, other)) {
      other.dead = true;
      buried_.push_back(seen.beyond[k]);
      return;
    }
    const int tail = seen.corners[k], head = seen.corners[(k + 1) % 3];
    const auto at = std::find(other.corners.begin(), other.corners.end(), head);
    assert(at != other.corners.end());
    horizon_.push_back({tail, head, seen.beyond[k], static_cast<int>(at - other.corners.begin())});
  }

  std::span<const Vec<3>> points_;
  std::vector<Face> faces_;
  std::vector<int> next_;  // the point after this one in the list of its face
  std::vector<int>
      face_from_;  // while a point is taken in: the new face whose horizon edge leaves this point
  std::vector<int> buried_;
  std::vector<HorizonEdge> horizon_;
};

}  // namespace

TriangleSurface hull_surface(std::span<const Vec<3>> points) { return Quickhull(points).surface(); }

}  // namespace touchstone
