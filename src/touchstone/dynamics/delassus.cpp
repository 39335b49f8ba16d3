#include "touchstone/dynamics/delassus.h"

#include <cassert>

namespace touchstone {

template <int D>
std::vector<const Row<D>*> all_rows(const StepEquations<D>& equations) {
  std::vector<const Row<D>*> rows;
  rows.reserve(equations.bilateral.size() + equations.unilateral.size() + equations.tangent.size());
  for (const auto* list : {&equations.bilateral, &equations.unilateral, &equations.tangent}) {
    for (const Row<D>& row : *list) rows.push_back(&row);
  }
  return rows;
}

template <int D>
GramFactors gram_factors(const StepEquations<D>& equations, const std::vector<const Row<D>*>& rows) {
  constexpr int B = kDof<D>;
  GramFactors factors;
  factors.block = B;
  factors.G.resize(2 * B * rows.size()), factors.NG.resize(2 * B * rows.size());
  factors.first.reserve(rows.size()), factors.second.reserve(rows.size());
  factors.N.reserve(B * B * equations.body_count());
  const auto put = [&](std::size_t part, int body, const Twist<D>& G) {
    assert(body < equations.body_count());
    Eigen::Map<Twist<D>>(&factors.G[part * B]) = body >= 0 ? G : Twist<D>::Zero();
    Eigen::Map<Twist<D>>(&factors.NG[part * B]) =
        body >= 0 ? equations.apply_inverse_mass(body, G) : Twist<D>::Zero();
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    factors.first.push_back(rows[i]->body_A), factors.second.push_back(rows[i]->body_B);
    put(2 * i, rows[i]->body_A, rows[i]->G_A), put(2 * i + 1, rows[i]->body_B, rows[i]->G_B);
  }
  for (int b = 0; b < equations.body_count(); ++b)
    for (int k = 0; k < B; ++k) {
      const Twist<D> column = equations.apply_inverse_mass(b, Twist<D>::Unit(k));
      factors.N.insert(factors.N.end(), column.begin(), column.end());
    }
  return factors;
}

template <int D>
SparseMatrix delassus(const StepEquations<D>& equations, const std::vector<const Row<D>*>& rows) {
  SparseMatrix W = expand(gram_factors(equations, rows));
  assert(W.rows() == static_cast<int>(rows.size()));
  for (int i = 0; i < static_cast<int>(rows.size()); ++i)
    if (rows[i]->compliance != 0) W.coeffRef(i, i) += rows[i]->compliance;
  return W;
}

/// Row after row, against the earlier rows of its bodies, each product once: W is symmetric. Two rows meet in
/// at most two bodies, and a sum of two is the same in either order.
template <int D>
MatrixX dense_delassus(const StepEquations<D>& equations, const std::vector<const Row<D>*>& rows) {
  struct Side {
    int row, before;  ///< before: the last side of the same body, or -1
    const Twist<D>* G;
  };
  using Part = Eigen::Map<const Twist<D>>;  // as in the factors: aligned vectors might be summed otherwise
  const int count = static_cast<int>(rows.size());
  std::vector<Side> sides;
  sides.reserve(2 * rows.size());
  std::vector<int> last(equations.body_count(), -1);
  MatrixX W = MatrixX::Zero(count, count);
  const auto add = [&](int j, int body, const Twist<D>& G) {
    if (body < 0) return;
    sides.push_back({j, last[body], &G});
    const Twist<D> NG = equations.apply_inverse_mass(body, G);
    for (int at = last[body] = static_cast<int>(sides.size()) - 1; at >= 0; at = sides[at].before) {
      const int i = sides[at].row;
      W(i, j) = W(j, i) = W(i, j) + Part(sides[at].G->data()).dot(Part(NG.data()));
    }
  };
  for (int j = 0; j < count; ++j) {
    assert(rows[j]->body_A < 0 || rows[j]->body_A != rows[j]->body_B);
    add(j, rows[j]->body_A, rows[j]->G_A), add(j, rows[j]->body_B, rows[j]->G_B);
    W(j, j) += rows[j]->compliance;
  }
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
template MatrixX dense_delassus(const StepEquations<2>&, const std::vector<const Row<2>*>&);
template GramFactors gram_factors(const StepEquations<2>&, const std::vector<const Row<2>*>&);
template VectorX free_rates(const StepEquations<2>&, const std::vector<const Row<2>*>&);
template MatrixX dense_delassus(const StepEquations<3>&, const std::vector<const Row<3>*>&);
template GramFactors gram_factors(const StepEquations<3>&, const std::vector<const Row<3>*>&);
template VectorX free_rates(const StepEquations<3>&, const std::vector<const Row<3>*>&);

}  // namespace touchstone
