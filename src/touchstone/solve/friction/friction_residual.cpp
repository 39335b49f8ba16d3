// The error measure of friction problems [docs/solvers.md]; it uses no solver's code.

#include <Eigen/SparseCholesky>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/solve/friction/cone.h"
#include "touchstone/solve/residual.h"

namespace touchstone {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// A problem without a scale of its own is measured absolutely.
double relative(double error, double scale) { return scale > 0 ? error / scale : error; }

/// Contacts whose components are equations count with their rates.
template <int D, class P>
double natural_map_norm(const P& problem, const VectorX& r, const VectorX& u) {
  double sum = 0;
  for (Eigen::Index i = 0; i < problem.mu.size(); ++i) {
    const ContactVector<D> r_i = r.segment<D>(D * i), u_i = u.segment<D>(D * i);
    bool free = false;
    if constexpr (requires { problem.is_free(0); }) free = problem.is_free(static_cast<int>(i));
    sum += free ? u_i.squaredNorm() : natural_map<D>(r_i, u_i, problem.mu[i]).squaredNorm();
  }
  return std::sqrt(sum);
}

template <class P>
double natural_map_norm(const P& problem, const VectorX& r, const VectorX& u) {
  assert(r.size() == problem.dimension * problem.mu.size() && u.size() == r.size());
  // A comparison with NaN is false, and the projection would hide it.
  if (!r.allFinite() || !u.allFinite()) return kInfinite;
  return problem.dimension == 2 ? natural_map_norm<2>(problem, r, u) : natural_map_norm<3>(problem, r, u);
}

/// q of the local form, w + H^T M^-1 f; w alone when M cannot be inverted.
VectorX free_velocity(const GlobalFrictionProblem& problem) {
  const Eigen::SparseMatrix<double> M = problem.M;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(M);
  if (factors.info() != Eigen::Success) return problem.w;
  const VectorX v = factors.solve(problem.f);
  return v.allFinite() ? VectorX(problem.w + problem.H.transpose() * v) : problem.w;
}

}  // namespace

double residual(const FrictionProblem& problem, const VectorX& r) {
  const VectorX u = problem.W * r + problem.q;
  return relative(natural_map_norm(problem, r, u), problem.q.norm());
}

double residual(const GlobalFrictionProblem& problem, const VectorX& z) {
  assert(z.size() == problem.f.size() + problem.w.size());
  const VectorX v = z.head(problem.f.size()), r = z.tail(problem.w.size());
  const VectorX u = problem.H.transpose() * v + problem.w;
  const double balance = (problem.M * v - problem.H * r - problem.f).norm();
  const double law = natural_map_norm(problem, r, u);
  if (!std::isfinite(balance)) return kInfinite;
  return std::max(relative(balance, problem.f.norm()), relative(law, free_velocity(problem).norm()));
}

}  // namespace touchstone
