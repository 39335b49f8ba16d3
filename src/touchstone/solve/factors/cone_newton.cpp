// Which of the many solutions of rigid friction is meant: that of contacts which yield, all alike, in the
// limit of no compliance [docs/friction.md]. Contacts with a compliance around zero impulse (cone_step.h)
// have one answer while they are soft, and it is followed from there as the softness falls. Proximal steps
// around the answer of little compliance then lead to the rigid one without leaving it: around the last
// answer the error of compliance is one order smaller each time.
//
// Where the last step's answer tells the pieces (open, sticking, sliding), the same equations of little
// compliance are solved at once. They do not know the impulses of the last step, only where Newton's method
// begins, so the answer does not depend on history.

#include "touchstone/solve/factors/cone_newton.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/solve/factors/cone_interior_point.h"
#include "touchstone/solve/factors/cone_step.h"
#include "touchstone/solve/factors/cone_trace.h"

namespace touchstone {
namespace {

/// The softness at which contacts all but ignore each other, and the least one around zero impulse. Harder
/// ones would turn the round-off of rates and gaps, 1e-16, into forces of 1e-16 / R.
constexpr double kSoft = 100, kHard = 1e-6;
/// The hardest proximal step, and the factor by which those after a failure are softer.
constexpr double kHardest = 1e-8, kSofter = 4;
/// Contacts of one problem feel masses that differ by so much without a word; the least share of kHard for
/// those that differ more.
constexpr double kMostUneven = 1e3, kLeastShare = 1e-6;
/// Relative round-off of an impulse, or a rate that it makes.
constexpr double kRoundOff = 2e-16;
/// From one level of the path to the next, and where it stands still.
constexpr double kLevel = 0.1, kStandstill = 0.7;
/// Factorisations: of a start by pieces, from the problem before to this one, of the path and its levels.
constexpr int kMostWarm = 30, kMostToCross = 30, kMostOnPath = 200, kMostOnLevel = 12;
/// And on the curve, where the path stands still.
constexpr int kMostOnCurve = 400, kMostInPile = 40, kMostToLimit = 60;
/// Where the last step's answer is known but leads nowhere, the way from soft contacts costs hundreds of
/// factorisations: it is gone for so many contacts (a grasp, a machine), and not in a pile on the move.
constexpr int kFewContacts = 60;
/// Proximal steps: the softness of the first, the factor by which the next is harder, factorisations. After
/// the limit of the path, after the interior-point method, after a few sweeps and after many.
struct Proximal {
  double softness, fall;
  int budget;
};
constexpr Proximal kFromInside{1e-3, 0.1, 60}, kFromSweeps{0.3, 0.2, 80}, kFromManySweeps{1, 0.5, 400};
constexpr int kInteriorSteps = 40, kSweeps = 20, kManySweeps = 100;
/// The residual that is aimed at lies below the one asked for: the judge sums in another order. Steps go on
/// to kAim as long as each makes it smaller by kWorthwhile.
constexpr double kSafety = 0.5, kAim = 2e-14, kWorthwhile = 0.3;
/// A proximal step that lessens the residual to this part is as good as a harder one, and the next one needs
/// no new factors.
constexpr double kFast = 0.03;
/// Where the pieces of the last step do not lead to little compliance at once, they may to some.
constexpr double kSome = 1e-2;

/// The share of kHard that is little compliance for every contact, however heavy its bodies are: sizes are
/// multiples of the mean, which light bodies make.
double hardness_for(const std::vector<Cone>& cones) {
  double least = kMostUneven;
  for (const Cone& cone : cones)
    if (!is_joint(cone)) least = std::min(least, cone.weight / cone.size);
  return std::clamp(kMostUneven * least, kLeastShare, 1.);
}

template <int B>
class ConeNewton {
 public:
  ConeNewton(const FrictionProblem& problem, const SolveSettings& settings)
      : problem_(problem), settings_(settings), step_(problem, settings), scale_(problem.q.norm()) {
    if (!(scale_ > 0)) scale_ = 1;
    hard_ = kHard * hardness_for(step_.cones());
  }
  Solution run();

