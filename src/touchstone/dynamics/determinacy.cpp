// The columns of each pair of bodies span a space of at most as many wrenches as a body has degrees of
// freedom. With an orthonormal basis Q of each as its unknowns, the null space of [Q_1 Q_2 ...] follows from
// one factorisation with pivots, and a pair is open where its rows of a basis of the null space are not zero.
// Wrenches are measured by what they do: M^-1/2 G, so that forces and torques compare.

#include "touchstone/dynamics/determinacy.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include "touchstone/dynamics/island.h"
#include "touchstone/dynamics/sticking.h"

namespace touchstone {
namespace {

/// Columns that are shorter, relative to the longest, depend on the others.
constexpr double kRank = 1e-9;
/// The least part of a null vector that is more than round-off.
constexpr double kPart = 1e-6;
/// A force counts from this share of the largest one on.
constexpr double kPushes = 1e-9;

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Whose wrench some columns are: of two bodies, or nobody's (joints, limits, motors).
struct Block {
  std::pair<int, int> bodies = {-1, -1};
  std::vector<Vector> columns;
};

template <int D>
class Determinacy {
 public:
  Determinacy(const SolvedStep<D>& solved, const Island<D>& island)
      : solved_(solved), island_(island), equations_(island.equations), p_(part_of(solved.impulses, island)) {
    for (const double p : p_.unilateral) largest_ = std::max(largest_, p);
    for (const SpinMat<D>& inverse : equations_.inverse_inertia) roots_.push_back(inverse.llt().matrixL());
    slides_.resize(equations_.unilateral.size(), false);
    for (const FrictionGroup& group : equations_.groups)
      if (group.normal >= 0) slides_[group.normal] = slides(group);
    for (std::size_t i = 0; i < equations_.bilateral.size(); ++i) add_bilateral(i);
    for (std::size_t i = 0; i < equations_.unilateral.size(); ++i) add_unilateral(i);
    for (const FrictionGroup& group : equations_.groups) add_group(group);
    for (auto& [bodies, block] : pairs_) blocks_.push_back(std::move(block));
  }
  BodyPairs open_pairs() const;

 private:
  /// M^-1/2 G of the row, over all bodies of the island.
  Vector column(const Row<D>& row) const {
    Vector x = Vector::Zero(kDof<D> * equations_.body_count());
    if (row.body_A >= 0) put(row.body_A, row.G_A, x);
    if (row.body_B >= 0) put(row.body_B, row.G_B, x);
    return x;
  }
  void put(int body, const Twist<D>& G, Vector& x) const {
    const double root = std::sqrt(equations_.inverse_mass[body]);
    x.segment<kDof<D>>(kDof<D> * body) +=
        twist<D>(root * linear<D>(G), Spin<D>(roots_[body].transpose() * angular<D>(G)));
  }
  Block& block_of(const RowNote& note) {
    if (note.kind != RowKind::contact && note.kind != RowKind::friction) return blocks_.emplace_back();
    const Contact<D>& contact = solved_.set.contacts[solved_.set.unilateral[note.index]];
    const std::pair<int, int> bodies = std::minmax(contact.body_A, contact.body_B);
    pairs_[bodies].bodies = bodies;
    return pairs_[bodies];
  }
  bool pushes(int unilateral) const { return p_.unilateral[unilateral] > kPushes * largest_; }
  double slip(int tangent) const {
    return rate(equations_.tangent[tangent], p_.V) + equations_.tangent[tangent].offset;
  }
  bool slides(const FrictionGroup& group) const {
    double squared = 0;
    for (int i = group.first; i < group.first + group.count; ++i) squared += slip(i) * slip(i);
    return std::sqrt(squared) > kSlides;
  }
  void add_bilateral(std::size_t i);
  void add_unilateral(std::size_t i);
  void add_group(const FrictionGroup& group);
  Vector sliding_column(const FrictionGroup& group) const;

