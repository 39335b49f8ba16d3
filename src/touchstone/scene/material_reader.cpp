#include "touchstone/scene/material_reader.h"

#include <cassert>

#include "touchstone/scene/scene_keys.h"

namespace touchstone {
namespace {

/// In the order of FrictionLaw and of Restitution.
const std::vector<std::string> kLaws = {"none", "linear", "quadratic", "no-slip", "viscous"};
const std::vector<std::string> kRestitutions = {"newton", "poisson"};
/// Fewest directions that span the plane of contact.
constexpr int kFewestDirections = 3;
/// More bring nothing (the cone is then round to 1e-5) and cost a row each.
constexpr int kMostDirections = 1024;

/// A surface as it is written: its law may be left to its coefficient.
struct WrittenSurface {
  Surface surface;
  bool law_given = false, directions_given = false;
};

int read_directions(const Field& field) {
  const int count = read_count(field, kFewestDirections);
  if (count > kMostDirections) refuse_value(field, "a whole number from 3 to 1024");
  return count;
}

/// Reads the keys of a surface that the map has; the others stay unchanged.
void read_surface(const Field& map, WrittenSurface& written) {
  Surface& surface = written.surface;
  if (const auto mu = optional_member(map, "friction"))
    surface.mu = read_not_negative(*mu, "a coefficient of friction");
  if (const auto law = optional_member(map, "law")) {
    surface.friction = static_cast<FrictionLaw>(read_choice(*law, kLaws, "friction law"));
    written.law_given = true;
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
  const bool cone = surface.friction == FrictionLaw::linear || surface.friction == FrictionLaw::quadratic;
  if (cone && surface.mu == 0) surface.friction = FrictionLaw::none;
  return surface;
}

WrittenSurface mixed(const WrittenSurface& a, const WrittenSurface& b) {
  return {mixed(a.surface, b.surface), a.law_given, a.directions_given};
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

void read_pair(const Field& pair, int dimension, Materials& materials,
               const std::vector<WrittenSurface>& own) {
  check_keys(pair, keys_of("pair", dimension));
  const Field names = required(pair, "materials", "two names");
  if (!names.value.is_array() || names.value.size() != 2) refuse_value(names, "a list of two materials");
  const int a = read_material(names.element(0), materials), b = read_material(names.element(1), materials);
  WrittenSurface surface = a == b ? own[a] : mixed(own[a], own[b]);
  read_surface(pair, surface);
  materials.surfaces.set(a, b, settled(surface, dimension));
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
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b <= a; ++b) {
      materials.surfaces.set(a, b, settled(a == b ? own[a] : mixed(own[a], own[b]), dimension));
    }
  }
  const auto pairs = optional_member(scene, "pairs");
  if (!pairs) return materials;
  if (!pairs->value.is_array()) refuse_value(*pairs, "a list of pairs");
  for (int i = 0; i < static_cast<int>(pairs->value.size()); ++i) {
    read_pair(pairs->element(i), dimension, materials, own);
  }
  return materials;
}

}  // namespace touchstone
