#pragma once
// Worlds made in code, piece by piece:
//
//     World<3> world;
//     world.gravity = {0, 0, -9.81};
//     add_body(world, "floor", HalfSpace<3>{{Vec<3>::UnitZ(), 0}}, {.kind = BodyKind::fixed});
//     const int box = add_body(world, "box", make_box<3>({1, 1, 1}), {.mass = 1, .position = {0, 0, 2}});
//     add_joint(world, "hinge", JointKind::spherical, {.bodies = {kWorld, box}, .position = {0, 0, 3}});
//
// Each function checks what it is given and throws std::invalid_argument, whose message names the body, joint
// or material and the field; the world is then as it was.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "touchstone/geometry/shapes.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// What a body is, apart from its shape. Everything has a default but the mass of a dynamic body. A body that
/// forces do not move needs no mass; where it is given one, its centre of mass is that of its shape.
template <int D>
struct BodySpec {
  BodyKind kind = BodyKind::dynamic;
  std::optional<double> mass = {};     ///< [kg]; none: from the density
  std::optional<double> density = {};  ///< [kg/m^D] of parts that tell none
  std::optional<SpinMat<D>> inertia =
      {};                            ///< [kg m^2] about the centre of mass, body axes; none: of the shape
  std::optional<Vec<D>> com = {};    ///< [m] centre of mass in the body frame; none: that of the shape
  Vec<D> position = Vec<D>::Zero();  ///< [m] of the body frame in the world
  Mat<D> rotation =
      Mat<D>::Identity();            ///< of the body axes in the world: rotation() of math/pose.h makes it
  Vec<D> velocity = Vec<D>::Zero();  ///< [m/s] of the centre of mass
  Spin<D> angular_velocity = Spin<D>::Zero();  ///< [rad/s] world axes
  std::function<Pose<D>(double time)> script =
      {};                        ///< pose of the body frame of a scripted body at a time [s]
  int material = 0;              ///< of parts that tell none: 0, or from add_material()
  std::uint32_t group = 1;       ///< which groups it belongs to (bits)
  std::uint32_t collides = ~0u;  ///< which groups it may touch; both must agree
};

/// A convex part of a body.
template <int D>
struct PartSpec {
  std::shared_ptr<const Shape<D>> shape;  ///< bodies of one shape may share it: share<D>(make_box<D>(...))
  Pose<D> X_BS = {};                      ///< in the body frame
  std::optional<double> density = {};     ///< [kg/m^D]; none: that of the body
  std::optional<int> material = {};       ///< none: that of the body
};

template <int D>
std::shared_ptr<const Shape<D>> share(std::type_identity_t<Shape<D>> shape) {
  return std::make_shared<const Shape<D>>(std::move(shape));
}

/// Adds a body of several parts, or of none; returns its index in world.bodies.
template <int D>
int add_body(World<D>& world, const std::string& name, const std::vector<PartSpec<D>>& parts,
             const BodySpec<D>& spec);
/// Adds a body of one shape.
template <int D>
int add_body(World<D>& world, const std::string& name, const std::type_identity_t<Shape<D>>& shape,
             const BodySpec<D>& spec) {
  return add_body<D>(world, name, std::vector<PartSpec<D>>{{share<D>(shape)}}, spec);
}

/// In place of the index of a body: the world, which does not move.
inline constexpr int kWorld = -1;

/// Where a joint is and what it does. Its place is given in the world, with the bodies where they are; or by
/// its frames in the two bodies.
template <int D>
struct JointSpec {
  std::array<int, 2> bodies = {kWorld, kWorld};  ///< A and B
  Vec<D> position = Vec<D>::Zero();              ///< [m] in the world
  /// In the world, of any length: about or along which it moves; planar: the normal; universal: the first
  /// axis. In the plane only a prismatic joint has one.
  Vec<D> axis = Vec<D>::Zero();
  Vec<D> second_axis = Vec<D>::Zero();                ///< universal: across the first
  std::optional<std::array<Pose<D>, 2>> frames = {};  ///< X_AJ and X_BJ, in place of position and axes
  std::vector<JointAxis> axes = {};  ///< limits, damping and motor of each value; empty: free
  bool collide = false;              ///< may the two bodies touch each other?
};

/// Adds a joint; returns its index in world.joints.
template <int D>
int add_joint(World<D>& world, const std::string& name, JointKind kind, const JointSpec<D>& spec);

/// Chooses the full turns of the joint's angles, which poses do not tell, such that they lie within the
/// limits; then names the first value that lies outside, with its limits. Empty: none does.
template <int D>
std::string limit_trouble(Joint<D>& joint);

/// The axes of a joint's frame, as columns [dynamics/joint.h], of unit vectors in the world; `second` is
/// asked for by universal joints only and is taken across `axis`.
template <int D>
Mat<D> joint_frame_axes(JointKind kind, const Vec<D>& axis, const Vec<D>& second);

/// All materials behave like this where they touch.
template <int D>
void set_surface(World<D>& world, const Surface& surface);
/// Adds a material that behaves like this on itself, and with others as mixed() says; returns its index.
template <int D>
int add_material(World<D>& world, const Surface& surface);
/// What two materials do to each other.
template <int D>
void set_surface(World<D>& world, int material_1, int material_2, const Surface& surface);

/// What two bodies do to each other, whatever their materials are.
template <int D>
void set_body_surface(World<D>& world, int body_1, int body_2, const Surface& surface);

/// The two bodies never touch each other.
template <int D>
void exclude_contact(World<D>& world, int body_1, int body_2);

}  // namespace touchstone
