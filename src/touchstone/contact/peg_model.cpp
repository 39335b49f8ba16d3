#include "touchstone/contact/peg_model.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "touchstone/geometry/bounds.h"
#include "touchstone/math/checks.h"
#include "touchstone/proximity/gap.h"

namespace touchstone {
namespace {

/// The force acts where the vertex is; between crossing edges halfway.
template <int D>
Vec<D> point_of(const FeatureContact<D>& c) {
  if (c.features.a.kind == FeatureKind::vertex) return c.point_A;
  if (c.features.b.kind == FeatureKind::vertex) return c.point_B;
  return 0.5 * (c.point_A + c.point_B);
}

/// [m] overlap that an exact step may leave of closed gaps: a contact this deep is closed, not violated.
constexpr double kStillApart = 1e-8;

/// X forbids about 3 % of the states in which two corners are free of each other [PEG 4.2], and edges that
/// count only because applicability is relaxed may have passed each other. What is violated though the pair
/// is apart asks only not to get worse: a list gets a copy of its most open member with gap 0, for the member
/// itself may stand in other lists [PEG 7.1 R1]; a contact that stands alone is raised itself.
template <int D>
class Lifter {
 public:
  Lifter(const PegPair<D>& pair, GapMemory<D>& memory, PairConstraints<D>& found)
      : pair_(pair), memory_(memory), found_(found) {
    found_.lifted.assign(found_.contacts.size(), 0.);
  }

  void lift() {
    for (int k : found_.unilateral) {
      const FeatureContact<D>& contact = found_.contacts[k];
      const bool relaxed_edges =
          contact.features.a.kind == contact.features.b.kind && contact.applicability < 0;
      if (relaxed_edges && contact.gap < -kStillApart && is_apart()) raise(k, contact.gap);
    }
    const auto gap_less = [&](int c, int d) { return found_.contacts[c].gap < found_.contacts[d].gap; };
    for (std::vector<int>& members : found_.cross) {
      assert(!members.empty());
      const int best = *std::max_element(members.begin(), members.end(), gap_less);
      if (found_.contacts[best].gap >= -kStillApart || !is_apart()) continue;
      members.push_back(static_cast<int>(found_.contacts.size()));
      found_.contacts.push_back(found_.contacts[best]);
      found_.lifted.push_back(0);
      raise(members.back(), found_.contacts[best].gap);
    }
  }

 private:
  bool is_apart() {
    if (!gap_) gap_ = find_gap(pair_.A, pair_.B, &memory_).gap;
    return *gap_ >= -kStillApart;
  }
  void raise(int k, double gap) { found_.contacts[k].gap = 0, found_.lifted[k] = -gap; }

  const PegPair<D>& pair_;
  GapMemory<D>& memory_;
  PairConstraints<D>& found_;
  std::optional<double> gap_;  ///< [m] of the pair, once asked for
};

/// The height of vertex v of V over facet f of F.
template <int D>
MovedContact<D> vertex_over_facet(const Placed<D>& V, int v, const Placed<D>& F, int f) {
  const Plane<D>& plane = F.polytope->plane(f);
  const Vec<D> x = relative_pose(F.X_WB, V.X_WB) * V.polytope->vertex(v);
  return {F.X_WB.R * plane.normal, plane.height(x)};
}

/// Edges that cross: the distance of their lines along the normal nearest to `before`.
MovedContact<3> edge_over_edge(const Placed<3>& A, int ea, const Placed<3>& B, int eb, const Vec<3>& before) {
  const auto ends = [](const Placed<3>& P, int e) {
    const Edge& edge = P.polytope->edge(e);
    return std::pair<Vec<3>, Vec<3>>(P.X_WB * P.polytope->vertex(edge.tail),
                                     P.X_WB * P.polytope->vertex(edge.head));
  };
  const auto [a0, a1] = ends(A, ea);
  const auto [b0, b1] = ends(B, eb);
  Vec<3> n = (a1 - a0).cross(b1 - b0).normalized();
  if (n.dot(before) < 0) n = -n;
  return {n, n.dot(a0 - b0)};
}
/// There are none in the plane.
MovedContact<2> edge_over_edge(const Placed<2>&, int, const Placed<2>&, int, const Vec<2>& before) {
  return {before, 0};
}

template <int D>
MovedContact<D> measure_features(const Placed<D>& A, const Placed<D>& B, const FeaturePair& of,
                                 const Vec<D>& before) {
  if (of.a.kind == FeatureKind::vertex) return vertex_over_facet(A, of.a.index, B, of.b.index);
  if (of.b.kind == FeatureKind::vertex) {
    MovedContact<D> found = vertex_over_facet(B, of.b.index, A, of.a.index);
    found.normal = -found.normal;
    return found;
  }
  return edge_over_edge(A, of.a.index, B, of.b.index, before);
}

/// A vertex over a half-space, or a round body.
template <int D>
MovedContact<D> find_simple(const PlacedShape<D>& A, const PlacedShape<D>& B, const FeaturePair& of) {
  const auto over = [](const PlacedShape<D>& part, int v,
                       const PlacedShape<D>& ground) -> std::optional<MovedContact<D>> {
    const Polytope<D>* P = polytope_of(*part.shape);
    const Plane<D>* below = plane_of(*ground.shape);
    if (!P || !below) return std::nullopt;
    const Plane<D> plane = ground.X_WB * *below;
    return MovedContact<D>{plane.normal, plane.height(part.X_WB * P->vertex(v))};
  };
  if (const auto found = over(A, of.a.index, B)) return *found;
  if (const auto found = over(B, of.b.index, A)) return {-found->normal, found->gap};
  const Gap<D> gap = find_gap<D>(A, B);
  return {gap.normal, gap.gap};
}

/// Fills a set with the contacts of one pair after the other.
template <int D>
class PegFinder {
 public:
  PegFinder(const TriedMotion<D>& motion, PegVariant variant, const FeatureTests& tests)
      : motion_(motion), variant_(variant), tests_(tests) {}

