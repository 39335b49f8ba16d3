// DART 6.12 (libdart-dev) with its defaults: Dantzig's boxed LCP, collisions by FCL. Hulls are meshes.

#include <assimp/scene.h>

#include <unistd.h>

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/MeshShape.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <filesystem>
#include <fstream>

#include "peer.h"

namespace touchstone::bench {
namespace {

namespace dd = dart::dynamics;

Eigen::Isometry3d convert(const Pose<3>& X) {
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = X.R;
  T.translation() = X.p;
  return T;
}

/// DART reads meshes from files only.
dd::ShapePtr mesh_of(const Polytope<3>& solid) {
  static int count = 0;
  const auto path = std::filesystem::temp_directory_path() /
                    ("touchstone-dart-" + std::to_string(getpid()) + "-" + std::to_string(count++) + ".obj");
  std::ofstream file(path);
  file.precision(17);
  for (const Vec<3>& v : solid.vertices()) file << "v " << v.transpose() << '\n';
  for (int f = 0; f < solid.facet_count(); ++f) {
    const auto loop = solid.facet_vertices(f);
    for (std::size_t i = 2; i < loop.size(); ++i) {
      file << "f " << loop[0] + 1 << ' ' << loop[i - 1] + 1 << ' ' << loop[i] + 1 << '\n';
    }
  }
  file.close();
  const aiScene* scene = dd::MeshShape::loadMesh(path.string());
  std::filesystem::remove(path);
  return std::make_shared<dd::MeshShape>(Eigen::Vector3d::Ones(), scene);
}

class DartPeer : public Peer {
 public:
  DartPeer(const PeerScene& scene, double h) : scene_(scene), world_(dart::simulation::World::create()) {
    world_->setTimeStep(h);
    world_->setGravity(scene.gravity);
  }

  void add_next() override {
    const PeerBody& given = scene_.bodies[bodies_.size()];
    const auto skeleton = dd::Skeleton::create("body" + std::to_string(bodies_.size()));
    dd::BodyNode* body = given.fixed ? skeleton->createJointAndBodyNodePair<dd::WeldJoint>().second
                                     : skeleton->createJointAndBodyNodePair<dd::FreeJoint>().second;
    auto* node = body->createShapeNodeWith<dd::CollisionAspect, dd::DynamicsAspect>(shape_of(given));
    node->getDynamicsAspect()->setFrictionCoeff(scene_.friction);
    node->getDynamicsAspect()->setRestitutionCoeff(0);
    dd::Inertia inertia(given.mass);
    inertia.setMoment(given.moments.asDiagonal());
    body->setInertia(inertia);
    place(given, *body);
    world_->addSkeleton(skeleton);
    bodies_.push_back(body);
  }

  bool step() override {
    world_->step();
    return true;
  }

  Pose<3> pose(int i) const override {
    const Eigen::Isometry3d& T = bodies_[i]->getTransform();
    Pose<3> pose;
    pose.R = T.linear(), pose.p = T.translation();
    return pose;
  }

  Twist<3> velocity(int i) const override {
    const Vec<3> v = bodies_[i]->getCOMLinearVelocity();
    return twist<3>(v, Vec<3>(bodies_[i]->getAngularVelocity()));
  }

 private:
  dd::ShapePtr shape_of(const PeerBody& given) const {
    const Vec<3> sides = given.box_sides();
    if (scene_.as_boxes && sides.x() > 0) return std::make_shared<dd::BoxShape>(sides);
    return mesh_of(*given.solid);
  }

  static void place(const PeerBody& given, dd::BodyNode& body) {
    if (given.fixed) {
      body.getParentJoint()->setTransformFromParentBodyNode(convert(given.start));
      return;
    }
    auto& joint = static_cast<dd::FreeJoint&>(*body.getParentJoint());
    joint.setTransform(convert(given.start));
    joint.setLinearVelocity(linear<3>(given.velocity));
    joint.setAngularVelocity(Vec<3>(angular<3>(given.velocity)));
  }

  const PeerScene& scene_;
  dart::simulation::WorldPtr world_;
  std::vector<dd::BodyNode*> bodies_;
};

}  // namespace

std::unique_ptr<Peer> make_dart(const PeerScene& scene, double h) {
  return std::make_unique<DartPeer>(scene, h);
}

}  // namespace touchstone::bench
