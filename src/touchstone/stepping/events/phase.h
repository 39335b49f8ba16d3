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

/// A motor of limited force, which holds the rate of a value (stick) or gives way and pushes with all its
/// force.
struct Drive {
  int joint = 0, axis = 0;
  Grip grip = Grip::stick;
  double sense = 0;  ///< slip: of the rate less the one that it should hold, 1 or -1
};

/// What accelerations and forces a state has.
struct Forces {
  Eigen::VectorXd a;         ///< of the free bodies
  Eigen::VectorXd normal;    ///< [N] per held row
  Eigen::MatrixXd friction;  ///< [N] per held row, a column of D-1 tangents (RowNow::across)
  Eigen::VectorXd joints;
  Eigen::VectorXd drives;  ///< [N or N m] of those that hold, in their order; zero for the others
  int redundant = 0;       ///< dimension of the forces that do nothing
};

template <int D>
struct AxisNow;  // joint_row.h

/// The motors of limited force, not knowing yet whether they hold.
template <int D>
std::vector<Drive> limited_motors(const World<D>& world);

template <int D>
class Phase {
 public:
  Phase(const Flight<D>& flight, std::vector<HeldRow<D>> held, std::vector<Drive> drives = {});

  const std::vector<HeldRow<D>>& held() const { return held_; }
  const std::vector<Drive>& drives() const { return drives_; }
  const Flight<D>& flight() const { return *flight_; }

  void rate(double time, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const;
  Forces forces(const std::vector<Moving<D>>& bodies) const;
  /// Moves the bodies, by the least distance in the metric of masses, until what is held has no gap and
  /// joints are closed; then their velocities likewise.
  void project(double time, Eigen::VectorXd& y) const;
  /// Coulomb's law in accelerations for rows that are closed and do not separate.
  LawProblem law(const std::vector<Moving<D>>& bodies, const std::vector<HeldRow<D>>& closed,
                 const std::vector<Drive>& drives) const;
  /// The same in velocities; restitution after Newton. `ahead` [s]: loads of that time take part.
  LawProblem impact(const std::vector<Moving<D>>& bodies, const std::vector<ContactRow<D>>& closed,
                    double ahead) const;
  /// [m/s, rad/s] The largest rate at which joints open, and motors miss theirs that have no limit of force.
  double joint_slip(const std::vector<Moving<D>>& bodies) const;

  /// The unit direction (world) against which friction acts on a row that slips.
  Vec<D> slip_direction(const HeldRow<D>& held, const RowNow<D>& now, const Moving<D>& E) const;

 private:
  /// J, B, c of the equations above.
  struct Rows {
    std::vector<RowNow<D>> now;  ///< of the held rows
    Eigen::MatrixXd J, B;        ///< rows of rates, and of forces
    Eigen::VectorXd error;       ///< [m, rad] of positions; zero for tangents
    Eigen::VectorXd speed, bend;
    std::vector<int> sticks;  ///< per held row: where its tangents are, or -1
  };
  Rows rows(const std::vector<Moving<D>>& bodies, bool tangents) const;
  /// Rows of joints, then of motors, and the rates [m/s, rad/s] that these are to have.
  struct JointRows {
    std::vector<Row<D>> rows;
    std::vector<double> targets;
  };
  JointRows joint_rows(const std::vector<Moving<D>>& bodies, bool drives) const;
  void add_joints(const std::vector<Moving<D>>& bodies, bool drives, Rows& rows) const;
  Rows joints_alone(const std::vector<Moving<D>>& bodies) const;
  void add_drive(const Drive& drive, const AxisNow<D>& axis, double bend, LawProblem& P) const;
  void scatter(int body, const Twist<D>& G,
               Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row) const;
  Eigen::MatrixXd inverse_times(const std::vector<Moving<D>>& bodies, const Eigen::MatrixXd& columns) const;
  Eigen::VectorXd loads(const std::vector<Moving<D>>& bodies, bool drives) const;
  std::vector<JointEquations<D>> joints_at(const std::vector<Moving<D>>& bodies) const;
  LawProblem problem(const std::vector<Moving<D>>& bodies, const std::vector<RowNow<D>>& now,
                     const std::vector<const ContactRow<D>*>& which) const;

  const Flight<D>* flight_;
  std::vector<HeldRow<D>> held_;
  std::vector<Drive> drives_;
  int joint_rows_ = 0;                    ///< of joints, and of motors without limit of force
  int drive_rows_ = 0;                    ///< of drives that hold
  mutable std::vector<Body<D>> scratch_;  ///< the world's bodies, which joints ask
};

extern template class Phase<2>;
extern template class Phase<3>;

}  // namespace touchstone
