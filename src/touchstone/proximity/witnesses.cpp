#include "touchstone/proximity/witnesses.h"

#include <cassert>

#include "touchstone/geometry/bounds.h"
#include "touchstone/proximity/pair_table.h"

namespace touchstone {
namespace {

constexpr ContactForm exchanged(ContactForm form) {
  if (form == ContactForm::vertices_of_A) return ContactForm::vertices_of_B;
  return form == ContactForm::vertices_of_B ? ContactForm::vertices_of_A : form;
}

template <int D>
Placed<D> placed(const PlacedShape<D>& part) {
  const Polytope<D>* P = polytope_of(*part.shape);
  assert(P);
  return {P, part.X_WB};
}

template <int D>
void add_manifold(const PlacedShape<D>& A, const PlacedShape<D>& B, double reach,
                  std::vector<Witness<D>>& found, GapMemory<D>* memory) {
  const Placed<D> P = placed(A), Q = placed(B);
  const Gap<D> gap = find_gap(P, Q, memory);
  if (gap.gap > reach) return;
  const Vec<D> half = gap.gap / 2 * gap.normal;
  for (const ManifoldPoint<D>& corner : find_manifold(P, Q, gap).points) {
    const Vec<D>& x = corner.position;
    found.push_back({x, gap.normal, gap.gap, {corner.a, corner.b}, x + half, x - half});
  }
}

/// Each vertex of `part` near the half-space `ground`. `flip`: the part is B.
template <int D>
void add_vertices(const PlacedShape<D>& part, const PlacedShape<D>& ground, bool flip, double reach,
                  std::vector<Witness<D>>& found) {
  const Placed<D> P = placed(part);
  assert(plane_of(*ground.shape));
  const Plane<D> below = ground.X_WB * *plane_of(*ground.shape);
  const Vec<D> normal = flip ? Vec<D>(-below.normal) : below.normal;
  for (int v = 0; v < P.polytope->vertex_count(); ++v) {
    const Vec<D> x = P.X_WB * P.polytope->vertex(v);
    const double gap = below.normal.dot(x) - below.offset;
    if (gap > reach) continue;
    const Vec<D> foot = x - gap * below.normal;
    const Feature vertex{FeatureKind::vertex, v};
    const FeaturePair features = flip ? FeaturePair{kSurface, vertex} : FeaturePair{vertex, kSurface};
    found.push_back({x, normal, gap, features, flip ? foot : x, flip ? x : foot});
  }
}

template <int D>
void add_nearest(const PlacedShape<D>& A, const PlacedShape<D>& B, double reach,
                 std::vector<Witness<D>>& found) {
  const Gap<D> gap = find_gap(A, B, static_cast<GapMemory<D>*>(nullptr), {.find_candidates = false});
  if (gap.gap > reach) return;
  found.push_back(
      {0.5 * (gap.point_A + gap.point_B), gap.normal, gap.gap, gap.features, gap.point_A, gap.point_B});
}

}  // namespace

template <int D>
ContactForm contact_form(const Shape<D>& A, const Shape<D>& B) {
  return ask_pair<D>(A, B, [](auto row, const auto&, const auto&, auto is_exchanged) {
    return is_exchanged ? exchanged(row.kForm) : row.kForm;
  });
}

template <int D>
void find_witnesses(const PlacedShape<D>& A, const PlacedShape<D>& B, double reach,
                    std::vector<Witness<D>>& found, GapMemory<D>* memory) {
  assert(A.shape && B.shape);
  switch (contact_form(*A.shape, *B.shape)) {
    case ContactForm::features:
      return add_manifold(A, B, reach, found, memory);
    case ContactForm::vertices_of_A:
      return add_vertices(A, B, false, reach, found);
    case ContactForm::vertices_of_B:
      return add_vertices(B, A, true, reach, found);
    case ContactForm::point:
      return add_nearest(A, B, reach, found);
    case ContactForm::none:
      return;
  }
  assert(false);
}

#define TOUCHSTONE_INSTANTIATE(D)                                                    \
  template ContactForm contact_form(const Shape<D>&, const Shape<D>&);               \
  template void find_witnesses(const PlacedShape<D>&, const PlacedShape<D>&, double, \
                               std::vector<Witness<D>>&, GapMemory<D>*);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
