#include "touchstone/scene/material_reader.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "touchstone/scene/body_reader.h"
#include "touchstone/scene/scene_keys.h"

namespace touchstone {
namespace {

/// In the order of FrictionLaw and of Restitution.
const std::vector<std::string> kLaws = {"none",    "linear",  "quadratic",
                                        "no-slip", "viscous", "static-kinetic"};
const std::vector<std::string> kRestitutions = {"newton", "poisson"};
/// Fewest directions that span the plane of contact.
constexpr int kFewestDirections = 3;
/// More bring nothing (the cone is then round to 1e-5) and cost a row each.
constexpr int kMostDirections = 1024;

int read_directions(const Field& field) {
  const int count = read_count(field, kFewestDirections);
  if (count > kMostDirections) refuse_value(field, "a whole number from 3 to 1024");
  return count;
}

/// One coefficient, or two: of bodies that stick and of bodies that slide.
void read_coefficients(const Field& field, WrittenSurface& written) {
  Surface& surface = written.surface;
  if (!field.value.is_object()) {
    surface.mu = surface.kinetic = read_not_negative(field, "a coefficient of friction");
    return;
  }
  check_keys(field, keys_of("friction", 2));
  const Field slow = required(field, "static", "the coefficient of bodies that stick");
  const Field fast = required(field, "kinetic", "the coefficient of bodies that slide");
  surface.mu = read_not_negative(slow, "a coefficient of friction");
  surface.kinetic = read_not_negative(fast, "a coefficient of friction");
  if (surface.kinetic > surface.mu) refuse_value(fast, "at most the static coefficient");
  surface.friction = FrictionLaw::static_kinetic, written.law_given = true;
}

/// Reads the keys of a surface that the map has; the others stay unchanged.
void read_surface(const Field& map, WrittenSurface& written) {
  Surface& surface = written.surface;
  const auto coefficients = optional_member(map, "friction");
  if (coefficients) read_coefficients(*coefficients, written);
  if (const auto law = optional_member(map, "law")) {
    surface.friction = static_cast<FrictionLaw>(read_choice(*law, kLaws, "friction law"));
    written.law_given = true;
    const bool two = coefficients && coefficients->value.is_object();
    if (two && surface.friction != FrictionLaw::static_kinetic)
      refuse_value(*law, "static-kinetic, the law of a static and a kinetic coefficient");
  }
  if (const auto count = optional_member(map, "directions")) {
    surface.directions = read_directions(*count);
    written.directions_given = true;
  }
  if (const auto c = optional_member(map, "viscosity"))
    surface.viscosity = read_not_negative(*c, "a viscosity");
  if (const auto e = optional_member(map, "restitution")) surface.bounce = read_share(*e);
  if (const auto law = optional_member(map, "restitution_law")) {
    surface.restitution = static_cast<Restitution>(read_choice(*law, kRestitutions, "restitution law"));
  }
}

/// Without a word about the law, whoever gives a coefficient wants Coulomb's: in space the round cone, unless
/// the sides of a pyramid are told; in the plane the two are one. And a cone of no width is none.
Surface settled(const WrittenSurface& written, int dimension) {
  Surface surface = written.surface;
  assert(surface.mu >= 0 && surface.viscosity >= 0 && surface.bounce >= 0 && surface.bounce <= 1);
  const bool pyramid = dimension == 2 || written.directions_given;
  if (!written.law_given) surface.friction = pyramid ? FrictionLaw::linear : FrictionLaw::quadratic;
  if (is_cone(surface) && surface.mu == 0) surface.friction = FrictionLaw::none;
  if (surface.friction != FrictionLaw::static_kinetic) surface.kinetic = 0;
  return surface;
}

WrittenSurface mixed(const WrittenSurface& a, const WrittenSurface& b) {
  WrittenSurface first = a;
  if (!a.law_given && b.surface.friction == FrictionLaw::static_kinetic)
    first.surface.friction = FrictionLaw::static_kinetic, first.law_given = true;
  return {mixed(first.surface, b.surface), first.law_given, first.directions_given};
}

/// Each material on itself, in the order of their indices.
std::vector<WrittenSurface> read_list(const Field& scene, int dimension, Materials& materials) {
  WrittenSurface common;
  if (const auto contact = optional_member(scene, "contact")) read_surface(*contact, common);
  std::vector<WrittenSurface> own = {common};
  const auto list = optional_member(scene, "materials");
  if (!list) return own;
  if (!list->value.is_object()) refuse_value(*list, "materials by name");
  for (const auto& item : list->value.items()) {
    const Field material = list->member(item.key());
    check_keys(material, keys_of("material", dimension));
    materials.names.push_back(item.key());
    const auto density = optional_member(material, "density");
    materials.density.push_back(density ? std::optional(read_positive(*density, "a density")) : std::nullopt);
    own.push_back(common);
    read_surface(material, own.back());
  }
  return own;
}

/// Of one material on another.
template <class Some>
auto& written_of(Some& materials, int a, int b) {
  return materials.written[std::max(a, b) * static_cast<int>(materials.names.size()) + std::min(a, b)];
}

/// Under `pairs` stand pairs of materials and pairs of bodies.
bool is_of_bodies(const Field& pair) {
  check_keys(pair, keys_of("pair", 2));
  const bool bodies = pair.value.contains("bodies"), of_materials = pair.value.contains("materials");
  if (bodies && of_materials) refuse(pair.member("bodies"), "a pair names materials or bodies, not both");
  if (!bodies && !of_materials) refuse(pair, "expected \"materials\" or \"bodies\", two names");
  return bodies;
}

void read_pair(const Field& pair, int dimension, Materials& materials) {
  const Field names = pair.member("materials");
  if (!names.value.is_array() || names.value.size() != 2) refuse_value(names, "a list of two materials");
  const int a = read_material(names.element(0), materials), b = read_material(names.element(1), materials);
  read_surface(pair, written_of(materials, a, b));
  materials.surfaces.set(a, b, settled(written_of(materials, a, b), dimension));
}

/// The materials of the parts of a body, each once.
template <int D>
std::set<int> materials_of(const World<D>& world, int body) {
  std::set<int> materials;
  for (const ContactShape<D>& part : world.shapes)
    if (part.body == body) materials.insert(part.material);
  return materials;
}

/// What the pair does not say is what the materials of the bodies do to each other, which must not depend on
/// the parts.
template <int D>
Surface body_surface(const Field& pair, const Materials& materials, const World<D>& world,
                     const SurfaceTable::Pair& bodies) {
  std::optional<Surface> found;
  for (const int a : materials_of(world, bodies.first)) {
    for (const int b : materials_of(world, bodies.second)) {
      WrittenSurface written = written_of(materials, a, b);
      read_surface(pair, written);
      const Surface surface = settled(written, D);
      if (found && !(surface == *found))
        refuse(pair,
               "the parts of these bodies are of several materials, which differ in what the pair does "
               "not say: say it");
      found = surface;
    }
  }
  WrittenSurface alone;
  if (!found) read_surface(pair, alone);  // a body without parts touches nobody
  return found.value_or(settled(alone, D));
}

}  // namespace

int read_material(const Field& field, const Materials& materials) {
  const std::vector<std::string> named(materials.names.begin() + 1, materials.names.end());
  if (named.empty()) refuse(field, "the scene has no materials; name them under \"materials\"");
  return 1 + read_choice(field, named, "material");
}

Materials read_materials(const Field& scene, int dimension) {
  Materials materials;
  const std::vector<WrittenSurface> own = read_list(scene, dimension, materials);
  const int count = static_cast<int>(own.size());
  assert(materials.names.size() == own.size() && materials.density.size() == own.size());
  materials.surfaces = SurfaceTable(count);
  materials.written.resize(count * count);
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b <= a; ++b) {
      written_of(materials, a, b) = a == b ? own[a] : mixed(own[a], own[b]);
      materials.surfaces.set(a, b, settled(written_of(materials, a, b), dimension));
    }
  }
  const auto pairs = optional_member(scene, "pairs");
  if (!pairs) return materials;
  if (!pairs->value.is_array()) refuse_value(*pairs, "a list of pairs");
  for (int i = 0; i < static_cast<int>(pairs->value.size()); ++i) {
    const Field pair = pairs->element(i);
    if (!is_of_bodies(pair)) read_pair(pair, dimension, materials);
  }
  return materials;
}

template <int D>
void read_body_surfaces(const Field& scene, const Materials& materials, World<D>& world) {
  const auto pairs = optional_member(scene, "pairs");
  for (int i = 0; pairs && i < static_cast<int>(pairs->value.size()); ++i) {
    const Field pair = pairs->element(i);
    if (!is_of_bodies(pair)) continue;
    const Field names = pair.member("bodies");
    if (!names.value.is_array() || names.value.size() != 2) refuse_value(names, "a list of two bodies");
    const int a = read_body_name<D>(names.element(0), world, false);
    const int b = read_body_name<D>(names.element(1), world, false);
    if (a == b) refuse(names, "expected two different bodies");
    if (world.surfaces.of_bodies(a, b)) refuse(names, "there is a pair of these two bodies already");
    world.surfaces.set_bodies(a, b, body_surface(pair, materials, world, {a, b}));
  }
}

template void read_body_surfaces(const Field&, const Materials&, World<2>&);
template void read_body_surfaces(const Field&, const Materials&, World<3>&);

}  // namespace touchstone
