// The step as a friction problem with round cones, in the factors of its matrix. Every unilateral row is the
// normal of a "contact" of D components; rows without friction have mu = 0, and components that nobody uses
// are decoupled (W = 1, q = 0).
//
// A bounded motor |p| <= P is a contact of its own whose normal impulse is held at P: its normal row reads
// u_n = r_n - P and mu = 1. Sliding or sticking, the cone's condition then gives u_n = 0, hence r_n = P.
//
// A pyramid that shares bodies with a round cone is taken as the round cone around it.
//
// Bilateral rows (joints, no-slip, dampers) are free contacts of up to D rows of the same two bodies.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "touchstone/dynamics/consistent_joints.h"
#include "touchstone/dynamics/delassus.h"
#include "touchstone/dynamics/formulations.h"

namespace touchstone {
namespace {

/// Where a row of the equations stands among the unknowns.
struct Unknown {
  int contact = -1, component = 0;
};

/// Direction k of a pyramid of `count` sides, in its first tangent and the one across.
Eigen::Vector2d direction(int k, int count) {
  const double angle = 2 * std::numbers::pi * k / count;
  return {std::cos(angle), std::sin(angle)};
}
/// The direction nearest to a quarter of the way round, from which the second tangent follows.
int quarter(int count) { return (count + 2) / 4; }
/// (x_quarter - cos x_first) / sin: of rows and of their rates.
template <class X>
X across(const X& first, const X& at_quarter, int count) {
  const Eigen::Vector2d d = direction(quarter(count), count);
  return (at_quarter - d.x() * first) / d.y();
}

/// p >= 0 along the two directions between which r_t lies; others 0.
void split(const Eigen::Vector2d& r_t, int count, double* p) {
  std::fill_n(p, count, 0.);
  const double turn = std::atan2(r_t.y(), r_t.x()) / (2 * std::numbers::pi) * count;
  const int k = (static_cast<int>(std::floor(turn)) + count) % count, next = (k + 1) % count;
  const Eigen::Vector2d a = direction(k, count), b = direction(next, count);
  const double area = a.x() * b.y() - a.y() * b.x();
  p[k] = std::max(0., (r_t.x() * b.y() - r_t.y() * b.x()) / area);
  p[next] = std::max(0., (a.x() * r_t.y() - a.y() * r_t.x()) / area);
}

template <int D>
class Cones : public Formulation<D> {
 public:
  explicit Cones(const StepEquations<D>& equations) : equations_(equations) {
    factors_.dimension = D;
    factors_.rows.block = kDof<D>;
    add_masses();
    for (std::size_t i = 0; i < equations.unilateral.size(); ++i) add_normal(static_cast<int>(i));
    for (const FrictionGroup& group : equations.groups) add_group(group);
    add_joints();
    fill();
  }
  const Problem& problem() const override { return problem_; }
  VectorX start(const StepImpulses<D>& guess) const override;
  StepImpulses<D> impulses(const VectorX& r) const override;

 private:
  using Parts = Eigen::Map<Eigen::Matrix<double, 2 * kDof<D>, 3>>;

  Parts rows(int contact) { return Parts(&factors_.rows.G[6 * kDof<D> * contact]); }
  int add_contact(const Row<D>& row, double mu, double bound);
  void add_masses();
  void add_normal(int i);
  void add_group(const FrictionGroup& group);
  void add_joints();
  void put(const Row<D>& row, Unknown place);
  void fill();
  void put_tangents(const double* rows, bool impulses, VectorX& r) const;
  void take_tangents(const VectorX& r, std::vector<double>& p) const;
  double lever(const Row<D>& row) const;
  static bool is_turning(const Row<D>& row) {
    return linear<D>(row.G_A).isZero(0) && linear<D>(row.G_B).isZero(0);
  }

