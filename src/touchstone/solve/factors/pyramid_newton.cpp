// How proximal steps (pyramid_step.h) lead to a solution: soft ones first, then harder ones. Where a step
// fails, the interior-point method leads near a solution, or sweeps over the contacts do; and once the pieces
// of a solution are known, it is found on them.

#include "touchstone/solve/factors/pyramid_newton.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/solve/factors/pyramid_interior_point.h"
#include "touchstone/solve/factors/pyramid_step.h"
#include "touchstone/solve/lcp/proximal_steps.h"

namespace touchstone {
namespace {

/// The softness of the hardest proximal steps. Harder ones would lose to round-off what they gain: rates of
/// size 1 over R are impulses with an error of 1e-16 / R.
constexpr double kHard = 1e-6;
/// A start with a smaller residual has nearly the right pieces; others are worth kSweeps sweeps at a time.
constexpr double kNearlyRight = 1e-5;
constexpr int kSweeps = 40;
/// Factorisations before the interior-point method is asked, and after it.
constexpr int kMostFactorisations = 50;
/// Limits of all factorisations together, and of the steps of the interior-point method: a thousand still
/// take less time than one solution by the entries of the matrix.
constexpr int kMostInAll = 1500, kMostInteriorSteps = 60;
/// Turns of sweeps and Newton's method after that.
constexpr int kMostTurns = 30;
constexpr int kMostProximalSteps = 30;
/// How often the solution on given pieces is refined, and the residual below which it is worth to look for
/// one.
constexpr int kPasses = 6;
constexpr double kGuessable = 1e-4;
/// Where one solution on its pieces is enough for that, an answer is brought down to this part of the
/// tolerance: the energies of a step are sums over all rows.
constexpr double kFurther = 0.01;

template <int B>
class PyramidNewton {
 public:
  PyramidNewton(const LinearProblem& problem, const SolveSettings& settings);
  Candidate run(const VectorX& start);

 private:
  int factorisations() const { return step_.factorisations() + inside_; }
  void move_centre(const LocalVectors& p);
  void move_centre(const VectorX& z);
  Pace improve_once(double softness);
  bool make_step(double softness);
  void sweep_often();
  void take_turns();
  bool repeat_change(const LocalVectors& from);
  bool improve();
  void keep();
  bool polish(const VectorX& z, const VectorX& w);
  void refine();
  void find_from_inside();

