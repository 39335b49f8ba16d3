// Touchstone itself, through the same door as the others.

#include "peer.h"
#include "scenes.h"
#include "touchstone/stepping/step.h"

namespace touchstone::bench {
namespace {

class TouchstonePeer : public Peer {
 public:
  TouchstonePeer(const PeerScene& scene, double h, const std::string& model)
      : scene_(scene), stepper_(settings(h), model) {
    world_.gravity = scene.gravity;
    Surface surface;
    surface.friction = scene.friction > 0 ? FrictionLaw::linear : FrictionLaw::none;
    surface.mu = scene.friction;
    world_.surfaces = SurfaceTable(1, surface);
  }

  void add_next() override { add_body(scene_.bodies[world_.bodies.size()], world_); }
  bool step() override { return stepper_.step(world_).status == StepStatus::done; }
  Pose<3> pose(int i) const override { return world_.bodies[i].X_WC(); }
  Twist<3> velocity(int i) const override { return world_.bodies[i].velocity; }

 private:
  static StepSettings settings(double h) {
    StepSettings made;
    made.h = h;
    made.threads = 1;  // as the others
    return made;
  }

  const PeerScene& scene_;
  World<3> world_;
  Stepper<3> stepper_;
};

}  // namespace

std::unique_ptr<Peer> make_touchstone(const PeerScene& scene, double h, const std::string& model) {
  return std::make_unique<TouchstonePeer>(scene, h, model);
}

}  // namespace touchstone::bench
