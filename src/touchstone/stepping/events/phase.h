#pragma once
// The motion between two events: some points of contact are held, each sticking or sliding, joints are
// closed, and the bodies follow an ordinary differential equation.
//
//     M a = f + G^T l + sum (N - mu T d)^T l_n  [slides]  + sum (N^T l_n + T^T l_t)  [sticks]
//     G a + g = 0,   N a + b_n = 0,   T a + b_t = 0  [sticks]
//
// One dense solve of least norm per evaluation, so redundant rows do no harm.

#include <vector>

#include "touchstone/stepping/events/contact_law.h"
#include "touchstone/stepping/events/contact_row.h"

namespace touchstone {

enum class Grip { frictionless, stick, slip };

template <int D>
struct HeldRow {
  ContactRow<D> row;
  Grip grip = Grip::frictionless;
  Vec<D> direction = Vec<D>::Zero();  ///< slip: of P against E, in the frame of E, where the phase began
};

/// What accelerations and forces a state has.
struct Forces {
  Eigen::VectorXd a;         ///< of the free bodies
  Eigen::VectorXd normal;    ///< [N] per held row
  Eigen::MatrixXd friction;  ///< [N] per held row, a column of D-1 tangents (RowNow::across)
  Eigen::VectorXd joints;
  int redundant = 0;  ///< dimension of the forces that do nothing
};

template <int D>
class Phase {
 public:
  Phase(const Flight<D>& flight, std::vector<HeldRow<D>> held);

  const std::vector<HeldRow<D>>& held() const { return held_; }
  const Flight<D>& flight() const { return *flight_; }

  void rate(double time, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const;
  Forces forces(const std::vector<Moving<D>>& bodies) const;
  /// Moves the bodies, by the least distance in the metric of masses, until what is held has no gap and
  /// joints are closed; then their velocities likewise.
  void project(double time, Eigen::VectorXd& y) const;
  /// Coulomb's law in accelerations for rows that are closed and do not separate.
  LawProblem law(const std::vector<Moving<D>>& bodies, const std::vector<HeldRow<D>>& closed) const;
  /// The same in velocities; restitution after Newton. `ahead` [s]: loads of that time take part.
  LawProblem impact(const std::vector<Moving<D>>& bodies, const std::vector<ContactRow<D>>& closed,
                    double ahead) const;

  /// The unit direction (world) against which friction acts on a row that slips.
  Vec<D> slip_direction(const HeldRow<D>& held, const RowNow<D>& now, const Moving<D>& E) const;

 private:
  struct Rows;  ///< J, B, c of the equations above
  Rows rows(const std::vector<Moving<D>>& bodies, bool tangents) const;
  void add_joints(const std::vector<Moving<D>>& bodies, Rows& rows) const;
  void scatter(int body, const Twist<D>& G,
               Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row) const;
  Eigen::MatrixXd inverse_times(const std::vector<Moving<D>>& bodies, const Eigen::MatrixXd& columns) const;
  Eigen::VectorXd loads(const std::vector<Moving<D>>& bodies) const;
  std::vector<JointEquations<D>> joints_at(const std::vector<Moving<D>>& bodies) const;
  LawProblem problem(const std::vector<Moving<D>>& bodies, const std::vector<RowNow<D>>& now,
                     const std::vector<const ContactRow<D>*>& which) const;

  const Flight<D>* flight_;
  std::vector<HeldRow<D>> held_;
  int joint_rows_ = 0;
  mutable std::vector<Body<D>> scratch_;  ///< the world's bodies, which joints ask
};

extern template class Phase<2>;
extern template class Phase<3>;

}  // namespace touchstone
