#pragma once
// A polytope inside the Minkowski difference A - B that grows towards its surface. Private to proximity/.
//
// Its corners are differences a - b of vertices, so they can be computed anew after the bodies have moved: a
// warm start. Its faces are triangles. While the origin lies strictly below each of them, rays from the
// origin meet the surface once (it is star-shaped), and so the ball with the radius of the nearest face's
// distance lies inside A - B:  that distance is a *lower* bound of the penetration depth. The support of A -
// B along any direction is an *upper* bound. Where the two meet, the depth is proved.

#include <array>
#include <vector>

#include "touchstone/proximity/penetration.h"
#include "touchstone/proximity/separation.h"

namespace touchstone {

template <>
struct Expansion<3> {
  struct Corner {
    Vec<3> w;        ///< a - b, in the frame of A
    SupportPair at;  ///< the vertices a and b
  };
  struct Face {
    std::array<int, 3> corner;     ///< counter-clockwise seen from outside
    std::array<int, 3> neighbour;  ///< across the edge from corner i to corner i+1
    Vec<3> area;                   ///< outward normal, twice the face's area long
    double volume;                 ///< area . corner: six times that of the tetrahedron with the origin
    double squared_area;           ///< |area|^2
    double key;          ///< [m^2] squared distance of the plane from the origin, with the sign of the side
    bool alive, proved;  ///< part of the surface; known to lie in a facet of A - B
  };

  std::vector<Corner> corners;
  std::vector<Face> faces;
  std::size_t first_size = 0;  ///< faces after the last cold start; a warm polytope much larger is not kept
  bool usable = false;         ///< holds a polytope with the origin inside, ready for the next pose

  // Work space of growth, kept so that nothing is allocated in the steady state.
  struct HorizonEdge {
    int inside, edge;  ///< the edge `edge` of the visible face `inside`, whose neighbour is not visible
  };
  std::vector<int> renumbered;
  std::vector<HorizonEdge> horizon;
};

}  // namespace touchstone
