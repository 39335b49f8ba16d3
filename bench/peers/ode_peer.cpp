// ODE 0.16.2 (libode-dev, double precision): QuickStep with its defaults (20 iterations, ERP 0.2), convex
// geoms.

#include <ode/ode.h>

#include "peer.h"

namespace touchstone::bench {
namespace {

constexpr int kMostContacts = 32;  ///< of a pair

void set_rotation(dBodyID body, const Mat<3>& R) {
  dMatrix3 rows;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) rows[4 * r + c] = c < 3 ? R(r, c) : 0;
  }
  dBodySetRotation(body, rows);
}

/// What dCreateConvex keeps pointers into.
struct ConvexData {
  std::vector<dReal> planes, points;
  std::vector<unsigned> polygons;
};

ConvexData convert(const Polytope<3>& solid) {
  ConvexData data;
  for (const Vec<3>& v : solid.vertices()) data.points.insert(data.points.end(), {v.x(), v.y(), v.z()});
  for (int f = 0; f < solid.facet_count(); ++f) {
    const Plane<3>& plane = solid.plane(f);
    const Vec<3>& n = plane.normal;
    data.planes.insert(data.planes.end(), {n.x(), n.y(), n.z(), plane.offset});
    const auto loop = solid.facet_vertices(f);
    data.polygons.push_back(static_cast<unsigned>(loop.size()));
    for (const int v : loop) data.polygons.push_back(static_cast<unsigned>(v));
  }
  return data;
}

class OdePeer : public Peer {
 public:
  OdePeer(const PeerScene& scene, double h) : scene_(scene), h_(h) {
    static const int started = dInitODE2(0);
    (void)started;
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, scene.gravity.x(), scene.gravity.y(), scene.gravity.z());
  }
  ~OdePeer() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }

  void add_next() override {
    const PeerBody& given = scene_.bodies[bodies_.size()];
    const dBodyID body = dBodyCreate(world_);
    dBodySetPosition(body, given.start.p.x(), given.start.p.y(), given.start.p.z());
    set_rotation(body, given.start.R);
    dMass mass;
    dMassSetParameters(&mass, given.mass, 0, 0, 0, given.moments.x(), given.moments.y(), given.moments.z(), 0,
                       0, 0);
    dBodySetMass(body, &mass);
    if (given.fixed) dBodySetKinematic(body);
    const Vec<3> v = linear<3>(given.velocity), w = angular<3>(given.velocity);
    dBodySetLinearVel(body, v.x(), v.y(), v.z());
    dBodySetAngularVel(body, w.x(), w.y(), w.z());
    dGeomSetBody(geom_of(given), body);
    bodies_.push_back(body);
  }

  bool step() override {
    dSpaceCollide(space_, this, &OdePeer::near);
    dWorldQuickStep(world_, h_);
    dJointGroupEmpty(contacts_);
    return true;
  }

  Pose<3> pose(int i) const override {
    const dReal *p = dBodyGetPosition(bodies_[i]), *R = dBodyGetRotation(bodies_[i]);
    Pose<3> pose;
    for (int r = 0; r < 3; ++r) pose.R.row(r) << R[4 * r], R[4 * r + 1], R[4 * r + 2];
    pose.p = Vec<3>(p[0], p[1], p[2]);
    return pose;
  }

  Twist<3> velocity(int i) const override {
    const dReal *v = dBodyGetLinearVel(bodies_[i]), *w = dBodyGetAngularVel(bodies_[i]);
    return twist<3>(Vec<3>(v[0], v[1], v[2]), Vec<3>(w[0], w[1], w[2]));
  }

 private:
  dGeomID geom_of(const PeerBody& given) {
    const Vec<3> sides = given.box_sides();
    if (scene_.as_boxes && sides.x() > 0) return dCreateBox(space_, sides.x(), sides.y(), sides.z());
    data_.push_back(std::make_unique<ConvexData>(convert(*given.solid)));
    ConvexData& data = *data_.back();
    return dCreateConvex(space_, data.planes.data(), static_cast<unsigned>(data.planes.size() / 4),
                         data.points.data(), static_cast<unsigned>(data.points.size() / 3),
                         data.polygons.data());
  }

  static void near(void* self, dGeomID a, dGeomID b) { static_cast<OdePeer*>(self)->collide(a, b); }

  void collide(dGeomID a, dGeomID b) {
    const dBodyID A = dGeomGetBody(a), B = dGeomGetBody(b);
    if (dBodyIsKinematic(A) && dBodyIsKinematic(B)) return;
    dContact found[kMostContacts] = {};
    const int count = dCollide(a, b, kMostContacts, &found[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      found[i].surface.mode = dContactApprox1;
      found[i].surface.mu = scene_.friction;
      dJointAttach(dJointCreateContact(world_, contacts_, &found[i]), A, B);
    }
  }

  const PeerScene& scene_;
  double h_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
  std::vector<std::unique_ptr<ConvexData>> data_;
};

}  // namespace

std::unique_ptr<Peer> make_ode(const PeerScene& scene, double h) {
  return std::make_unique<OdePeer>(scene, h);
}

}  // namespace touchstone::bench