  void add(const Pair<D>& pair) {
    const Polytope<D>*A = polytope_of(*pair.A.shape), *B = polytope_of(*pair.B.shape);
    if (A && B) {
      add_polytopes(pair, {{A, pair.A.X_WB}, {B, pair.B.X_WB}, motion_.margin, tests_});
    } else {
      add_others(pair);
    }
  }
  FoundContacts<D> take() { return std::move(out_); }

 private:
  void add_polytopes(const Pair<D>& pair, const PegPair<D>& polytopes) {
    PairConstraints<D> found;
    find_peg_constraints(polytopes, variant_, found);
    if (variant_ == PegVariant::merged) Lifter<D>(polytopes, *pair.memory, found).lift();
    // Contacts that no constraint names are left out.
    std::vector<int> index(found.contacts.size(), -1);
    const auto use = [&](int c) {
      if (index[c] < 0) index[c] = add_feature(pair, found, c);
      return index[c];
    };
    ConstraintSet<D>& set = out_.set;
    for (int c : found.unilateral) set.unilateral.push_back(use(c));
    const auto copy = [&](const std::vector<std::vector<int>>& from, std::vector<std::vector<int>>& to) {
      for (const std::vector<int>& members : from) {
        to.emplace_back();
        for (int c : members) to.back().push_back(use(c));
      }
    };
    copy(found.inter, set.inter_contact), copy(found.cross, set.cross_contact);
  }

  /// Returns the number of the contact that it adds.
  int add_feature(const Pair<D>& pair, const PairConstraints<D>& found, int c) {
    assert(is_index(c, found.contacts.size()));
    const FeatureContact<D>& contact = found.contacts[c];
    const double lifted = c < static_cast<int>(found.lifted.size()) ? found.lifted[c] : 0;
    add_contact(pair, {point_of(contact), contact.normal, contact.gap, contact.features});
    out_.features.back().lifted = lifted;
    out_.set.contacts.back().gap -= lifted;
    out_.set.contacts.back().primary = contact.primary;
    return static_cast<int>(out_.set.contacts.size()) - 1;
  }

  /// Spheres and half-spaces have no corners: their contacts are those of every model.
  void add_others(const Pair<D>& pair) {
    PairContacts<D> simple;
    add_manifold(pair, simple);
    for (const PairContact<D>& contact : simple) {
      out_.set.unilateral.push_back(static_cast<int>(out_.set.contacts.size()));
      add_contact(pair, contact);
    }
  }

  void add_contact(const Pair<D>& pair, const PairContact<D>& contact) {
    out_.set.contacts.push_back(contact_of(motion_, pair, contact));
    out_.features.push_back({pair.shape_A, pair.shape_B, contact.features});
    assert(out_.features.size() == out_.set.contacts.size());
  }

  const TriedMotion<D>& motion_;
  PegVariant variant_;
  const FeatureTests& tests_;
  FoundContacts<D> out_;
};

template <int D>
class PegModel : public ContactModel<D> {
 public:
  PegModel(PegVariant variant, const ModelSettings& settings) : variant_(variant), settings_(settings) {}
  bool has_choices() const override { return true; }
  bool is_as_printed() const override { return variant_ != PegVariant::merged; }
  Promise promises() const override { return {.seen = true, .gap = settings_.relinearise}; }

  std::unique_ptr<StepContacts<D>> propose(const TriedMotion<D>& motion,
                                           const ModelMemoryPtr& last) const override {
    auto memory = followed<D>(last, motion.pairs);
    PegFinder<D> finder(motion, variant_, settings_.tests);
    for (std::size_t i = 0; i < motion.pairs.size(); ++i) {
      finder.add(pair_at_start(motion, *memory, static_cast<int>(i)));
    }
    return make_peg_contacts<D>(motion, finder.take(), settings_, std::move(memory));
  }

 private:
  PegVariant variant_;
  ModelSettings settings_;
};

}  // namespace

template <int D>
MovedContact<D> find_at_end(const TriedMotion<D>& motion, const ContactFeatures& of, const Vec<D>& before) {
  assert(is_index(of.shape_A, motion.shapes.size()) && is_index(of.shape_B, motion.shapes.size()));
  assert(is_unit(before));
  const PlacedShape<D> a = motion.part_at_end(of.shape_A), b = motion.part_at_end(of.shape_B);
  const Polytope<D>*A = polytope_of(*a.shape), *B = polytope_of(*b.shape);
  if (!A || !B) return find_simple<D>(a, b, of.features);
  assert(of.lifted >= 0);
  MovedContact<D> found = measure_features<D>({A, a.X_WB}, {B, b.X_WB}, of.features, before);
  found.gap += of.lifted;
  return found;
}

template <int D>
std::unique_ptr<ContactModel<D>> make_peg_model(PegVariant variant, const ModelSettings& settings) {
  return std::make_unique<PegModel<D>>(variant, settings);
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                     \
  template MovedContact<D> find_at_end(const TriedMotion<D>&, const ContactFeatures&, const Vec<D>&); \
  template std::unique_ptr<ContactModel<D>> make_peg_model(PegVariant, const ModelSettings&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
