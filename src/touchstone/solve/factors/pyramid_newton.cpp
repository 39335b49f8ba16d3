// Proximal points for linearised friction, in the velocities of the bodies. From impulses c (the centre) with
// rates w_c, the next ones are p(w) of pyramid_cone.h at the rates w = w_c + G u, where u = N G^T (p - c) is
// the change of velocities:
//
//     F(u) = N^-1 u - G^T (p(w_c + G u) - c) = 0
//
// is piecewise linear, and Newton's method solves it: on a piece p falls by K dw, so that each step is one
// system N^-1 + G^T K G of the size of the bodies. Unlike without friction F is no gradient, for friction
// follows the normal impulse but not the other way round, and the search may fail; then the interior-point
// method leads near a solution, or sweeps over the contacts do. As in gram_newton.cpp all numbers are
// differences from the centre.

#include "touchstone/solve/factors/pyramid_newton.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/solve/factors/pyramid_cone.h"
#include "touchstone/solve/factors/pyramid_interior_point.h"
#include "touchstone/solve/factors/pyramid_system.h"
#include "touchstone/solve/lcp/proximal_steps.h"

namespace touchstone {
namespace {

/// The softness of the hardest proximal steps. Harder ones would lose to round-off what they gain: rates of
/// size 1 over R are impulses with an error of 1e-16 / R.
constexpr double kHard = 1e-6;
/// A start with a smaller residual has nearly the right pieces; others are worth kSweeps sweeps at a time.
constexpr double kNearlyRight = 1e-5;
constexpr int kSweeps = 40;
/// Pieces tried in one proximal step, and factorisations before the interior-point method is asked and after
/// it.
constexpr int kMostPieces = 12;
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
/// Newton's step is halved at most this often while the error does not fall.
constexpr int kHalvings = 4;

template <class Blocks>
bool is_finite(const Blocks& blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [](const auto& block) { return block.allFinite(); });
}

template <int B>
class PyramidNewton {
 public:
  PyramidNewton(const LinearProblem& problem, const SolveSettings& settings);
  Candidate run(const VectorX& start);

 private:
  /// Where Newton's method is: velocities from the centre, and what follows from them.
  struct Place {
    BlockVector<B> u;
    LocalVectors w, p;
    std::vector<Eigen::Matrix3d> K;
    std::vector<int> pieces;
    double error = 0;  ///< F^T N F
  };

  void move_centre(const LocalVectors& p);
  void move_centre(const VectorX& z);
  PyramidResponse respond_on_piece(int contact, int piece) const;
  void look(Place& place);
  void solve_on_pieces(const std::vector<int>& pieces, BlockVector<B>& u);
  double move_on_pieces(const Place& place);
  void between(const Place& from, const Place& to, double t, Place& place);
  bool find_target(const Place& place, Place& target);
  bool solve_step();
  bool step(double softness);
  Pace improve_once(double softness);
  void sweep();
  void sweep_often();
  void take_turns();
  bool repeat_change(const LocalVectors& from);
  bool improve();
  void keep();
  bool polish(const VectorX& z, const VectorX& w);
  void find_from_inside();

