#include "touchstone/solve/matrix/gram_matrix.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "touchstone/solve/matrix/gram_products.h"

namespace touchstone {
namespace {

/// The rows that meet each block, as flat lists in the order of the rows.
struct Incidence {
  std::vector<int> begin, row;
  std::vector<const double*> G, NG;

  explicit Incidence(const GramFactors& factors) : begin(factors.block_count() + 1, 0) {
    const auto visit = [&](const auto& put) {
      for (int i = 0; i < factors.row_count(); ++i) {
        if (factors.first[i] >= 0) put(i, factors.first[i], 2 * i);
        if (factors.second[i] >= 0) put(i, factors.second[i], 2 * i + 1);
      }
    };
    visit([&](int, int block, int) { ++begin[block + 1]; });
    for (std::size_t b = 1; b < begin.size(); ++b) begin[b] += begin[b - 1];
    row.resize(begin.back()), G.resize(begin.back()), NG.resize(begin.back());
    std::vector<int> next(begin.begin(), begin.end() - 1);
    visit([&](int i, int block, int part) {
      const int at = next[block]++;
      row[at] = i;
      G[at] = &factors.G[part * factors.block], NG[at] = &factors.NG[part * factors.block];
    });
    for (std::size_t b = 0; b + 1 < begin.size(); ++b)  // Side looks for its own row by bisection
      assert(std::is_sorted(row.begin() + begin[b], row.begin() + begin[b + 1]));
  }
};

/// The part of row i of M that one of its blocks makes, entry after entry.
template <int B>
class Side {
 public:
  Side(const Incidence& incidence, int i, int block) : incidence_(incidence), i_(i) {
    if (block < 0) return;
    at_ = incidence.begin[block], end_ = incidence.begin[block + 1];
    const auto own = std::lower_bound(incidence.row.begin() + at_, incidence.row.begin() + end_, i);
    own_ = static_cast<int>(own - incidence.row.begin());
  }
  int row() const { return at_ == end_ ? std::numeric_limits<int>::max() : incidence_.row[at_]; }
  /// The same product for (i, j) and (j, i): the matrix is symmetric to the last bit.
  double take() {
    assert(at_ < end_ && incidence_.row[own_] == i_);
    const bool upper = i_ <= row();
    const double* G = incidence_.G[upper ? own_ : at_];
    const double* NG = incidence_.NG[upper ? at_ : own_];
    ++at_;
    return BlockPart<B>(G).dot(BlockPart<B>(NG));
  }

 private:
  const Incidence& incidence_;
  int i_, at_ = 0, end_ = 0, own_ = 0;
};

template <int B>
GramMatrix::Sparse expand_blocks(const GramFactors& factors) {
  const Incidence incidence(factors);
  const auto met = [&](int block) {
    return block < 0 ? 0 : incidence.begin[block + 1] - incidence.begin[block];
  };
  const int n = factors.row_count();
  Eigen::Index most = 0;
  for (int i = 0; i < n; ++i) most += met(factors.first[i]) + met(factors.second[i]);
  GramMatrix::Sparse M(n, n);
  M.reserve(most);
  for (int i = 0; i < n; ++i) {
    M.startVec(i);
    Side<B> a(incidence, i, factors.first[i]), b(incidence, i, factors.second[i]);
    for (int j = std::min(a.row(), b.row()); j < n; j = std::min(a.row(), b.row())) {
      const double from_a = a.row() == j ? a.take() : 0;
      M.insertBack(i, j) = from_a + (b.row() == j ? b.take() : 0);
    }
  }
  M.finalize();
  return M;
}

template <int B>
Eigen::VectorXd multiply_blocks(const GramFactors& factors, const Eigen::VectorXd& x) {
  BlockVector<B> v(factors.block_count());
  Eigen::VectorXd y(factors.row_count());
  velocities_of<B>(factors, x, v);
  rates_of<B>(factors, v, y);
  return y;
}

}  // namespace

GramMatrix::Sparse expand(const GramFactors& factors) {
  assert(factors.block == 3 || factors.block == 6);
  assert(factors.second.size() == factors.first.size());
  return factors.block == 3 ? expand_blocks<3>(factors) : expand_blocks<6>(factors);
}

/// A sum is NaN or infinite if a term is.
bool is_finite(const GramFactors& factors) {
  const auto size = [](const std::vector<double>& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())).lpNorm<1>();
  };
  return std::isfinite(size(factors.G) + size(factors.NG) + size(factors.N));
}

Eigen::VectorXd multiply(const GramFactors& factors, const Eigen::VectorXd& x) {
  assert(factors.block == 3 || factors.block == 6);
  return factors.block == 3 ? multiply_blocks<3>(factors, x) : multiply_blocks<6>(factors, x);
}

}  // namespace touchstone
