#include "touchstone/scene/body_reader.h"

#include <algorithm>
#include <set>

#include "touchstone/math/pose_check.h"
#include "touchstone/scene/body_script.h"
#include "touchstone/scene/mass_reader.h"
#include "touchstone/scene/named_shapes.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/pose_reader.h"
#include "touchstone/scene/scene_keys.h"

namespace touchstone {
namespace {

/// Bits of a group mask; bit 0 is taken by bodies without a group.
constexpr int kMostGroups = 31;
/// Most bodies of one `repeat`.
constexpr int kMostRepeats = 100'000;

/// A body with all that the scene keeps about it.
template <int D>
struct ReadBody {
  Body<D> body;
  std::vector<ContactShape<D>> parts;  ///< X_CS still in the body frame
  double appear = 0;
  Twist<D> force = Twist<D>::Zero();
};

template <int D>
std::shared_ptr<const Shape<D>> shape_in(const Field& field, BodyContext<D>& context) {
  auto& shape = context.shapes[field.value];
  if (!shape) shape = std::make_shared<const Shape<D>>(read_shape<D>(ShapeSource{field, context.folder}));
  return shape;
}

/// What the body says for all of its parts.
struct PartDefaults {
  int material = 0;
  std::optional<double> density;
};

template <int D>
PartDefaults read_defaults(const Field& field, const BodyContext<D>& context, PartDefaults defaults) {
  if (const auto material = optional_member(field, "material")) {
    defaults.material = read_material(*material, context.materials);
    const auto& density = context.materials.density[defaults.material];
    if (density) defaults.density = density;
  }
  if (const auto density = optional_member(field, "density"))
    defaults.density = read_positive(*density, "a density");
  return defaults;
}

/// The parts of a body, and their masses.
template <int D>
struct ReadParts {
  std::vector<ContactShape<D>> shapes;
  std::vector<WeighedPart<D>> weights;

