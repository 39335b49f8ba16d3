#pragma once
// The algebra of the second-order cone { x : x_0 >= |x_1| } that interior-point methods use [Alizadeh,
// Goldfarb; Vandenberghe, for the scaling].

#include "touchstone/solve/friction/cone.h"

namespace touchstone {

/// x_0^2 - |x_1|^2: positive inside, zero on the boundary.
template <int D>
double cone_determinant(const ContactVector<D>& x);

/// The product x o y = (x . y, x_0 y_1 + y_0 x_1); its identity is e = (1, 0).
template <int D>
ContactVector<D> cone_product(const ContactVector<D>& x, const ContactVector<D>& y);

/// The x with l o x = y; l lies inside.
template <int D>
ContactVector<D> cone_quotient(const ContactVector<D>& l, const ContactVector<D>& y);

/// The longest t <= `most` for which x + t dx stays in the cone; x lies inside.
template <int D>
double cone_step(const ContactVector<D>& x, const ContactVector<D>& dx, double most);

/// Nesterov and Todd's symmetric V with V z = V^-1 s; z and s lie inside.
template <int D>
ContactMatrix<D> cone_scaling(const ContactVector<D>& z, const ContactVector<D>& s);

}  // namespace touchstone
