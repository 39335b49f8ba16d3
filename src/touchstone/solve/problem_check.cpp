#include "touchstone/solve/problem_check.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "touchstone/solve/friction/without_free.h"
#include "touchstone/solve/matrix/factors_check.h"

namespace touchstone {
namespace {

std::string shape(long rows, long cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

struct Size {
  long rows, cols;
};

void require_size(const std::string& name, Size is, Size expected) {
  if (is.rows == expected.rows && is.cols == expected.cols) return;
  throw std::invalid_argument(name + " is " + shape(is.rows, is.cols) + ", expected " +
                              shape(expected.rows, expected.cols));
}

void require_finite(const std::string& name, const VectorX& x) {
  if (x.allFinite()) return;
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]))
      throw std::invalid_argument(name + "[" + std::to_string(i) + "] is not a finite number");
}

void require_finite(const std::string& name, const SparseMatrix& A) {
  for (int i = 0; i < A.outerSize(); ++i)
    for (SparseMatrix::InnerIterator it(A, i); it; ++it)
      if (!std::isfinite(it.value()))
        throw std::invalid_argument(name + "(" + std::to_string(it.row()) + ", " + std::to_string(it.col()) +
                                    ") is not a finite number");
}

void require_finite(const std::string& name, const ProblemMatrix& A) {
  if (A.gram() && is_finite(A.gram()->factors())) return;
  if (A.pyramid() && is_finite(A.pyramid()->factors())) return;
  if (A.cones() && is_finite(A.cones()->factors())) return;
  if (A.is_sparse()) return require_finite(name, A.sparse());
  // A sum is NaN or infinite if a term is; only then is it worth while to look for the entry. (allFinite() of
  // Eigen tests entry by entry, which the small problems would feel.)
  if (std::isfinite(A.dense().cwiseAbs().sum())) return;
  for (int j = 0; j < A.cols(); ++j)
    require_finite(name + " column " + std::to_string(j), VectorX(A.dense().col(j)));
}

void require_matrix(const std::string& name, const ProblemMatrix& A, Size expected) {
  if (A.gram()) check_factors(name, A.gram()->factors());
  if (A.pyramid()) check_factors(name, A.pyramid()->factors());
  if (A.cones()) check_factors(name, A.cones()->factors());
  require_size(name, {A.rows(), A.cols()}, expected);
  require_finite(name, A);
}

void check(const Lcp& p) {
  require_matrix("M", p.M, {p.q.size(), p.q.size()});
  require_finite("q", p.q);
}

void check(const Mlcp& p) {
  require_matrix("M", p.M, {p.q.size(), p.q.size()});
  require_finite("q", p.q);
  require_length("free", static_cast<long>(p.free.size()), p.q.size());
}

void check(const Qp& p) {
  require_matrix("P", p.P, {p.c.size(), p.c.size()});
  if (p.b.size() > 0) require_matrix("A", p.A, {p.b.size(), p.c.size()});
  require_finite("c", p.c);
  require_finite("b", p.b);
  require_length("equality", static_cast<long>(p.equality.size()), p.b.size());
}

void check_contacts(int dimension, long rows, const VectorX& mu) {
  if (dimension != 2 && dimension != 3)
    throw std::invalid_argument("dimension is " + std::to_string(dimension) + ", expected 2 or 3");
  require_length("mu", mu.size(), rows / dimension);
  require_finite("mu", mu);
  for (Eigen::Index i = 0; i < mu.size(); ++i)
    if (mu[i] < 0) throw std::invalid_argument("mu[" + std::to_string(i) + "] is negative");
}

void check(const FrictionProblem& p) {
  check_contacts(p.dimension, p.q.size(), p.mu);
  require_length("q", p.q.size(), p.dimension * p.mu.size());
  require_matrix("W", p.W, {p.q.size(), p.q.size()});
  require_finite("q", p.q);
  if (p.W.cones() && p.W.cones()->factors().dimension != p.dimension)
    throw std::invalid_argument("W.dimension is not that of the problem");
  if (!p.free.empty()) require_length("free", static_cast<long>(p.free.size()), p.mu.size());
}

void check(const GlobalFrictionProblem& p) {
  check_contacts(p.dimension, p.w.size(), p.mu);
  require_length("w", p.w.size(), p.dimension * p.mu.size());
  require_size("M", {p.M.rows(), p.M.cols()}, {p.f.size(), p.f.size()});
  require_size("H", {p.H.rows(), p.H.cols()}, {p.f.size(), p.w.size()});
  require_finite("M", p.M);
  require_finite("H", p.H);
  require_finite("f", p.f);
  require_finite("w", p.w);
}

}  // namespace

void check_problem(const Problem& problem) {
  std::visit([](const auto& p) { check(p); }, problem);
}

void check_settings(const SolveSettings& settings, int size) {
  if (!(settings.tolerance > 0)) throw std::invalid_argument("tolerance must be positive");
  if (settings.max_iterations < 0) throw std::invalid_argument("max_iterations must not be negative");
  if (!(settings.relaxation >= 0 && settings.relaxation < 2))
    throw std::invalid_argument("relaxation must lie between 0 (the solver's own) and 2");
  if (settings.start.size() == 0) return;
  require_length("start", settings.start.size(), size);
  require_finite("start", settings.start);
}

Problem without_joints(const Problem& problem, std::optional<VectorX>& solution) {
  const auto* friction = std::get_if<FrictionProblem>(&problem);
  const bool has =
      friction && std::find(friction->free.begin(), friction->free.end(), true) != friction->free.end();
  if (!has) return problem;
  const WithoutFree without(*friction);
  if (solution) solution = without.reduced(*solution);
  return without.problem();
}

}  // namespace touchstone
