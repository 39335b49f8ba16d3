#pragma once
// What a shape answers by its kind: one row per kind, a specialisation of KindRow. Private to geometry/;
// bounds.h asks the rows.
//
// A new kind of shape is a new alternative of Shape<D> (shapes.h) and a new row here. The compiler refuses an
// alternative without a row, and a row without one of the answers.

#include <cassert>
#include <limits>
#include <variant>

#include "touchstone/geometry/extremal.h"
#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/ball.h"
#include "touchstone/math/box.h"
#include "touchstone/math/pose.h"
#include "touchstone/math/tolerance.h"

namespace touchstone {

/// kName, kRound, ball, thickness, furthest, box, turning_box, mass, polytope, plane: what they mean says
/// bounds.h.
template <class Kind>
struct KindRow;

template <int D>
struct KindRow<Polytope<D>> {
  static constexpr const char* kName = "polytope";
  static constexpr bool kRound = false;
  static Ball<D> ball(const Polytope<D>& P) { return {P.centre(), P.radius()}; }
  static double thickness(const Polytope<D>& P) { return 2 * P.inner_radius(); }
  static Vec<D> furthest(const Polytope<D>& P, const Vec<D>& direction) {
    assert(direction.squaredNorm() > 0);
    return P.vertex(find_extremal<D>(P, direction));
  }
  static Box<D> box(const Polytope<D>& P, const Pose<D>& X_WB);
  static Box<D> turning_box(const Polytope<D>& P, const Pose<D>& from, const Pose<D>& to);
  static MassProperties<D> mass(const Polytope<D>& P) { return find_mass_properties(P); }
  static const Polytope<D>* polytope(const Polytope<D>& P) { return &P; }
  static const Plane<D>* plane(const Polytope<D>&) { return nullptr; }
};

template <int D>
struct KindRow<Sphere<D>> {
  static constexpr const char* kName = "sphere";
  static constexpr bool kRound = true;
  static Ball<D> ball(const Sphere<D>& S) { return {Vec<D>::Zero(), S.radius}; }
  static double thickness(const Sphere<D>& S) { return 2 * S.radius; }
  static Vec<D> furthest(const Sphere<D>& S, const Vec<D>& direction) {
    assert(direction.squaredNorm() > 0);
    return S.radius * direction.normalized();
  }
  static Box<D> box(const Sphere<D>& S, const Pose<D>& X_WB);
  static Box<D> turning_box(const Sphere<D>& S, const Pose<D>& from, const Pose<D>& to);
  static MassProperties<D> mass(const Sphere<D>& S);
  static const Polytope<D>* polytope(const Sphere<D>&) { return nullptr; }
  static const Plane<D>* plane(const Sphere<D>&) { return nullptr; }
};

template <int D>
struct KindRow<HalfSpace<D>> {
  static constexpr const char* kName = "half-space";
  static constexpr bool kRound = false;
  static Ball<D> ball(const HalfSpace<D>&) {
    return {Vec<D>::Zero(), std::numeric_limits<double>::infinity()};
  }
  static double thickness(const HalfSpace<D>&) { return std::numeric_limits<double>::infinity(); }
  /// Bounded along the normal only, where every point of the plane serves.
  static Vec<D> furthest(const HalfSpace<D>& H, [[maybe_unused]] const Vec<D>& direction) {
    assert(direction.normalized().isApprox(H.plane.normal, kParallel));
    return H.plane.offset * H.plane.normal;
  }
  static Box<D> box(const HalfSpace<D>& H, const Pose<D>& X_WB);
  static Box<D> turning_box(const HalfSpace<D>& H, const Pose<D>& from, const Pose<D>& to);
  static MassProperties<D> mass(const HalfSpace<D>&) { return {}; }  // it has no end
  static const Polytope<D>* polytope(const HalfSpace<D>&) { return nullptr; }
  static const Plane<D>* plane(const HalfSpace<D>& H) { return &H.plane; }
};

/// What `question` answers of the shape's row and of the shape itself.
template <int D, class Question>
auto ask_row(const Shape<D>& shape, const Question& question) {
  return std::visit([&]<class Kind>(const Kind& kind) { return question(KindRow<Kind>(), kind); }, shape);
}

}  // namespace touchstone
