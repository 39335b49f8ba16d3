#pragma once
// Worlds made in code. Planar problems are written once for both dimensions: in space they lie in the plane
// z = 0, bodies are drawn out along z, and what turns turns about z.

#include <memory>
#include <string>

#include "touchstone/stepping/step.h"

namespace touchstone::support {

/// A vector of the plane in either dimension, and back.
template <int D>
Vec<D> lifted(const Vec<2>& p) {
  Vec<D> v = Vec<D>::Zero();
  v.template head<2>() = p;
  return v;
}
template <int D>
Vec<2> planar(const Vec<D>& v) {
  return v.template head<2>();
}
/// Turning in the plane [rad/s], counter-clockwise, in either dimension, and back.
template <int D>
Spin<D> lifted_spin(double w) {
  Spin<D> spin = Spin<D>::Zero();
  spin[kSpinSize<D> - 1] = w;
  return spin;
}
template <int D>
double planar_spin(const Body<D>& body) {
  return angular<D>(body.velocity)[kSpinSize<D> - 1];
}
template <int D>
Vec<2> planar_velocity(const Body<D>& body) {
  return planar<D>(linear<D>(body.velocity));
}
/// The angle of the body's x axis in the plane [rad], in (-pi, pi].
template <int D>
double planar_angle(const Body<D>& body);
/// The body lies at a point of the plane (its centre of mass), turned by an angle.
template <int D>
void place(Body<D>& body, const Vec<2>& position, double angle);
template <int D>
void set_velocity(Body<D>& body, const Vec<2>& velocity, double spin) {
  body.velocity = twist<D>(lifted<D>(velocity), lifted_spin<D>(spin));
}

struct Inertia {
  double mass = 1;    ///< [kg]
  double moment = 1;  ///< [kg m^2] about the centre of mass: about z; in space about x and y alike
};

/// A dynamic body without a shape, at the origin. Each function returns the index of the new body.
template <int D>
int add_body(World<D>& world, const Inertia& inertia);
/// The same of a shape whose centre of mass is taken to be the origin of its coordinates.
template <int D>
int add_solid(World<D>& world, const Shape<D>& shape, const Inertia& inertia);
/// A polygon of the plane; in space the prism over it. Its centre of mass is the origin of its coordinates.
template <int D>
int add_plate(World<D>& world, const Polytope<2>& outline, const Inertia& inertia);
/// Of uniform density, mass 1 kg.
template <int D>
int add_box(World<D>& world, const Vec<D>& sides);
template <int D>
int add_ball(World<D>& world, double radius, const Inertia& inertia);
/// A straight rod along the body's y axis, from y = -length/2 to +length/2, that is a line on the side of -x
/// and has a hump on the side of +x: only its ends and its line can touch the ground.
template <int D>
int add_rod(World<D>& world, double length);
/// Fixed: everything below a plane.
template <int D>
int add_half_space(World<D>& world, const Plane<D>& plane);
/// The same for a line of the plane, through the origin.
template <int D>
int add_half_space(World<D>& world, const Vec<2>& normal) {
  return add_half_space<D>(world, Plane<D>{lifted<D>(normal), 0});
}

/// A joint at a point of the world, axes along those of the world, bodies as they lie; -1: the world.
template <int D>
int add_joint(World<D>& world, JointKind kind, std::pair<int, int> bodies, const Vec<D>& p_W);

/// Every pair of materials behaves like this.
template <int D>
void set_surface(World<D>& world, const Surface& surface);
Surface friction(FrictionLaw law, double mu = 0);
std::string name_of(FrictionLaw law);
StepSettings with_step(double h);

/// Makes steps until the world's time is within a tenth of a step of `end`, or until `watch` returns false.
/// A step that fails or whose energies do not add up [PEG 7] fails the test and ends the run.
template <int D>
void run(World<D>& world, const StepSettings& settings, double end,
         const std::function<bool(const World<D>&, const StepReport<D>&)>& watch = nullptr);
/// One step.
template <int D>
StepReport<D> step_once(World<D>& world, double h);

}  // namespace touchstone::support
