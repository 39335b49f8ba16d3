// (M + D) dz = r, of which each step of the interior-point method solves two [solve/lcp/mehrotra.h]. With y =
// G dv the local rates that it makes, S = sum 1/D_k + D_s, b = sum a_k/D_k, the unknowns of one contact
// follow from y alone:
//
//     dp_n = (r_n - y_n) / D_n
//     ds   = (r_s - mu dp_n + sum (r_k - a_k.y_t)/D_k) / S
//     dp_k = (r_k - a_k.y_t - ds) / D_k
//
// and their impulse is f - K y with
//
//     K = [ 1/D_n             0                          ]
//         [ mu b / (D_n S)    sum a_k a_k^T/D_k - b b^T/S ]
//
// so that (N^-1 + G^T K G) dv = G^T f. D spans twenty orders of magnitude: the lower right block is written
// as the moment of the a_k about their mean m = b / sum 1/D_k, and m m^T (S - D_s) D_s / S.

#include "touchstone/solve/factors/pyramid_interior_point.h"

#include <algorithm>
#include <cassert>

#include "touchstone/solve/lcp/mehrotra.h"

namespace touchstone {
namespace {

/// Least D, relative to the size of the row (1 for those of s).
constexpr double kLeastShift = 1e-8;
/// Of each linear system.
constexpr int kRefinements = 1;

/// M + D in its factors.
template <int B>
class ShiftedPyramids {
 public:
  ShiftedPyramids(const PyramidFactors& factors, PyramidSystem<B>& system);

  double largest_entry() const { return largest_; }
  bool factor(const VectorX& D);
  VectorX solve(const VectorX& r);

 private:
  Eigen::Matrix3d stiffness(const PyramidContact& contact) const;
  void follow(const PyramidContact& contact, const LocalVector& y, const VectorX& r, VectorX& dz) const;
  void add_solution(BlockVector<B> f, const VectorX& r, VectorX& dz);

