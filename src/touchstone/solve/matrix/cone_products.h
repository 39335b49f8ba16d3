#pragma once
// The unknowns of a ConeMatrix as local vectors (normal, first tangent, second tangent), and back; the
// passes over contacts are those of pyramid_products.h. Inside solve only.

#include "touchstone/solve/matrix/cone_matrix.h"
#include "touchstone/solve/matrix/pyramid_products.h"

namespace touchstone {

inline void local_of(const ConeFactors& factors, const Eigen::VectorXd& r, LocalVectors& p) {
  const int D = factors.dimension;
  assert(r.size() == factors.row_count() && static_cast<int>(p.size()) == factors.contact_count());
  for (int c = 0; c < factors.contact_count(); ++c) {
    p[c].setZero();
    p[c].head(D) = r.segment(D * c, D);
  }
}

inline Eigen::VectorXd unknowns_of(const ConeFactors& factors, const LocalVectors& p) {
  const int D = factors.dimension;
  Eigen::VectorXd r(factors.row_count());
  for (int c = 0; c < factors.contact_count(); ++c) r.segment(D * c, D) = p[c].head(D);
  return r;
}

}  // namespace touchstone