 private:
  /// So small as asked for, or as round-off of the impulses lets it be.
  bool reached() const { return least_ <= std::max(kSafety * settings_.tolerance, floor_); }
  bool is_exact() const { return least_ <= std::min(kAim, kSafety * settings_.tolerance); }
  double residual_of(const LocalVectors& p, const LocalVectors& u) const;
  double residual_of(const LocalVectors& p) const;
  void keep();
  bool begin_at(const LocalVectors& start, double softness);
  bool begin_warm(const LocalVectors& start);
  bool begin_cold();
  bool is_small() const { return step_.count() <= kFewContacts; }
  bool is_worth_a_cold_start(const LocalVectors& start) const;
  bool finish();
  bool cross(const LocalVectors& start, double softness);
  bool follow_path(double softness, int most);
  bool follow_curve(int most);
  bool polish(const LocalVectors& centre, Proximal how);
  bool solve_anyhow(const LocalVectors& start);

  const FrictionProblem& problem_;
  const SolveSettings& settings_;
  ConeStep<B> step_;
  ConeTrace<B> trace_{step_};
  double scale_;
  LocalVectors best_;
  double hard_;       ///< kHard, and less where some contacts feel much heavier bodies than the mean
  double floor_ = 0;  ///< the residual that the round-off of the best impulses makes
  int turns_ = 0;
  bool is_checked_ = true;  ///< what was found is the answer of vanishing compliance, as far as it is known
  double least_ = std::numeric_limits<double>::infinity();
};

template <int B>
double ConeNewton<B>::residual_of(const LocalVectors& p, const LocalVectors& u) const {
  double sum = 0;
  for (int c = 0; c < step_.count(); ++c) sum += natural_error(step_.cones()[c], p[c], u[c]).squaredNorm();
  return std::sqrt(sum) / scale_;
}

template <int B>
double ConeNewton<B>::residual_of(const LocalVectors& p) const {
  LocalVectors u;
  step_.rates_of_impulses(p, u);
  return residual_of(p, u);
}

/// The centre, if it is the best so far.
template <int B>
void ConeNewton<B>::keep() {
  const double reached = residual_of(step_.centre(), step_.centre_rates());
  if (!(reached < least_)) return;
  least_ = reached, best_ = step_.centre();
  double sum = 0;
  for (int c = 0; c < step_.count(); ++c) {
    const double push = best_[c].norm(), weight = 1 + step_.cones()[c].weight;
    sum += weight * weight * push * push;
  }
  floor_ = kRoundOff * std::sqrt(sum) / scale_;
}

/// Some compliance at once, from the pieces of a start.
template <int B>
bool ConeNewton<B>::begin_at(const LocalVectors& start, double softness) {
  const int limit = step_.factorisations() + kMostWarm;
  step_.move_centre(LocalVectors(step_.count(), LocalVector::Zero()));
  step_.set_softness(softness);
  if (!step_.stand_on(start, limit) || !step_.solve_rigid_joints(limit)) return false;
  return step_.system().sign() > 0;  // beyond a fold there may be other answers
}

/// Such an answer along the way from the problem that the start solves.
template <int B>
bool ConeNewton<B>::cross(const LocalVectors& start, double softness) {
  step_.move_centre(LocalVectors(step_.count(), LocalVector::Zero()));
  step_.set_softness(softness);
  return trace_.cross(start, step_.factorisations() + kMostToCross) && step_.system().sign() > 0;
}

/// From contacts of this softness, whose answer is the present place, to hard ones.
template <int B>
bool ConeNewton<B>::follow_path(double softness, int most) {
  const int limit = step_.factorisations() + most;
  double fall = kLevel;
  while (softness > hard_ && step_.may_go_on(limit)) {
    const BlockVector<B> from = step_.place().v;
    const LocalVectors centre = step_.centre();
    const double next = std::max(hard_, fall * softness);
    step_.set_softness(next);
    if (step_.solve_rigid_joints(step_.factorisations() + kMostOnLevel)) {
      softness = next, fall = std::max(kLevel, fall * fall);
      continue;
    }
    step_.set_softness(softness);
    step_.move_centre(centre);
    step_.put(from);
    fall = std::sqrt(fall);
    if (fall > kStandstill) break;
  }
  return softness <= hard_;
}

/// The same through the folds, from where the path stands still.
template <int B>
bool ConeNewton<B>::follow_curve(int most) {
  const bool arrived = trace_.harden(hard_, step_.factorisations() + most);
  turns_ = trace_.turns();
  return arrived;
}

/// The answer of little compliance, from the pieces of a start; in piles also along the way from the problem
/// that it solves to this one, which is quick, and not checked to be the one that is meant. False: it was not
/// found.
template <int B>
bool ConeNewton<B>::begin_warm(const LocalVectors& start) {
  if (settings_.start.size() == 0) return false;
  if (begin_at(start, hard_)) return true;
  is_checked_ = is_small();
  if (!is_checked_ && cross(start, hard_)) return true;
  is_checked_ = true;
  if (!begin_at(start, kSome)) return false;
  if (is_small()) return follow_path(kSome, kMostOnPath) || follow_curve(kMostOnCurve);
  return follow_path(kSome, kMostInPile) || follow_curve(kMostInPile);
}

/// The same from soft contacts.
template <int B>
bool ConeNewton<B>::begin_cold() {
  step_.move_centre(LocalVectors(step_.count(), LocalVector::Zero()));
  step_.set_softness(kSoft);
  return step_.solve_rigid_joints(step_.factorisations() + kMostOnPath) &&
         (follow_path(kSoft, kMostOnPath) || follow_curve(kMostOnCurve));
}

/// From little compliance to none.
template <int B>
bool ConeNewton<B>::finish() {
  const LocalVectors nearly = step_.impulses(), limit = step_.extrapolated();
  // Near a fold the curve turns, and its tangent leads away.
  polish(residual_of(limit) <= residual_of(nearly) ? limit : nearly,
         {std::max(hard_, kHardest), kLevel, kMostToLimit});
  return reached();
}

/// Proximal steps until the residual is small enough. False: it does not become so.
template <int B>
bool ConeNewton<B>::polish(const LocalVectors& centre, Proximal how) {
  const int limit = step_.factorisations() + how.budget;
  step_.move_centre(centre);
  keep();
  for (int k = 0; k < 4 * how.budget && !is_exact() && step_.may_go_on(limit); ++k) {
    const double before = least_;
    step_.set_softness(how.softness);
    if (step_.solve(limit)) {
      step_.move_centre(step_.impulses());
      keep();
      if (reached() && !(least_ <= kWorthwhile * before)) break;
      if (!(least_ <= kFast * before)) how.softness = std::max(kHardest, how.fall * how.softness);
    } else if (how.softness < 1) {
      step_.move_centre(LocalVectors(step_.centre()));
      how.softness = std::min(1., kSofter * how.softness);
    } else {
      break;
    }
  }
  return reached();
}

/// Any solution, where the one that is meant was not found.
template <int B>
bool ConeNewton<B>::solve_anyhow(const LocalVectors& start) {
  if (settings_.is_stopped()) return false;
  if (polish(ConeInteriorPoint<B>(step_).run(kInteriorSteps), kFromInside)) return true;
  step_.move_centre(start);
  step_.sweep(kSweeps);
  if (polish(LocalVectors(step_.centre()), kFromSweeps)) return true;
  step_.move_centre(LocalVectors(step_.count(), LocalVector::Zero()));
  step_.sweep(kManySweeps);
  return polish(LocalVectors(step_.centre()), kFromManySweeps);
}

/// There are few contacts, or none of them is known to push.
template <int B>
bool ConeNewton<B>::is_worth_a_cold_start(const LocalVectors& start) const {
  int pushing = 0;
  for (int c = 0; c < step_.count(); ++c) pushing += !is_joint(step_.cones()[c]) && !start[c].isZero(0);
  return pushing == 0 || is_small();
}

template <int B>
Solution ConeNewton<B>::run() {
  const ConeFactors& factors = step_.factors();
  LocalVectors start(step_.count(), LocalVector::Zero());
  if (settings_.start.size() > 0) local_of(factors, settings_.start, start);
  step_.move_centre(start);
  keep();
  const double least = least_;
  least_ = std::numeric_limits<double>::infinity();
  const bool done =
      (begin_warm(start) && finish()) || (is_worth_a_cold_start(start) && begin_cold() && finish());
  if (!done && !solve_anyhow(start) && least < least_) best_ = start;
  return {unknowns_of(factors, best_),
          SolveStatus::inaccurate,
          step_.factorisations(),
          0,
          "proximal-newton",
          done && is_checked_,
          turns_};
}

}  // namespace

Solution cone_newton(const FrictionProblem& problem, const SolveSettings& settings) {
  assert(problem.W.cones());
  if (problem.W.cones()->factors().rows.block == 3) return ConeNewton<3>(problem, settings).run();
  return ConeNewton<6>(problem, settings).run();
}

}  // namespace touchstone
