// PEG in the plane [Thesis 4.3, alg. 8-11; PEG 4]. Where a vertex of A is near a vertex of B,
// counter-clockwise
//
//        \   A   /           C1 = (va, b1)   C3 = (vb, a1)      a1, b1: edges that arrive at va, vb
//      a1 \     / a2         C2 = (va, b2)   C4 = (vb, a2)      a2, b2: edges that leave them
//          \va./
//           .vb.             A passes on the right: C1 and C3 hold; on the left: C2 and C4.
//       b2 /    \ b1         I(1,2), I(3,4), X(1,4), X(2,3) together say: on one side or the other.
//
// A short edge has both of its ends near va: then b1 is followed by more near edges on the same side, and
// the lists of X run along them, else "outside of b1 or of b2" would forbid to be outside of the next edge
// alone [PEG 4.1].

#include <algorithm>
#include <cassert>

#include "touchstone/contact/peg_constraints.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// The edges before and after each vertex, counter-clockwise, and the vertices before and after each edge.
struct Ring {
  std::vector<int> arriving, leaving;  ///< per vertex
  std::vector<int> from, to;           ///< per edge

  explicit Ring(const Polytope<2>& P)
      : arriving(P.vertex_count()), leaving(P.vertex_count()), from(P.facet_count()), to(P.facet_count()) {
    for (int f = 0; f < P.facet_count(); ++f) {
      from[f] = P.facet_vertices(f)[0], to[f] = P.facet_vertices(f)[1];
      leaving[from[f]] = f, arriving[to[f]] = f;
    }
  }
};

class PlanarPeg {
 public:
  PlanarPeg(const PegPair<2>& pair, PairConstraints<2>& found)
      : pair_(pair),
        found_(found),
        near_(pair, found.contacts),
        rings_{Ring(*pair.A.polytope), Ring(*pair.B.polytope)} {}

  void add_merged(bool with_cross) {
    add_vertex_constraints(near_, pair_.tests.applicability_angle, found_);
    if (!with_cross) return;
    for_near_vertices([&](int va, int vb) {
      add_cross(joined(chain(0, va, vb, false), chain(1, vb, va, true)));
      add_cross(joined(chain(0, va, vb, true), chain(1, vb, va, false)));
    });
  }

  void add_printed() {
    std::vector<bool> flagged[2];
    for (int side : {0, 1}) flagged[side].assign(near_.vertex_count(side), false);
    for_near_vertices([&](int va, int vb) {
      const int c1 = near_.find(0, va, rings_[1].arriving[vb]), c2 = near_.find(0, va, rings_[1].leaving[vb]);
      const int c3 = near_.find(1, vb, rings_[0].arriving[va]), c4 = near_.find(1, vb, rings_[0].leaving[va]);
      add_choice({c1, c2}, found_.inter), add_choice({c3, c4}, found_.inter);
      add_choice({c1, c4}, found_.cross), add_choice({c2, c3}, found_.cross);
      flagged[0][va] = flagged[1][vb] = true;
    });
    for (int side : {0, 1}) {
      for (int v = 0; v < near_.vertex_count(side); ++v) {
        if (!flagged[side][v]) add_primary(near_.of(side, v));
      }
    }
  }

 private:
  /// Alg. 8: each near edge that the vertex may press on.
  void add_primary(const std::vector<NearFacets<2>::Entry>& facets) {
    for (const auto& entry : facets) {
      assert(is_index(entry.contact, found_.contacts.size()));
      if (found_.contacts[entry.contact].primary) found_.unilateral.push_back(entry.contact);
    }
  }

  template <typename Function>
  void for_near_vertices(const Function& function) const {
    for (int va = 0; va < near_.vertex_count(0); ++va) {
      if (near_.of(0, va).empty()) continue;
      const Vec<2> x = pair_.A.X_WB * pair_.A.polytope->vertex(va);
      for (int vb = 0; vb < near_.vertex_count(1); ++vb) {
        const Vec<2> y = pair_.B.X_WB * pair_.B.polytope->vertex(vb);
        if ((x - y).norm() <= pair_.margin) function(va, vb);
      }
    }
  }

  /// The contacts of vertex v of `side` with the edges of the other body from its vertex u on, one way round,
  /// as far as they are near v.
  std::vector<int> chain(int side, int v, int u, bool forward) const {
    assert(side == 0 || side == 1);
    const Ring& ring = rings_[1 - side];
    std::vector<int> contacts;
    int edge = forward ? ring.leaving[u] : ring.arriving[u];
    for (std::size_t i = 0; i < ring.from.size(); ++i) {
      const int contact = near_.find(side, v, edge);
      if (contact < 0) break;
      contacts.push_back(contact);
      edge = forward ? ring.leaving[ring.to[edge]] : ring.arriving[ring.from[edge]];
    }
    return contacts;
  }

  /// Empty where one of the chains is: the vertices are near by round-off only.
  static std::vector<int> joined(std::vector<int> one, const std::vector<int>& other) {
    if (one.empty() || other.empty()) return {};
    one.insert(one.end(), other.begin(), other.end());
    return one;
  }
  void add_cross(std::vector<int> members) {
    if (!members.empty()) add_choice(std::move(members), found_.cross);
  }

  const PegPair<2>& pair_;
  PairConstraints<2>& found_;
  NearFacets<2> near_;
  Ring rings_[2];
};

}  // namespace

void find_peg_constraints(const PegPair<2>& pair, PegVariant variant, PairConstraints<2>& found) {
  found = {near_contacts(pair), {}, {}, {}, {}};
  if (found.contacts.empty()) return;
  PlanarPeg peg(pair, found);
  variant == PegVariant::printed ? peg.add_printed() : peg.add_merged(variant == PegVariant::merged);
}

}  // namespace touchstone
