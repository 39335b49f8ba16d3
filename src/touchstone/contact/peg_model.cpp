#include "touchstone/contact/peg_model.h"

#include <algorithm>
#include <optional>

#include "touchstone/contact/row_key.h"
#include "touchstone/proximity/gap.h"

namespace touchstone {
namespace {

template <int D>
PlacedShape<D> placed(const ContactScene<D>& scene, int shape) {
  return {scene.shapes[shape].shape.get(), scene.X_WS[shape]};
}

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
MovedContact<D> measure_features(const Placed<D>& A, const Placed<D>& B, const ContactFeatures& of,
                                 const Vec<D>& before) {
  constexpr int kVertex = static_cast<int>(FeatureKind::vertex);
  if (of.kind_A == kVertex) return vertex_over_facet(A, of.index_A, B, of.index_B);
  if (of.kind_B == kVertex) {
    MovedContact<D> found = vertex_over_facet(B, of.index_B, A, of.index_A);
    found.normal = -found.normal;
    return found;
  }
  return edge_over_edge(A, of.index_A, B, of.index_B, before);
}

/// A vertex over a half-space, or a round body.
template <int D>
MovedContact<D> find_simple(const std::pair<PlacedShape<D>, PlacedShape<D>>& parts,
                            const ContactFeatures& of) {
  const auto over = [](const PlacedShape<D>& part, int v,
                       const PlacedShape<D>& ground) -> std::optional<MovedContact<D>> {
    const auto* P = std::get_if<Polytope<D>>(part.shape);
    const auto* H = std::get_if<HalfSpace<D>>(ground.shape);
    if (!P || !H) return std::nullopt;
    const Plane<D> plane = ground.X_WB * H->plane;
    return MovedContact<D>{plane.normal, plane.height(part.X_WB * P->vertex(v))};
  };
  if (const auto found = over(parts.first, of.index_A, parts.second)) return *found;
  if (const auto found = over(parts.second, of.index_B, parts.first)) return {-found->normal, found->gap};
  const Gap<D> gap = find_gap<D>(parts.first, parts.second);
  return {gap.normal, gap.gap};
}

template <int D>
class PegModel : public ContactModel<D> {
 public:
  explicit PegModel(PegVariant variant) : variant_(variant) {}
  bool has_choices() const override { return true; }

  void relate(const ContactScene<D>& scene, PairMemory<D>& memory, ConstraintSet<D>& set) const override {
    memory.follow(scene.pairs);
    set.clear();
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
      const auto [a, b] = scene.pairs[i];
      const Pair<D> pair{
          a, b, placed(scene, a), placed(scene, b), scene.margin, &memory.of(static_cast<int>(i))};
      const auto* A = std::get_if<Polytope<D>>(pair.A.shape);
      const auto* B = std::get_if<Polytope<D>>(pair.B.shape);
      if (A && B) {
        add_polytopes(scene, pair, {{A, pair.A.X_WB}, {B, pair.B.X_WB}, scene.margin, scene.tests}, set);
      } else {
        add_others(scene, pair, set);
      }
    }
  }

  MovedContact<D> find_again(const ContactScene<D>& moved, const ConstraintSet<D>& set,
                             int k) const override {
    const ContactFeatures& of = set.features[k];
    const auto polytope = [&](int shape) {
      return std::get_if<Polytope<D>>(moved.shapes[shape].shape.get());
    };
    if (!polytope(of.shape_A) || !polytope(of.shape_B)) {
      return find_simple<D>({placed(moved, of.shape_A), placed(moved, of.shape_B)}, of);
    }
    const Placed<D> A{polytope(of.shape_A), moved.X_WS[of.shape_A]},
        B{polytope(of.shape_B), moved.X_WS[of.shape_B]};
    MovedContact<D> found = measure_features(A, B, of, set.contacts[k].normal);
    found.gap += of.lifted;
    return found;
  }

 private:
  void add_polytopes(const ContactScene<D>& scene, const Pair<D>& pair, const PegPair<D>& polytopes,
                     ConstraintSet<D>& set) const {
    PairConstraints<D> found;
    find_peg_constraints(polytopes, variant_, found);
    if (variant_ == PegVariant::merged) Lifter<D>(polytopes, *pair.memory, found).lift();
    // Contacts that no constraint names are left out.
    std::vector<int> index(found.contacts.size(), -1);
    const auto use = [&](int c) {
      if (index[c] >= 0) return index[c];
      const FeatureContact<D>& contact = found.contacts[c];
      add(scene, pair, {point_of(contact), contact.normal, contact.gap, contact.features}, set);
      set.contacts.back().primary = contact.primary;
      if (c < static_cast<int>(found.lifted.size())) set.features.back().lifted = found.lifted[c];
      return index[c] = static_cast<int>(set.contacts.size()) - 1;
    };
    for (int c : found.unilateral) set.unilateral.push_back(use(c));
    const auto copy = [&](const std::vector<std::vector<int>>& from, std::vector<std::vector<int>>& to) {
      for (const std::vector<int>& members : from) {
        to.emplace_back();
        for (int c : members) to.back().push_back(use(c));
      }
    };
    copy(found.inter, set.inter_contact), copy(found.cross, set.cross_contact);
  }

  /// Spheres and half-spaces have no corners: their contacts are those of every model.
  static void add_others(const ContactScene<D>& scene, const Pair<D>& pair, ConstraintSet<D>& set) {
    PairContacts<D> simple;
    add_standard(pair, simple);
    for (const PairContact<D>& contact : simple) {
      add(scene, pair, contact, set);
      set.unilateral.push_back(static_cast<int>(set.contacts.size()) - 1);
    }
  }

  static void add(const ContactScene<D>& scene, const Pair<D>& pair, const PairContact<D>& found,
                  ConstraintSet<D>& set) {
    const ContactShape<D>&A = scene.shapes[pair.shape_A], &B = scene.shapes[pair.shape_B];
    set.contacts.push_back({A.body, B.body, A.material, B.material, found.point, found.normal, found.gap,
                            row_key(pair.shape_A, pair.shape_B, found.features)});
    const Feature &a = found.features.a, &b = found.features.b;
    set.features.push_back(
        {pair.shape_A, pair.shape_B, static_cast<int>(a.kind), a.index, static_cast<int>(b.kind), b.index});
  }

  PegVariant variant_;
};

}  // namespace

template <int D>
std::unique_ptr<ContactModel<D>> make_peg_model(PegVariant variant) {
  return std::make_unique<PegModel<D>>(variant);
}

template std::unique_ptr<ContactModel<2>> make_peg_model(PegVariant);
template std::unique_ptr<ContactModel<3>> make_peg_model(PegVariant);

}  // namespace touchstone