  const LinearProblem& problem_;
  const PyramidFactors& factors_;
  const SolveSettings& settings_;
  int count_, inside_ = 0;  ///< contacts; factorisations of the interior-point method
  int budget_, limit_ = 0;  ///< of factorisations: in all, and for now
  double scale_;
  PyramidStep<B> step_;
  std::vector<int> polished_;
  VectorX best_;
  double least_ = std::numeric_limits<double>::infinity(), reached_ = 0;  ///< residuals of best and centre
};

template <int B>
PyramidNewton<B>::PyramidNewton(const LinearProblem& problem, const SolveSettings& settings)
    : problem_(problem),
      factors_(problem.M.pyramid()->factors()),
      settings_(settings),
      count_(factors_.contact_count()),
      budget_(settings.max_iterations > 0 ? std::min(settings.max_iterations, kMostInAll) : kMostInAll),
      scale_(1 + problem.q.template lpNorm<Eigen::Infinity>()),
      step_(problem),
      best_(VectorX::Zero(problem.size())) {}

template <int B>
void PyramidNewton<B>::move_centre(const LocalVectors& p) {
  step_.move_centre(p);
  keep();
}

template <int B>
void PyramidNewton<B>::move_centre(const VectorX& z) {
  assert(z.size() == problem_.size());
  LocalVectors p(count_);
  impulses_of(factors_, z, p);
  for (LocalVector& impulse : p) impulse[0] = std::max(0., impulse[0]);
  move_centre(p);
}

/// The centre, if it is the best so far.
template <int B>
void PyramidNewton<B>::keep() {
  VectorX z = unknowns_of(factors_, step_.cones(), step_.centre(), step_.rates());
  reached_ = worst_of_unknowns(factors_, step_.cones(), z, step_.rates()) / scale_;
  if (reached_ < least_) least_ = reached_, best_ = std::move(z);
}

template <int B>
void PyramidNewton<B>::sweep_often() {
  for (int k = 0; k < kSweeps; ++k) step_.sweep();
  move_centre(LocalVectors(step_.centre()));
}

/// Contacts may contradict each other by a little: two of one body whose rates differ by 1e-11 cannot both
/// stick. Each step changes the impulses between them alike, by that little over R, until one of them slides.
/// Here all these steps are made at once. False: none would ever slide.
template <int B>
bool PyramidNewton<B>::repeat_change(const LocalVectors& from) {
  const LocalVectors& centre = step_.centre();
  assert(from.size() == centre.size());
  double repeats = std::numeric_limits<double>::infinity();
  for (int c = 0; c < count_; ++c)
    repeats = std::min(repeats, repeats_within(step_.cones()[c], step_.pieces()[c], centre[c],
                                               LocalVector(centre[c] - from[c])));
  if (!std::isfinite(repeats)) return false;
  LocalVectors p(count_);
  for (int c = 0; c < count_; ++c) p[c] = centre[c] + repeats * (centre[c] - from[c]);
  move_centre(p);
  return true;
}

template <int B>
bool PyramidNewton<B>::make_step(double softness) {
  assert(softness >= kHard && limit_ >= inside_);
  if (!step_.step(softness, limit_ - inside_)) return false;
  keep();
  return true;
}

/// A proximal step of this softness, and how to go on from where it led.
template <int B>
Pace PyramidNewton<B>::improve_once(double softness) {
  const int before = factorisations();
  const double reached = reached_;
  const LocalVectors from = step_.centre();
  const bool done = make_step(softness);
  if (!done && least_ < kGuessable && polish(best_, problem_.M * best_ + problem_.q)) return Pace::stop;
  if (!step_.has_finite_rates() || (!done && softness >= kSoftest)) return Pace::stop;
  if (!done) return Pace::softer;
  if (softness <= kHard) {
    const bool stands = !(reached_ <= kWorthwhile * reached) && factorisations() == before;
    return stands && !repeat_change(from) ? Pace::stop : Pace::same;
  }
  return factorisations() - before <= 1 ? Pace::much_harder : Pace::harder;
}

/// Proximal steps, each harder than the last that succeeded, until the residual is small enough or no longer
/// falls. True: it is.
template <int B>
bool PyramidNewton<B>::improve() {
  step_.forget_factors();
  limit_ = std::min(budget_, factorisations() + kMostFactorisations);
  make_proximal_steps(
      {kSoft, kHard, kMostProximalSteps},
      [this] { return least_ > settings_.tolerance && factorisations() < limit_ && !settings_.is_stopped(); },
      [this](double softness) { return improve_once(softness); });
  return least_ <= settings_.tolerance;
}

/// Is there a solution on the pieces of z? Where rows are dependent, the one nearest to z. If not, the centre
/// is the best so far.
template <int B>
bool PyramidNewton<B>::polish(const VectorX& z, const VectorX& w) {
  assert(z.size() == problem_.size() && w.size() == z.size());
  std::vector<int> pieces(count_);
  for (int c = 0; c < count_; ++c) pieces[c] = piece_of(step_.cones()[c], factors_.contacts[c], z, w);
  if (pieces == polished_ || factorisations() >= budget_) return false;
  polished_ = std::move(pieces);
  move_centre(z);
  if (step_.stand_on(polished_, kHard)) refine();
  if (least_ <= settings_.tolerance) return true;
  move_centre(VectorX(best_));
  return false;
}

/// Solutions on the pieces on which the centre stands, as long as each moves it less than the one before.
template <int B>
void PyramidNewton<B>::refine() {
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kPasses && least_ > kFurther * settings_.tolerance; ++pass) {
    const double change = step_.move_on_pieces();
    if (std::isfinite(change)) keep();
    if (!(change < before)) return;
    before = change;
  }
}

/// Where Newton's method goes round in circles, sweeps lead out of them, slowly but always nearer.
template <int B>
void PyramidNewton<B>::take_turns() {
  for (int turn = 0; turn < kMostTurns && factorisations() < budget_ && step_.has_finite_rates(); ++turn) {
    if (settings_.is_stopped()) return;
    if (least_ <= settings_.tolerance) return;
    sweep_often();
    improve();
  }
}

template <int B>
Candidate PyramidNewton<B>::run(const VectorX& start) {
  move_centre(start);
  if (least_ > kNearlyRight) sweep_often();
  if (!improve() && !polish(best_, problem_.M * best_ + problem_.q)) find_from_inside();
  take_turns();
  if (least_ <= settings_.tolerance && least_ > kFurther * settings_.tolerance)
    polish(best_, problem_.M * best_ + problem_.q);
  const bool solved = residual(problem_, best_) <= settings_.tolerance;
  return {best_, solved ? SolveStatus::solved : SolveStatus::inaccurate, factorisations()};
}

template <int B>
void PyramidNewton<B>::find_from_inside() {
  if (factorisations() >= budget_) return;
  const auto guess = [this](const VectorX& z, const VectorX& w, VectorX& best, double& least) {
    if (polish(z, w)) best = best_, least = least_;
  };
  const int most = std::min(kMostInteriorSteps, budget_ - factorisations());
  const Candidate inside =
      pyramid_interior_point<B>(problem_, step_.system(), most, settings_.tolerance, guess);
  inside_ += inside.iterations;
  const double reached = residual(problem_, inside.z);
  if (reached < least_) least_ = reached, best_ = inside.z;
  if (least_ <= settings_.tolerance) return;
  move_centre(inside.z);
  improve();
}

}  // namespace

Candidate pyramid_newton(const LinearProblem& problem, const SolveSettings& settings) {
  assert(problem.M.pyramid() && problem.free_count() == 0);
  VectorX start = VectorX::Zero(problem.size());
  if (settings.start.size() == problem.size()) start = settings.start.cwiseMax(0.);
  if (problem.M.pyramid()->factors().block == 3) return PyramidNewton<3>(problem, settings).run(start);
  return PyramidNewton<6>(problem, settings).run(start);
}

}  // namespace touchstone
