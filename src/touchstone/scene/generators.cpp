#include "touchstone/scene/generators.h"

#include <cassert>

#include "touchstone/scene/generated.h"

namespace touchstone {
namespace {

using nlohmann::json;

// ---- boxes that are filled -------------------------------------------------------------------------------

constexpr double kWall = 0.5;  ///< [m] thickness: fast bodies must not get through it in any model

/// Polygons fall into a box 2 m wide [Thesis 5.2.3; PEG 3.3], left and right in turns, because in
/// one column a polygon would appear where the one before still is. `rise`: by how much higher each one
/// appears than the one before, because a pile with friction grows up to 2 m.
void polygons_in_box(Generation& made) {
  const int count = made.count("count", 20), points = made.count("points", 10, 3);
  const double half = made.positive("half", 0.25), density = made.positive("density", 10);
  const double interval = made.positive("interval", 0.25), rise = made.not_negative("rise", 0);
  made.add_fixed_box("floor", {2 + 2 * kWall, kWall}, {0, -kWall / 2});
  made.add_fixed_box("left", {kWall, 3}, {-1 - kWall / 2, 1.5});
  made.add_fixed_box("right", {kWall, 3}, {1 + kWall / 2, 1.5});
  for (int i = 0; i < count; ++i) {
    const double x = (i % 2 == 0 ? -0.45 : 0.45) + made.random.uniform(-0.1, 0.1);
    json body = {{"name", "polygon-" + std::to_string(i + 1)}, {"shape", made.cloud(points, half)}};
    body["density"] = density;
    body["position"] = {x, 2 + i * rise};
    body["appear"] = i * interval;
    made.add(body);
  }
}

/// A random attitude as w, x, y, z.
json random_quaternion(Random& random) {
  const Vec<4> q = random.direction<4>();
  return std::vector<double>(q.begin(), q.end());
}

/// Polyhedra fall into a box of 1.2 x 1.2 m with a speed along -x [Thesis 5.2.4].
void polyhedra_in_box(Generation& made) {
  const int count = made.count("count", 10), points = made.count("points", 10, 4);
  const double half = made.positive("half", 0.25), density = made.positive("density", 500);
  const double interval = made.positive("interval", 0.5);
  const double in = 0.6, centre = in + kWall / 2;  // half of the inner width
  made.add_fixed_box("floor", {2 * (in + kWall), 2 * (in + kWall), 1}, {0, 0, -0.5});
  for (const int side : {-1, 1}) {
    made.add_fixed_box(side < 0 ? "left" : "right", {kWall, 2 * (in + kWall), 1}, {side * centre, 0, 0.5});
    made.add_fixed_box(side < 0 ? "front" : "back", {2 * in, kWall, 1}, {0, side * centre, 0.5});
  }
  for (int i = 0; i < count; ++i) {
    json body = {{"name", "polyhedron-" + std::to_string(i + 1)}, {"shape", made.cloud(points, half)}};
    body["density"] = density;
    body["position"] = {0.2, made.random.uniform(-0.1, 0.1), 1.5};
    body["quaternion"] = random_quaternion(made.random);
    body["velocity"] = {-0.5, 0, 0};
    body["appear"] = i * interval;
    made.add(body);
  }
}

// ---- stacks ----------------------------------------------------------------------------------------------

/// The unit box, given in one of the ways in which a user may give it; all mean the same body.
json unit_box(const Generation& made) {
  const auto given = optional_member(made.field, "given");
  const int way = given ? read_choice(*given, {"box", "hull", "mesh"}, "way to give a box") : 0;
  if (way == 2 && made.dimension == 2) refuse(*given, "there are no meshes in the plane");
  if (way == 2) return {{"mesh", "meshes/cube.obj"}};
  if (way == 0) return {{"box", std::vector<double>(made.dimension, 1.0)}};
  json corners = json::array();
  for (int i = 0; i < 1 << made.dimension; ++i) {
    json corner = json::array();
    for (int k = 0; k < made.dimension; ++k) corner.push_back((i >> k & 1) != 0 ? 0.5 : -0.5);
    corners.push_back(corner);
  }
  return {{"points", corners}};
}

/// Boxes above each other, each aside by up to `spread` and with `gap` below it; the lowest is fixed
/// [Thesis 5.2.2].
void staggered_stack(Generation& made) {
  const int count = made.count("count", 10);
  const double gap = made.positive("gap", 0.25), spread = made.positive("spread", 0.1);
  const json shape = unit_box(made);
  for (int i = 0; i < count; ++i) {
    std::vector<double> position;
    for (int k = 0; k + 1 < made.dimension; ++k) position.push_back(made.random.uniform(-spread, spread));
    position.push_back(0.5 + i * (1 + gap));
    json body = {{"name", "box-" + std::to_string(i + 1)}, {"shape", shape}, {"position", position}};
    body[i == 0 ? "fixed" : "mass"] = i == 0 ? json(true) : json(1);
    made.add(body);
  }
}

// ---- drops -----------------------------------------------------------------------------------------------

json random_box(Generation& made) {
  std::vector<double> sides(made.dimension);
  for (double& side : sides) side = made.random.uniform(0.3, 1.0);
  return {{"box", sides}};
}

json random_simplex(Generation& made) {
  json simplex;
  if (made.dimension == 2) {
    simplex["regular_polygon"] = {{"corners", 3}, {"radius", made.random.uniform(0.3, 0.6)}};
  } else {
    simplex["tetrahedron"] = made.random.uniform(0.4, 0.7);
  }
  return simplex;
}

/// A box, a simplex or a hull of ten points, about one metre wide.
json random_solid(Generation& made) {
  switch (made.random.index(3)) {
    case 0:
      return random_box(made);
    case 1:
      return random_simplex(made);
    default:
      return made.cloud(10, 0.5);
  }
}

std::vector<double> random_numbers(Random& random, int count, double most) {
  assert(count > 0 && most >= 0);
  std::vector<double> numbers(count);
  for (double& x : numbers) x = random.uniform(-most, most);
  return numbers;
}

/// A fixed body; over it, one above the other, bodies that fall, drift and spin.
void random_drop(Generation& made) {
  const int count = made.count("count", 2, 2), D = made.dimension;
  const double spacing = 2;  // [m] no two of these bodies can touch at the start: their radii are below 0.9
  for (int i = 0; i < count; ++i) {
    json body = {{"name", "body-" + std::to_string(i + 1)}, {"shape", random_solid(made)}};
    std::vector<double> position = random_numbers(made.random, D, 0.3);
    position[D - 1] = i * spacing;
    body["position"] = position;
    if (D == 2) body["angle"] = made.random.uniform(-3, 3);
    if (D == 3) body["quaternion"] = random_quaternion(made.random);
    if (i == 0) {
      body["fixed"] = true;
    } else {
      body["mass"] = made.random.uniform(0.5, 2);
      body["velocity"] = random_numbers(made.random, D, 0.3);
      const std::vector<double> spin = random_numbers(made.random, 3, 4);
      body["angular_velocity"] = D == 2 ? json(spin[2]) : json(spin);
    }
    made.add(body);
  }
}

// ---- the table -------------------------------------------------------------------------------------------

struct Generator {
  GeneratorEntry entry;
  int dimension;  ///< 0: both
  void (*make)(Generation&);
  std::vector<std::string> keys;
};

const std::vector<Generator>& table() {
  static const std::vector<Generator> all = {
      {{"polygons-in-box", "polygons fall into a box, one after the other",
        "count: 20, points: 10, half: 0.25, density: 10, interval: 0.25, rise: 0"},
       2,
       polygons_in_box,
       {"count", "points", "half", "density", "interval", "rise"}},
      {{"polyhedra-in-box", "polyhedra fall into a box, one after the other",
        "count: 10, points: 10, half: 0.25, density: 500, interval: 0.5"},
       3,
       polyhedra_in_box,
       {"count", "points", "half", "density", "interval"}},
      {{"stack", "unit boxes above each other, aside at random; the lowest is fixed",
        "count: 10, gap: 0.25, spread: 0.1, given: box (or hull, mesh)"},
       0,
       staggered_stack,
       {"count", "gap", "spread", "given"}},
      {{"drop", "bodies at random fall onto a fixed one and onto each other", "count: 2"},
       0,
       random_drop,
       {"count"}},
      {{"gripper", "a hand of two fingers closes on a random polygon by PD control",
        "points: 10, half: 0.25"},
       2,
       generate_gripper,
       {"points", "half"}}};
  return all;
}

const Generator& find_generator(const Field& field) {
  std::vector<std::string> names;
  for (const Generator& generator : table()) names.emplace_back(generator.entry.name);
  return table()[read_choice(required(field, "kind", "what to generate"), names, "generator")];
}

}  // namespace

int Generation::count(const char* key, int fallback, int least) const {
  const auto given = optional_member(field, key);
  return given ? read_count(*given, least) : fallback;
}

double Generation::positive(const char* key, double fallback) const {
  const auto given = optional_member(field, key);
  return given ? read_positive(*given, "a number") : fallback;
}

double Generation::not_negative(const char* key, double fallback) const {
  const auto given = optional_member(field, key);
  return given ? read_not_negative(*given, "a number") : fallback;
}

void Generation::add_fixed_box(const char* name, const std::vector<double>& sides,
                               const std::vector<double>& centre) {
  assert(static_cast<int>(sides.size()) == dimension && sides.size() == centre.size());
  json body = {{"name", name}, {"fixed", true}, {"position", centre}};
  body["shape"]["box"] = sides;
  add(body);
}

json Generation::cloud(int points, double half) {
  assert(points > 0 && half > 0);
  json all = json::array();
  for (int i = 0; i < points; ++i) all.push_back(random_numbers(random, dimension, half));
  return {{"points", all}};
}

std::span<const GeneratorEntry> generators() {
  static const std::vector<GeneratorEntry> entries = [] {
    std::vector<GeneratorEntry> all;
    for (const Generator& generator : table()) all.push_back(generator.entry);
    return all;
  }();
  return entries;
}

void generate_bodies(json& scene) {
  if (!scene.is_object() || !scene.contains("generate")) return;
  const json asked = scene.at("generate");
  const Field whole{scene, ""}, field{asked, "generate", &whole, -1};
  const Generator& generator = find_generator(field);
  std::vector<std::string> keys = generator.keys;
  keys.insert(keys.end(), {"kind", "seed"});
  check_keys(field, keys);
  const Field dimension = required(whole, "dimension", "2 or 3");
  const int D = dimension.value == 2 ? 2 : 3;
  if (generator.dimension != 0 && generator.dimension != D) {
    refuse(field, "this works with dimension: " + std::to_string(generator.dimension) + " only");
  }
  const auto seed = optional_member(field, "seed");
  Generation made{field, D, scene, Random(seed ? read_seed(*seed) : 1)};
  generator.make(made);
}

}  // namespace touchstone
