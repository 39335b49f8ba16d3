#pragma once
// One proximal step for linearised friction, in the velocities of the bodies. From impulses c (the centre)
// with rates w_c, the next ones are p(w) of pyramid_cone.h at the rates w = w_c + G u, where u = N G^T (p -
// c) is the change of velocities:
//
//     F(u) = N^-1 u - G^T (p(w_c + G u) - c) = 0
//
// is piecewise linear, and Newton's method solves it: on a piece p falls by K dw, so that each step is one
// system N^-1 + G^T K G of the size of the bodies. Unlike without friction F is no gradient, for friction
// follows the normal impulse but not the other way round, and the search may fail. As in gram_newton.cpp all
// numbers are differences from the centre. Inside solve only.

#include <algorithm>

#include "touchstone/solve/factors/pyramid_cone.h"
#include "touchstone/solve/factors/pyramid_system.h"

namespace touchstone {

template <class Blocks>
bool is_finite(const Blocks& blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [](const auto& block) { return block.allFinite(); });
}

template <int B>
class PyramidStep {
 public:
  explicit PyramidStep(const LinearProblem& problem);

  const std::vector<PyramidCone>& cones() const { return cones_; }
  PyramidSystem<B>& system() { return system_; }
  int factorisations() const { return factorisations_; }
  const LocalVectors& centre() const { return centre_; }
  const LocalVectors& rates() const { return w_centre_; }  ///< at the centre
  bool has_finite_rates() const { return is_finite(v_centre_); }
  /// The pieces of the last step that was solved, or the pieces given to stand_on.
  const std::vector<int>& pieces() const { return now_.pieces; }

  void move_centre(const LocalVectors& p);
  /// Changes the centre contact after contact, each with the others as they are.
  void sweep();
  /// A proximal step of this softness, with less than `limit` factorisations in all. False: it is not solved,
  /// and the centre stays.
  bool step(double softness, int limit);
  /// Takes these pieces, on which the centre need not lie, and factors their system. False: it is singular.
  bool stand_on(const std::vector<int>& pieces, double softness);
  /// The centre moves to the solution on the present pieces, wherever they end. Returns how far; infinite
  /// where a number is not finite: then it stays.
  double move_on_pieces();
  /// The system was used for something else.
  void forget_factors() { factored_.clear(); }

 private:
  /// Where Newton's method is: velocities from the centre, and what follows from them.
  struct Place {
    BlockVector<B> u;
    LocalVectors w, p;
    std::vector<Eigen::Matrix3d> K;
    std::vector<int> pieces;
    double error = 0;  ///< F^T N F
  };

  PyramidResponse respond_on_piece(int contact, int piece) const;
  void look(Place& place);
  void between(const Place& from, const Place& to, double t, Place& place);
  void solve_on_pieces(const std::vector<int>& pieces, BlockVector<B>& u);
  bool find_target(const Place& place, Place& target);
  bool solve(int limit);
  double take_impulses_of(const Place& place);

  const PyramidFactors& factors_;
  int count_, factorisations_ = 0;
  std::vector<PyramidCone> cones_;
  PyramidSystem<B> system_;
  LocalVectors sizes_, local_;
  double softness_;
  LocalVectors centre_, w_centre_;
  BlockVector<B> v_centre_, gathered_;
  Place now_, next_, target_;
  std::vector<int> factored_;  ///< the pieces whose system is factored; empty: none
};

}  // namespace touchstone