  void add(std::shared_ptr<const Shape<D>> shape, const Pose<D>& X_BS, const PartDefaults& made_of) {
    weights.push_back({{shape.get(), X_BS, made_of.density.value_or(1)}, made_of.density.has_value()});
    ContactShape<D> part;
    part.shape = std::move(shape), part.X_CS = X_BS, part.material = made_of.material;
    shapes.push_back(std::move(part));
  }
};

template <int D>
ReadParts<D> read_parts(const Field& field, BodyContext<D>& context) {
  const PartDefaults defaults = read_defaults(field, context, {});
  const auto shape = optional_member(field, "shape"), parts = optional_member(field, "parts");
  if (shape && parts) refuse(field, "expected one of \"shape\" and \"parts\", got both");
  ReadParts<D> read;
  if (shape) read.add(shape_in<D>(*shape, context), {}, defaults);
  if (!parts) return read;
  if (!parts->value.is_array() || parts->value.empty()) refuse_value(*parts, "a list of parts");
  for (int i = 0; i < static_cast<int>(parts->value.size()); ++i) {
    const Field part = parts->element(i);
    check_keys(part, keys_of("part", D));
    read.add(shape_in<D>(required(part, "shape", "a convex shape"), context), read_pose<D>(part),
             read_defaults(part, context, defaults));
  }
  return read;
}

template <int D>
BodyKind read_kind(const Field& field) {
  const auto fixed = optional_member(field, "fixed");
  const bool is_fixed = fixed && read_flag(*fixed);
  if (!field.value.contains("script")) return is_fixed ? BodyKind::fixed : BodyKind::dynamic;
  if (is_fixed) refuse(field, "a fixed body has no script");
  return BodyKind::scripted;
}

/// Keys that say nothing about a body which forces do not move.
template <int D>
void check_unmoved(const Field& field) {
  for (const char* key : {"velocity", "angular_velocity", "force", "torque"}) {
    if (const auto member = optional_member(field, key)) {
      refuse(*member, "the body is fixed or scripted; its motion is told by \"script\" alone");
    }
  }
}

template <int D>
void read_motion(const Field& field, ReadBody<D>& read) {
  Vec<D> v = Vec<D>::Zero(), f = Vec<D>::Zero();
  Spin<D> w = Spin<D>::Zero(), t = Spin<D>::Zero();
  if (const auto x = optional_member(field, "velocity")) v = read_vector<D>(*x, "numbers");
  if (const auto x = optional_member(field, "angular_velocity")) w = read_spin<D>(*x, "numbers");
  if (const auto x = optional_member(field, "force")) f = read_vector<D>(*x, "numbers");
  if (const auto x = optional_member(field, "torque")) t = read_spin<D>(*x, "numbers");
  read.body.velocity = twist<D>(v, w);
  read.force = twist<D>(f, t);
}

template <int D>
void read_groups(const Field& field, GroupNames& groups, std::vector<ContactShape<D>>& parts) {
  const auto own = optional_member(field, "groups"), ignored = optional_member(field, "ignores");
  const std::uint32_t group = own ? groups.read(*own) : 1u;
  const std::uint32_t collides = ignored ? ~groups.read(*ignored) : ~0u;
  for (ContactShape<D>& part : parts) part.group = group, part.collides = collides;
}

/// Sets the pose of the body frame; the attitude keeps the digits of the file.
template <int D>
void read_place(const Field& field, Body<D>& body) {
  body.attitude = read_attitude<D>(field);
  const auto p = optional_member(field, "position");
  const Vec<D> origin = p ? read_vector<D>(*p, "coordinates") : Vec<D>::Zero().eval();
  body.position = body.com.isZero(0) ? origin : Vec<D>(origin + body.attitude.matrix() * body.com);
}

template <int D>
ReadBody<D> read_body(const Field& field, BodyContext<D>& context) {
  check_keys(field, keys_of("body", D));
  ReadBody<D> read;
  Body<D>& body = read.body;
  body.kind = read_kind<D>(field);
  ReadParts<D> parts = read_parts<D>(field, context);
  if (body.is_dynamic()) {
    read_mass<D>(field, parts.weights, body);
    read_motion(field, read);
  } else {
    check_unmoved<D>(field);
  }
  read_place(field, body);
  if (body.kind == BodyKind::scripted) body.script = read_script<D>(field.member("script"), body);
  read_groups(field, context.groups, parts.shapes);
  read.parts = std::move(parts.shapes);
  if (const auto time = optional_member(field, "appear")) read.appear = read_not_negative(*time, "a time");
  return read;
}

/// The body, or as many of them as it says.
template <int D>
std::vector<ReadBody<D>> read_repeated(const Field& field, BodyContext<D>& context, int number) {
  std::vector<ReadBody<D>> all = {read_body<D>(field, context)};
  const auto name = optional_member(field, "name");
  all[0].body.name = name ? read_text(*name, "a name") : "body-" + std::to_string(number);
  const auto repeat = optional_member(field, "repeat");
  if (!repeat) return all;
  check_keys(*repeat, keys_of("repeat", D));
  const Field count = required(*repeat, "count", "how many");
  const int wanted = read_count(count, 1);
  if (wanted > kMostRepeats) refuse_value(count, "at most " + std::to_string(kMostRepeats));
  if (all[0].body.kind == BodyKind::scripted) refuse(*repeat, "a scripted body cannot be repeated");
  const Vec<D> shift = read_vector<D>(required(*repeat, "shift", "from one to the next"), "coordinates");
  all.resize(wanted, all[0]);
  for (int i = 0; i < wanted; ++i) {
    all[i].body.name += "-" + std::to_string(i + 1);
    all[i].body.position += i * shift;
  }
  return all;
}

template <int D>
void add_body(ReadBody<D>& read, RunContent<D>& content) {
  const int index = static_cast<int>(content.world.bodies.size());
  for (ContactShape<D>& part : read.parts) {
    part.body = index;
    part.X_CS.p -= read.body.com;
    content.world.shapes.push_back(part);
  }
  content.world.bodies.push_back(std::move(read.body));
  content.appear.push_back(read.appear);
  content.forces.push_back(read.force);
}

/// Each number may be as large as a coordinate may be; their sum may not.
template <int D>
void check_place(const Field& field, const ReadBody<D>& read) {
  double reach = 0;
  for (const ContactShape<D>& part : read.parts)
    reach = std::max(reach, (part.X_CS.p - read.body.com).norm());
  if (!(read.body.position.norm() + reach <= kLargestCoordinate))
    refuse(field, "the body, or a part of it, lies further than 1e60 m from the origin");
}

void check_name(const Field& field, const std::string& name, std::set<std::string>& seen) {
  if (name.empty() || name == "world") refuse(field, "a body cannot be named " + in_quotes(name));
  if (!seen.insert(name).second) refuse(field, "there are two bodies named " + in_quotes(name));
}

}  // namespace

std::uint32_t GroupNames::bit_of(const Field& field) {
  const std::string& name = read_text(field, "the name of a group");
  const auto it = bits_.find(name);
  if (it != bits_.end()) return it->second;
  if (bits_.size() >= kMostGroups) refuse(field, "a scene has at most 31 groups");
  return bits_[name] = 2u << bits_.size();
}

std::uint32_t GroupNames::read(const Field& field) {
  if (!field.value.is_array()) return bit_of(field);
  std::uint32_t bits = 0;
  for (int i = 0; i < static_cast<int>(field.value.size()); ++i) bits |= bit_of(field.element(i));
  return bits;
}

template <int D>
void read_bodies(const Field& list, BodyContext<D>& context, RunContent<D>& content) {
  if (!list.value.is_array()) refuse_value(list, "a list of bodies");
  std::vector<ReadBody<D>> all;
  std::set<std::string> seen;
  for (int i = 0; i < static_cast<int>(list.value.size()); ++i) {
    const Field field = list.element(i);
    for (ReadBody<D>& read : read_repeated<D>(field, context, i + 1)) {
      check_name(field, read.body.name, seen);
      check_place(field, read);
      all.push_back(std::move(read));
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const ReadBody<D>& a, const ReadBody<D>& b) { return a.appear < b.appear; });
  for (ReadBody<D>& read : all) add_body(read, content);
}

template <int D>
int read_body_name(const Field& field, const World<D>& world, bool world_allowed) {
  const std::string& name = read_text(field, "the name of a body");
  if (world_allowed && name == "world") return -1;
  const int count = static_cast<int>(world.bodies.size());
  for (int i = 0; i < count; ++i) {
    if (world.bodies[i].name == name) return i;
  }
  std::vector<std::string> names;
  for (const Body<D>& body : world.bodies) names.push_back(body.name);
  if (world_allowed) names.push_back("world");
  refuse(field, "there is no body " + in_quotes(name) + name_hint(name, names));
}

template void read_bodies(const Field&, BodyContext<2>&, RunContent<2>&);
template void read_bodies(const Field&, BodyContext<3>&, RunContent<3>&);
template int read_body_name(const Field&, const World<2>&, bool);
template int read_body_name(const Field&, const World<3>&, bool);

}  // namespace touchstone
