#pragma once
// Curves of answers v(t) around zero impulse, followed from one change of pieces to the next. Inside solve
// only.
//
//     F(v, t) = N^-1 v - G^T p(q + G v) = 0,      J = dF/dv = N^-1 + G^T K G
//
// Two things may change with t: the rates, from those that known impulses answer to those of this problem
// (q + (1 - t) d, t from 0 to 1), or the softness (t = -ln of it). While every contact keeps its piece (open,
// stick, slide) the curve is smooth and nearly straight, and the next contact to leave its piece is known
// beforehand: it gets its other piece and the curve goes on, so that each change costs one factorisation and
// none is searched for. The curve turns back in t where det J changes its sign, which keeps its orientation.

#include "touchstone/solve/factors/cone_step.h"

namespace touchstone {

template <int B>
class ConeTrace {
 public:
  /// The centre of `step` is zero.
  explicit ConeTrace(ConeStep<B>& step) : step_(step) {}

  /// From the answer of a neighbouring problem to that of this one, at the present softness. False: it was
  /// not reached with so many factorisations. Else it is the place of `step`.
  bool cross(const LocalVectors& from, int limit);
  /// From the answer of the present softness, the place of `step`, to that of this one.
  bool harden(double softness, int limit);
  /// How often the last curve turned back, or forwards again.
  int turns() const { return turns_; }

 private:
  struct Tangent {
    BlockVector<B> v;
    double t = 1;
  };
  /// The first contact to leave its piece; -1: none does, up to the end or as far as a step may go.
  struct Event {
    double far;  ///< along the tangent
    int contact = -1;
    ConePiece piece = ConePiece::open;
    bool is_end = false;
  };

  void begin(const LocalVectors& from);
  LocalVector aim_of(int c, const LocalVector& from, const LocalVector& u);
  void look();
  bool find_slope();
  bool find_tangent(Tangent& tangent);
  Event next_event(const Tangent& tangent) const;
  std::pair<LocalVector, LocalVector> way_of(int c, const Tangent& tangent) const;
  void go(const Tangent& tangent, double far);
  bool meet(const Tangent& tangent, Event& event);
  bool overlooked(const LocalVectors& from, Event& event) const;
  bool advance(const Tangent& tangent, Event& event, int limit);
  bool correct(const Tangent& tangent, bool at_end);
  double product(const BlockVector<B>& x, const BlockVector<B>& y) const;

  bool follow(int limit);

  ConeStep<B>& step_;
  LocalVectors shift_, rates_;  ///< d; u of where it is
  typename ConeStep<B>::Place here_;
  BlockVector<B> slope_;  ///< dv/dt by the factors at hand
  bool hardens_ = false;
  double t_ = 0, end_ = 1, least_ = 0, longest_ = 0;  ///< t may not fall below the least
  double unit_ = 1;                                   ///< of velocities (roots of energy), as long as 1 of t
  double share_ = 1;                                  ///< of the way to the next event that is gone at once
  int orientation_ = 0;                               ///< the sign of det J where t grows
  int idle_ = 0, turns_ = 0, way_ = 1;                ///< idle_: changes without a step between
};

}  // namespace touchstone
