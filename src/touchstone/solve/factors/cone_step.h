#pragma once
// Coulomb's law with compliance for all contacts at once, in the velocities of the bodies. Around impulses c
// (the centre) with rates u_c, find the velocities v, counted from those that c makes, with
//
//     F(v) = N^-1 v - G^T (p(u_c + G v) - c) = 0,            p of cone_law.h, R = softness x size
//
// by Newton's method with a line search: each step is one system N^-1 + G^T K G of the size of the bodies,
// however many points touch. It is unsymmetric, for friction follows the normal impulse but not the other way
// round. With c = 0 the answer is that of bodies whose contacts yield; with c the last answer it is a
// proximal step, in which all numbers are differences and the small softness costs no digits. Joints and
// motors do not yield: their softness is small from the start, and their centre is their own last answer.
// Inside solve only.

#include "touchstone/solve/factors/cone_law.h"
#include "touchstone/solve/factors/pyramid_system.h"
#include "touchstone/solve/solver.h"

namespace touchstone {

template <int B>
class ConeStep {
 public:
  /// Velocities and what follows from them.
  struct Place {
    BlockVector<B> v;  ///< from those of the centre
    LocalVectors u;    ///< rates with the compliance of the centre
    LocalVectors change;
    std::vector<Eigen::Matrix3d> K;
    std::vector<ConePiece> pieces;
    double error = 0;  ///< F^T N F [J]
    double least = 0;  ///< the error that round-off makes
  };

  ConeStep(const FrictionProblem& problem, const SolveSettings& settings);

  /// Fewer factorisations than the limit were made, and nobody asks for an end.
  bool may_go_on(int limit) const { return factorisations() < limit && !settings_.is_stopped(); }

  const ConeFactors& factors() const { return factors_; }
  const std::vector<Cone>& cones() const { return cones_; }
  int count() const { return static_cast<int>(cones_.size()); }
  int factorisations() const { return factorisations_; }
  PyramidSystem<B>& system() { return system_; }
  /// The system was factored for something else, so many times.
  void forget_factors(int times) { factored_.clear(), factorisations_ += times; }
  const Place& place() const { return now_; }
  double softness() const { return softness_; }
  double compliance_of(int c) const;  ///< R
  const LocalVectors& centre() const { return centre_; }
  const LocalVectors& centre_rates() const { return u_centre_; }

  /// Impulses p at the place, c + change.
  LocalVectors impulses() const;
  /// u of impulses, from nothing.
  void rates_of_impulses(const LocalVectors& p, LocalVectors& u) const;

  /// The place is then that of the centre itself.
  void move_centre(const LocalVectors& p);
  void set_softness(double softness) { softness_ = softness; }
  /// Goes on from the present place. False: not solved; the place is then the best that was reached.
  bool solve(int limit);
  /// The same, and again around what joints and motors carry, until they do not yield.
  bool solve_rigid_joints(int limit);
  /// With the centre at zero: to where the system vanishes on the pieces that these impulses had.
  bool stand_on(const LocalVectors& p, int limit);

  /// Changes the centre contact after contact, each with the others as they are.
  void sweep(int times);

  /// For those that follow the curve: p, K, pieces and error of a place whose v is given.
  void look(Place& place) const;
  void put(const BlockVector<B>& v);
  bool factor(const Place& place);
  /// By how much p falls as ln softness grows at fixed rates, the centre being zero: p itself (p R/S of rows
  /// with a compliance of their own, 0 of joints).
  void falling_impulses(const Place& place, LocalVectors& p) const;
  /// The impulses of no softness, from those at the place, to first order; the centre is zero.
  LocalVectors extrapolated();
  /// -F of the place.
  void defect(const Place& place, BlockVector<B>& f) const;
  /// x^T N y.
  double energy(const BlockVector<B>& x, const BlockVector<B>& y) const;

 private:
  bool is_solved(const Place& place) const;
  bool has_near_factors() const;
  bool search(const BlockVector<B>& step, double& t);
  void resize(Place& place) const;
  bool answer_of_joints(LocalVectors& p, LocalVectors& u);

  const SolveSettings& settings_;
  const ConeFactors& factors_;
  std::vector<Cone> cones_;
  PyramidSystem<B> system_;
  int factorisations_ = 0;
  double softness_ = 1;
  bool at_zero_ = true;  ///< the centre of all contacts
  bool has_joints_ = false;
  LocalVectors centre_, u_centre_;
  Place now_, next_;
  BlockVector<B> step_;
  std::vector<Eigen::Matrix3d> factored_;  ///< K of the system that is factored; empty: none
  std::vector<ConePiece> factored_pieces_;
  double factored_softness_ = 0;
};

}  // namespace touchstone
