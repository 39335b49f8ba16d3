#include "touchstone/record/recording_cast.h"

#include <cassert>
#include <map>

#include "touchstone/geometry/bounds.h"
#include "touchstone/record/recording_details.h"
#include "touchstone/record/recording_layout.h"

namespace touchstone {
namespace {

using Ints = std::vector<std::int32_t>;

template <int D>
void write_numbers(ArrayFile& file, const std::string& name, const std::vector<double>& values,
                   std::size_t size) {
  assert(size > 0 && values.size() % size == 0);
  file.write<double>(name, std::span<const double>(values), list_of(values.size() / size, size));
}

// ---- shapes ----------------------------------------------------------------------------------------------

/// The facets as loops of vertices; the polygon itself is one loop in the plane.
Ints loops_of(const Polytope<3>& P, Ints& begin) {
  Ints loops;
  for (int f = 0; f < P.facet_count(); ++f) {
    loops.insert(loops.end(), P.facet_vertices(f).begin(), P.facet_vertices(f).end());
    begin.push_back(static_cast<std::int32_t>(loops.size()));
  }
  return loops;
}
Ints loops_of(const Polytope<2>& P, Ints& begin) {
  Ints next(P.vertex_count()), loop;
  for (int f = 0; f < P.facet_count(); ++f) next[P.facet_vertices(f)[0]] = P.facet_vertices(f)[1];
  for (int v = 0; static_cast<int>(loop.size()) < P.vertex_count(); v = next[v]) loop.push_back(v);
  assert(loop.size() == next.size());
  begin.push_back(static_cast<std::int32_t>(loop.size()));
  return loop;
}

template <int D>
std::vector<double> vertices_of(const Polytope<D>& P) {
  std::vector<double> vertices;
  for (const Vec<D>& v : P.vertices()) put(vertices, v.transpose());
  return vertices;
}
template <int D>
std::vector<double> normal_of(const HalfSpace<D>& half) {
  std::vector<double> normal;
  put(normal, half.plane.normal.transpose());
  return normal;
}

template <int D>
void write_shape(ArrayFile& file, const std::string& path, const Polytope<D>& P) {
  write_numbers<D>(file, path + "vertices", vertices_of(P), D);
  Ints begin = {0};
  const Ints loops = loops_of(P, begin);
  file.write(path + "faces", loops);
  file.write(path + "face_offsets", begin);
}
template <int D>
void write_shape(ArrayFile& file, const std::string& path, const Sphere<D>& ball) {
  file.write_scalar(path + "radius", ball.radius);
}
template <int D>
void write_shape(ArrayFile& file, const std::string& path, const HalfSpace<D>& half) {
  file.write(path + "normal", normal_of(half));
  file.write_scalar(path + "offset", half.plane.offset);
}

/// To the last bit.
template <class T>
bool holds(const ArrayFile& file, const std::string& name, const std::vector<T>& values) {
  return file.has(name) && file.read<T>(name) == values;
}
template <int D>
bool holds_shape(const ArrayFile& file, const std::string& path, const Polytope<D>& P) {
  return holds(file, path + "vertices", vertices_of(P));
}
template <int D>
bool holds_shape(const ArrayFile& file, const std::string& path, const Sphere<D>& ball) {
  return holds<double>(file, path + "radius", {ball.radius});
}
template <int D>
bool holds_shape(const ArrayFile& file, const std::string& path, const HalfSpace<D>& half) {
  return holds(file, path + "normal", normal_of(half)) &&
         holds<double>(file, path + "offset", {half.plane.offset});
}

/// Each shape once, and the number of each part's.
template <int D>
struct NumberedShapes {
  std::vector<const Shape<D>*> shapes;
  Ints of_part;
};
template <int D>
NumberedShapes<D> number_shapes(const World<D>& world) {
  std::map<const Shape<D>*, std::int32_t> numbers;
  NumberedShapes<D> all;
  for (const ContactShape<D>& part : world.shapes) {
    assert(part.shape);
    const auto [it, fresh] = numbers.emplace(part.shape.get(), static_cast<std::int32_t>(numbers.size()));
    all.of_part.push_back(it->second);
    if (fresh) all.shapes.push_back(part.shape.get());
  }
  assert(all.of_part.size() == world.shapes.size() && all.shapes.size() == numbers.size());
  return all;
}

template <int D>
void write_shapes(ArrayFile& file, const NumberedShapes<D>& all) {
  file.make_group("shapes");
  for (std::size_t i = 0; i < all.shapes.size(); ++i) {
    const std::string path = shape_path(i);
    file.make_group(path);
    std::visit([&](const auto& shape) { write_shape(file, path, shape); }, *all.shapes[i]);
    file.set_attribute<std::string>(path, "kind", name_of(*all.shapes[i]));
  }
}

template <int D>
bool holds_shapes(const ArrayFile& file, const NumberedShapes<D>& all) {
  if (shape_count(file) != all.shapes.size()) return false;
  for (std::size_t i = 0; i < all.shapes.size(); ++i) {
    const bool same = std::visit([&](const auto& shape) { return holds_shape(file, shape_path(i), shape); },
                                 *all.shapes[i]);
    if (!same) return false;
  }
  return true;
}

// ---- parts and bodies ------------------------------------------------------------------------------------

/// Where the parts sit on their bodies.
struct PartPoses {
  std::vector<double> position, orientation;
};
template <int D>
PartPoses part_poses(const World<D>& world) {
  PartPoses poses;
  for (const ContactShape<D>& part : world.shapes) {
    put(poses.position, (part.X_CS.p + world.bodies[part.body].com).transpose());
    put(poses.orientation, Attitude<D>::from(part.X_CS.R));
  }
  return poses;
}

template <int D>
void write_parts(ArrayFile& file, const World<D>& world, const Ints& shape_of_part) {
  Ints body, group, collides, material;
  for (const ContactShape<D>& part : world.shapes) {
    body.push_back(part.body);
    group.push_back(static_cast<std::int32_t>(part.group));
    collides.push_back(static_cast<std::int32_t>(part.collides));
    material.push_back(part.material);
  }
  const PartPoses poses = part_poses(world);
  file.write("parts/body", body);
  file.write("parts/shape", shape_of_part);
  file.write("parts/group", group);
  file.write("parts/collides", collides);
  file.write("parts/material", material);
  write_numbers<D>(file, "parts/position", poses.position, D);
  write_numbers<D>(file, "parts/orientation", poses.orientation, kAttitudeSize<D>);
}

template <int D>
void write_bodies(ArrayFile& file, const RecordingCast<D>& cast, const Ints& shape_of_part) {
  const World<D>& world = cast.world;
  std::vector<std::string> names;
  std::vector<double> mass, inertia, com;
  Ints kind, shape(world.bodies.size(), -1);
  std::vector<std::uint8_t> fixed;
  for (const Body<D>& body : world.bodies) {
    names.push_back(body.name);
    mass.push_back(body.mass);
    put(inertia, body.inertia);
    put(com, body.com.transpose());
    kind.push_back(static_cast<std::int32_t>(body.kind));
    fixed.push_back(body.kind == BodyKind::fixed);
  }
  for (std::size_t i = world.shapes.size(); i-- > 0;) shape[world.shapes[i].body] = shape_of_part[i];
  file.write("bodies/name", names);
  file.write("bodies/mass", mass);
  constexpr std::size_t kSpin = kSpinSize<D>;
  const std::size_t count = names.size();
  file.write<double>("bodies/inertia", std::span<const double>(inertia),
                     kSpin == 1 ? Extents{count} : Extents{count, kSpin, kSpin});
  write_numbers<D>(file, "bodies/com", com, D);
  file.write("bodies/kind", kind);
  file.write("bodies/fixed", fixed);
  file.write("bodies/shape", shape);
  file.write("bodies/appear", cast.appear);
}

template <int D>
void write_no_contact(ArrayFile& file, const World<D>& world) {
  std::vector<std::pair<int, int>> pairs = world.excluded;
  for (const Joint<D>& joint : world.joints) {
    if (joint.collide || joint.body_A < 0 || joint.body_B < 0) continue;
    pairs.push_back(std::minmax(joint.body_A, joint.body_B));
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Ints flat;
  for (const auto& [a, b] : pairs) flat.insert(flat.end(), {a, b});
  file.write<std::int32_t>("bodies/no_contact", std::span<const std::int32_t>(flat), {pairs.size(), 2});
}

/// Where the joints sit on their bodies A or B.
template <int D>
void write_joint_frames(ArrayFile& file, const World<D>& world, const std::string& side) {
  std::vector<double> position, orientation;
  for (const Joint<D>& joint : world.joints) {
    const Pose<D>& X = side == "A" ? joint.X_AJ : joint.X_BJ;
    put(position, X.p.transpose());
    put(orientation, Attitude<D>::from(X.R));
  }
  write_numbers<D>(file, "joints/position_" + side, position, D);
  write_numbers<D>(file, "joints/orientation_" + side, orientation, kAttitudeSize<D>);
}

template <int D>
void write_joints(ArrayFile& file, const World<D>& world) {
  std::vector<std::string> names, kinds;
  Ints bodies, begin = {0};
  for (const Joint<D>& joint : world.joints) {
    names.push_back(joint.name);
    kinds.emplace_back(text_of(joint.kind));
    bodies.insert(bodies.end(), {joint.body_A, joint.body_B});
    begin.push_back(begin.back() + static_cast<std::int32_t>(joint.axes.size()));
  }
  file.write("joints/name", names);
  file.write("joints/kind", kinds);
  file.write<std::int32_t>("joints/bodies", std::span<const std::int32_t>(bodies), {names.size(), 2});
  file.write("joints/value_offsets", begin);
  write_joint_frames<D>(file, world, "A");
  write_joint_frames<D>(file, world, "B");
}

}  // namespace

template <int D>
void write_cast(ArrayFile& file, const RecordingCast<D>& cast) {
  const NumberedShapes<D> shapes = number_shapes(cast.world);
  write_shapes(file, shapes);
  write_parts(file, cast.world, shapes.of_part);
  write_bodies(file, cast, shapes.of_part);
  write_no_contact(file, cast.world);
  write_joints(file, cast.world);
}

template <int D>
bool holds_cast(const ArrayFile& file, const World<D>& world) {
  std::vector<std::string> names;
  std::vector<double> mass, inertia, com;
  for (const Body<D>& body : world.bodies) {
    names.push_back(body.name);
    mass.push_back(body.mass);
    put(inertia, body.inertia);
    put(com, body.com.transpose());
  }
  const NumberedShapes<D> shapes = number_shapes(world);
  const PartPoses poses = part_poses(world);
  return holds(file, "bodies/name", names) && holds(file, "bodies/mass", mass) &&
         holds(file, "bodies/inertia", inertia) && holds(file, "bodies/com", com) &&
         holds(file, "parts/shape", shapes.of_part) && holds(file, "parts/position", poses.position) &&
         holds(file, "parts/orientation", poses.orientation) && holds_shapes(file, shapes);
}

template void write_cast(ArrayFile&, const RecordingCast<2>&);
template void write_cast(ArrayFile&, const RecordingCast<3>&);
template bool holds_cast(const ArrayFile&, const World<2>&);
template bool holds_cast(const ArrayFile&, const World<3>&);

}  // namespace touchstone
