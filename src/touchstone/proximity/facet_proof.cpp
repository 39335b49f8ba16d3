#include "touchstone/proximity/facet_proof.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "touchstone/math/checks.h"
#include "touchstone/math/tolerance.h"
#include "touchstone/proximity/closest_features.h"
#include "touchstone/proximity/normals.h"

namespace touchstone {
namespace {

using V3 = Vec<3>;

/// [sizes] The sides of the cone must be further away than the facet by this much: far above the round-off of
/// their distance, which is at most a few epsilons over kSharpest.
constexpr double kMargin = 1e-6;
/// Sine of the sharpest angle between the border of the facet and the lines to the tip.
constexpr double kSharpest = 1e-4;
/// [ties] A margin of this size rules out ties: with all sides beyond R = d + margin, a direction at the
/// angle t from the facet's normal separates by at least d cos t + sqrt(R^2 - d^2) sin t, which exceeds d +
/// tie from t = 1.4e-6 on, where normals begin to count as different (kSameNormal).
constexpr double kMarginPerTie = 1e6;
/// [sizes] Deeper than this, a facet seldom is as wide as it is deep.
constexpr double kShallow = 0.01;
/// [sizes] How far bodies are drawn apart to find the features that would part last.
constexpr double kBarelyApart = 1e-5;

bool is_edge_pair(const FeaturePair& features) {
  return features.a.kind == FeatureKind::edge && features.b.kind == FeatureKind::edge;
}

/// Do the features make a facet of A - B, given that they support it? (Parallel edges do not.)
bool make_facet(const PairInFrameA<2>&, const FeaturePair& features) {
  return (features.a.kind == FeatureKind::edge) != (features.b.kind == FeatureKind::edge);
}

bool make_facet(const PairInFrameA<3>& pair, const FeaturePair& features) {
  const auto& [a, b] = features;
  if (!is_edge_pair(features)) return static_cast<int>(a.kind) + static_cast<int>(b.kind) == 2;
  const V3 d = edge_direction(pair.A, a.index), e = pair.X_AB.R * edge_direction(pair.B, b.index);
  return d.cross(e).squaredNorm() > kParallel * kParallel * d.squaredNorm() * e.squaredNorm();
}

/// A facet of A - B with the point q below it, all seen from the origin.
class Cone {
 public:
  /// The corners must stay at least `height` along the unit vector `outward`, the sides beyond `radius`.
  Cone(const V3& outward, const V3& tip, double height, double radius)
      : outward_(outward), tip_(tip), height_(height), radius_(radius) {}

  /// Does the cone over these corners, counter-clockwise seen from outside, hold the ball?
  template <class Corners>
  bool holds_ball(int count, const Corners& corner) {
    assert(count >= 3 && is_unit(outward_));
    V3 last = corner(count - 1);
    for (int i = 0; i < count; ++i) {
      const V3 next = corner(i);
      lowest_ = std::min(lowest_, outward_.dot(next));
      if (lowest_ < height_ || !is_beyond(last, next)) return false;
      last = next;
    }
    return true;
  }
  double lowest() const { return lowest_; }  ///< [m] height of the lowest corner

 private:
  /// Is the side below the border from u to v further from the origin than the radius?
  bool is_beyond(const V3& u, const V3& v) const {
    const V3 border = u - v, down = tip_ - v, area = border.cross(down);
    const double volume = area.dot(v), squared = area.squaredNorm();
    return volume > 0 && volume * volume >= radius_ * radius_ * squared &&
           squared >= kSharpest * kSharpest * border.squaredNorm() * down.squaredNorm();
  }

  V3 outward_, tip_;
  double height_, radius_;
  double lowest_ = std::numeric_limits<double>::infinity();
};

class FacetProof {
 public:
  FacetProof(const PairInFrameA<3>& pair, double tie)
      : pair_(pair),
        size_(pair.size()),
        tolerance_(kCertified * size_),
        margin_(std::max(kMargin * size_, kMarginPerTie * tie)) {}

  std::optional<Penetration<3>> prove(const SeparatingAxis<3>& axis) const {
    assert(is_unit(axis.normal));
    if (!make_facet(pair_, axis.features)) return std::nullopt;
    const auto& [a, b] = axis.features;
    if (a.kind == FeatureKind::face) return over_face_of_A(axis);
    return b.kind == FeatureKind::face ? over_face_of_B(axis) : over_edges(axis);
  }

  /// The axis on which the bodies would part last when they are drawn apart along the given one.
  std::optional<SeparatingAxis<3>> part(const SeparatingAxis<3>& axis) const {
    const V3 away = (kBarelyApart * size_ - axis.separation) * axis.normal;
    const Pose<3> X_AB{pair_.X_AB.R, pair_.X_AB.p - away};
    const auto walk = walk_to_closest_features<3>(pair_.A, pair_.B, X_AB, axis.features);
    if (walk.end != WalkEnd::closest) return std::nullopt;
    return follow_axis<3>(pair_, walk.features, axis.normal);
  }

