// For monotone problems, redundant ones included: the proximal-point iteration
//
//     z_k+1 solves the problem with M + R and q - R z_k,     R a small positive diagonal,
//
// whose every problem is of a matrix with positive principal minors and is solved by block principal pivoting
// [Judice, Pires 1994; Murty 1974]: all rows of the wrong sign change sides at once, and if that does not
// lessen their number for a while, one row at a time does. While the support stays, its factorisation stays:
// the proximal steps then only refine.

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/lcp/support.h"

namespace touchstone {
namespace {

/// R, relative to the rows. Large enough that M + R factorises to seven digits where M is singular, small
/// enough that two or three steps reach round-off where the smallest eigenvalue (not 0) is a millionth.
constexpr double kProximal = 1e-8;
constexpr int kMostFactorisations = 120;
constexpr int kMostProximalSteps = 30;
/// The number of wrong rows may fail to fall this often before rows change one at a time.
constexpr int kPatience = 4;
/// Rows are wrong beyond this part of the tolerance: an error that the residual cannot see is no reason to
/// pivot.
constexpr double kPartOfTolerance = 0.05;
/// A proximal step must lessen the residual at least to this part.
constexpr double kWorthwhile = 0.7;

class ProximalPivoting {
 public:
  ProximalPivoting(const LinearProblem& problem, const SolveSettings& settings);
  Candidate run(const VectorX& start);

 private:
  bool solve_proximal();
  void evaluate();
  int count_wrong();
  void change_sides(bool all);

  const LinearProblem& problem_;
  const SolveSettings& settings_;
  int n_;
  MaskedSystem system_;
  VectorX proximal_;
  double allowed_;
  Mask support_, wrong_;
  bool factored_ = false;
  VectorX centre_, z_, w_;
  int factorisations_ = 0, limit_;
};

ProximalPivoting::ProximalPivoting(const LinearProblem& problem, const SolveSettings& settings)
    : problem_(problem),
      settings_(settings),
      n_(problem.size()),
      system_(problem.M),
      proximal_(kProximal * row_sizes(problem.M)),
      allowed_(kPartOfTolerance * settings.tolerance * (1 + problem.q.lpNorm<Eigen::Infinity>())),
      support_(n_),
      wrong_(n_),
      limit_(settings.max_iterations > 0 ? settings.max_iterations : kMostFactorisations) {}

/// The point of the support in the proximal problem, and its w.
void ProximalPivoting::evaluate() {
  if (!factored_) {
    system_.factor(support_, proximal_);
    factored_ = true;
    ++factorisations_;
  }
  const VectorX q = problem_.q - proximal_.cwiseProduct(centre_);
  z_ = system_.solve(-q);
  w_ = problem_.M * z_ + proximal_.cwiseProduct(z_) + q;
}

int ProximalPivoting::count_wrong() {
  int count = 0;
  for (int i = 0; i < n_; ++i) {
    wrong_[i] = !problem_.is_free(i) && (support_[i] ? z_[i] : w_[i]) < -allowed_;
    count += wrong_[i];
  }
  return count;
}

void ProximalPivoting::change_sides(bool all) {
  for (int i = n_ - 1; i >= 0; --i) {
    if (!wrong_[i]) continue;
    support_[i] = !support_[i];
    if (!all) break;
  }
  factored_ = false;
}

bool ProximalPivoting::solve_proximal() {
  int fewest = n_ + 1, patience = kPatience;
  for (;;) {
    evaluate();
    if (!z_.allFinite()) return false;
    const int count = count_wrong();
    if (count == 0) return true;
    if (factorisations_ >= limit_ || settings_.is_stopped()) return false;
    if (count < fewest)
      fewest = count, patience = kPatience;
    else
      --patience;
    change_sides(patience >= 0);
  }
}

Candidate ProximalPivoting::run(const VectorX& start) {
  assert(start.size() == n_);
  centre_ = start;
  support_ = support_of(problem_, start);
  Candidate best{start, SolveStatus::inaccurate, 0};
  double least = residual(problem_, start);
  for (int step = 0; step < kMostProximalSteps && least > settings_.tolerance; ++step) {
    const bool done = solve_proximal();
    const VectorX reached = z_.allFinite() ? z_ : centre_;
    VectorX clipped = reached;
    for (int i = 0; i < n_; ++i)
      if (!problem_.is_free(i)) clipped[i] = std::max(0.0, clipped[i]);
    const double now = residual(problem_, clipped);
    const bool stalled = step > 0 && now > kWorthwhile * least;
    if (now < least) best.z = clipped, least = now;
    if (!done || stalled) break;
    centre_ = clipped;
  }
  best.iterations = factorisations_;
  if (least <= settings_.tolerance) best.status = SolveStatus::solved;
  return best;
}

}  // namespace

Candidate proximal_pivoting(const LinearProblem& problem, const SolveSettings& settings) {
  if (problem.size() == 0) return {VectorX(), SolveStatus::solved, 0};
  const bool warm = settings.start.size() == problem.size();
  return ProximalPivoting(problem, settings).run(warm ? settings.start : VectorX::Zero(problem.size()));
}

}  // namespace touchstone
