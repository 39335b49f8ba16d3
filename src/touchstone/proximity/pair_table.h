#pragma once
// How two shapes lie to each other, by their kinds: one row per pair of kinds, a specialisation of PairRow.
// Private to proximity/; the doors that ask it are gap.h, contact_data.h and witnesses.h.
//
//                polytope      sphere       half-space
//   polytope     features
//   sphere       point         point
//   half-space   vertices      point        none          (the form of contact, witnesses.h)
//
// Each row is written once, for the order of its name; asked the other way round, ask_pair exchanges the
// bodies and the caller exchanges the answer. A new kind of shape needs a row with each kind, itself included
// (and one in geometry/kinds.h): the compiler refuses a pair without a row. Each row answers
//
//   gap      in gap_shapes.cpp     the gap; of closed forms without status and round-off
//   shared   in contact_data.cpp   most general features and the manifold
//   overlap  in contact_data.cpp   the volume (2D: area) that both bodies share; `gap` is theirs, of two
//                                  polytopes any number below zero serves

#include <type_traits>
#include <variant>

#include "touchstone/proximity/manifold.h"
#include "touchstone/proximity/witnesses.h"

namespace touchstone {

/// Where the two bodies of a row are.
template <int D>
struct PairPoses {
  const Pose<D>&X_WA, &X_WB;
};

/// What find_gap was asked for.
template <int D>
struct GapQuery : PairPoses<D> {
  GapMemory<D>* memory;
  const GapSettings& settings;
  double tie;  ///< [m] normals within this of the best one are candidates; negative: none are looked for
};

/// Where two bodies touch, or would.
template <int D>
struct SharedFeatures {
  FeaturePair features;
  std::vector<ManifoldPoint<D>> manifold;
};

/// One row of the table.
template <class KindA, class KindB>
struct PairRow;

template <int D>
struct PairRow<Polytope<D>, Polytope<D>> {
  using A = Polytope<D>;
  using B = Polytope<D>;
  static constexpr ContactForm kForm = ContactForm::features;
  static constexpr bool kClosedForm = false;
  static Gap<D> gap(const A&, const B&, const GapQuery<D>&);
  static SharedFeatures<D> shared(const A&, const B&, const PairPoses<D>&, const Gap<D>&);
  static double overlap(const A&, const B&, const PairPoses<D>&, double gap);
};

template <int D>
struct PairRow<Sphere<D>, Polytope<D>> {
  using A = Sphere<D>;
  using B = Polytope<D>;
  static constexpr ContactForm kForm = ContactForm::point;
  static constexpr bool kClosedForm = true;
  static Gap<D> gap(const A&, const B&, const GapQuery<D>&);
  static SharedFeatures<D> shared(const A&, const B&, const PairPoses<D>&, const Gap<D>&);
  static double overlap(const A&, const B&, const PairPoses<D>&, double gap);
};

template <int D>
struct PairRow<Sphere<D>, Sphere<D>> {
  using A = Sphere<D>;
  using B = Sphere<D>;
  static constexpr ContactForm kForm = ContactForm::point;
  static constexpr bool kClosedForm = true;
  static Gap<D> gap(const A&, const B&, const GapQuery<D>&);
  static SharedFeatures<D> shared(const A&, const B&, const PairPoses<D>&, const Gap<D>&);
  static double overlap(const A&, const B&, const PairPoses<D>&, double gap);
};

template <int D>
struct PairRow<Polytope<D>, HalfSpace<D>> {
  using A = Polytope<D>;
  using B = HalfSpace<D>;
  static constexpr ContactForm kForm = ContactForm::vertices_of_A;
  static constexpr bool kClosedForm = true;
  static Gap<D> gap(const A&, const B&, const GapQuery<D>&);
  static SharedFeatures<D> shared(const A&, const B&, const PairPoses<D>&, const Gap<D>&);
  static double overlap(const A&, const B&, const PairPoses<D>&, double gap);
};

template <int D>
struct PairRow<Sphere<D>, HalfSpace<D>> {
  using A = Sphere<D>;
  using B = HalfSpace<D>;
  static constexpr ContactForm kForm = ContactForm::point;
  static constexpr bool kClosedForm = true;
  static Gap<D> gap(const A&, const B&, const GapQuery<D>&);
  static SharedFeatures<D> shared(const A&, const B&, const PairPoses<D>&, const Gap<D>&);
  static double overlap(const A&, const B&, const PairPoses<D>&, double gap);
};

/// Both are unbounded: their gap is refused, and nothing else is asked.
template <int D>
struct PairRow<HalfSpace<D>, HalfSpace<D>> {
  using A = HalfSpace<D>;
  using B = HalfSpace<D>;
  static constexpr ContactForm kForm = ContactForm::none;
  static constexpr bool kClosedForm = true;
  static Gap<D> gap(const A&, const B&, const GapQuery<D>&);
  static SharedFeatures<D> shared(const A&, const B&, const PairPoses<D>&, const Gap<D>&) { return {}; }
  static double overlap(const A&, const B&, const PairPoses<D>&, double) { return 0; }
};

/// The answer of (B, A) as one of (A, B).
template <int D>
void exchange(Gap<D>& gap) {
  gap.normal = -gap.normal;
  for (Vec<D>& n : gap.candidates) n = -n;
  std::swap(gap.point_A, gap.point_B);
  std::swap(gap.features.a, gap.features.b);
}

/// What `question` answers of the pair's row and of the two shapes in the row's order; its last argument is
/// std::true_type if that is B, A, else std::false_type.
template <int D, class Question>
auto ask_pair(const Shape<D>& A, const Shape<D>& B, const Question& question) {
  const auto ask = [&]<class KindA, class KindB>(const KindA& a, const KindB& b) {
    if constexpr (requires { PairRow<KindA, KindB>::kForm; }) {
      return question(PairRow<KindA, KindB>(), a, b, std::false_type());
    } else {
      return question(PairRow<KindB, KindA>(), b, a, std::true_type());
    }
  };
  return std::visit(ask, A, B);
}

/// The poses of A and B in the row's order.
template <int D>
PairPoses<D> poses_in_order(const PlacedShape<D>& A, const PlacedShape<D>& B, bool is_exchanged) {
  return is_exchanged ? PairPoses<D>{B.X_WB, A.X_WB} : PairPoses<D>{A.X_WB, B.X_WB};
}

}  // namespace touchstone
