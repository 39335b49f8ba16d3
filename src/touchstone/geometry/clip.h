#pragma once
// Cutting convex bodies with half-spaces, and the body that two of them share.

#include <span>
#include <vector>

#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// A convex body as loose facets, the form in which a cut body is given. Unlike a Polytope it may be empty.
/// Corners that two facets share have the same bits in both. 2D: the edges follow each other along the
/// border.
template <int D>
struct ConvexPieces {
  struct Facet {
    Plane<D> plane;
    std::vector<Vec<D>> loop;  ///< counter-clockwise seen from outside; 2D: the two ends of the edge
    int source = -1;           ///< whose facet this is: the tag given with the plane that made it
  };
  std::vector<Facet> facets;

  bool empty() const { return facets.empty(); }
};

/// The facets of a polytope, tagged 0, 1, 2, ...
template <int D>
ConvexPieces<D> pieces_of(const Polytope<D>& P);

/// Cuts a body to its part below the plane. The cut becomes a facet, tagged `source`. Points within
/// `tolerance` [m] of the plane count as on it. A body on or above the plane becomes empty; one on or below
/// it is unchanged. Throws BadShape when the facets do not close.
template <int D>
void clip(ConvexPieces<D>& body, const Plane<D>& plane, int source, double tolerance);

/// What of P lies below all planes, given in the frame of P. Facets are tagged f for facet f of P and
/// P.facet_count() + i for plane i; one that lies in both is tagged f.
template <int D>
ConvexPieces<D> clipped(const Polytope<D>& P, std::span<const Plane<D>> planes, double tolerance);

/// Integrals over a part of a body's surface; N is the outward unit normal.
template <int D>
struct SurfaceSum {
  double area = 0;                      ///< [m^(D-1)]
  Vec<D> normal_area = Vec<D>::Zero();  ///< integral of N [m^(D-1)]
  Spin<D> moment = Spin<D>::Zero();     ///< integral of (r - origin) x N [m^D]
};

/// What clipped() would give, summed up: no facet is allocated, so this is the form for loops.
template <int D>
struct ClippedSums {
  MassProperties<D> mass;
  Vec<D> origin = Vec<D>::Zero();  ///< a point of the body, about which the moments are taken
  SurfaceSum<D> own;               ///< over the remaining parts of the facets of P
  SurfaceSum<D> cut;               ///< over the facets that the planes made
  SurfaceSum<D> flush;         ///< over facets of P that lie in one of the planes, and in neither sum above
  long long height_count = 0;  ///< corners measured against planes: what this cost
};

template <int D>
ClippedSums<D> clipped_sums(const Polytope<D>& P, std::span<const Plane<D>> planes, double tolerance);

/// Volume, centre and second moments of the body; all zero when it is empty.
template <int D>
MassProperties<D> find_mass_properties(const ConvexPieces<D>& body);

/// Cuts a convex polygon, given counter-clockwise, to its part below (left of) the line. Points within
/// `tolerance` [m] of the line count as on it and stay, so the result may be a segment or a point; the input
/// may be one, too. Corners closer than the tolerance become one.
void clip_polygon(std::vector<Vec<2>>& polygon, const Plane<2>& line, double tolerance);

/// The common part of two convex polygons given counter-clockwise (Sutherland-Hodgman): a polygon, a
/// segment, a point or nothing. Each of the two may itself be any of these.
std::vector<Vec<2>> intersect_polygons(const std::vector<Vec<2>>& P, const std::vector<Vec<2>>& Q,
                                       double tolerance);

}  // namespace touchstone