 private:
  Cone cone(const SeparatingAxis<3>& axis, const V3& outward, const V3& tip) const {
    return {outward, tip, -axis.separation - tolerance_, -axis.separation + margin_};
  }

  static Penetration<3> proved(const SeparatingAxis<3>& axis, const Cone& cone) {
    return {axis, {}, axis.separation, std::max(axis.separation, -cone.lowest()), true};
  }

  std::optional<Penetration<3>> over_face_of_A(const SeparatingAxis<3>& axis) const {
    const auto loop = pair_.A.facet_vertices(axis.features.a.index);
    const V3 x = pair_.X_AB * pair_.B.vertex(axis.features.b.index);
    Cone c = cone(axis, -axis.normal, pair_.A.centre() - pair_.X_AB * pair_.B.centre());
    const auto corner = [&](int i) -> V3 { return pair_.A.vertex(loop[i]) - x; };
    if (!c.holds_ball(static_cast<int>(loop.size()), corner)) return std::nullopt;
    return proved(axis, c);
  }

  /// In the frame of B, over a face of B - A: the mirror image of that of A - B.
  std::optional<Penetration<3>> over_face_of_B(const SeparatingAxis<3>& axis) const {
    const int f = axis.features.b.index;
    const auto loop = pair_.B.facet_vertices(f);
    const V3 x = pair_.X_AB.to_local(pair_.A.vertex(axis.features.a.index));
    Cone c = cone(axis, pair_.B.plane(f).normal, pair_.B.centre() - pair_.X_AB.to_local(pair_.A.centre()));
    const auto corner = [&](int i) -> V3 { return pair_.B.vertex(loop[i]) - x; };
    if (!c.holds_ball(static_cast<int>(loop.size()), corner)) return std::nullopt;
    return proved(axis, c);
  }

  /// Two edges make a parallelogram.
  std::optional<Penetration<3>> over_edges(const SeparatingAxis<3>& axis) const {
    const Edge &ea = pair_.A.edge(axis.features.a.index), &eb = pair_.B.edge(axis.features.b.index);
    const V3 &a = pair_.A.vertex(ea.tail), &d = pair_.A.vertex(ea.head);
    const V3 b = pair_.X_AB * pair_.B.vertex(eb.tail), e = pair_.X_AB * pair_.B.vertex(eb.head);
    std::array<V3, 4> corners{a - b, d - b, d - e, a - e};
    if ((d - a).cross(b - e).dot(axis.normal) > 0) std::swap(corners[1], corners[3]);
    Cone c = cone(axis, -axis.normal, pair_.A.centre() - pair_.X_AB * pair_.B.centre());
    if (!c.holds_ball(4, [&](int i) -> V3 { return corners[i]; })) return std::nullopt;
    return proved(axis, c);
  }

  const PairInFrameA<3>& pair_;
  double size_, tolerance_, margin_;  ///< [m]
};

}  // namespace

template <int D>
SeparatingAxis<D> follow_axis(const PairInFrameA<D>& pair, const FeaturePair& features,
                              const Vec<D>& otherwise) {
  assert(is_unit(otherwise));
  SeparatingAxis<D> axis{0, otherwise, features};
  if (make_facet(pair, features)) axis.normal = feature_normal<D>(pair, features, Vec<D>::Zero());
  const SupportPair at =
      pair.supports(axis.normal, {vertex_of(pair.A, features.a), vertex_of(pair.B, features.b)});
  axis.separation = axis.normal.dot(pair.difference(at));
  // Of vertices that are level, the known one is as good as any, and more likely over the face.
  const double level = kCertified * pair.size();
  auto& [a, b] = axis.features;
  const Vec<D> m = pair.X_AB.R.transpose() * axis.normal;
  if (a.kind == FeatureKind::vertex && axis.normal.dot(pair.A.vertex(a.index) - pair.A.vertex(at.a)) > level)
    a.index = at.a;
  if (b.kind == FeatureKind::vertex && m.dot(pair.B.vertex(at.b) - pair.B.vertex(b.index)) > level)
    b.index = at.b;
  return axis;
}

template <>
std::optional<Penetration<2>> prove_near_facet(const PairInFrameA<2>&, const SeparatingAxis<2>&, double) {
  return std::nullopt;
}

template <>
std::optional<Penetration<3>> prove_near_facet(const PairInFrameA<3>& pair, const SeparatingAxis<3>& near,
                                               double tie) {
  if (near.separation > 0) return std::nullopt;
  assert(is_unit(near.normal));
  const FacetProof proof(pair, tie);
  if (auto answer = proof.prove(near)) return answer;
  if (near.separation < -kShallow * pair.size()) return std::nullopt;
  const auto parting = proof.part(near);
  if (!parting || parting->separation > 0) return std::nullopt;
  return proof.prove(*parting);
}

template SeparatingAxis<2> follow_axis(const PairInFrameA<2>&, const FeaturePair&, const Vec<2>&);
template SeparatingAxis<3> follow_axis(const PairInFrameA<3>&, const FeaturePair&, const Vec<3>&);

}  // namespace touchstone
