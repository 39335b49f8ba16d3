#include "touchstone/dynamics/delassus.h"

#include <algorithm>
#include <limits>

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

namespace {

/// Row i of W: the rows of its two bodies, each list sorted, merged into one.
template <int D>
class DelassusRow {
 public:
  DelassusRow(const Incidence<D>& incidence, const std::vector<const Row<D>*>& rows)
      : incidence_(incidence), rows_(rows) {}

  template <class Put>
  void visit(int i, const Put& put) const {
    Side a = side(i, rows_[i]->body_A, rows_[i]->G_A), b = side(i, rows_[i]->body_B, rows_[i]->G_B);
    while (a.at != a.end || b.at != b.end) {
      const int row = std::min(a.row(), b.row());
      double value = row == i ? rows_[i]->compliance : 0;
      if (a.row() == row) value += a.take();
      if (b.row() == row) value += b.take();
      put(row, value);
    }
  }

 private:
  using Entry = typename Incidence<D>::Entry;
  struct Side {
    int i;
    const Twist<D>* G;
    Twist<D> MinvG;
    const Entry *at, *end;
    int row() const { return at == end ? std::numeric_limits<int>::max() : at->row; }
    /// The same product for (i, j) and (j, i): the matrix is symmetric to the last bit.
    double take() {
      const double value = i <= at->row ? G->dot(at->MinvG) : at->G->dot(MinvG);
      ++at;
      return value;
    }
  };

  Side side(int i, int body, const Twist<D>& G) const {
    if (body < 0) return {i, &G, Twist<D>::Zero(), nullptr, nullptr};
    const Entry* first = incidence_.entries.data() + incidence_.begin[body];
    const Entry* last = incidence_.entries.data() + incidence_.begin[body + 1];
    const Entry* own = std::lower_bound(first, last, i, [](const Entry& e, int row) { return e.row < row; });
    return {i, &G, own->MinvG, first, last};
  }

  const Incidence<D>& incidence_;
  const std::vector<const Row<D>*>& rows_;
};

}  // namespace

template <int D>
SparseMatrix delassus(const StepEquations<D>& equations, const std::vector<const Row<D>*>& rows) {
  const Incidence<D> incidence(equations, rows);
  const DelassusRow<D> one(incidence, rows);
  const int n = static_cast<int>(rows.size());
  SparseMatrix W(n, n);
  std::size_t most = 0;
  for (const Row<D>* row : rows) {
    for (int body : {row->body_A, row->body_B}) {
      if (body >= 0) most += incidence.begin[body + 1] - incidence.begin[body];
    }
  }
  W.reserve(static_cast<Eigen::Index>(most));
  for (int i = 0; i < n; ++i) {
    W.startVec(i);
    one.visit(i, [&](int j, double value) { W.insertBack(i, j) = value; });
  }
  W.finalize();
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
