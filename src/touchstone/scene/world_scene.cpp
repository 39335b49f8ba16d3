#include "touchstone/scene/world_scene.h"

#include <set>

#include "touchstone/scene/names.h"
#include "touchstone/scene/scene.h"
#include "touchstone/scene/start_check.h"
#include "touchstone/stepping/build_world.h"

namespace touchstone {
namespace {

[[noreturn]] void refuse_world(const std::string& message) { throw BadScene("world: " + message); }

/// Recordings, hooks and messages find bodies and joints by their names.
template <class List>
void check_names(const List& list, const std::string& what) {
  std::set<std::string> seen;
  for (const auto& item : list) {
    if (item.name.empty()) refuse_world("a " + what + " has no name");
    if (!seen.insert(item.name).second) refuse_world("there are two of the name " + in_quotes(item.name));
  }
}

/// The world is plain data, which anybody may have filled.
template <int D>
void check_indices(const World<D>& world) {
  const int bodies = static_cast<int>(world.bodies.size());
  for (const ContactShape<D>& part : world.shapes) {
    if (!part.shape || part.body < 0 || part.body >= bodies) refuse_world("a shape has no body, or is none");
    if (part.material < 0 || part.material >= world.surfaces.count()) refuse_world("a shape has no material");
  }
  for (const Joint<D>& joint : world.joints) {
    if (std::max(joint.body_A, joint.body_B) >= bodies) refuse_world("a joint has no body");
  }
}

template <int D>
void check_joints(World<D>& world) {
  for (int i = 0; i < static_cast<int>(world.joints.size()); ++i) {
    Joint<D>& joint = world.joints[i];
    const std::string trouble = joint_trouble(world, i), name = "joint " + in_quotes(joint.name) + ": ";
    if (!trouble.empty()) refuse_world(name + trouble);
    for (const JointAxis& axis : joint.axes) {
      if (axis.force != 0) refuse_world(name + "its force holds for one step; set it in before_step()");
    }
    measure_joint(joint, world.bodies);
    const std::string beyond = limit_trouble(joint);
    if (!beyond.empty()) refuse_world(name + beyond);
  }
}

}  // namespace

template <int D>
Scene scene_of_world(World<D> world, const StepSettings& settings, bool allow_overlap) {
  check_names(world.bodies, "body");
  check_names(world.joints, "joint");
  check_indices(world);
  check_joints(world);
  Scene scene;
  scene.name = "world", scene.text = kMadeInCode;
  scene.dimension = D;
  scene.allow_overlap = allow_overlap;
  scene.formulation = formulations().front().name;
  scene.settings = settings;
  const std::string trouble = allow_overlap ? "" : overlap_trouble(world);
  if (!trouble.empty()) refuse_world(trouble);
  scene.content = content_of(std::move(world));
  return scene;
}

template Scene scene_of_world(World<2>, const StepSettings&, bool);
template Scene scene_of_world(World<3>, const StepSettings&, bool);

}  // namespace touchstone
