#pragma once
// Coulomb's law at one contact, solved exactly.

#include "touchstone/solve/friction/cone.h"

namespace touchstone {

/// u = W r + q at a single contact.
template <int D>
struct OneContact {
  ContactMatrix<D> W;  ///< positive definite; need not be symmetric
  ContactVector<D> q;
  double mu = 0;
};

enum class ContactState { open, stick, slide };

template <int D>
struct ContactAnswer {
  ContactVector<D> r;
  ContactState state = ContactState::open;
};

/// Opens where q_n >= 0, else sticks where that needs no more friction than there is, else slides: then
///     u_n = 0,  u_t = -lambda r_t,  |r_t| = mu r_n,  lambda > 0,
/// and with S = W_tt - W_tn W_nt / W_nn and s = q_t - W_tn q_n / W_nn
///     r_t = -(S + lambda)^-1 s,   r_n = -(q_n + W_nt r_t) / W_nn:
/// one equation |r_t| = mu r_n in lambda, which has a root, since sticking (lambda = 0) breaks the law on one
/// side and lambda = infinity on the other. A contact whose W_nn vanishes cannot be pushed: r = 0.
///
/// Where normal and tangent are strongly coupled (Painleve) there may be other answers beside r = 0: then the
/// one of the kind that `before` is (the impulse so far) is given, else a sweep could not stay at a solution.
template <int D>
ContactAnswer<D> solve_contact(const OneContact<D>& contact, const ContactVector<D>& before);

}  // namespace touchstone
