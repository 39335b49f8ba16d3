#include "touchstone/solve/friction/friction_interior_point.h"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/solve/friction/cone_algebra.h"

namespace touchstone {
namespace {

/// A contact without friction gets a cone with an inside; Newton's method removes what this adds.
constexpr double kLeastMu = 1e-4;
/// The share of the way to the boundary that a step may take.
constexpr double kShareOfStep = 0.99;
/// A step is drawn to the centre by at least this share of the gap: none at all would end at the boundary.
constexpr double kLeastCentring = 1e-6;
/// Steps as short as this one after the other lead nowhere.
constexpr double kShortStep = 0.02;
constexpr int kMaxShortSteps = 4;
/// The least gap r . y per contact, in units of the problem: below it digits are lost.
constexpr double kLeastGap = 1e-15;
/// |u_t| is taken as sqrt(|u_t|^2 + (c t)^2) - c t, where t is the gap r . y per contact: c sharp and round.
constexpr double kSharp = 1e-2, kRound = 5;

/// All in units in which W and q are about 1, and with the cones made equal: z = (mu r_n, r_t), s = (y_n/mu,
/// y_t).
template <int D>
class InteriorPoint {
 public:
  InteriorPoint(const FrictionBlocks<D>& blocks, double rounding) : blocks_(blocks), rounding_(rounding) {
    double weight = 0;
    for (int i = 0; i < blocks.contacts(); ++i) weight += blocks.weight(i) / blocks.contacts();
    impulse_unit_ = weight > 0 ? blocks.scale() / weight : 1;
    cones_.resize(blocks.contacts());
    for (int i = 0; i < blocks.contacts(); ++i) cones_[i].mu = std::max(blocks.mu(i), kLeastMu);
    find_pattern();
  }

  void impulses(VectorX& r) const {
    for (int i = 0; i < blocks_.contacts(); ++i) {
      r.segment<D>(D * i) = impulse_unit_ * cones_[i].z;
      r[D * i] /= cones_[i].mu;
    }
  }

  /// One step from where `velocities` belong to. Returns its length; 0 when there is none.
  double advance(const VectorX& velocities) {
    assert(velocities.size() == blocks_.size());
    measure(velocities);
    if (gap_ < kLeastGap || !factorise()) return 0;
    for (Cone& cone : cones_) cone.aim = -cone.lambda;  // the predictor aims at the boundary
    if (!find_step()) return 0;
    const double length = longest_step(1.0);
    aim_at_centre(length);
    if (!find_step()) return 0;
    return move();
  }

 private:
  struct Cone {
    double mu = 0;
    ContactVector<D> z = ContactVector<D>::Unit(0), s = ContactVector<D>::Unit(0);
    ContactVector<D> dz, ds;
    ContactMatrix<D> V;        ///< the scaling
    ContactVector<D> lambda;   ///< V z = V^-1 s
    ContactVector<D> aim;      ///< V dz + V^-1 ds shall be this
    ContactVector<D> missing;  ///< y - s
    ContactMatrix<D> slope;    ///< dy / du
  };

  void measure(const VectorX& velocities) {
    gap_ = 0;
    for (const Cone& cone : cones_) gap_ += cone.z.dot(cone.s) / static_cast<double>(cones_.size());
    const double round = rounding_ * gap_;
    for (int i = 0; i < blocks_.contacts(); ++i) {
      Cone& cone = cones_[i];
      ContactVector<D> y = velocities.segment<D>(D * i) / blocks_.scale();
      const double length = std::hypot(y.template tail<D - 1>().norm(), round), mu = blocks_.mu(i);
      cone.slope.setIdentity();
      if (length > 0)
        cone.slope.template topRightCorner<1, D - 1>() = mu / length * y.template tail<D - 1>().transpose();
      y[0] = (y[0] + mu * (length - round)) / cone.mu;
      cone.missing = y - cone.s;
      cone.V = cone_scaling<D>(cone.z, cone.s);
      cone.lambda = cone.V * cone.z;
    }
  }

  /// W between cones i and j, in these units.
  ContactMatrix<D> scaled(int i, int j, const ContactMatrix<D>& W) const {
    ContactMatrix<D> block = impulse_unit_ / blocks_.scale() * (cones_[i].slope * W);
    block.row(0) /= cones_[i].mu;
    block.col(0) /= cones_[j].mu;
    return block;
  }

  template <class Add>
  void each_block(const Add& add) const {
    for (int i = 0; i < blocks_.contacts(); ++i) {
      add(i, i, blocks_.diagonal(i));
      const auto neighbours = blocks_.neighbours(i);
      for (std::size_t k = 0; k < neighbours.size(); ++k)
        add(i, neighbours[k], blocks_.block(i, static_cast<int>(k)));
    }
  }

