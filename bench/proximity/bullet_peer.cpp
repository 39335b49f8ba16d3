// Bullet 3.24 in double precision (libbullet-dev, the float64 libraries, as Debian builds them: -O2).

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <map>

#include "peer.h"

namespace touchstone::bench {
namespace {

btVector3 convert(const Vec<3>& x) { return {x.x(), x.y(), x.z()}; }

btTransform convert(const Pose<3>& X) {
  const Mat<3>& R = X.R;
  const btMatrix3x3 turn(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2));
  return btTransform(turn, convert(X.p));
}

std::unique_ptr<btConvexHullShape> convert(const Polytope<3>& P) {
  auto shape = std::make_unique<btConvexHullShape>();
  for (const Vec<3>& v : P.vertices()) shape->addPoint(convert(v), false);
  shape->recalcLocalAabb();
  shape->setMargin(0);
  return shape;
}

struct Nearest : btDiscreteCollisionDetectorInterface::Result {
  Answer answer;
  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3& n, const btVector3&, btScalar distance) override {
    answer = {true, distance, Vec<3>(n.x(), n.y(), n.z())};
  }
};

class BulletPeer : public Peer {
 public:
  std::string name() const override { return "Bullet f64"; }

  void load(std::span<const Query> queries) override {
    pairs_.clear();
    shapes_.clear();
    for (const Query& q : queries) {
      Pair pair{shape(q.A), shape(q.B), {}};
      pair.input.m_transformA = convert(q.X_WA);
      pair.input.m_transformB = convert(q.X_WB);
      pairs_.push_back(pair);
    }
    forget();
  }

  Answer ask(int query) override {
    forget();
    return follow(query);
  }

  Answer follow(int query) override {
    const Pair& p = pairs_[query];
    btGjkPairDetector detector(p.A, p.B, &simplex_, &depth_);
    detector.setCachedSeparatingAxis(axis_);
    Nearest nearest;
    detector.getClosestPoints(p.input, nearest, nullptr);
    axis_ = detector.getCachedSeparatingAxis();
    return nearest.answer;
  }

  /// The axis that btGjkPairDetector itself starts with.
  void forget() override { axis_ = {0, 1, 0}; }

 private:
  struct Pair {
    const btConvexHullShape *A, *B;
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
  };

  const btConvexHullShape* shape(const Polytope<3>* P) {
    auto& found = shapes_[P];
    if (!found) found = convert(*P);
    return found.get();
  }

  std::map<const Polytope<3>*, std::unique_ptr<btConvexHullShape>> shapes_;
  std::vector<Pair> pairs_;
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver depth_;
  btVector3 axis_;
};

}  // namespace

std::unique_ptr<Peer> make_bullet() { return std::make_unique<BulletPeer>(); }

}  // namespace touchstone::bench
