// PEG in space [Thesis 4.4, alg. 12-17; PEG 5, 6]. Vertices hold against faces as in the plane. Where a
// vertex va of A is near an edge eb of B, each edge ea that leaves va and crosses over to one side of eb must
// not cut through eb:
//
//          ea                     f1 is the face of eb on the side that ea leads to.
//        <------- va              va outside of f1: then ea, leading away over f1, cannot cut eb.
//      f1 __..--.._               va behind f1, beyond the edge: then ea passes over eb.
//     --''   eb    ''-- f2        X( C(va, f1), C(ea, eb) )
//
// The lists of X stay {one face, one pair of edges}: with more faces in them an aligned tetrahedron falls
// through its twin [PEG 5].

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/contact/peg_constraints.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// An edge of a placed body, seen from outside as in polytope.h.
struct EdgeView {
  Vec<3> tail, head;
  Vec<3> leftward;  ///< unit, across the edge, towards the side of the left face [Thesis 3.4, O]
  int left, right;  ///< faces

  EdgeView(const Placed<3>& P, int e) {
    const Edge& edge = P.polytope->edge(e);
    tail = P.X_WB * P.polytope->vertex(edge.tail), head = P.X_WB * P.polytope->vertex(edge.head);
    left = edge.left, right = edge.right;
    const Vec<3> outward = P.polytope->plane(left).normal + P.polytope->plane(right).normal;
    leftward = -(head - tail).cross(P.X_WB.R * outward).normalized();
  }
  double distance(const Vec<3>& x) const { return (nearest_on_segment<3>(tail, head, x).point - x).norm(); }
};

class SpatialPeg {
 public:
  SpatialPeg(const PegPair<3>& pair, PairConstraints<3>& found)
      : bodies_{&pair.A, &pair.B},
        margin_(pair.margin),
        angle_(pair.tests.applicability_angle),
        lean_(std::sin(pair.tests.applicability_angle)),
        found_(found),
        near_(pair, found.contacts) {
    for (int i = 0; i < static_cast<int>(found.contacts.size()); ++i) {
      const FeaturePair& f = found.contacts[i].features;
      if (f.a.kind == FeatureKind::edge) crossings_.push_back({{f.a.index, f.b.index}, i});
    }
    assert(std::is_sorted(crossings_.begin(), crossings_.end(),
                          [](const Crossing& x, const Crossing& y) { return x.edges < y.edges; }));
  }

  void add_merged(bool with_cross) {
    add_vertex_constraints(near_, angle_, found_);
    if (with_cross) {
      for_near_edges([&](int side, int v, int e) { add_passages(side, v, e, false); });
    }
    for (const Crossing& crossing : crossings_) {
      if (counts(found_.contacts[crossing.contact]) && !has_near_end(crossing))
        found_.unilateral.push_back(crossing.contact);
    }
  }

  void add_printed();

 private:
  struct Crossing {
    std::pair<int, int> edges;  ///< of A and of B
    int contact;
  };

  Vec<3> position(int side, int v) const { return bodies_[side]->X_WB * bodies_[side]->polytope->vertex(v); }
  EdgeView view(int side, int e) const { return {*bodies_[side], e}; }

  /// The contact of edge e_mine of `side` with edge e_other of the other body; -1: none.
  int crossing(int side, int e_mine, int e_other) const {
    const std::pair<int, int> edges = side == 0 ? std::pair(e_mine, e_other) : std::pair(e_other, e_mine);
    const auto at = std::lower_bound(crossings_.begin(), crossings_.end(), edges,
                                     [](const Crossing& c, const auto& e) { return c.edges < e; });
    return at != crossings_.end() && at->edges == edges ? at->contact : -1;
  }

  /// Calls for each vertex v of a side with each edge e of the other body within the margin.
  template <typename Function>
  void for_near_edges(const Function& function) const {
    for (int side : {0, 1}) {
      for (int v = 0; v < near_.vertex_count(side); ++v) {
        if (near_.of(side, v).size() < 2) continue;  // near an edge is near both of its faces
        const Vec<3> x = position(side, v);
        for (int e = 0; e < bodies_[1 - side]->polytope->edge_count(); ++e) {
          if (view(1 - side, e).distance(x) <= margin_) function(side, v, e);
        }
      }
    }
  }

  bool has_near_end(const Crossing& crossing) const {
    const auto& [ea, eb] = crossing.edges;
    const EdgeView a = view(0, ea), b = view(1, eb);
    return std::min({a.distance(b.tail), a.distance(b.head), b.distance(a.tail), b.distance(a.head)}) <=
           margin_;
  }

  /// May these edges cut each other? Where the arcs cross on the Gauss sphere they may, however deep what
  /// rotation left is; where they nearly do, only if feasible.
  static bool counts(const FeatureContact<3>& contact) {
    return contact.primary || contact.applicability > 0;
  }

  /// Alg. 14: the X-constraints of vertex v with edge e of the other body. `printed`: applicability alone
  /// lets an edge take part, and edges that lead along e are held on both sides.
  void add_passages(int side, int v, int e, bool printed);
  void add_both_sides(const std::pair<int, int>& faces, int crossed, double lead);
  int add_flipped(int contact);
  void flag(std::vector<bool>& flagged, int side, int v) const {
    for (int e : bodies_[side]->polytope->vertex_edges(v)) flagged[e] = true;
  }
  bool is_flagged(const std::vector<bool>& flagged, int side, int v) const {
    const auto edges = bodies_[side]->polytope->vertex_edges(v);
    return std::any_of(edges.begin(), edges.end(), [&](int e) { return flagged[e]; });
  }
  void add_printed_vertices(int va, int vb);

