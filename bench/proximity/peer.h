#pragma once
// One interface to every library, for one question: how far apart are these two convex bodies, and along
// which direction? Everything that a user would build once (shapes, transforms, solvers) is built by `load`,
// outside of any timed loop; `ask` and `follow` are timed.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "touchstone/geometry/polytope.h"
#include "touchstone/math/pose.h"

namespace touchstone::bench {

/// Two placed bodies; the polytopes must outlive it.
struct Query {
  const Polytope<3>* A;
  const Polytope<3>* B;
  Pose<3> X_WA, X_WB;
};

struct Answer {
  bool given = false;              ///< false: the library failed, or does not answer in this regime
  double gap = 0;                  ///< [m] negative when overlapping
  Vec<3> normal = Vec<3>::Zero();  ///< unit, from B to A; zero when the library has none to give
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  /// False for libccd, which only knows overlapping bodies.
  virtual bool measures_distance() const { return true; }

  virtual void load(std::span<const Query> queries) = 0;
  /// The answer from a cold start.
  virtual Answer ask(int query) = 0;

  /// The answer with whatever the library can keep from the query before it; stateless by default.
  virtual Answer follow(int query) { return ask(query); }
  /// Forgets what `follow` kept.
  virtual void forget() {}
};

std::unique_ptr<Peer> make_touchstone();
/// FCL's signed distance with nearest points by its solver GST_LIBCCD. It keeps nothing between queries.
std::unique_ptr<Peer> make_fcl();
/// FCL's other solver, GST_INDEP: less exact, but the only one that can cache its guess.
std::unique_ptr<Peer> make_fcl_cached();
/// btGjkPairDetector in double precision, margin 0, with btGjkEpaPenetrationDepthSolver.
std::unique_ptr<Peer> make_bullet();
std::unique_ptr<Peer> make_ccd_gjk_epa();
std::unique_ptr<Peer> make_ccd_mpr();

}  // namespace touchstone::bench
