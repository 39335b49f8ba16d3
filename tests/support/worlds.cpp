#include "support/worlds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "touchstone/geometry/mass_properties.h"
#include "touchstone/stepping/build_world.h"

namespace touchstone::support {
namespace {

constexpr double kThickness = 1;         // [m] of plates in space
constexpr double kHump = 0.01;           // of a rod's length: wide enough to be a solid, never touches
constexpr double kResidual = 1e-13;      // relative, of a step's equations: well below what is measured
constexpr double kBalanceError = 1e-12;  // of the energies of a step

constexpr double kHeightError = 1e-15;  // [J] round-off of the heights of bodies of a kilogram at one metre

template <int D>
Shape<D> drawn_out(const Polytope<2>& outline);
template <>
Shape<2> drawn_out<2>(const Polytope<2>& outline) {
  return outline;
}
template <>
Shape<3> drawn_out<3>(const Polytope<2>& outline) {
  return make_prism(outline, kThickness);
}

template <int D>
bool adds_up(const StepReport<D>& report) {
  EXPECT_EQ(report.status, StepStatus::done) << report.message << " at " << report.time << " s";
  const bool done = report.status == StepStatus::done;
  const bool balanced = std::abs(report.balance.error) <= kBalanceError * report.balance.scale + kHeightError;
  EXPECT_TRUE(balanced) << "the energies of the step to " << report.time << " s miss " << report.balance.error
                        << " J of " << report.balance.scale << " J";
  return done && balanced;
}

}  // namespace

template <int D>
double planar_angle(const Body<D>& body) {
  const Mat<D> R = body.attitude.matrix();
  return std::atan2(R(1, 0), R(0, 0));
}

template <int D>
void place(Body<D>& body, const Vec<2>& position, double angle) {
  Mat<D> R = Mat<D>::Identity();
  R.template topLeftCorner<2, 2>() = rotation(angle);
  body.attitude = Attitude<D>::from(R);
  body.position = lifted<D>(position);
}

namespace {

template <int D>
std::string next_name(const World<D>& world) {
  return "body " + std::to_string(world.bodies.size());
}

/// At the origin, with this inertia whatever its shape is.
template <int D>
BodySpec<D> with_inertia(const Inertia& inertia) {
  return {.mass = inertia.mass, .inertia = inertia.moment * SpinMat<D>::Identity(), .com = Vec<D>::Zero()};
}

}  // namespace

template <int D>
int add_body(World<D>& world, const Inertia& inertia) {
  return touchstone::add_body<D>(world, next_name(world), std::vector<PartSpec<D>>(),
                                 with_inertia<D>(inertia));
}

template <int D>
int add_solid(World<D>& world, const Shape<D>& shape, const Inertia& inertia) {
  return touchstone::add_body<D>(world, next_name(world), shape, with_inertia<D>(inertia));
}

template <int D>
int add_plate(World<D>& world, const Polytope<2>& outline, const Inertia& inertia) {
  return add_solid<D>(world, drawn_out<D>(outline), inertia);
}

template <int D>
int add_box(World<D>& world, const Vec<D>& sides) {
  const Polytope<D> box = make_box<D>(sides);
  BodySpec<D> spec = with_inertia<D>({});
  spec.inertia = find_mass_properties(box).inertia(1);
  return touchstone::add_body<D>(world, next_name(world), box, spec);
}

template <int D>
int add_ball(World<D>& world, double radius, const Inertia& inertia) {
  return add_solid<D>(world, Sphere<D>{radius}, inertia);
}

template <int D>
int add_rod(World<D>& world, double length) {
  const std::vector<Vec<2>> corners = {{0, -length / 2}, {kHump * length, 0}, {0, length / 2}};
  return add_plate(world, Polytope<2>::hull(corners), {1, length * length / 12});
}

template <int D>
int add_half_space(World<D>& world, const Plane<D>& plane) {
  return touchstone::add_body<D>(world, next_name(world), HalfSpace<D>{plane}, {.kind = BodyKind::fixed});
}

template <int D>
int add_joint(World<D>& world, JointKind kind, std::pair<int, int> bodies, const Vec<D>& p_W) {
  const auto frame = [&](int body) {
    const Pose<D> X_WJ{Mat<D>::Identity(), p_W};
    return body < 0 ? X_WJ : world.bodies[body].X_WB().inverse() * X_WJ;
  };
  return touchstone::add_joint<D>(
      world, "joint " + std::to_string(world.joints.size()), kind,
      {.bodies = {bodies.first, bodies.second}, .frames = {{frame(bodies.first), frame(bodies.second)}}});
}

template <int D>
void set_surface(World<D>& world, const Surface& surface) {
  touchstone::set_surface(world, surface);
}

Surface friction(FrictionLaw law, double mu) {
  Surface surface;
  const bool cone = law == FrictionLaw::linear || law == FrictionLaw::quadratic;
  surface.friction = law, surface.mu = cone ? mu : 0;
  return surface;
}

std::string name_of(FrictionLaw law) {
  switch (law) {
    case FrictionLaw::none:
      return "no friction";
    case FrictionLaw::linear:
      return "pyramid";
    case FrictionLaw::quadratic:
      return "round cone";
    case FrictionLaw::no_slip:
      return "no slip";
    case FrictionLaw::viscous:
      return "viscous";
  }
  return "";
}

StepSettings with_step(double h) {
  StepSettings settings;
  settings.h = h;
  settings.solve.tolerance = kResidual;
  return settings;
}

template <int D>
void run(World<D>& world, const StepSettings& settings, double end,
         const std::function<bool(const World<D>&, const StepReport<D>&)>& watch) {
  Stepper<D> stepper(settings);
  while (world.time < end - 0.1 * settings.h) {
    const StepReport<D> report = stepper.step(world);
    if (!adds_up(report)) return;
    if (watch && !watch(world, report)) return;
  }
}

template <int D>
StepReport<D> step_once(World<D>& world, double h) {
  const StepReport<D> report = Stepper<D>(with_step(h)).step(world);
  adds_up(report);
  return report;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                   \
  template double planar_angle(const Body<D>&);                                     \
  template void place(Body<D>&, const Vec<2>&, double);                             \
  template int add_body(World<D>&, const Inertia&);                                 \
  template int add_solid(World<D>&, const Shape<D>&, const Inertia&);               \
  template int add_plate(World<D>&, const Polytope<2>&, const Inertia&);            \
  template int add_box(World<D>&, const Vec<D>&);                                   \
  template int add_ball(World<D>&, double, const Inertia&);                         \
  template int add_rod(World<D>&, double);                                          \
  template int add_half_space(World<D>&, const Plane<D>&);                          \
  template void set_surface(World<D>&, const Surface&);                             \
  template int add_joint(World<D>&, JointKind, std::pair<int, int>, const Vec<D>&); \
  template StepReport<D> step_once(World<D>&, double);                              \
  template void run(World<D>&, const StepSettings&, double,                         \
                    const std::function<bool(const World<D>&, const StepReport<D>&)>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone::support