  const PyramidFactors& factors_;
  PyramidSystem<B>& system_;
  double largest_ = 1;           ///< that of the rows of s, unless others are larger
  VectorX shift_, least_shift_;  ///< D
  std::vector<Eigen::Matrix3d> K_;
  LocalVectors local_;
  BlockVector<B> v_, gathered_;
};

template <int B>
ShiftedPyramids<B>::ShiftedPyramids(const PyramidFactors& factors, PyramidSystem<B>& system)
    : factors_(factors),
      system_(system),
      least_shift_(VectorX::Constant(factors.size, kLeastShift)),
      K_(factors.contact_count()),
      local_(factors.contact_count()),
      v_(factors.block_count()),
      gathered_(factors.block_count()) {
  for (int c = 0; c < factors_.contact_count(); ++c) {
    const PyramidContact& contact = factors_.contacts[c];
    const LocalVector sizes = local_sizes<B>(factors_, c);
    largest_ = std::max(largest_, sizes.maxCoeff());
    if (contact.normal >= 0) least_shift_[contact.normal] *= sizes[0];
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k) least_shift_[k] *= sizes[1];
  }
}

template <int B>
bool ShiftedPyramids<B>::factor(const VectorX& D) {
  assert(D.size() == factors_.size);
  shift_ = D.cwiseMax(least_shift_);
  for (int c = 0; c < factors_.contact_count(); ++c) K_[c] = stiffness(factors_.contacts[c]);
  return system_.factor(K_);
}

template <int B>
Eigen::Matrix3d ShiftedPyramids<B>::stiffness(const PyramidContact& contact) const {
  Eigen::Matrix3d K = Eigen::Matrix3d::Zero();
  if (contact.normal >= 0) K(0, 0) = 1 / shift_[contact.normal];
  if (contact.slip < 0) return K;
  double sum = 0;
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  for (int k = contact.sides; k < contact.sides + contact.side_count; ++k)
    sum += 1 / shift_[k], mean += factors_.side[k] / shift_[k];
  mean /= sum;
  const double S = sum + shift_[contact.slip];
  for (int k = contact.sides; k < contact.sides + contact.side_count; ++k) {
    const Eigen::Vector2d off = factors_.side[k] - mean;
    K.bottomRightCorner<2, 2>() += off * off.transpose() / shift_[k];
  }
  K.bottomRightCorner<2, 2>() += shift_[contact.slip] * sum / S * mean * mean.transpose();
  K.bottomLeftCorner<2, 1>() = contact.mu * K(0, 0) * sum / S * mean;
  return K;
}

/// The unknowns of a contact for the rates y.
template <int B>
void ShiftedPyramids<B>::follow(const PyramidContact& contact, const LocalVector& y, const VectorX& r,
                                VectorX& dz) const {
  double dp_n = 0;
  if (contact.normal >= 0) dp_n = dz[contact.normal] = (r[contact.normal] - y[0]) / shift_[contact.normal];
  if (contact.slip < 0) return;
  double S = shift_[contact.slip], above = r[contact.slip] - contact.mu * dp_n;
  for (int k = contact.sides; k < contact.sides + contact.side_count; ++k) {
    dz[k] = r[k] - factors_.side[k].dot(y.tail<2>());
    S += 1 / shift_[k], above += dz[k] / shift_[k];
  }
  dz[contact.slip] = above / S;
  for (int k = contact.sides; k < contact.sides + contact.side_count; ++k)
    dz[k] = (dz[k] - dz[contact.slip]) / shift_[k];
}

/// N^-1 dv - G^T dp = f,  rows of G dv + D dz = r:  adds to v and z what solves this.
template <int B>
void ShiftedPyramids<B>::add_solution(BlockVector<B> f, const VectorX& r, VectorX& dz) {
  VectorX part = VectorX::Zero(factors_.size);
  for (const PyramidContact& contact : factors_.contacts) follow(contact, LocalVector::Zero(), r, part);
  impulses_of(factors_, part, local_);
  gather<B>(factors_, local_, gathered_);
  for (std::size_t b = 0; b < f.size(); ++b) f[b] += gathered_[b];
  system_.solve(f);
  rates_of<B>(factors_, f, local_);
  for (int c = 0; c < factors_.contact_count(); ++c) follow(factors_.contacts[c], local_[c], r, part);
  for (std::size_t b = 0; b < f.size(); ++b) v_[b] += f[b];
  dz += part;
}

/// (M + D) dz = r. Where D nearly vanishes, dz is a small difference over a small number; both equations are
/// solved for their errors until these are small [Bjorck].
template <int B>
VectorX ShiftedPyramids<B>::solve(const VectorX& r) {
  assert(r.size() == factors_.size && shift_.size() == r.size());  // factor() was called
  VectorX dz = VectorX::Zero(factors_.size), error = r;
  BlockVector<B> f(v_.size(), Eigen::Matrix<double, B, 1>::Zero());
  std::fill(v_.begin(), v_.end(), Eigen::Matrix<double, B, 1>::Zero());
  add_solution(f, error, dz);
  for (int pass = 0; pass < kRefinements; ++pass) {
    impulses_of(factors_, dz, local_);
    gather<B>(factors_, local_, f);
    for (std::size_t b = 0; b < f.size(); ++b) f[b] -= system_.mass()[b] * v_[b];
    rates_of<B>(factors_, v_, local_);
    error.setZero();
    add_rows(factors_, local_, dz, error);
    error = r - error - shift_.cwiseProduct(dz);
    add_solution(f, error, dz);
  }
  return dz;
}

}  // namespace

template <int B>
Candidate pyramid_interior_point(const LinearProblem& problem, PyramidSystem<B>& system, int limit,
                                 double tolerance, const PyramidGuess& guess) {
  assert(problem.M.pyramid() && problem.free_count() == 0 && limit >= 0);
  ShiftedPyramids<B> shifted(problem.M.pyramid()->factors(), system);
  return Mehrotra(problem, shifted).run(limit, tolerance, guess);
}

template Candidate pyramid_interior_point<3>(const LinearProblem&, PyramidSystem<3>&, int, double,
                                             const PyramidGuess&);
template Candidate pyramid_interior_point<6>(const LinearProblem&, PyramidSystem<6>&, int, double,
                                             const PyramidGuess&);

}  // namespace touchstone