  const Placed<3>* bodies_[2];
  double margin_, angle_, lean_;
  PairConstraints<3>& found_;
  NearFacets<3> near_;
  std::vector<Crossing> crossings_;  ///< sorted by edges
};

void SpatialPeg::add_passages(int side, int v, int e, bool printed) {
  const Polytope<3>& mine = *bodies_[side]->polytope;
  const EdgeView other = view(1 - side, e);
  const Vec<3> x = position(side, v);
  const auto edges = mine.vertex_edges(v);
  const auto ends = mine.neighbours(v);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const int crossed = crossing(side, edges[i], e);
    if (crossed < 0) continue;
    assert(is_index(crossed, found_.contacts.size()));
    const FeatureContact<3>& contact = found_.contacts[crossed];
    if (printed ? contact.applicability < -lean_ : !counts(contact)) continue;
    const double lead = (position(side, ends[i]) - x).normalized().dot(other.leftward);
    const std::pair faces(near_.find(side, v, other.left), near_.find(side, v, other.right));
    if (printed && std::abs(lead) < lean_) {
      add_both_sides(faces, crossed, lead);
    } else {
      add_choice({lead >= 0 ? faces.first : faces.second, crossed}, found_.cross);
    }
  }
}

/// The third case of alg. 14, with psi4 = -psi3 beside the flipped normal [PEG 6].
void SpatialPeg::add_both_sides(const std::pair<int, int>& faces, int crossed, double lead) {
  const int flipped = add_flipped(crossed);
  add_choice({lead >= 0 ? faces.first : faces.second, crossed}, found_.cross);
  add_choice({lead >= 0 ? faces.second : faces.first, flipped}, found_.cross);
}

int SpatialPeg::add_flipped(int contact) {
  assert(is_index(contact, found_.contacts.size()));
  FeatureContact<3> flipped = found_.contacts[contact];
  flipped.normal = -flipped.normal, flipped.gap = -flipped.gap;
  flipped.primary = false;
  found_.contacts.push_back(flipped);
  return static_cast<int>(found_.contacts.size()) - 1;
}

/// Alg. 16.
void SpatialPeg::add_printed_vertices(int va, int vb) {
  const auto faces_at = [&](int side, int v, int u) {
    std::vector<int> members;
    for (const auto& entry : near_.of(side, v)) {
      const auto loop = bodies_[1 - side]->polytope->facet_vertices(entry.facet);
      if (std::find(loop.begin(), loop.end(), u) != loop.end()) members.push_back(entry.contact);
    }
    return members;
  };
  add_choice(faces_at(0, va, vb), found_.inter), add_choice(faces_at(1, vb, va), found_.inter);
  for (int e : bodies_[1]->polytope->vertex_edges(vb)) add_passages(0, va, e, true);
  for (int e : bodies_[0]->polytope->vertex_edges(va)) add_passages(1, vb, e, true);
}

/// Alg. 17 with its flags on edges; the edge-edge branch and the loops over the vertices of B corrected.
void SpatialPeg::add_printed() {
  std::vector<bool> flagged[2] = {std::vector<bool>(bodies_[0]->polytope->edge_count(), false),
                                  std::vector<bool>(bodies_[1]->polytope->edge_count(), false)};
  for (int va = 0; va < near_.vertex_count(0); ++va) {
    for (int vb = 0; vb < near_.vertex_count(1); ++vb) {
      if (near_.of(0, va).empty() || (position(0, va) - position(1, vb)).norm() > margin_) continue;
      add_printed_vertices(va, vb);
      flag(flagged[0], 0, va), flag(flagged[1], 1, vb);
    }
  }
  for_near_edges([&](int side, int v, int e) {
    if (is_flagged(flagged[side], side, v)) return;
    const EdgeView other = view(1 - side, e);
    add_choice({near_.find(side, v, other.left), near_.find(side, v, other.right)}, found_.inter);
    add_passages(side, v, e, true);
    flag(flagged[side], side, v), flagged[1 - side][e] = true;
  });
  for (int side : {0, 1}) {
    for (int v = 0; v < near_.vertex_count(side); ++v) {
      if (is_flagged(flagged[side], side, v)) continue;
      for (const auto& entry : near_.of(side, v)) {
        if (found_.contacts[entry.contact].primary) found_.unilateral.push_back(entry.contact);
      }
      if (!near_.of(side, v).empty()) flag(flagged[side], side, v);
    }
  }
  for (const Crossing& crossing : crossings_) {
    const bool silent = flagged[0][crossing.edges.first] && flagged[1][crossing.edges.second];
    if (!silent && found_.contacts[crossing.contact].primary) found_.unilateral.push_back(crossing.contact);
  }
}

}  // namespace

void find_peg_constraints(const PegPair<3>& pair, PegVariant variant, PairConstraints<3>& found) {
  found = {near_contacts(pair), {}, {}, {}, {}};
  if (found.contacts.empty()) return;
  SpatialPeg peg(pair, found);
  variant == PegVariant::printed ? peg.add_printed() : peg.add_merged(variant == PegVariant::merged);
}

}  // namespace touchstone
