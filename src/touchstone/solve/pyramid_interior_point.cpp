// One Newton step of the interior-point method is (M + Z^-1 W) dz = r [interior_point.cpp]. With D = Z^-1 W,
// y = G dv the local rates that it makes, S = sum 1/D_k + D_s, b = sum a_k/D_k, the unknowns of one contact
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

#include "touchstone/solve/pyramid_interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

constexpr int kMostSteps = 60;
/// So many steps without a smaller residual are in vain.
constexpr int kMostInVain = 30;
/// How far towards the boundary of z, w >= 0 a step may go.
constexpr double kToBoundary = 0.995;
/// Least D, relative to the size of the row (1 for those of s).
constexpr double kLeastShift = 1e-8;
/// Steps shorter than this lead nowhere.
constexpr double kStuck = 1e-8;
constexpr int kStuckSteps = 3;
/// Of each linear system.
constexpr int kRefinements = 1;
/// What the unknowns lead to is often plain when two digits are right.
constexpr double kGuessable = 1e-2;

using EnoughTest = std::function<bool(const VectorX&, const VectorX&)>;

template <int B>
class PyramidInteriorPoint {
 public:
  PyramidInteriorPoint(const LinearProblem& problem, PyramidSystem<B>& system);
  Attempt run(const SolveSettings& settings, const EnoughTest& is_enough);

 private:
  struct Step {
    VectorX z, w;
  };

  void start();
  double complementarity() const { return z_.dot(w_) / n_; }
  bool factor();
  Eigen::Matrix3d stiffness(const PyramidContact& contact) const;
  void follow(const PyramidContact& contact, const LocalVector& y, const VectorX& r, VectorX& dz) const;
  void add_solution(BlockVector<B> f, const VectorX& r, VectorX& dz);
  VectorX solve(const VectorX& r);
  Step newton(double target, const Step& correction);
  double longest(const Step& step) const;
  double advance();

  const LinearProblem& problem_;
  const PyramidFactors& factors_;
  PyramidSystem<B>& system_;
  int n_;
  VectorX z_, w_, image_, shift_, least_shift_;  ///< image: M z + q; shift: D
  std::vector<Eigen::Matrix3d> K_;
  LocalVectors local_;
  BlockVector<B> v_, gathered_;
};

template <int B>
PyramidInteriorPoint<B>::PyramidInteriorPoint(const LinearProblem& problem, PyramidSystem<B>& system)
    : problem_(problem),
      factors_(problem.M.pyramid()->factors()),
      system_(system),
      n_(problem.size()),
      shift_(n_),
      least_shift_(VectorX::Constant(n_, kLeastShift)),
      K_(factors_.contact_count()),
      local_(factors_.contact_count()),
      v_(factors_.block_count()),
      gathered_(factors_.block_count()) {
  for (int c = 0; c < factors_.contact_count(); ++c) {
    const PyramidContact& contact = factors_.contacts[c];
    const LocalVector sizes = local_sizes<B>(factors_, c);
    if (contact.normal >= 0) least_shift_[contact.normal] *= sizes[0];
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k) least_shift_[k] *= sizes[1];
  }
}

/// Far inside and of the problem's size, so that the first steps are long.
template <int B>
void PyramidInteriorPoint<B>::start() {
  const double q_size = std::max(1.0, problem_.q.template lpNorm<Eigen::Infinity>());
  double m_size = 1;
  for (int c = 0; c < factors_.contact_count(); ++c)
    m_size = std::max(m_size, local_sizes<B>(factors_, c).maxCoeff());
  z_ = VectorX::Constant(n_, q_size / m_size);
  image_ = problem_.M * z_ + problem_.q;
  w_ = image_.cwiseMax(q_size);
}

template <int B>
bool PyramidInteriorPoint<B>::factor() {
  shift_ = w_.cwiseQuotient(z_).cwiseMax(least_shift_);
  for (int c = 0; c < factors_.contact_count(); ++c) K_[c] = stiffness(factors_.contacts[c]);
  return system_.factor(K_);
}

