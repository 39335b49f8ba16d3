#pragma once
// Where the two frames of a joint stand in the world; inside dynamics only.

#include <cassert>
#include <type_traits>

#include "touchstone/dynamics/joint.h"
#include "touchstone/math/checks.h"

namespace touchstone {

template <int D>
struct JointFrames {
  int body_A, body_B;
  Pose<D> A, B;     ///< of J_A and J_B in the world
  Vec<D> x_A, x_B;  ///< centres of mass; the origin for the world

  JointFrames(const Joint<D>& joint, const std::vector<Body<D>>& bodies)
      : body_A(joint.body_A), body_B(joint.body_B) {
    place(bodies, joint.body_A, joint.X_AJ, A, x_A);
    place(bodies, joint.body_B, joint.X_BJ, B, x_B);
  }
  Row<D> row() const {
    Row<D> row;
    row.body_A = body_A, row.body_B = body_B;
    return row;
  }

 private:
  static void place(const std::vector<Body<D>>& bodies, int body, const Pose<D>& X_BJ, Pose<D>& X_WJ,
                    Vec<D>& x) {
    assert(body < static_cast<int>(bodies.size()) && is_rotation<D>(X_BJ.R));
    X_WJ = body < 0 ? X_BJ : bodies[body].X_WB() * X_BJ;
    x = body < 0 ? Vec<D>::Zero() : bodies[body].position;
  }
};

/// C = k . (p_A - p_B), whose lever of A ends at the point of B, so that its derivative holds at any pose.
template <int D>
Row<D> way_row(const JointFrames<D>& f, const std::type_identity_t<Vec<D>>& k) {
  Row<D> row = f.row();
  row.G_A = point_wrench<D>(f.B.p - f.x_A, k);
  row.G_B = -point_wrench<D>(f.B.p - f.x_B, k);
  row.offset = k.dot(f.A.p - f.B.p);
  return row;
}

template <int D>
Row<D> negated(Row<D> row) {
  row.G_A = -row.G_A, row.G_B = -row.G_B, row.offset = -row.offset;
  return row;
}

}  // namespace touchstone
