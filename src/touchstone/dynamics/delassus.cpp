#include "touchstone/dynamics/delassus.h"

#include <algorithm>

namespace touchstone {

template <int D>
std::vector<const Row<D>*> all_rows(const StepEquations<D>& equations) {
  std::vector<const Row<D>*> rows;
  for (const auto* list : {&equations.bilateral, &equations.unilateral, &equations.tangent}) {
    for (const Row<D>& row : *list) rows.push_back(&row);
  }
  return rows;
}

namespace {

/// The rows that act on each body, as flat lists.
template <int D>
struct Incidence {
  struct Entry {
    int row;
    const Twist<D>* G;
    Twist<D> MinvG;
  };
  std::vector<int> begin;
  std::vector<Entry> entries;

  Incidence(const StepEquations<D>& equations, const std::vector<const Row<D>*>& rows)
      : begin(equations.body_count() + 1, 0) {
    for (const Row<D>* row : rows) {
      if (row->body_A >= 0) ++begin[row->body_A + 1];
      if (row->body_B >= 0) ++begin[row->body_B + 1];
    }
    for (std::size_t b = 1; b < begin.size(); ++b) begin[b] += begin[b - 1];
    entries.resize(begin.back());
    std::vector<int> next(begin.begin(), begin.end() - 1);
    const auto put = [&](int row, int body, const Twist<D>& G) {
      if (body >= 0) entries[next[body]++] = {row, &G, equations.apply_inverse_mass(body, G)};
    };
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
      put(i, rows[i]->body_A, rows[i]->G_A);
      put(i, rows[i]->body_B, rows[i]->G_B);
    }
  }
};

}  // namespace

template <int D>
SparseMatrix delassus(const StepEquations<D>& equations, const std::vector<const Row<D>*>& rows) {
  const Incidence<D> incidence(equations, rows);
  const int n = static_cast<int>(rows.size());
  std::vector<Eigen::Triplet<double>> triplets;
  for (int body = 0; body < equations.body_count(); ++body) {
    for (int i = incidence.begin[body]; i < incidence.begin[body + 1]; ++i) {
      for (int j = incidence.begin[body]; j < incidence.begin[body + 1]; ++j) {
        const auto &a = incidence.entries[i], &b = incidence.entries[j];
        // The same product for (i, j) and (j, i): the matrix is symmetric to the last bit.
        const double value = a.row <= b.row ? a.G->dot(b.MinvG) : b.G->dot(a.MinvG);
        triplets.emplace_back(a.row, b.row, value);
      }
    }
  }
  for (int i = 0; i < n; ++i) triplets.emplace_back(i, i, rows[i]->compliance);
  SparseMatrix W(n, n);
  W.setFromTriplets(triplets.begin(), triplets.end());
  return W;
}

template <int D>
VectorX free_rates(const StepEquations<D>& equations, const std::vector<const Row<D>*>& rows) {
  VectorX q(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) q[i] = rate(*rows[i], equations.V_free) + rows[i]->offset;
  return q;
}

template std::vector<const Row<2>*> all_rows(const StepEquations<2>&);
template std::vector<const Row<3>*> all_rows(const StepEquations<3>&);
template SparseMatrix delassus(const StepEquations<2>&, const std::vector<const Row<2>*>&);
template SparseMatrix delassus(const StepEquations<3>&, const std::vector<const Row<3>*>&);
template VectorX free_rates(const StepEquations<2>&, const std::vector<const Row<2>*>&);
template VectorX free_rates(const StepEquations<3>&, const std::vector<const Row<3>*>&);

}  // namespace touchstone
