#pragma once
// The state of a world as one vector of numbers, as the integrator sees it, and back.
//
//     per body that forces move:   x, attitude, v, w      x, v: of the centre of mass, world axes
//                                                         attitude: an angle, or a quaternion (w, x, y, z)
//                                                         w: the spin in body axes

#include <Eigen/Core>
#include <vector>

#include "touchstone/stepping/world.h"

namespace touchstone {

/// Where one body is and how it moves.
template <int D>
struct Moving {
  Vec<D> x = Vec<D>::Zero();  ///< [m] centre of mass
  Attitude<D> attitude;
  Mat<D> R = Mat<D>::Identity();      ///< its matrix
  Twist<D> V = Twist<D>::Zero();      ///< world axes
  Twist<D> given = Twist<D>::Zero();  ///< [m/s^2, rad/s^2] acceleration of a scripted body; zero for others

  Pose<D> pose() const { return {R, x}; }
};

/// How many numbers one body has in the vector.
template <int D>
inline constexpr int kStateSize = D + (D == 2 ? 1 : 4) + kDof<D>;

template <int D>
class Flight {
 public:
  explicit Flight(const World<D>& world);

  const World<D>& world() const { return world_; }
  int count() const { return static_cast<int>(free_.size()); }  ///< of bodies that forces move
  int body(int i) const { return free_[i]; }                    ///< index in the world of the i-th of them
  int place(int body) const { return body < 0 ? -1 : place_[body]; }  ///< the other way round, or -1

  /// The values of joints, from which angles are continued.
  void measure(const std::vector<Moving<D>>& bodies);

  Eigen::VectorXd read() const;  ///< of the world
  /// All bodies at a time: those that forces move as y says, scripted ones as their scripts do.
  std::vector<Moving<D>> bodies(double time, const Eigen::VectorXd& y) const;
  /// Writes the bodies into y.
  void write(const std::vector<Moving<D>>& bodies, Eigen::VectorXd& y) const;
  /// The rate of y where the i-th free body has the acceleration [m/s^2, rad/s^2] a_i in world axes.
  void rate(const std::vector<Moving<D>>& bodies, const Eigen::VectorXd& a, Eigen::VectorXd& rate) const;
  /// Moves the world there.
  void put(double time, const Eigen::VectorXd& y, World<D>& world) const;

  /// [kg, kg m^2] inertia matrix in world axes.
  Eigen::Matrix<double, kDof<D>, kDof<D>> inertia(int i, const Moving<D>& m) const;
  Eigen::Matrix<double, kDof<D>, kDof<D>> inverse_inertia(int i, const Moving<D>& m) const;
  /// Gravity, forces that the world's bodies carry, and the gyroscopic torque -w x J w.
  Twist<D> load(int i, const Moving<D>& m) const;

 private:
  World<D> world_;
  std::vector<int> free_, place_;
  std::vector<SpinMat<D>> inverse_;  ///< inertia in body axes
};

/// Turns and moves a body by the twist d [m, rad].
template <int D>
void shift(Moving<D>& body, const Twist<D>& d);

extern template class Flight<2>;
extern template class Flight<3>;

}  // namespace touchstone
