// Siconos 4.4 (libsiconos-mechanics-dev) with the settings of its own runner (siconos.io.mechanics_run):
// MoreauJeanOSI with theta = 0.50001, contacts by SiconosBulletCollisionManager with its defaults (Bullet in
// single precision), hulls shrunk by a margin of 2 % of their smallest extent that is added again around
// them, block-sparse matrices.
//
// Contacts obey NewtonImpactFrictionNSL with restitution 0, and mu = 0 where the scene has no friction,
// solved by FrictionContact's default, nonsmooth Gauss-Seidel to 1e-4 in at most 1000 iterations.
// The runner asks for 1e-8 in 100 000: on pour10 that took 45 times the time in the mean, and 53 of 1000
// steps missed it. NewtonImpactNSL with an LCP would be the smaller problem, but this collision manager
// throws ("Unknown relation type") as soon as a contact of that law lasts for a second step. One Newton
// iteration per step instead of up to 20: on six random sets of polyhedra-in-box those took 1.3 to 1.6 times
// the time and left no less overlap.

#include "world.h"

// Before all other headers of Siconos, which must know the shapes when they list what can be visited.
#include <MechanicsFwd.hpp>

#include <FrictionContact.hpp>
#include <MoreauJeanOSI.hpp>
#include <NewtonImpactFrictionNSL.hpp>
#include <NonSmoothDynamicalSystem.hpp>
#include <RigidBodyDS.hpp>
#include <SiconosBulletCollisionManager.hpp>
#include <SiconosVector.hpp>
#include <SimpleMatrix.hpp>
#include <TimeDiscretisation.hpp>
#include <TimeStepping.hpp>
#include <algorithm>
#include <limits>
#include <vector>

namespace touchstone::bench {
namespace {

constexpr double kTheta = 0.50001;     ///< of the theta scheme; the runner's
constexpr double kMarginShare = 0.02;  ///< of a shape's smallest extent; the runner's
constexpr int kMaxUnknowns = 30000;    ///< room for 10 000 contacts; the runner's
constexpr double kForever = 1e9;       ///< [s] Siconos wants to know when a simulation ends

/// Siconos tells it to a plain function, which can know no world.
bool solver_failed = false;

void note_failure(int info, Simulation*) { solver_failed |= info != 0; }

SP::SiconosVector vector_of(const double* values, int size) {
  auto made = std::make_shared<SiconosVector>(size);
  for (int i = 0; i < size; ++i) made->setValue(i, values[i]);
  return made;
}

SP::SimpleMatrix corners_of(const SiconosBody& given) {
  auto made = std::make_shared<SimpleMatrix>(given.point_count, 3);
  for (int i = 0; i < given.point_count; ++i) {
    for (int axis = 0; axis < 3; ++axis) made->setValue(i, axis, given.points[3 * i + axis]);
  }
  return made;
}

SP::SimpleMatrix inertia_of(const SiconosBody& given) {
  auto made = std::make_shared<SimpleMatrix>(3, 3);
  made->zero();
  for (int axis = 0; axis < 3; ++axis) made->setValue(axis, axis, given.moments[axis]);
  return made;
}

bool is_box(const SiconosBody& given) { return given.sides[0] > 0; }

/// [m] of the bounding box in the body's frame.
double smallest_extent(const SiconosBody& given) {
  if (is_box(given)) return *std::min_element(given.sides, given.sides + 3);
  double smallest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    double low = given.points[axis], high = low;
    for (int i = 1; i < given.point_count; ++i) {
      low = std::min(low, given.points[3 * i + axis]);
      high = std::max(high, given.points[3 * i + axis]);
    }
    smallest = std::min(smallest, high - low);
  }
  return smallest;
}

SP::SiconosContactorSet contactors_of(const SiconosBody& given) {
  SP::SiconosShape shape;
  if (is_box(given)) {
    shape = std::make_shared<SiconosBox>(given.sides[0], given.sides[1], given.sides[2]);
  } else {
    shape = std::make_shared<SiconosConvexHull>(corners_of(given));
  }
  shape->setInsideMargin(kMarginShare * smallest_extent(given));
  shape->setOutsideMargin(0);
  auto made = std::make_shared<SiconosContactorSet>();
  made->append(std::make_shared<SiconosContactor>(shape));
  return made;
}

SP::FrictionContact make_problem() {
  auto made = std::make_shared<FrictionContact>(3);
  made->setMStorageType(NM_SPARSE_BLOCK);
  made->setMaxSize(kMaxUnknowns);
  made->setKeepLambdaAndYState(true);
  made->setNumericsVerboseMode(false);
  return made;
}

std::shared_ptr<SiconosBulletCollisionManager> make_collisions(double friction) {
  auto made = std::make_shared<SiconosBulletCollisionManager>();
  made->useEqualityConstraints(false);  // no joints; looking for them takes the square of the contacts
  made->insertNonSmoothLaw(std::make_shared<NewtonImpactFrictionNSL>(0, 0, friction, 3), 0, 0);
  return made;
}

}  // namespace