template <int B>
Eigen::Matrix3d PyramidInteriorPoint<B>::stiffness(const PyramidContact& contact) const {
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
void PyramidInteriorPoint<B>::follow(const PyramidContact& contact, const LocalVector& y, const VectorX& r,
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
void PyramidInteriorPoint<B>::add_solution(BlockVector<B> f, const VectorX& r, VectorX& dz) {
  VectorX part = VectorX::Zero(n_);
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
VectorX PyramidInteriorPoint<B>::solve(const VectorX& r) {
  VectorX dz = VectorX::Zero(n_), error = r;
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

template <int B>
typename PyramidInteriorPoint<B>::Step PyramidInteriorPoint<B>::newton(double target,
                                                                       const Step& correction) {
  VectorX aim = VectorX::Constant(n_, target);
  if (correction.z.size() > 0) aim -= correction.z.cwiseProduct(correction.w);
  const VectorX r = aim.cwiseQuotient(z_) - image_;
  Step step{solve(r), VectorX(n_)};
  step.w = (aim - w_.cwiseProduct(step.z)).cwiseQuotient(z_) - w_;
  return step;
}

template <int B>
double PyramidInteriorPoint<B>::longest(const Step& step) const {
  double length = 1 / kToBoundary;
  for (int i = 0; i < n_; ++i) {
    if (step.z[i] < 0) length = std::min(length, -z_[i] / step.z[i]);
    if (step.w[i] < 0) length = std::min(length, -w_[i] / step.w[i]);
  }
  return length;
}

/// Returns the length of the step.
template <int B>
double PyramidInteriorPoint<B>::advance() {
  if (!factor()) return 0;
  const double mu = complementarity();
  const Step predictor = newton(0, {});
  const double reach = std::min(1.0, longest(predictor));
  const double ahead = (z_ + reach * predictor.z).dot(w_ + reach * predictor.w) / n_;
  const double centring = mu > 0 ? std::pow(std::clamp(ahead / mu, 0.0, 1.0), 3) : 0;
  const Step step = newton(centring * mu, predictor);
  if (!step.z.allFinite() || !step.w.allFinite()) return 0;
  const double length = std::min(1.0, kToBoundary * longest(step));
  z_ += length * step.z;
  w_ += length * step.w;
  image_ = problem_.M * z_ + problem_.q;
  return length;
}

template <int B>
Attempt PyramidInteriorPoint<B>::run(const SolveSettings& settings, const EnoughTest& is_enough) {
  start();
  const double scale = 1 + problem_.q.template lpNorm<Eigen::Infinity>();
  const auto residual_here = [&] {
    if (!image_.allFinite()) return std::numeric_limits<double>::infinity();
    return z_.cwiseMin(image_).template lpNorm<Eigen::Infinity>() / scale;
  };
  Attempt best{z_, SolveStatus::inaccurate, 0};
  double least = residual_here();
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : kMostSteps;
  int stuck = 0, in_vain = 0;
  while (best.iterations < limit && least > settings.tolerance && stuck < kStuckSteps &&
         in_vain < kMostInVain) {
    const double length = advance();
    ++best.iterations;
    if (length == 0) break;  // the system is singular, and would be again
    stuck = length < kStuck ? stuck + 1 : 0;
    const double reached = residual_here();
    in_vain = reached < least ? 0 : in_vain + 1;
    if (reached < least) best.z = z_, least = reached;
    if (reached < kGuessable && is_enough(z_, image_)) break;
  }
  if (least <= settings.tolerance) best.status = SolveStatus::solved;
  return best;
}

}  // namespace

template <int B>
Attempt pyramid_interior_point(const LinearProblem& problem, PyramidSystem<B>& system,
                               const SolveSettings& settings, const EnoughTest& is_enough) {
  return PyramidInteriorPoint<B>(problem, system).run(settings, is_enough);
}

template Attempt pyramid_interior_point<3>(const LinearProblem&, PyramidSystem<3>&, const SolveSettings&,
                                           const EnoughTest&);
template Attempt pyramid_interior_point<6>(const LinearProblem&, PyramidSystem<6>&, const SolveSettings&,
                                           const EnoughTest&);

}  // namespace touchstone
