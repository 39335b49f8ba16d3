#include "touchstone/solve/pyramid_matrix.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "touchstone/solve/gram_matrix.h"
#include "touchstone/solve/pyramid_products.h"

namespace touchstone {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("factors of a pyramid matrix: ") + what);
}

/// Round once, counter-clockwise and by less than half a turn each time; or the two ways along the first
/// tangent.
bool go_round(const Eigen::Vector2d* side, int count) {
  if (count == 2) return side[0].x() > 0 && side[0].y() == 0 && side[1] == -side[0];
  for (int k = 0; k < count; ++k) {
    const Eigen::Vector2d &a = side[k], &b = side[(k + 1) % count];
    if (a.x() * b.y() - a.y() * b.x() <= 0) return false;
  }
  return true;
}

void check(const PyramidFactors& factors) {
  const int n = factors.size;
  require(factors.block == 3 || factors.block == 6, "a block has 3 or 6 unknowns");
  require(factors.N.size() % (factors.block * factors.block) == 0, "N is not made of whole blocks");
  require(factors.G.size() == static_cast<std::size_t>(6 * factors.block) * factors.contacts.size(),
          "G has not three rows of two parts per contact");
  require(factors.side.size() == static_cast<std::size_t>(n), "there is not one side per unknown");
  const auto is_index = [](int i, int count) { return i >= -1 && i < count; };
  std::vector<int> uses(std::max(n, 0), 0);
  for (const PyramidContact& c : factors.contacts) {
    require(is_index(c.first, factors.block_count()) && is_index(c.second, factors.block_count()),
            "a contact names a block that is not there");
    require(c.first < 0 || c.first != c.second, "a contact names the same block twice");
    require(is_index(c.normal, n) && is_index(c.slip, n), "a contact names an unknown that is not there");
    require(c.side_count >= 0 && c.sides >= 0 && c.sides <= n - c.side_count,
            "a contact names sides that are not there");
    require(c.slip >= 0 ? c.side_count >= 2 : c.side_count == 0,
            "a contact has friction with two sides or more, or none");
    require(c.side_count == 0 || go_round(&factors.side[c.sides], c.side_count),
            "the sides of a contact do not go round it");
    require(!(c.mu < 0), "mu is negative");
    if (c.normal >= 0) ++uses[c.normal];
    if (c.slip >= 0) ++uses[c.slip];
    for (int k = c.sides; k < c.sides + c.side_count; ++k) ++uses[k];
  }
  require(std::all_of(uses.begin(), uses.end(), [](int count) { return count == 1; }),
          "an unknown is not that of exactly one contact");
}

/// One row per unknown, sides combined; those of s are zero.
GramFactors rows_of_unknowns(const PyramidFactors& factors) {
  const int B = factors.block;
  GramFactors made;
  made.block = B, made.N = factors.N;
  made.first.assign(factors.size, -1), made.second.assign(factors.size, -1);
  made.G.assign(2 * B * factors.size, 0), made.NG.assign(2 * B * factors.size, 0);
  using Part = Eigen::VectorXd;
  const auto put = [&](int unknown, const PyramidContact& contact, const Part& row) {
    made.first[unknown] = contact.first, made.second[unknown] = contact.second;
    Eigen::Map<Part>(&made.G[2 * B * unknown], 2 * B) = row;
    for (const int part : {0, 1}) {
      const int block = part == 0 ? contact.first : contact.second;
      if (block < 0) continue;
      const Eigen::Map<const Eigen::MatrixXd> N(&factors.N[B * B * block], B, B);
      Eigen::Map<Part>(&made.NG[(2 * unknown + part) * B], B) = N * row.segment(part * B, B);
    }
  };
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    const Eigen::Map<const Eigen::MatrixXd> rows(factors.rows(c), 2 * B, 3);
    if (contact.normal >= 0) put(contact.normal, contact, rows.col(0));
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k)
      put(k, contact, rows.rightCols(2) * factors.side[k]);
  }
  return made;
}

PyramidMatrix::Sparse expand(const PyramidFactors& factors) {
  PyramidMatrix::Sparse cones(factors.size, factors.size);
  std::vector<Eigen::Triplet<double>> entries;
  for (const PyramidContact& contact : factors.contacts) {
    if (contact.slip < 0) continue;
    if (contact.normal >= 0) entries.emplace_back(contact.slip, contact.normal, contact.mu);
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k) {
      entries.emplace_back(k, contact.slip, 1.);
      entries.emplace_back(contact.slip, k, -1.);
    }
  }
  cones.setFromTriplets(entries.begin(), entries.end());
  return expand(rows_of_unknowns(factors)) + cones;
}

template <int B>
Eigen::VectorXd multiply(const PyramidFactors& factors, const Eigen::VectorXd& z) {
  LocalVectors p(factors.contact_count()), rates(factors.contact_count());
  impulses_of(factors, z, p);
  BlockVector<B> v(factors.block_count());
  velocities_of<B>(factors, p, v);
  rates_of<B>(factors, v, rates);
  Eigen::VectorXd w = Eigen::VectorXd::Zero(factors.size);
  add_rows(factors, rates, z, w);
  return w;
}

}  // namespace

PyramidMatrix::PyramidMatrix(PyramidFactors factors) : factors_(std::move(factors)) { check(factors_); }

/// A sum is NaN or infinite if a term is.
bool PyramidMatrix::is_finite() const {
  double sum = 0;
  for (double x : factors_.G) sum += std::abs(x);
  for (double x : factors_.N) sum += std::abs(x);
  for (const Eigen::Vector2d& x : factors_.side) sum += x.lpNorm<1>();
  for (const PyramidContact& contact : factors_.contacts) sum += std::abs(contact.mu);
  return std::isfinite(sum);
}

Eigen::VectorXd PyramidMatrix::operator*(const Eigen::VectorXd& z) const {
  return factors_.block == 3 ? multiply<3>(factors_, z) : multiply<6>(factors_, z);
}

const PyramidMatrix::Sparse& PyramidMatrix::expanded() const {
  std::call_once(once_, [&] { expanded_ = expand(factors_); });
  return expanded_;
}

}  // namespace touchstone