  const SolvedStep<D>& solved_;
  const Island<D>& island_;
  const StepEquations<D>& equations_;
  StepImpulses<D> p_;
  double largest_ = 0;
  std::vector<char> slides_;       ///< per unilateral row
  std::vector<SpinMat<D>> roots_;  ///< of the inverse inertias
  std::vector<Block> blocks_;
  std::map<std::pair<int, int>, Block> pairs_;
};

/// Springs and dampers are determined by the motion.
template <int D>
void Determinacy<D>::add_bilateral(std::size_t i) {
  const Row<D>& row = equations_.bilateral[i];
  if (row.compliance > 0) return;
  block_of(solved_.assembly.bilateral[island_.bilateral[i]]).columns.push_back(column(row));
}

template <int D>
void Determinacy<D>::add_unilateral(std::size_t i) {
  if (!pushes(static_cast<int>(i))) return;
  if (slides_[i]) return;  // add_group() has its friction with it
  block_of(solved_.assembly.unilateral[island_.unilateral[i]])
      .columns.push_back(column(equations_.unilateral[i]));
}

/// What a unit of normal force does together with its friction, whose direction the motion tells.
template <int D>
Vector Determinacy<D>::sliding_column(const FrictionGroup& group) const {
  Vector x = column(equations_.unilateral[group.normal]);
  const double p = p_.unilateral[group.normal];
  for (int i = group.first; i < group.first + group.count; ++i)
    x += p_.tangent[i] / p * column(equations_.tangent[i]);
  return x;
}

template <int D>
void Determinacy<D>::add_group(const FrictionGroup& group) {
  if (group.normal >= 0 && !pushes(group.normal)) return;
  Block& block = block_of(solved_.assembly.tangent[island_.tangent[group.first]]);
  if (group.normal >= 0 && slides_[group.normal]) {
    block.columns.push_back(sliding_column(group));
    return;
  }
  for (int i = group.first; i < group.first + group.count; ++i) {
    const bool at_limit = group.normal < 0 && !(std::abs(p_.tangent[i]) < group.bound * (1 - kPushes));
    if (!at_limit && equations_.tangent[i].compliance == 0)
      block.columns.push_back(column(equations_.tangent[i]));
  }
}

/// An orthonormal basis of the space of the columns.
Matrix basis_of(const std::vector<Vector>& columns) {
  Matrix A(columns.front().size(), columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) A.col(static_cast<Eigen::Index>(i)) = columns[i];
  Eigen::ColPivHouseholderQR<Matrix> qr(A);
  qr.setThreshold(kRank);
  Matrix Q = Matrix::Identity(A.rows(), qr.rank());
  Q.applyOnTheLeft(qr.householderQ());
  return Q;
}

/// A basis of the vectors x with A x = 0.
Matrix null_space(const Matrix& A) {
  Eigen::ColPivHouseholderQR<Matrix> qr(A);
  qr.setThreshold(kRank);
  const Eigen::Index r = qr.rank(), n = A.cols();
  if (r == n) return Matrix(n, 0);
  Matrix Z(n, n - r);
  Z.topRows(r) = -qr.matrixR().topLeftCorner(r, r).template triangularView<Eigen::Upper>().solve(
      qr.matrixR().topRightCorner(r, n - r));
  Z.bottomRows(n - r).setIdentity();
  return qr.colsPermutation() * Z;
}

template <int D>
BodyPairs Determinacy<D>::open_pairs() const {
  std::vector<Matrix> bases;
  Eigen::Index count = 0;
  for (const Block& block : blocks_) {
    if (block.columns.empty()) continue;
    bases.push_back(basis_of(block.columns));
    count += bases.back().cols();
  }
  if (count == 0) return {};
  Matrix A(kDof<D> * equations_.body_count(), count);
  count = 0;
  for (const Matrix& Q : bases) A.middleCols(count, Q.cols()) = Q, count += Q.cols();
  const Matrix Z = null_space(A);
  BodyPairs open;
  auto basis = bases.begin();
  count = 0;
  for (const Block& block : blocks_) {
    if (block.columns.empty()) continue;
    const Eigen::Index size = (basis++)->cols();
    if (block.bodies.first >= 0 && Z.cols() > 0 && Z.middleRows(count, size).cwiseAbs().maxCoeff() > kPart)
      open.push_back(block.bodies);
    count += size;
  }
  return open;
}

}  // namespace

template <int D>
BodyPairs find_undetermined(const SolvedStep<D>& solved) {
  BodyPairs open;
  for (const Island<D>& island : find_islands(solved.assembly.equations)) {
    const BodyPairs pairs = Determinacy<D>(solved, island).open_pairs();
    open.insert(open.end(), pairs.begin(), pairs.end());
  }
  std::sort(open.begin(), open.end());
  return open;
}

template BodyPairs find_undetermined(const SolvedStep<2>&);
template BodyPairs find_undetermined(const SolvedStep<3>&);

}  // namespace touchstone
