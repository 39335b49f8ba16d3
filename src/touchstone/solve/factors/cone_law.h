#pragma once
// Coulomb's law with compliance: what one contact of a ConeMatrix answers to its rates. Inside solve only.
//
// With a compliance R around an impulse c (the centre), u = rates + C p and S = C + R, the law
//
//     K* > u + R (p - c) + mu |u_t + R (p_t - c_t)| e_n  _|_  p in K
//
// has one answer, piece by piece:
//
//     p_n = max(0, c_n - u_n / S_n),   p_t = the point of the disk mu p_n nearest to c_t - u_t / S_t
//
// where u is taken at p = c. Its limit R -> 0 is Coulomb's law; so is its fixed point p = c for every R.

#include <vector>

#include "touchstone/solve/matrix/cone_products.h"
#include "touchstone/solve/problem.h"

namespace touchstone {

struct Cone {
  enum class Kind {
    contact,  ///< |p_t| <= mu p_n; without friction mu = 0
    bounded,  ///< |p_t| <= a constant, p_n stands for it: its normal row is no body's (a motor)
    free      ///< equations: a joint
  };
  Kind kind = Kind::contact;
  double mu = 0;
  double held = 0;                               ///< p_n of a bounded one
  LocalVector rates = LocalVector::Zero();       ///< u without any impulse
  LocalVector compliance = LocalVector::Zero();  ///< C
  double size = 1;                               ///< R at softness 1, in all components: as much as it yields
  double weight = 1;  ///< the largest of its own W_nn, W_tt: what an impulse of 1 moves there
};
inline bool is_joint(const Cone& cone) { return cone.kind != Cone::Kind::contact; }
std::vector<Cone> cones_of(const FrictionProblem& problem);

enum class ConePiece : char { open, stick, slide };

struct ConeResponse {
  LocalVector change;  ///< p - c
  Eigen::Matrix3d K;   ///< p falls by K du on this piece, to first order
  ConePiece piece = ConePiece::open;
};
ConeResponse respond(const Cone& cone, const LocalVector& centre, const LocalVector& u, double R);

/// The same around zero impulse on a piece that is given, whether the law would choose it or not.
ConeResponse respond_on(const Cone& cone, ConePiece piece, const LocalVector& u, double R);

/// Rates that the law of compliance R around zero answers with impulses near p, and the piece that it does so
/// on: the one that a proximal step of the contact's own weight chooses at rates u.
LocalVector rates_answered(const Cone& cone, const LocalVector& p, const LocalVector& u, double R,
                           ConePiece& piece);

/// K of a contact that carried p while its rates were u, at another compliance R around zero: the piece is
/// the one that a proximal step of the contact's own weight chooses. `change` is p there less K times its
/// rates there, which vanishes but for bounds that are reached.
ConeResponse remembered(const Cone& cone, const LocalVector& p, const LocalVector& u, double R);

/// r - proj_K(r - u - mu |u_t| e_n) of one contact; u of an equation.
LocalVector natural_error(const Cone& cone, const LocalVector& p, const LocalVector& u);

}  // namespace touchstone
