#pragma once
// One contact of a PyramidMatrix: what its impulse may be. Inside solve only.
//
// The tangential impulse lies in the polygon  rho P,  rho = mu p_n + bound,  whose corners are the sides of
// the pyramid, and takes from the motion as much as it can there: the conditions of the complementarity
// problem, said of three numbers instead of ten.

#include "touchstone/solve/linear_problem.h"
#include "touchstone/solve/matrix/pyramid_products.h"

namespace touchstone {

/// The part of a problem that is one contact's, with what does not change while it is solved.
struct PyramidCone {
  const Eigen::Vector2d* corners = nullptr;  ///< of P
  int corner_count = 0;                      ///< 0: no friction; 2: the two ways along the first tangent
  bool has_normal = true;
  double mu = 0, bound = 0;
  LocalVector free = LocalVector::Zero();  ///< rates without any impulse

  double radius(double normal_impulse) const { return mu * normal_impulse + bound; }
};

std::vector<PyramidCone> pyramid_cones(const LinearProblem& problem);

/// How a contact answers to its rates in a proximal step from the impulse `centre`:
///     p_n = max(0, c_n - w_n / R_n),    p_t = the point of rho P nearest to c_t - w_t / R_t.
struct PyramidResponse {
  LocalVector p;
  Eigen::Matrix3d K;  ///< p changes by -K dw on the present piece
  int piece = 0;      ///< of this piecewise linear map; pyramid_cone.cpp tells how they are numbered
};
PyramidResponse respond(const PyramidCone& cone, const LocalVector& centre, const LocalVector& w, double R_n,
                        double R_t);

/// The same on a given piece, wherever it ends.
PyramidResponse respond_on(const PyramidCone& cone, int piece, const LocalVector& centre,
                           const LocalVector& w, double R_n, double R_t);
/// The largest k for which p + k change stays on this piece; infinite where every k does.
double repeats_within(const PyramidCone& cone, int piece, const LocalVector& p, const LocalVector& change);
/// The piece on which unknowns z with rows w would be a solution: of each pair the larger one is not zero.
int piece_of(const PyramidCone& cone, const PyramidContact& contact, const VectorX& z, const VectorX& w);

/// The point of rho P nearest to y, and the piece of its boundary: -1 inside, 2 i corner i, 2 i + 1 the edge
/// that begins there.
Eigen::Vector2d nearest_in_pyramid(const PyramidCone& cone, double radius, const Eigen::Vector2d& y,
                                   int& piece);

/// The unknowns of the problem for impulses with the rates that they make.
VectorX unknowns_of(const PyramidFactors& factors, const std::vector<PyramidCone>& cones,
                    const LocalVectors& p, const LocalVectors& w);
/// |min(z, w)| over these unknowns, largest; infinite where a number is not finite.
double worst_of_unknowns(const PyramidFactors& factors, const std::vector<PyramidCone>& cones,
                         const VectorX& z, const LocalVectors& w);

}  // namespace touchstone