  const LinearProblem& problem_;
  const PyramidFactors& factors_;
  const SolveSettings& settings_;
  int count_, factorisations_ = 0;
  int budget_, limit_ = 0;  ///< of factorisations: in all, and for now
  std::vector<PyramidCone> cones_;
  PyramidSystem<B> system_;
  LocalVectors sizes_, local_;
  double scale_, softness_ = kSoft;
  LocalVectors centre_, w_centre_;
  BlockVector<B> v_centre_, gathered_;
  Place now_, next_, target_;
  std::vector<int> factored_, polished_;
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
      cones_(pyramid_cones(problem)),
      system_(factors_),
      sizes_(count_),
      local_(count_),
      scale_(1 + problem.q.template lpNorm<Eigen::Infinity>()),
      centre_(count_),
      w_centre_(count_),
      v_centre_(factors_.block_count()),
      gathered_(factors_.block_count()),
      best_(VectorX::Zero(problem.size())) {
  for (int c = 0; c < count_; ++c) sizes_[c] = local_sizes<B>(factors_, c);
  for (Place* place : {&now_, &next_, &target_}) {
    place->u.resize(factors_.block_count());
    place->w.resize(count_), place->p.resize(count_), place->K.resize(count_), place->pieces.resize(count_);
  }
}

template <int B>
void PyramidNewton<B>::move_centre(const LocalVectors& p) {
  assert(static_cast<int>(p.size()) == count_);
  centre_ = p;
  velocities_of<B>(factors_, centre_, v_centre_);
  for (int c = 0; c < count_; ++c) w_centre_[c] = cones_[c].free + rate_of<B>(factors_, c, v_centre_);
  keep();
}

template <int B>
void PyramidNewton<B>::move_centre(const VectorX& z) {
  LocalVectors p(count_);
  impulses_of(factors_, z, p);
  for (LocalVector& impulse : p) impulse[0] = std::max(0., impulse[0]);
  move_centre(p);
}

/// The centre, if it is the best so far.
template <int B>
void PyramidNewton<B>::keep() {
  VectorX z = unknowns_of(factors_, cones_, centre_, w_centre_);
  reached_ = worst_of_unknowns(factors_, cones_, z, w_centre_) / scale_;
  if (reached_ < least_) least_ = reached_, best_ = std::move(z);
}

/// At the centre, on a piece on which it need not lie.
template <int B>
PyramidResponse PyramidNewton<B>::respond_on_piece(int c, int piece) const {
  return respond_on(cones_[c], piece, centre_[c], w_centre_[c], softness_ * sizes_[c][0],
                    softness_ * sizes_[c][1]);
}

/// p, K, pieces and the error at the velocities of a place.
template <int B>
void PyramidNewton<B>::look(Place& place) {
  for (int c = 0; c < count_; ++c) {
    const PyramidResponse response =
        respond(cones_[c], centre_[c], place.w[c], softness_ * sizes_[c][0], softness_ * sizes_[c][1]);
    place.p[c] = response.p - centre_[c];
    place.K[c] = response.K, place.pieces[c] = response.piece;
  }
  gather<B>(factors_, place.p, gathered_);
  place.error = 0;
  for (std::size_t b = 0; b < gathered_.size(); ++b) {
    const Eigen::Matrix<double, B, 1> F = system_.mass()[b] * place.u[b] - gathered_[b];
    place.error += F.dot(Eigen::Map<const SmallBlock<B>>(&factors_.N[B * B * b]) * F);
  }
}

template <int B>
void PyramidNewton<B>::between(const Place& from, const Place& to, double t, Place& place) {
  for (std::size_t b = 0; b < place.u.size(); ++b) place.u[b] = from.u[b] + t * (to.u[b] - from.u[b]);
  for (int c = 0; c < count_; ++c) place.w[c] = from.w[c] + t * (to.w[c] - from.w[c]);
  look(place);
}

/// Where F would vanish if the pieces, whose system is factored, had no end:
///     (N^-1 + G^T K G) u = G^T (p(w_c) - c).
template <int B>
void PyramidNewton<B>::solve_on_pieces(const std::vector<int>& pieces, BlockVector<B>& u) {
  for (int c = 0; c < count_; ++c) local_[c] = respond_on_piece(c, pieces[c]).p - centre_[c];
  gather<B>(factors_, local_, u);
  system_.solve(u);
}

/// The centre moves to the impulses p(w_c) - K G u there. Returns how far.
template <int B>
double PyramidNewton<B>::move_on_pieces(const Place& place) {
  double change = 0;
  for (int c = 0; c < count_; ++c) {
    const PyramidResponse response = respond_on_piece(c, place.pieces[c]);
    local_[c] = response.p - response.K * rate_of<B>(factors_, c, place.u);
    change = std::max(change, (local_[c] - centre_[c]).template lpNorm<Eigen::Infinity>());
  }
  if (!is_finite(local_)) return std::numeric_limits<double>::infinity();
  move_centre(local_);
  return change;
}

/// Where F vanishes on the pieces of a place.
template <int B>
bool PyramidNewton<B>::find_target(const Place& place, Place& target) {
  if (factored_ != place.pieces) {
    ++factorisations_;
    factored_ = place.pieces;
    if (!system_.factor(place.K)) return false;
  }
  solve_on_pieces(place.pieces, target.u);
  if (!is_finite(target.u)) return false;
  for (int c = 0; c < count_; ++c) target.w[c] = w_centre_[c] + rate_of<B>(factors_, c, target.u);
  look(target);
  return true;
}

/// F = 0. False: too many pieces, or round-off.
template <int B>
bool PyramidNewton<B>::solve_step() {
  for (auto& u : now_.u) u.setZero();
  now_.w = w_centre_;
  look(now_);
  for (int tried = 0; tried < kMostPieces && factorisations_ < limit_; ++tried) {
    if (!find_target(now_, target_)) return false;
    if (target_.pieces == now_.pieces) {
      std::swap(now_, target_);
      return true;
    }
    double t = 1;
    const Place* best = &target_;
    for (int k = 0; k < kHalvings && !(best->error < now_.error); ++k) {
      t *= 0.5;
      between(now_, target_, t, next_);
      best = &next_;
    }
    std::swap(now_, best == &target_ ? target_ : next_);
  }
  return false;
}

/// One proximal step, which the centre makes unless its equations are not solved.
template <int B>
bool PyramidNewton<B>::step(double softness) {
  assert(softness >= kHard && softness <= kSoftest);
  if (softness != softness_) factored_.clear();
  softness_ = softness;
  return solve_step() && std::isfinite(move_on_pieces(now_));
}

/// Contact after contact, each with the others as they are.
template <int B>
void PyramidNewton<B>::sweep() {
  for (int c = 0; c < count_; ++c) {
    const PyramidContact& contact = factors_.contacts[c];
    const LocalVector w = cones_[c].free + rate_of<B>(factors_, c, v_centre_);
    const LocalVector p = respond(cones_[c], centre_[c], w, sizes_[c][0], sizes_[c][1]).p;
    const LocalVector change = p - centre_[c];
    if (change.isZero(0)) continue;
    centre_[c] = p;
    for (const int part : {0, 1}) {
      const int block = part == 0 ? contact.first : contact.second;
      if (block < 0) continue;
      const Eigen::Matrix<double, B, 1> push = contact_rows<B>(factors_, c, part).transpose() * change;
      v_centre_[block].noalias() += Eigen::Map<const SmallBlock<B>>(&factors_.N[B * B * block]) * push;
    }
  }
}

template <int B>
void PyramidNewton<B>::sweep_often() {
  for (int k = 0; k < kSweeps; ++k) sweep();
  move_centre(LocalVectors(centre_));
}

/// Contacts may contradict each other by a little: two of one body whose rates differ by 1e-11 cannot both
/// stick. Each step changes the impulses between them alike, by that little over R, until one of them slides.
/// Here all these steps are made at once. False: none would ever slide.
template <int B>
bool PyramidNewton<B>::repeat_change(const LocalVectors& from) {
  double repeats = std::numeric_limits<double>::infinity();
  for (int c = 0; c < count_; ++c)
    repeats = std::min(
        repeats, repeats_within(cones_[c], now_.pieces[c], centre_[c], LocalVector(centre_[c] - from[c])));
  if (!std::isfinite(repeats)) return false;
  for (int c = 0; c < count_; ++c) local_[c] = centre_[c] + repeats * (centre_[c] - from[c]);
  move_centre(local_);
  return true;
}

/// A proximal step of this softness, and how to go on from where it led.
template <int B>
Pace PyramidNewton<B>::improve_once(double softness) {
  const int before = factorisations_;
  const double reached = reached_;
  const LocalVectors from = centre_;
  const bool done = step(softness);
  if (!done && least_ < kGuessable && polish(best_, problem_.M * best_ + problem_.q)) return Pace::stop;
  if (!is_finite(v_centre_) || (!done && softness >= kSoftest)) return Pace::stop;
  if (!done) return Pace::softer;
  if (softness <= kHard) {
    const bool stands = !(reached_ <= kWorthwhile * reached) && factorisations_ == before;
    return stands && !repeat_change(from) ? Pace::stop : Pace::same;
  }
  return factorisations_ - before <= 1 ? Pace::much_harder : Pace::harder;
}

/// Proximal steps, each harder than the last that succeeded, until the residual is small enough or no longer
/// falls. True: it is.
template <int B>
bool PyramidNewton<B>::improve() {
  factored_.clear();
  limit_ = std::min(budget_, factorisations_ + kMostFactorisations);
  make_proximal_steps(
      {kSoft, kHard, kMostProximalSteps},
      [this] { return least_ > settings_.tolerance && factorisations_ < limit_; },
      [this](double softness) { return improve_once(softness); });
  return least_ <= settings_.tolerance;
}

/// Is there a solution on the pieces of z? Where rows are dependent, the one nearest to z. If not, the centre
/// is the best so far.
template <int B>
bool PyramidNewton<B>::polish(const VectorX& z, const VectorX& w) {
  std::vector<int> pieces(count_);
  for (int c = 0; c < count_; ++c) pieces[c] = piece_of(cones_[c], factors_.contacts[c], z, w);
  if (pieces == polished_ || factorisations_ >= budget_) return false;
  polished_ = now_.pieces = std::move(pieces);
  move_centre(z);
  softness_ = kHard;
  for (int c = 0; c < count_; ++c) now_.K[c] = respond_on_piece(c, now_.pieces[c]).K;
  ++factorisations_;
  factored_.clear();
  const bool regular = system_.factor(now_.K);
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0; regular && pass < kPasses && least_ > kFurther * settings_.tolerance; ++pass) {
    solve_on_pieces(now_.pieces, now_.u);
    const double change = move_on_pieces(now_);
    if (!(change < before)) break;
    before = change;
  }
  if (least_ <= settings_.tolerance) return true;
  move_centre(VectorX(best_));
  return false;
}

/// Where Newton's method goes round in circles, sweeps lead out of them, slowly but always nearer.
template <int B>
void PyramidNewton<B>::take_turns() {
  for (int turn = 0; turn < kMostTurns && factorisations_ < budget_ && is_finite(v_centre_); ++turn) {
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
  return {best_, solved ? SolveStatus::solved : SolveStatus::inaccurate, factorisations_};
}

template <int B>
void PyramidNewton<B>::find_from_inside() {
  if (factorisations_ >= budget_) return;
  const auto guess = [this](const VectorX& z, const VectorX& w, VectorX& best, double& least) {
    if (polish(z, w)) best = best_, least = least_;
  };
  const Candidate inside = pyramid_interior_point<B>(
      problem_, system_, std::min(kMostInteriorSteps, budget_ - factorisations_), settings_.tolerance, guess);
  factorisations_ += inside.iterations;
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
