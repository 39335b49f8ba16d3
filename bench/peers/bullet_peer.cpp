// Bullet 3.24 in double precision (libbullet-dev, float64): btDiscreteDynamicsWorld with its defaults (ten
// iterations of sequential impulses). A hull's margin, which Bullet adds around it, is 1 mm; nothing sleeps.

#include <btBulletDynamicsCommon.h>

#include "peer.h"

namespace touchstone::bench {
namespace {

constexpr double kMargin = 0.001;  ///< [m] the default, 0.04, lets bodies rest 8 cm apart

btVector3 convert(const Vec<3>& x) { return {x.x(), x.y(), x.z()}; }
Vec<3> convert(const btVector3& x) { return {x.x(), x.y(), x.z()}; }

btTransform convert(const Pose<3>& X) {
  const Mat<3>& R = X.R;
  const btMatrix3x3 turn(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2));
  return btTransform(turn, convert(X.p));
}

class BulletPeer : public Peer {
 public:
  BulletPeer(const PeerScene& scene, double h)
      : scene_(scene),
        h_(h),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    world_.setGravity(convert(scene.gravity));
  }
  ~BulletPeer() override {
    for (auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void add_next() override {
    const PeerBody& given = scene_.bodies[bodies_.size()];
    shapes_.push_back(shape_of(given));
    const btVector3 moments = given.fixed ? btVector3(0, 0, 0) : convert(given.moments);
    btRigidBody::btRigidBodyConstructionInfo info(given.fixed ? 0 : given.mass, nullptr, shapes_.back().get(),
                                                  moments);
    info.m_startWorldTransform = convert(given.start);
    info.m_friction = scene_.friction;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setLinearVelocity(convert(linear<3>(given.velocity)));
    bodies_.back()->setAngularVelocity(convert(Vec<3>(angular<3>(given.velocity))));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
  }

  bool step() override {
    world_.stepSimulation(h_, 0);
    return true;
  }

  Pose<3> pose(int i) const override {
    const btTransform& X = bodies_[i]->getWorldTransform();
    Pose<3> pose;
    for (int r = 0; r < 3; ++r) pose.R.row(r) = convert(X.getBasis().getRow(r)).transpose();
    pose.p = convert(X.getOrigin());
    return pose;
  }

  Twist<3> velocity(int i) const override {
    return twist<3>(convert(bodies_[i]->getLinearVelocity()), convert(bodies_[i]->getAngularVelocity()));
  }

 private:
  std::unique_ptr<btCollisionShape> shape_of(const PeerBody& given) const {
    const Vec<3> sides = given.box_sides();
    if (scene_.as_boxes && sides.x() > 0) return std::make_unique<btBoxShape>(convert(sides / 2));
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec<3>& v : given.solid->vertices()) hull->addPoint(convert(v), false);
    hull->recalcLocalAabb();
    hull->setMargin(kMargin);
    return hull;
  }

  const PeerScene& scene_;
  double h_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<Peer> make_bullet(const PeerScene& scene, double h) {
  return std::make_unique<BulletPeer>(scene, h);
}

}  // namespace touchstone::bench
