#pragma once
// The same scenes through other engines. Every engine gets the same hulls, masses, inertias, poses, speeds
// and steps, and its own default settings otherwise; all are judged by the same exact geometry, on the poses
// that they leave behind.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "touchstone/geometry/polytope.h"
#include "touchstone/math/pose.h"
#include "touchstone/math/twist.h"

namespace touchstone::bench {

/// A body with one convex shape. Its frame lies at the centre of mass along the principal axes, because some
/// engines know diagonal inertias only.
struct PeerBody {
  bool fixed = false;
  double mass = 1;                           ///< [kg]
  Vec<3> moments = Vec<3>::Ones();           ///< [kg m^2] principal
  std::shared_ptr<const Polytope<3>> solid;  ///< in the body's frame
  Pose<3> start;                             ///< of the frame in the world
  Twist<3> velocity = Twist<3>::Zero();      ///< of the centre of mass, world axes
  double appear = 0;                         ///< [s]

  /// Full sides where the solid is a box along the axes of the frame; zero where it is none.
  Vec<3> box_sides() const;
};

struct PeerScene {
  std::string name;
  Vec<3> gravity;  ///< [m/s^2]
  double friction = 0;
  double duration = 0;           ///< [s]
  bool as_boxes = true;          ///< boxes are given as the engine's own boxes, not as hulls of eight points
  std::vector<PeerBody> bodies;  ///< in the order in which they appear
};

/// An engine with a scene in it.
class Peer {
 public:
  virtual ~Peer() = default;
  /// The next body of the scene enters.
  virtual void add_next() = 0;
  /// One step; false when the engine says that it failed.
  virtual bool step() = 0;
  virtual Pose<3> pose(int body) const = 0;
  virtual Twist<3> velocity(int body) const = 0;
};

struct Engine {
  std::string name;
  std::function<std::unique_ptr<Peer>(const PeerScene& scene, double h)> make;
};

std::unique_ptr<Peer> make_bullet(const PeerScene& scene, double h);
std::unique_ptr<Peer> make_ode(const PeerScene& scene, double h);
std::unique_ptr<Peer> make_mujoco(const PeerScene& scene, double h);
std::unique_ptr<Peer> make_dart(const PeerScene& scene, double h);
std::unique_ptr<Peer> make_siconos(const PeerScene& scene, double h);
/// `model` is a contact model of ours.
std::unique_ptr<Peer> make_touchstone(const PeerScene& scene, double h, const std::string& model);

}  // namespace touchstone::bench
