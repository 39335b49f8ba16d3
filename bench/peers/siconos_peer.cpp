// Siconos 4.4 (libsiconos-mechanics-dev) behind a door of plain numbers; siconos/world.cpp has its settings.
//
// Debian's Siconos uses Bullet in single precision, our own Bullet peer that in double precision, and both
// have the same names. Loading one of them with RTLD_LOCAL | RTLD_DEEPBIND would not keep them apart, because
// some of Bullet's constants (btTransform::getIdentity()) are unique symbols, of which a process has one
// only, whoever loads it. So Siconos is loaded into a namespace of its own, with its own C and C++ libraries.

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

#include "peer.h"
#include "siconos/world.h"

namespace touchstone::bench {
namespace {

/// The functions of siconos/world.h in the other namespace.
struct Siconos {
  decltype(&siconos_make) make = nullptr;
  decltype(&siconos_free) free = nullptr;
  decltype(&siconos_add) add = nullptr;
  decltype(&siconos_step) step = nullptr;
  decltype(&siconos_state) state = nullptr;
};

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (!function) throw std::runtime_error(std::string("the library of Siconos lacks ") + name);
}

Siconos load_siconos() {
  setenv("OPENBLAS_NUM_THREADS", "1", 1);  // its matrices are small, and all engines have one thread
  void* library = dlmopen(LM_ID_NEWLM, TOUCHSTONE_SICONOS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) throw std::runtime_error(std::string("Siconos cannot be loaded: ") + dlerror());
  Siconos siconos;
  find(library, "siconos_make", siconos.make);
  find(library, "siconos_free", siconos.free);
  find(library, "siconos_add", siconos.add);
  find(library, "siconos_step", siconos.step);
  find(library, "siconos_state", siconos.state);
  return siconos;
}

/// Loaded when first used, and once: a process has few namespaces.
const Siconos& siconos() {
  static const Siconos loaded = load_siconos();
  return loaded;
}

class SiconosPeer : public Peer {
 public:
  SiconosPeer(const PeerScene& scene, double h)
      : scene_(scene), world_(siconos().make(h, scene.gravity.data(), scene.friction), siconos().free) {}

  void add_next() override {
    const PeerBody& given = scene_.bodies[count_++];
    SiconosBody body;
    body.fixed = given.fixed, body.mass = given.mass;
    Vec<3>::Map(body.moments) = given.moments;
    if (scene_.as_boxes) Vec<3>::Map(body.sides) = given.box_sides();
    static_assert(sizeof(Vec<3>) == 3 * sizeof(double), "corners are three numbers each, without a gap");
    body.points = given.solid->vertices().front().data();
    body.point_count = given.solid->vertex_count();
    const Eigen::Quaterniond q(given.start.R);
    Eigen::Map<Eigen::Matrix<double, 7, 1>>(body.pose) << given.start.p, q.w(), q.vec();
    const Vec<3> spin_W = angular<3>(given.velocity);
    Eigen::Map<Eigen::Matrix<double, 6, 1>>(body.velocity) << linear<3>(given.velocity),
        given.start.R.transpose() * spin_W;
    siconos().add(world_.get(), &body);
  }

  bool step() override { return siconos().step(world_.get()); }

  Pose<3> pose(int i) const override {
    const State now = state(i);
    Pose<3> pose;
    pose.R = now.R_WB(), pose.p = now.p_W();
    return pose;
  }

  Twist<3> velocity(int i) const override {
    const State now = state(i);
    return twist<3>(now.v_W(), Vec<3>(now.R_WB() * now.spin_B()));
  }

 private:
  /// As SiconosBody has it.
  struct State {
    double pose[7];
    double velocity[6];

    Vec<3> p_W() const { return {pose[0], pose[1], pose[2]}; }
    Mat<3> R_WB() const {
      return Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]).normalized().toRotationMatrix();
    }
    Vec<3> v_W() const { return {velocity[0], velocity[1], velocity[2]}; }
    Vec<3> spin_B() const { return {velocity[3], velocity[4], velocity[5]}; }
  };

  State state(int i) const {
    State now;
    siconos().state(world_.get(), i, now.pose, now.velocity);
    return now;
  }

  const PeerScene& scene_;
  std::size_t count_ = 0;  ///< bodies that have entered
  std::unique_ptr<SiconosWorld, decltype(&siconos_free)> world_;
};

}  // namespace

std::unique_ptr<Peer> make_siconos(const PeerScene& scene, double h) {
  return std::make_unique<SiconosPeer>(scene, h);
}

}  // namespace touchstone::bench
