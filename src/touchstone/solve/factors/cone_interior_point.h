#pragma once
// The interior-point method for round cones in factors: where the curve of vanishing compliance is lost, a
// start for proximal steps. Inside solve only.
//
// With z = (mu r_n, r_t) and s = (u_n/mu + |u_t|, u_t), both in the Lorentz cone, z o s = t e and Nesterov
// and Todd's scaling V, one step is one system of the size of the bodies [docs/friction.md]:
//
//     H = M + G^T T V^-2 T S G,      S = [1  mu u_t^T/|u_t|; 0 I],   T = diag(1/mu, 1, 1)
//     H dv = G^T T (V^-1 aim - V^-2 missing) + (G^T r - M v),        missing = s(u) - s
//
// v is a variable of its own, and its error stands on the right-hand side: without this the method breaks
// down at t = 1e-8.

#include "touchstone/solve/factors/cone_step.h"
#include "touchstone/solve/friction/cone_algebra.h"

namespace touchstone {

template <int B>
class ConeInteriorPoint {
 public:
  explicit ConeInteriorPoint(ConeStep<B>& step);

  /// At most so many steps. Returns the impulses at the least gap between r and u that was reached.
  LocalVectors run(int limit);

 private:
  using Vector = ContactVector<3>;
  using Matrix = ContactMatrix<3>;
  struct State {
    Vector z, s, dz, ds;
    Matrix V, inverse;   ///< the scaling
    Vector lambda, aim;  ///< V z; V dz + V^-1 ds shall be `aim`
    Vector missing;
    Matrix slope;    ///< ds/du in units
    Matrix squared;  ///< V^-2, for a bounded one without its constant component
  };

  bool is_cone(int c) const { return step_.cones()[c].kind != Cone::Kind::free; }
  bool is_bounded(int c) const { return step_.cones()[c].kind == Cone::Kind::bounded; }
  double mu(int c) const { return step_.cones()[c].mu > 0 ? step_.cones()[c].mu : 1; }
  void measure();
  void scale(int c, const LocalVector& u);
  Vector pushed(int c, const Vector& aim, const Vector& missing) const;
  bool find_step();
  double longest_step(double most) const;
  void aim_at_centre(double length);
  void move(double length);
  LocalVectors impulses() const;

  ConeStep<B>& step_;
  double speed_ = 1, push_ = 1;  ///< units
  double gap_ = 1, missing_ = 1;
  std::vector<State> states_;
  BlockVector<B> v_, dv_;
};

}  // namespace touchstone