  const StepEquations<D>& equations_;
  std::vector<Unknown> unilateral_, tangent_, bilateral_;  ///< of each row
  std::vector<double> mu_;                                 ///< per contact
  std::vector<double> bound_;                              ///< per contact; < 0: none
  std::vector<bool> free_;                                 ///< per contact
  ConeFactors factors_;
  Problem problem_;
};

template <int D>
void Cones<D>::add_masses() {
  for (int b = 0; b < equations_.body_count(); ++b)
    for (int k = 0; k < kDof<D>; ++k) {
      const Twist<D> column = equations_.apply_inverse_mass(b, Twist<D>::Unit(k));
      factors_.rows.N.insert(factors_.rows.N.end(), column.begin(), column.end());
    }
}

/// Rows of rates of turning yield as rows of speeds do at the radius of gyration of their bodies: this is the
/// square of its inverse.
template <int D>
double Cones<D>::lever(const Row<D>& row) const {
  if (!is_turning(row)) return 1;
  double turning = 0, moving = 0;
  for (const int body : {row.body_A, row.body_B}) {
    if (body < 0) continue;
    const SpinMat<D>& inverse = equations_.inverse_inertia[body];
    turning += inverse.trace() / static_cast<double>(inverse.rows());
    moving += equations_.inverse_mass[body];
  }
  return moving > 0 && turning > 0 ? turning / moving : 1;
}

/// A contact of the row's bodies without rows.
template <int D>
int Cones<D>::add_contact(const Row<D>& row, double mu, double bound) {
  const int contact = factors_.contact_count();
  factors_.rows.contacts.push_back({row.body_A, row.body_B});
  factors_.rows.G.resize(factors_.rows.G.size() + 6 * kDof<D>, 0.);
  factors_.compliance.push_back(Eigen::Vector3d::Ones());
  factors_.yielding.push_back(lever(row));
  mu_.push_back(mu), bound_.push_back(bound), free_.push_back(false);
  return contact;
}

template <int D>
void Cones<D>::put(const Row<D>& row, Unknown place) {
  assert(place.component < D);
  const PyramidContact& contact = factors_.rows.contacts[place.contact];
  assert(contact.first == row.body_A && contact.second == row.body_B);
  auto column = rows(place.contact).col(place.component);
  if (contact.first >= 0) column.template head<kDof<D>>() = row.G_A;
  if (contact.second >= 0) column.template tail<kDof<D>>() = row.G_B;
  factors_.compliance[place.contact][place.component] = row.compliance;
}

template <int D>
void Cones<D>::add_normal(int i) {
  const Row<D>& row = equations_.unilateral[i];
  unilateral_.push_back({add_contact(row, 0, -1), 0});
  put(row, unilateral_.back());
  if (!equations_.yielding.empty()) factors_.yielding.back() *= equations_.yielding[i];
}

template <int D>
void Cones<D>::add_group(const FrictionGroup& group) {
  assert(group.first == static_cast<int>(tangent_.size()));
  const Row<D>& first = equations_.tangent[group.first];
  const int contact = group.normal >= 0 ? group.normal : add_contact(first, 1, group.bound);
  if (group.normal >= 0) mu_[contact] = group.mu;
  if (!group.round) {
    const Row<D>& other = equations_.tangent[group.first + quarter(group.count)];
    Row<D> second = first;
    second.G_A = across(first.G_A, other.G_A, group.count);
    second.G_B = across(first.G_B, other.G_B, group.count);
    put(first, {contact, 1}), put(second, {contact, D - 1});
    tangent_.insert(tangent_.end(), group.count, {contact, -1});
    return;
  }
  assert(group.count <= D - 1);
  for (int k = 0; k < group.count; ++k) {
    tangent_.push_back({contact, k + 1});
    put(equations_.tangent[group.first + k], tangent_.back());
  }
}

/// The rates, or impulses, of the rows of the tangents as components of the unknowns, and back.
template <int D>
void Cones<D>::put_tangents(const double* rows, bool impulses, VectorX& r) const {
  for (const FrictionGroup& group : equations_.groups) {
    const double* x = rows + group.first;
    const int at = D * tangent_[group.first].contact + 1;
    if (group.round) {
      std::copy_n(x, group.count, &r[at]);
    } else if (!impulses) {
      r[at] = x[0], r[at + D - 2] = across(x[0], x[quarter(group.count)], group.count);
    } else {
      Eigen::Vector2d sum = Eigen::Vector2d::Zero();
      for (int k = 0; k < group.count; ++k) sum += x[k] * direction(k, group.count);
      r[at] = sum.x(), r[at + D - 2] = sum.y();
    }
  }
}

template <int D>
void Cones<D>::take_tangents(const VectorX& r, std::vector<double>& p) const {
  p.resize(tangent_.size());
  for (const FrictionGroup& group : equations_.groups) {
    const int at = D * tangent_[group.first].contact + 1;
    if (group.round) {
      std::copy_n(&r[at], group.count, &p[group.first]);
    } else {
      split({r[at], r[at + D - 2]}, group.count, &p[group.first]);
    }
  }
}

template <int D>
void Cones<D>::add_joints() {
  int filled = D;
  const Row<D>* last = nullptr;
  for (const Row<D>& row : equations_.bilateral) {
    const bool fits = last && filled < D && last->body_A == row.body_A && last->body_B == row.body_B &&
                      is_turning(*last) == is_turning(row);
    if (!fits) {
      add_contact(row, 0, -1);
      free_.back() = true, filled = 0;
    }
    bilateral_.push_back({factors_.contact_count() - 1, filled++});
    put(row, bilateral_.back());
    last = &row;
  }
}

template <int D>
void Cones<D>::fill() {
  VectorX q = VectorX::Zero(factors_.row_count());
  const VectorX rates = free_rates(equations_, all_rows(equations_));
  const auto joints = static_cast<Eigen::Index>(bilateral_.size());
  const VectorX joint_rates = consistent_rates(equations_, VectorX(rates.head(joints)));
  const auto place = [](const Unknown& unknown) { return D * unknown.contact + unknown.component; };
  Eigen::Index i = 0;
  for (const Unknown& unknown : bilateral_) q[place(unknown)] = joint_rates[i++];
  for (const Unknown& unknown : unilateral_) q[place(unknown)] = rates[i++];
  put_tangents(rates.data() + i, false, q);
  for (std::size_t c = 0; c < bound_.size(); ++c)
    if (bound_[c] >= 0) q[D * c] = -bound_[c];
  problem_ = FrictionProblem{D, std::move(factors_), std::move(q),
                             Eigen::Map<const VectorX>(mu_.data(), mu_.size()), free_};
}

template <int D>
VectorX Cones<D>::start(const StepImpulses<D>& guess) const {
  assert(guess.unilateral.size() == unilateral_.size() && guess.tangent.size() == tangent_.size());
  VectorX r = VectorX::Zero(D * static_cast<Eigen::Index>(mu_.size()));
  for (std::size_t c = 0; c < bound_.size(); ++c) r[D * c] = std::max(bound_[c], 0.);
  const auto put_all = [&](const std::vector<Unknown>& unknowns, const std::vector<double>& p) {
    for (std::size_t i = 0; i < p.size(); ++i) r[D * unknowns[i].contact + unknowns[i].component] = p[i];
  };
  put_all(bilateral_, guess.bilateral);
  put_all(unilateral_, guess.unilateral);
  put_tangents(guess.tangent.data(), true, r);
  return r;
}

template <int D>
StepImpulses<D> Cones<D>::impulses(const VectorX& r) const {
  assert(r.size() == D * static_cast<Eigen::Index>(mu_.size()));
  StepImpulses<D> found;
  const auto take = [&](const std::vector<Unknown>& unknowns, std::vector<double>& p) {
    for (const Unknown& unknown : unknowns) p.push_back(r[D * unknown.contact + unknown.component]);
  };
  take(bilateral_, found.bilateral);
  take(unilateral_, found.unilateral);
  take_tangents(r, found.tangent);
  found.slip.assign(equations_.groups.size(), 0.);
  add_impulses(equations_, found);
  return found;
}

}  // namespace

template <int D>
std::unique_ptr<Formulation<D>> make_cones(const StepEquations<D>& equations) {
  return std::make_unique<Cones<D>>(equations);
}

template std::unique_ptr<Formulation<2>> make_cones(const StepEquations<2>&);
template std::unique_ptr<Formulation<3>> make_cones(const StepEquations<3>&);

}  // namespace touchstone
