#include "touchstone/dynamics/pyramid_factors.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// How far a direction may be from its place in the pyramid, relative to its row: round-off of the contact's
/// point and of cosines.
constexpr double kSameDirection = 1e-13;

template <int D>
bool is_rigid(const std::vector<Row<D>>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const Row<D>& row) { return row.compliance == 0; });
}

/// Both parts of a row, one behind the other; zeros where there is no body.
template <int D>
using BothParts = Eigen::Matrix<double, 2 * kDof<D>, 1>;
template <int D>
BothParts<D> both_parts(const Row<D>& row) {
  BothParts<D> parts = BothParts<D>::Zero();
  if (row.body_A >= 0) parts.template head<kDof<D>>() = row.G_A;
  if (row.body_B >= 0) parts.template tail<kDof<D>>() = row.G_B;
  return parts;
}

template <int D>
class Maker {
 public:
  Maker(const StepEquations<D>& equations, const std::vector<PyramidSide>& sides)
      : equations_(equations), normals_(static_cast<int>(equations.unilateral.size())) {
    made_.block = kDof<D>;
    made_.size = normals_ + static_cast<int>(sides.size() + equations.groups.size());
    made_.side.assign(made_.size, Eigen::Vector2d::Zero());
    first_side_.assign(equations.groups.size() + 1, 0);
    for (const PyramidSide& side : sides) ++first_side_[side.group + 1];
    for (std::size_t g = 0; g < equations.groups.size(); ++g) first_side_[g + 1] += first_side_[g];
  }

  std::optional<PyramidFactors> run() {
    for (int i = 0; i < normals_; ++i) {
      const Row<D>& row = equations_.unilateral[i];
      add_contact({row.body_A, row.body_B, i}).col(0) = both_parts(row);
    }
    for (int g = 0; g < static_cast<int>(equations_.groups.size()); ++g)
      if (!add_group(g)) return std::nullopt;
    for (int b = 0; b < equations_.body_count(); ++b)
      for (int k = 0; k < kDof<D>; ++k) {
        const Twist<D> column = equations_.apply_inverse_mass(b, Twist<D>::Unit(k));
        made_.N.insert(made_.N.end(), column.begin(), column.end());
      }
    return std::move(made_);
  }

 private:
  using Rows = Eigen::Map<Eigen::Matrix<double, 2 * kDof<D>, 3>>;

  /// Its rows, by columns, all zero.
  Rows add_contact(const PyramidContact& contact) {
    made_.contacts.push_back(contact);
    made_.G.resize(made_.G.size() + 6 * kDof<D>, 0.);
    return rows(static_cast<int>(made_.contacts.size()) - 1);
  }
  Rows rows(int contact) { return Rows(&made_.G[6 * kDof<D> * contact]); }

  bool add_group(int g) {
    const FrictionGroup& group = equations_.groups[g];
    assert(is_index(group.first, equations_.tangent.size()) && group.normal < normals_);
    const Row<D>& first = equations_.tangent[group.first];
    int at = group.normal;
    if (at < 0) {
      at = static_cast<int>(made_.contacts.size());
      add_contact({first.body_A, first.body_B});
    }
    PyramidContact& contact = made_.contacts[at];
    if (contact.slip >= 0 || contact.first != first.body_A || contact.second != first.body_B) return false;
    contact.sides = normals_ + first_side_[g], contact.side_count = first_side_[g + 1] - first_side_[g];
    contact.slip = normals_ + first_side_.back() + g;
    contact.mu = group.normal >= 0 ? group.mu : 0;
    rows(at).col(1) = both_parts(first);
    return group.round ? add_line(group, contact) : add_pyramid(group, contact, rows(at));
  }

  /// One direction, either way.
  bool add_line(const FrictionGroup& group, const PyramidContact& contact) {
    if (group.count != 1) return false;
    made_.side[contact.sides] = {1, 0}, made_.side[contact.sides + 1] = {-1, 0};
    return true;
  }

  /// Directions at equal angles, the first of which is the first tangent. The second tangent follows from the
  /// one nearest to a quarter of the way round.
  bool add_pyramid(const FrictionGroup& group, const PyramidContact& contact, Rows rows) {
    if (group.count < 3) return false;
    const auto direction = [&](int k) {
      const double angle = 2 * std::numbers::pi * k / group.count;
      return Eigen::Vector2d(std::cos(angle), std::sin(angle));
    };
    const auto given = [&](int k) { return both_parts(equations_.tangent[group.first + k]); };
    const int quarter = (group.count + 2) / 4;
    rows.col(2) = (given(quarter) - direction(quarter).x() * given(0)) / direction(quarter).y();
    const double allowed = kSameDirection * (rows.col(1).norm() + rows.col(2).norm());
    for (int k = 0; k < group.count; ++k) {
      made_.side[contact.sides + k] = direction(k);
      if (!((rows.template rightCols<2>() * direction(k) - given(k)).norm() <= allowed)) return false;
    }
    return true;
  }

  const StepEquations<D>& equations_;
  int normals_;
  std::vector<int> first_side_;  ///< per group, and behind the last
  PyramidFactors made_;
};

}  // namespace

template <int D>
std::optional<PyramidFactors> pyramid_factors(const StepEquations<D>& equations,
                                              const std::vector<PyramidSide>& sides) {
  const bool fits = !equations.groups.empty() && equations.bilateral.empty() &&
                    is_rigid(equations.unilateral) && is_rigid(equations.tangent);
  if (!fits) return std::nullopt;
  return Maker<D>(equations, sides).run();
}

template std::optional<PyramidFactors> pyramid_factors(const StepEquations<2>&,
                                                       const std::vector<PyramidSide>&);
template std::optional<PyramidFactors> pyramid_factors(const StepEquations<3>&,
                                                       const std::vector<PyramidSide>&);

}  // namespace touchstone
