#pragma once
// Coulomb's cone K = { r : |r_t| <= mu r_n }, whose normal component comes first, in the plane and in space.

#include <Eigen/Core>

namespace touchstone {

template <int D>
using ContactVector = Eigen::Matrix<double, D, 1>;
template <int D>
using ContactMatrix = Eigen::Matrix<double, D, D>;

/// The nearest point of K. With mu = 0 the cone is the ray of the normal.
template <int D>
ContactVector<D> project_on_cone(const ContactVector<D>& x, double mu);

/// A generalised derivative of project_on_cone: the derivative where there is one, a limit of it elsewhere.
template <int D>
ContactMatrix<D> cone_projection_derivative(const ContactVector<D>& x, double mu);

/// The velocity of De Saxce's bipotential, u + mu |u_t| e_n: with it Coulomb's law is u' in K*, r in K, u'.r
/// = 0.
template <int D>
ContactVector<D> augmented_velocity(const ContactVector<D>& u, double mu);

/// r - proj_K(r - rho (u + mu |u_t| e_n)); zero where r and u obey Coulomb's law.
template <int D>
ContactVector<D> natural_map(const ContactVector<D>& r, const ContactVector<D>& u, double mu, double rho = 1);

}  // namespace touchstone
