#pragma once
// The curve of answers (v, s = ln softness) around zero impulse, followed by its arc length through the folds
// where it turns back towards softer contacts. Inside solve only.
//
//     F(v, s) = N^-1 v - G^T p = 0,    J = dF/dv = N^-1 + G^T K G,    g = dF/ds = G^T p'
//
// All impulses scale as 1/softness at fixed rates, so that p' = p (0 of joints, which do not yield). The
// tangent is (J^-1 g, -1) where det J has the sign that it has at the soft end, and the reverse where it has
// not (the sign keeps the orientation). Newton's method on F and the plane across the tangent leads
// back to the curve. It is smooth in pieces only: where this fails, a contact stands on the border of its
// piece, and the tangent is taken on the other side.

#include "touchstone/solve/factors/cone_step.h"

namespace touchstone {

template <int B>
class ConeCurve {
 public:
  /// The present place of `step` is on the curve, its centre at zero.
  explicit ConeCurve(ConeStep<B>& step);

  /// To this softness. False: it was not reached with so many factorisations.
  bool follow(double softness, int limit);
  int turns() const { return turns_; }

 private:
  struct Tangent {
    BlockVector<B> v;
    double s = -1;
  };
  using Place = typename ConeStep<B>::Place;

  bool tangent_at(const Place& place, Tangent& tangent);
  void advance(const Tangent& tangent, double length, Place& place, double& s) const;
  bool correct(const Tangent& tangent, double length, Place& place, double& s);
  bool move(const Tangent& tangent);
  bool cross_kink(const Tangent& ahead);
  double product(const BlockVector<B>& x, const BlockVector<B>& y) const;
  void normalise(Tangent& tangent) const;

  ConeStep<B>& step_;
  Place here_, next_;
  double s_, next_s_ = 0, length_, unit_ = 1;  ///< unit_: of velocities (roots of energy), as long as 1 of s
  int turns_ = 0, way_ = -1;
};

}  // namespace touchstone
