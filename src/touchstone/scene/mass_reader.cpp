#include "touchstone/scene/mass_reader.h"

#include <Eigen/Eigenvalues>
#include <cassert>

#include "touchstone/geometry/bounds.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// Shares of a body's size (moments: of their sum) that are the round-off of summing over its facets. A box
/// about the origin has its centre there and no products of inertia, not 1e-17 of them.
constexpr double kRoundOff = 1e-14;
/// Share by which a principal moment may exceed the sum of the two others, for numbers that were rounded.
constexpr double kTriangleSlack = 1e-6;

template <int D>
void clean(Vec<D>& centre, double size) {
  assert(size > 0);
  for (double& x : centre) x = std::abs(x) <= kRoundOff * size ? 0 : x;
}

template <class M>
void clean_inertia(M& inertia) {
  const double small = kRoundOff * inertia.trace();
  for (int i = 0; i < inertia.rows(); ++i) {
    for (int j = 0; j < inertia.cols(); ++j) {
      inertia(i, j) = std::abs(inertia(i, j)) <= small ? 0 : (inertia(i, j) + inertia(j, i)) / 2;
      inertia(j, i) = inertia(i, j);
    }
  }
  assert(is_self_adjoint(inertia));
}

void check_inertia(const Field& field, const SpinMat<3>& inertia) {
  const Vec<3> moments =
      Eigen::SelfAdjointEigenSolver<SpinMat<3>>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(moments[0] > 0)) refuse(field, "expected a positive definite inertia");
  if (moments[2] > (moments[0] + moments[1]) * (1 + kTriangleSlack)) {
    refuse(field, "no body has such an inertia: one principal moment exceeds the sum of the other two");
  }
}

SpinMat<3> read_rows(const Field& field) {
  SpinMat<3> inertia;
  for (int i = 0; i < 3; ++i) inertia.row(i) = read_vector<3>(field.element(i), "numbers").transpose();
  if (!is_self_adjoint(inertia)) refuse(field, "expected a symmetric matrix");
  return (inertia + inertia.transpose()) / 2;
}

template <int D>
SpinMat<D> read_inertia(const Field& field);

template <>
SpinMat<2> read_inertia<2>(const Field& field) {
  return SpinMat<2>(read_positive(field, "an inertia"));
}

template <>
SpinMat<3> read_inertia<3>(const Field& field) {
  const bool list = field.value.is_array() && field.value.size() == 3;
  if (!list) refuse_value(field, "three principal moments or three rows");
  const SpinMat<3> inertia = field.value[0].is_array()
                                 ? read_rows(field)
                                 : SpinMat<3>(read_vector<3>(field, "moments").asDiagonal());
  check_inertia(field, inertia);
  return inertia;
}

/// Mass properties of the parts; throws where a density is needed and missing.
template <int D>
MassProperties<D> from_parts(const Field& field, std::span<const WeighedPart<D>> parts) {
  const bool mass_given = field.value.contains("mass");
  std::vector<MassPart<D>> masses;
  double size = 0;
  for (const WeighedPart<D>& part : parts) {
    if (!is_bounded(*part.mass.shape)) {
      refuse(field, "a half-space has no end and no mass; say fixed: true");
    }
    if (!mass_given && !part.density_known) {
      refuse(field, "its mass is missing: give \"mass\" or \"density\", or say fixed: true");
    }
    masses.push_back(part.mass);
    size = std::max(size, reach_of(*part.mass.shape, Pose<D>()) + part.mass.X_BS.p.norm());
  }
  assert(masses.size() == parts.size() && size > 0);
  MassProperties<D> sum = sum_masses<D>(masses);
  clean<D>(sum.centre, size);
  return sum;
}

template <int D>
void read_given(const Field& field, Body<D>& body, bool has_parts) {
  const auto com = optional_member(field, "com"), inertia = optional_member(field, "inertia");
  if (com) body.com = read_vector<D>(*com, "coordinates");
  if (inertia) body.inertia = read_inertia<D>(*inertia);
  if (!inertia && (com || !has_parts)) {
    required(field, "inertia", has_parts ? "of a body whose com is given" : "of a body without a shape");
  }
}

}  // namespace

template <>
Spin<2> read_spin<2>(const Field& field, const std::string&) {
  return Spin<2>(read_number(field));
}
template <>
Spin<3> read_spin<3>(const Field& field, const std::string& what) {
  return read_vector<3>(field, what);
}

template <int D>
void read_mass(const Field& field, std::span<const WeighedPart<D>> parts, Body<D>& body) {
  if (const auto mass = optional_member(field, "mass")) body.mass = read_positive(*mass, "a mass");
  if (parts.empty()) {
    required(field, "mass", "of a body without a shape");
    return read_given<D>(field, body, false);
  }
  const MassProperties<D> sum = from_parts<D>(field, parts);
  if (!field.value.contains("mass")) body.mass = sum.volume;
  if (!(body.mass > 0) || !std::isfinite(body.mass)) refuse(field, "the mass of its shape is out of range");
  body.com = sum.centre;
  body.inertia = sum.inertia(body.mass);
  clean_inertia(body.inertia);
  if (!body.inertia.allFinite()) refuse(field, "the inertia of its shape is out of range");
  read_given<D>(field, body, true);
}

template void read_mass(const Field&, std::span<const WeighedPart<2>>, Body<2>&);
template void read_mass(const Field&, std::span<const WeighedPart<3>>, Body<3>&);

}  // namespace touchstone