  void find_pattern() {
    std::vector<Eigen::Triplet<double>> entries;
    each_block([&](int i, int j, const ContactMatrix<D>&) {
      for (int k = 0; k < D * D; ++k) entries.emplace_back(D * i + k % D, D * j + k / D, 1.0);
    });
    matrix_.resize(blocks_.size(), blocks_.size());
    matrix_.setFromTriplets(entries.begin(), entries.end());
    each_block([&](int i, int j, const ContactMatrix<D>&) {
      for (int col = 0; col < D; ++col) place_.push_back(&matrix_.coeffRef(D * i, D * j + col));
    });
    factors_.analyzePattern(matrix_);
  }

  /// (slope W + V^2) dz = V aim - missing.
  bool factorise() {
    auto place = place_.begin();
    each_block([&](int i, int j, const ContactMatrix<D>& W) {
      ContactMatrix<D> block = scaled(i, j, W);
      if (i == j) block += cones_[i].V * cones_[i].V;
      for (int col = 0; col < D; ++col) std::copy_n(block.col(col).data(), D, *place++);
    });
    assert(place == place_.end());
    factors_.factorize(matrix_);
    return factors_.info() == Eigen::Success;
  }

  bool find_step() {
    VectorX right(blocks_.size());
    for (int i = 0; i < blocks_.contacts(); ++i)
      right.segment<D>(D * i) = cones_[i].V * cones_[i].aim - cones_[i].missing;
    const VectorX step = factors_.solve(right);
    if (!step.allFinite()) return false;
    for (int i = 0; i < blocks_.contacts(); ++i) {
      Cone& cone = cones_[i];
      cone.dz = step.segment<D>(D * i);
      cone.ds = cone.V * (cone.aim - cone.V * cone.dz);
    }
    return true;
  }

  double longest_step(double most) const {
    double length = most;
    for (const Cone& cone : cones_)
      length = std::min(cone_step<D>(cone.z, cone.dz, length), cone_step<D>(cone.s, cone.ds, length));
    return length;
  }

  /// Mehrotra's rule: the better the predictor did, the less the next step is drawn to the centre.
  void aim_at_centre(double length) {
    double reached = 0;
    for (const Cone& cone : cones_)
      reached +=
          (cone.z + length * cone.dz).dot(cone.s + length * cone.ds) / static_cast<double>(cones_.size());
    const double share = reached / gap_,
                 target = gap_ * std::clamp(share * share * share, kLeastCentring, 1.0);
    for (Cone& cone : cones_) {
      const ContactVector<D> ds = cone.V.inverse() * cone.ds, dz = cone.V * cone.dz;
      ContactVector<D> right = -cone_product<D>(cone.lambda, cone.lambda) - cone_product<D>(ds, dz);
      right[0] += target;
      cone.aim = cone_quotient<D>(cone.lambda, right);
    }
  }

  double move() {
    const double length = std::min(1.0, kShareOfStep * longest_step(2.0));
    for (Cone& cone : cones_) {
      cone.z += length * cone.dz;
      cone.s += length * cone.ds;
    }
    return length;
  }

  const FrictionBlocks<D>& blocks_;
  double rounding_ = 0, impulse_unit_ = 1, gap_ = 1;
  std::vector<Cone> cones_;
  Eigen::SparseMatrix<double> matrix_;
  std::vector<double*> place_;  ///< of each column of each block in matrix_, in the order of each_block
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors_;
};

template <int D>
void step_inside(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, double rounding,
                 FrictionIterate& iterate) {
  InteriorPoint<D> method(blocks, rounding);
  VectorX u(blocks.size());
  int short_steps = 0;
  for (int k = 0; k < limits.iterations && short_steps < kMaxShortSteps; ++k) {
    method.impulses(iterate.r);
    take_note<D>(blocks, iterate, u);
    if (iterate.reached(limits)) return;
    const double length = method.advance(u);
    ++iterate.iterations;
    if (length == 0) break;
    short_steps = length < kShortStep ? short_steps + 1 : 0;
  }
  iterate.r = iterate.best;
}

}  // namespace

template <int D>
void step_interior_point(const FrictionBlocks<D>& blocks, const FrictionLimits& limits,
                         FrictionIterate& iterate) {
  step_inside<D>(blocks, limits, kSharp, iterate);
}

template <int D>
void step_rounded_interior_point(const FrictionBlocks<D>& blocks, const FrictionLimits& limits,
                                 FrictionIterate& iterate) {
  step_inside<D>(blocks, limits, kRound, iterate);
}

template void step_interior_point<2>(const FrictionBlocks<2>&, const FrictionLimits&, FrictionIterate&);
template void step_interior_point<3>(const FrictionBlocks<3>&, const FrictionLimits&, FrictionIterate&);
template void step_rounded_interior_point<2>(const FrictionBlocks<2>&, const FrictionLimits&,
                                             FrictionIterate&);
template void step_rounded_interior_point<3>(const FrictionBlocks<3>&, const FrictionLimits&,
                                             FrictionIterate&);

}  // namespace touchstone
