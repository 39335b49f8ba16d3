#include "support/peg_worlds.h"

#include <algorithm>
#include <cmath>

#include "support/random_worlds.h"
#include "touchstone/math/random.h"
#include "touchstone/proximity/intersection.h"

namespace touchstone::support {
namespace {

constexpr double kG = 9.81;  // [m/s^2]

/// Apex up, centre at the origin.
Polytope<2> triangle(double side) {
  std::vector<Vec<2>> corners;
  for (double angle : {90., 210., 330.}) {
    const double a = angle * M_PI / 180;
    corners.push_back(side / std::sqrt(3.) * Vec<2>(std::cos(a), std::sin(a)));
  }
  return Polytope<2>::hull(corners);
}

template <int D>
Pose<D> at(const Vec<D>& position) {
  return {Mat<D>::Identity(), position};
}

World<2> with_gravity() {
  World<2> world;
  world.gravity = {0, -kG};
  return world;
}

}  // namespace

StepSettings peg_settings(double h, double margin) {
  StepSettings settings;
  settings.h = h, settings.margin = margin;
  settings.free_flight = FreeFlight::printed;  // as the thesis, whose numbers are compared
  settings.threads = 1;
  return settings;
}

World<2> triangle_drop() {
  World<2> world = with_gravity();
  add_body<2>(world, "fixed", triangle(4.9), {}, BodyKind::fixed);
  const int red = add_body<2>(world, "falling", triangle(2.45), {});
  Body<2>& body = world.bodies[red];
  body.mass = 1, body.inertia(0, 0) = 0.6495;  // as printed; a uniform one has 0.5002
  body.position = {1.0650718583, 7.2655423292}, body.attitude.angle = 0.2;
  return world;
}

Vec<3> triangle_state(const World<2>& world) {
  const Body<2>& body = world.bodies[1];
  return {body.position.x(), body.position.y(), body.attitude.angle};
}

World<2> box_stack() {
  World<2> world = with_gravity();
  const double x[] = {0, .062, -.081, .037, -.054, .093, -.018, .071, -.096, .024};
  for (int i = 0; i < 10; ++i) {
    add_body<2>(world, "box" + std::to_string(i), make_box<2>({1, 1}), at<2>({x[i], .5 + 1.25 * i}),
                i == 0 ? BodyKind::fixed : BodyKind::dynamic);
  }
  return world;
}

PolygonBox polygon_box(std::uint64_t seed) {
  PolygonBox box;
  box.world = with_gravity();
  add_body<2>(box.world, "floor", make_box<2>({3, .5}), at<2>({0, -.25}), BodyKind::fixed);
  add_body<2>(box.world, "left", make_box<2>({.5, 3}), at<2>({-1.25, 1.5}), BodyKind::fixed);
  add_body<2>(box.world, "right", make_box<2>({.5, 3}), at<2>({1.25, 1.5}), BodyKind::fixed);
  World<2> all = box.world;
  Random random(seed);
  for (int i = 0; i < 20; ++i) {
    std::vector<Vec<2>> points;
    for (int k = 0; k < 10; ++k) points.emplace_back(random.uniform(-.25, .25), random.uniform(-.25, .25));
    const double x = (i % 2 ? .45 : -.45) + random.uniform(-.1, .1);
    const int body =
        add_body<2>(all, "polygon" + std::to_string(i), Polytope<2>::hull(points), at<2>({x, 2}));
    constexpr double kDensity = 10;
    all.bodies[body].mass *= kDensity, all.bodies[body].inertia *= kDensity;
  }
  box.waiting.assign(all.bodies.begin() + 3, all.bodies.end());
  box.shapes.assign(all.shapes.begin() + 3, all.shapes.end());
  return box;
}

void let_in(PolygonBox& box) {
  for (std::size_t next = box.world.bodies.size() - 3;
       next < box.waiting.size() && .25 * static_cast<double>(next) <= box.world.time + 1e-9; ++next) {
    box.world.bodies.push_back(box.waiting[next]);
    box.world.shapes.push_back(box.shapes[next]);
  }
}

double total_overlap(const World<2>& world) {
  double area = 0;
  const auto placed = [&](const ContactShape<2>& part) {
    return Placed<2>{&std::get<Polytope<2>>(*part.shape), world.bodies[part.body].X_WC() * part.X_CS};
  };
  for (std::size_t i = 0; i < world.shapes.size(); ++i) {
    for (std::size_t j = i + 1; j < world.shapes.size(); ++j) {
      const auto moves = [&](std::size_t k) { return world.bodies[world.shapes[k].body].is_dynamic(); };
      if (!moves(i) && !moves(j)) continue;
      const Placed<2> A = placed(world.shapes[i]), B = placed(world.shapes[j]);
      area += find_intersection(A, B, A.X_WB.p).volume;
    }
  }
  return area;
}

World<2> turning_blocks() {
  World<2> world;
  add_body<2>(world, "lower", make_box<2>({2, .5}), at<2>({0, 0}));
  add_body<2>(world, "upper", make_box<2>({1, .5}), at<2>({0, .5}));
  for (Body<2>& body : world.bodies) body.velocity[2] = 1;
  return world;
}

World<2> row_of_squares() {
  World<2> world;
  const double mass[] = {1.5, 1, .25, .12, .8};
  for (int i = 0; i < 5; ++i) {
    const int body =
        add_body<2>(world, "square" + std::to_string(i), make_box<2>({.4, .4}), at<2>({.8 * i, 0}));
    world.bodies[body].inertia *= mass[i] / world.bodies[body].mass;
    world.bodies[body].mass = mass[i];
  }
  world.bodies[0].velocity[0] = 2;
  return world;
}

template <int D>
World<D> slide_off() {
  World<D> world;
  Vec<D> table = Vec<D>::Constant(4), middle = Vec<D>::Zero(), start = Vec<D>::Zero();
  table[D - 1] = 1, middle[0] = -2, middle[D - 1] = -.5, start[0] = -.7, start[D - 1] = .5;
  world.gravity = -kG * Vec<D>::Unit(D - 1);
  add_body<D>(world, "table", make_box<D>(table), at<D>(middle), BodyKind::fixed);
  add_body<D>(world, "box", make_box<D>(Vec<D>::Ones()), at<D>(start));
  world.bodies[1].velocity[0] = 1.5;
  return world;
}
template World<2> slide_off<2>();
template World<3> slide_off<3>();

World<3> tetrahedron_on_twin() {
  // Base in the plane z = 0, apex up; the twin has its apex down.
  const double r = 2 / std::sqrt(3.), height = 2 * std::sqrt(2. / 3);
  std::vector<Vec<3>> up, down;
  for (double angle : {0., 120., 240.}) {
    const double a = angle * M_PI / 180;
    up.emplace_back(r * std::cos(a), r * std::sin(a), 0);
    down.push_back(up.back());
  }
  up.emplace_back(0, 0, height), down.emplace_back(0, 0, -height);
  World<3> world;
  world.gravity = {0, 0, -kG};
  add_body<3>(world, "lower", Polytope<3>::hull(down), {}, BodyKind::fixed);
  add_body<3>(world, "upper", Polytope<3>::hull(up), {});
  return world;
}

}  // namespace touchstone::support
