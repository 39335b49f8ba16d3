#pragma once
// One point of contact of two bodies: its gap, its rate, and its second derivative, as they change while both
// bodies move. All derivatives are exact: they are carried along (Jet), not differenced.
//
//     gap'' = N . a + bend          a: accelerations of the bodies [m/s^2, rad/s^2], linear first
//     slip  = T . V                 slip of the two materials at the point; slip' = T . a + slip_bend while
//     slip = 0

#include <vector>

#include "touchstone/dynamics/material.h"
#include "touchstone/proximity/placed.h"
#include "touchstone/stepping/events/flight.h"

namespace touchstone {

enum class TouchKind {
  point_plane,  ///< a vertex, or the centre of a ball, of P over a plane of E
  edge_edge,    ///< in space
  point_edge,   ///< in space: the centre of a ball P beside an edge of E
  point_point,  ///< centres of balls, or a ball and a vertex
  limit         ///< of a value of a joint, not of bodies that touch [joint_row.h]
};

/// `P` carries the point and is above, `E` carries the plane and is below; the normal points from E to P.
template <int D>
struct ContactRow {
  TouchKind kind = TouchKind::point_plane;
  int P = -1, E = -1;       ///< bodies
  Vec<D> point_P, point_E;  ///< in the frames at the centres of mass: a point of each feature
  Vec<D> along_P, along_E;  ///< likewise, unit: directions of edges; point_plane: along_E is the normal
  double radius_P = 0, radius_E = 0;  ///< [m] of balls about the points
  double sign = 1;                    ///< edge_edge: of along_P x along_E, so that it points from E to P
  int shape_P = -1, shape_E = -1;     ///< parts of the world
  Feature feature_P, feature_E;
  Surface surface;
  // Of a limit, whose bodies P and E may be -1, the world:
  int joint = -1, axis = -1;
  double bound = 0;  ///< [m or rad] sign 1: the lowest value, -1: the highest

  /// Is it the same point of the same features, or the same limit?
  bool is(const ContactRow& other) const {
    return kind == other.kind && joint == other.joint && axis == other.axis && sign == other.sign &&
           shape_P == other.shape_P && shape_E == other.shape_E && feature_P == other.feature_P &&
           feature_E == other.feature_E;
  }
};

/// A row at an instant.
template <int D>
struct RowNow {
  Vec<D> point, normal;
  Eigen::Matrix<double, D, D - 1> across;  ///< basis of the plane of contact
  double gap = 0;                          ///< [m]
  Twist<D> N_P, N_E;                       ///< gap' = N_P . V_P + N_E . V_E
  double bend = 0;                         ///< [m/s^2]
  Eigen::Matrix<double, D - 1, kDof<D>> T_P, T_E;
  Eigen::Matrix<double, D - 1, 1> slip, slip_bend;  ///< [m/s], [m/s^2]
  double speed = 0;                                 ///< [m/s] gap'
};

template <int D>
RowNow<D> row_now(const ContactRow<D>& row, const Moving<D>& P, const Moving<D>& E);

/// The feature of a polytope that is nearest to a point outside of it, in the polytope's frame.
template <int D>
Feature nearest_feature(const Polytope<D>& A, const Vec<D>& centre);

/// How far [m] the contact lies inside the features that hold it: negative beyond their borders.
template <int D>
double inside(const ContactRow<D>& row, const World<D>& world, const Moving<D>& P, const Moving<D>& E);

}  // namespace touchstone
