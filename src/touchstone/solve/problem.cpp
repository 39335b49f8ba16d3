#include "touchstone/solve/problem.h"

#include <cassert>

#include "touchstone/solve/linear_problem.h"

namespace touchstone {
namespace {

template <class... Cases>
struct Overload : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overload(Cases...) -> Overload<Cases...>;

}  // namespace

std::string kind_of(const Problem& problem) {
  constexpr const char* kKinds[] = {"lcp", "mlcp", "friction", "global-friction", "qp"};
  static_assert(std::variant_size_v<Problem> == std::size(kKinds));
  return kKinds[problem.index()];
}

int size_of(const Problem& problem) {
  return std::visit(Overload{[](const FrictionProblem& p) { return static_cast<int>(p.q.size()); },
                             [](const GlobalFrictionProblem& p) { return int(p.f.size() + p.w.size()); },
                             [](const Qp& p) { return static_cast<int>(p.c.size() + p.b.size()); },
                             [](const auto& p) { return static_cast<int>(p.q.size()); }},
                    problem);
}

Mlcp kkt_of(const Qp& problem) {
  const int n = static_cast<int>(problem.c.size()), m = static_cast<int>(problem.b.size());
  Mlcp kkt;
  assert(problem.P.rows() == n && problem.P.cols() == n);
  assert(m == 0 || (problem.A.rows() == m && problem.A.cols() == n));
  assert(static_cast<int>(problem.equality.size()) == m);
  kkt.q.resize(n + m);
  kkt.q << problem.c, problem.b;
  kkt.free.assign(n, true);
  kkt.free.insert(kkt.free.end(), problem.equality.begin(), problem.equality.end());
  if (!problem.P.is_sparse() && !problem.A.is_sparse()) {
    MatrixX M = MatrixX::Zero(n + m, n + m);
    M.topLeftCorner(n, n) = problem.P.dense();
    M.topRightCorner(n, m) = -problem.A.dense().transpose();
    M.bottomLeftCorner(m, n) = problem.A.dense();
    kkt.M = std::move(M);
    return kkt;
  }
  std::vector<Eigen::Triplet<double>> entries;
  const SparseMatrix P = problem.P.to_sparse(), A = problem.A.to_sparse();
  for (int i = 0; i < n; ++i)
    for (SparseMatrix::InnerIterator it(P, i); it; ++it) entries.emplace_back(i, it.col(), it.value());
  for (int i = 0; i < m; ++i)
    for (SparseMatrix::InnerIterator it(A, i); it; ++it) {
      entries.emplace_back(n + i, it.col(), it.value());
      entries.emplace_back(it.col(), n + i, -it.value());
    }
  SparseMatrix M(n + m, n + m);
  M.setFromTriplets(entries.begin(), entries.end());
  kkt.M = std::move(M);
  return kkt;
}

}  // namespace touchstone