class SiconosWorld {
 public:
  SiconosWorld(double h, const double* gravity, double friction)
      : gravity_(gravity, gravity + 3),
        system_(std::make_shared<NonSmoothDynamicalSystem>(0, kForever)),
        stepping_(std::make_shared<TimeStepping>(system_, std::make_shared<TimeDiscretisation>(0., h))),
        collisions_(make_collisions(friction)) {
    stepping_->insertIntegrator(std::make_shared<MoreauJeanOSI>(kTheta));
    stepping_->insertNonSmoothProblem(make_problem());
    stepping_->insertInteractionManager(collisions_);
    stepping_->setNewtonMaxIteration(1);
    stepping_->setDisplayNewtonConvergence(false);
    stepping_->setWarnOnNonConvergence(false);
    stepping_->setCheckSolverFunction(&note_failure);
  }

  void add(const SiconosBody& given) {
    bodies_.push_back({vector_of(given.pose, 7), vector_of(given.velocity, 6)});
    if (given.fixed) {
      collisions_->insertStaticContactorSet(contactors_of(given), bodies_.back().pose);
    } else {
      insert_dynamic(given, bodies_.back());
    }
  }

  bool step() {
    solver_failed = false;
    stepping_->computeOneStep();
    stepping_->clearNSDSChangeLog();
    stepping_->nextStep();
    return !solver_failed;
  }

  void state(int body, double* pose, double* velocity) const {
    for (int i = 0; i < 7; ++i) pose[i] = bodies_[body].pose->getValue(i);
    for (int i = 0; i < 6; ++i) velocity[i] = bodies_[body].velocity->getValue(i);
  }

 private:
  struct State {
    SP::SiconosVector pose, velocity;
  };

  void insert_dynamic(const SiconosBody& given, State& state) {
    auto body = std::make_shared<RigidBodyDS>(state.pose, state.velocity, given.mass, inertia_of(given));
    body->setUseContactorInertia(false);
    body->setContactors(contactors_of(given));
    auto weight = vector_of(gravity_.data(), 3);
    *weight *= given.mass;
    body->setFExtPtr(weight);
    system_->insertDynamicalSystem(body);
    state = {body->q(), body->twist()};
  }

  std::vector<double> gravity_;  ///< [m/s^2]
  SP::NonSmoothDynamicalSystem system_;
  SP::TimeStepping stepping_;
  std::shared_ptr<SiconosBulletCollisionManager> collisions_;
  std::vector<State> bodies_;  ///< of dynamic bodies what the system itself holds
};

SiconosWorld* siconos_make(double h, const double* gravity, double friction) {
  return new SiconosWorld(h, gravity, friction);
}

void siconos_free(SiconosWorld* world) { delete world; }

void siconos_add(SiconosWorld* world, const SiconosBody* body) { world->add(*body); }

/// No exception may leave: the caller has another C++ library.
bool siconos_step(SiconosWorld* world) try { return world->step(); } catch (...) {
  return false;
}

void siconos_state(const SiconosWorld* world, int body, double* pose, double* velocity) {
  world->state(body, pose, velocity);
}

}  // namespace touchstone::bench
