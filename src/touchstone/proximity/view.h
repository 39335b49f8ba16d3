#pragma once
// A polytope seen from the frame of A: A itself as it is, B through its pose. Private to proximity/.

#include "touchstone/geometry/polytope.h"
#include "touchstone/math/pose.h"

namespace touchstone {

template <int D>
class View {
 public:
  /// `X` places the polytope in the common frame; null: it is in that frame already.
  View(const Polytope<D>& P, const Pose<D>* X) : P_(&P), X_(X) {}

  const Polytope<D>& polytope() const { return *P_; }
  const Edge& edge(int e) const { return P_->edge(e); }

  // Polytope -> common frame.
  Vec<D> vertex(int v) const { return X_ ? Vec<D>(*X_ * P_->vertex(v)) : P_->vertex(v); }
  /// From an edge's tail to its head: of a body that is small beside its distance from the origin of the
  /// frame, the difference of two vertices there would be mostly round-off.
  Vec<D> along(const Edge& e) const { return direction(P_->vertex(e.head) - P_->vertex(e.tail)); }
  Vec<D> plane_normal(int f) const { return direction(P_->plane(f).normal); }
  Plane<D> plane(int f) const { return X_ ? *X_ * P_->plane(f) : P_->plane(f); }
  Vec<D> direction(const Vec<D>& d) const { return X_ ? Vec<D>(X_->R * d) : d; }

  // Common frame -> polytope.
  Vec<D> to_local(const Vec<D>& x) const { return X_ ? X_->to_local(x) : x; }
  Vec<D> to_local_direction(const Vec<D>& d) const { return X_ ? Vec<D>(X_->R.transpose() * d) : d; }

 private:
  const Polytope<D>* P_;
  const Pose<D>* X_;
};

}  // namespace touchstone
