// Robots from URDF files. Links that fixed joints hold together become one body; the convex hull of a
// collision mesh stands for it; links of one robot touch each other only where the scene asks for it. A root
// link of the name `world` is the world.

#include <algorithm>

#include "touchstone/geometry/mesh_file.h"
#include "touchstone/math/pose.h"
#include "touchstone/scene/import_scene.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/pose_reader.h"
#include "touchstone/scene/scene_keys.h"
#include "touchstone/scene/urdf_file.h"
#include "touchstone/scene/urdf_mesh.h"

namespace touchstone {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Corners around a cylinder: its facets differ from the round one by a half percent of the radius.
constexpr int kCylinderCorners = 32;

/// Meshes that a warning names; more help nobody.
constexpr std::size_t kMostNamedMeshes = 5;
constexpr const char* kWorldName = "world";

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

Vec<3> vector_of(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
Pose<3> pose_of(const urdf::Pose& pose) {
  const urdf::Rotation& q = pose.rotation;
  return {rotation(Eigen::Quaterniond(q.w, q.x, q.y, q.z)), vector_of(pose.position)};
}
json numbers(const Vec<3>& x) { return std::vector<double>(x.begin(), x.end()); }

void put_pose(const Pose<3>& X, json& into) {
  const Eigen::Quaterniond q(X.R);
  into["position"] = numbers(X.p);
  into["quaternion"] = {q.w(), q.x(), q.y(), q.z()};
}

/// Mass properties that are put together.
struct Lump {
  double mass = 0;
  Vec<3> moment = Vec<3>::Zero();   ///< sum of m x
  Mat<3> inertia = Mat<3>::Zero();  ///< about the origin
  void add(double m, const Vec<3>& x, const Mat<3>& about_centre) {
    mass += m;
    moment += m * x;
    inertia += about_centre + m * (x.squaredNorm() * Mat<3>::Identity() - x * x.transpose());
  }
};

class RobotReader {
 public:
  RobotReader(const Field& field, const fs::path& folder, json& scene, ImportedRobots& told)
      : field_(field), scene_(scene), told_(told), file_(field, folder) {
    if (const auto x = optional_member(field, "name")) prefix_ = read_text(*x, "a name") + "/";
    if (const auto x = optional_member(field, "joints")) start_ = &x->value;
    if (start_ && !start_->is_object()) refuse_value(field.member("joints"), "a map from joints to values");
  }

  void read() {
    const Pose<3> X_WB = read_base_pose();
    const urdf::Link& root = *file_.model().getRoot();
    std::vector<Hanging> open;
    if (root.name == kWorldName) {
      add_world(root, X_WB, open);
    } else {
      add_body(root, X_WB, !free_base(), open);
    }
    // The first joint of a link comes last: it is taken up first.
    while (!open.empty()) {
      const Hanging next = open.back();
      open.pop_back();
      add_joint(next, open);
    }
    if (start_) {
      for (const auto& [joint, value] : start_->items()) check_start(joint);
    }
    forbid_contacts();
    tell_dents();
  }

 private:
  /// A joint whose link is still to be added.
  struct Hanging {
    const urdf::Joint* joint;
    Pose<3> X_WJ, X_BJ;  ///< of its frame on the parent: in the world, and in the parent's body
    std::string parent;  ///< the body, or the world
  };
  /// A link and where it is in the body to which it belongs.
  struct Placed {
    const urdf::Link* link;
    Pose<3> X_BL;
  };
  /// What a body consists of: links that fixed joints hold together.
  struct Gathered {
    json parts = json::array();
    Lump lump;
    std::vector<std::pair<const urdf::Joint*, Pose<3>>> joints;  ///< that leave it, and where in the body
  };

  // ---- what the scene says --------------------------------------------------------------------------------

  bool free_base() const {
    const auto base = optional_member(field_, "base");
    return base && read_choice(*base, {"fixed", "free"}, "kind of base") == 1;
  }

  Pose<3> read_base_pose() const {
    json pose = json::object();
    for (const std::string& key : pose_keys(3)) {
      if (field_.value.contains(key)) pose[key] = field_.value.at(key);
    }
    return read_pose<3>(Field{pose, field_.name()});
  }

  void check_start(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& [joint, ignored] : file_.model().joints_) names.push_back(joint);
    if (!file_.model().joints_.count(name))
      refuse(field_.member("joints"), "there is no joint " + in_quotes(name) + name_hint(name, names));
  }

  /// Of a joint: as the scene says, which must keep the limits; otherwise 0, or the limit next to it.
  double start_value(const urdf::Joint& joint) {
    const bool limited = has_limits(joint);
    const double lower = limited ? joint.limits->lower : 0, upper = limited ? joint.limits->upper : 0;
    const std::string limits = short_number(lower) + " to " + short_number(upper);
    if (start_ && start_->contains(joint.name)) {
      const Field told{start_->at(joint.name), field_.name() + ".joints." + joint.name};
      const double value = read_number(told);
      if (limited && (value < lower || value > upper))
        refuse(told, short_number(value) + " is outside of the limits of the joint, " + limits);
      return value;
    }
    if (!limited || (lower <= 0 && upper >= 0)) return 0;
    const double value = std::clamp(0.0, lower, upper);
    told_.warnings.push_back("joint " + in_quotes(prefix_ + joint.name) + " starts at its limit " +
                             short_number(value) + ": 0 is outside of its limits " + limits);
    return value;
  }

  // ---- one body: a link and all that is fixed to it -------------------------------------------------------

  json hull_of_mesh(const std::string& link, const urdf::Mesh& mesh) {
    const fs::path file = find_robot_mesh(mesh.filename, file_.path());
    if (file.empty()) file_.fail("link", link, "there is no mesh " + in_quotes(mesh.filename));
    json points = json::array();
    try {
      const HulledMesh hulled = read_hulled_mesh(file, vector_of(mesh.scale));
      for (const Vec<3>& x : hulled.points) points.push_back(numbers(x));
      if (hulled.is_dented()) dents_.emplace_back(file.filename().string(), hulled);
    } catch (const BadMeshFile& error) {
      file_.fail("link", link, error.what());
    } catch (const BadShape& error) {
      file_.fail("link", link, file.string() + ": " + error.what());
    }
    return {{"points", points}};
  }

  static json prism_of(const urdf::Cylinder& cylinder) {
    json prism;
    prism["cylinder"] = {
        {"radius", cylinder.radius}, {"height", cylinder.length}, {"corners", kCylinderCorners}};
    return prism;
  }

  json shape_of(const std::string& link, const urdf::Geometry& geometry) {
    switch (geometry.type) {
      case urdf::Geometry::SPHERE:
        return {{"sphere", static_cast<const urdf::Sphere&>(geometry).radius}};
      case urdf::Geometry::BOX:
        return {{"box", numbers(vector_of(static_cast<const urdf::Box&>(geometry).dim))}};
      case urdf::Geometry::CYLINDER:
        return prism_of(static_cast<const urdf::Cylinder&>(geometry));
      default:
        return hull_of_mesh(link, static_cast<const urdf::Mesh&>(geometry));
    }
  }

  void add_link(const urdf::Link& link, const Pose<3>& X_BL, Gathered& body) {
    for (const auto& collision : link.collision_array) {
      if (!collision || !collision->geometry) continue;
      json part = {{"shape", shape_of(link.name, *collision->geometry)}};
      put_pose(X_BL * pose_of(collision->origin), part);
      body.parts.push_back(part);
    }
    if (const auto& inertial = link.inertial) {
      const Pose<3> X = X_BL * pose_of(inertial->origin);
      const Mat<3> I = (Mat<3>() << inertial->ixx, inertial->ixy, inertial->ixz, inertial->ixy, inertial->iyy,
                        inertial->iyz, inertial->ixz, inertial->iyz, inertial->izz)
                           .finished();
      body.lump.add(inertial->mass, X.p, X.R * I * X.R.transpose());
    }
  }

  /// The link behind a joint, where the joint's value is zero.
  Placed placed(const urdf::Joint& joint, const Placed& parent) const {
    return {file_.model().getLink(joint.child_link_name).get(),
            parent.X_BL * pose_of(joint.parent_to_joint_origin_transform)};
  }

  /// The link and all that fixed joints hold to it, and the joints that leave them, in the order of the tree.
  Gathered gather(const urdf::Link& root) {
    Gathered body;
    std::vector<Placed> open = {{&root, {}}};
    while (!open.empty()) {
      const Placed next = open.back();
      open.pop_back();
      add_link(*next.link, next.X_BL, body);
      const auto& joints = next.link->child_joints;
      for (const auto& joint : joints) {
        if (joint->type != urdf::Joint::FIXED)
          body.joints.emplace_back(joint.get(), placed(*joint, next).X_BL);
      }
      for (auto joint = joints.rbegin(); joint != joints.rend(); ++joint) {
        if ((*joint)->type == urdf::Joint::FIXED) open.push_back(placed(**joint, next));
      }
    }
    return body;
  }

  /// The root is the world: what is fixed to it are bodies of their own, which stand still.
  void add_world(const urdf::Link& root, const Pose<3>& X_WB, std::vector<Hanging>& open) {
    if (free_base()) refuse(field_.member("base"), "the root link is the world, which is not free");
    Gathered own;
    add_link(root, {}, own);
    if (!own.parts.empty()) put_body(root.name, file_.model().getName() + "/" + kWorldName, X_WB, own, true);
    for (auto it = root.child_joints.rbegin(); it != root.child_joints.rend(); ++it) {
      const Pose<3> X_WJ = X_WB * pose_of((*it)->parent_to_joint_origin_transform);
      open.push_back({it->get(), X_WJ, X_WJ, kWorldName});
    }
  }

  void add_body(const urdf::Link& link, const Pose<3>& X_WB, bool fixed, std::vector<Hanging>& open) {
    const Gathered body = gather(link);
    const std::string name = prefix_ + link.name;
    put_body(link.name, name, X_WB, body, fixed);
    for (auto it = body.joints.rbegin(); it != body.joints.rend(); ++it)
      open.push_back({it->first, X_WB * it->second, it->second, name});
  }

  void put_body(const std::string& link, const std::string& name, const Pose<3>& X_WB, const Gathered& from,
                bool fixed) {
    json body = {{"name", name}};
    if (!from.parts.empty()) body["parts"] = from.parts;
    put_pose(X_WB, body);
    if (fixed) {
      body["fixed"] = true;
    } else {
      put_mass(link, from.lump, body);
    }
    names_.push_back(name);
    tell_origin("bodies", "link", link);
    scene_["bodies"].push_back(body);
  }

  /// Of the next member of a list.
  void tell_origin(const char* list, const char* thing, const std::string& name) {
    const int line = file_.line_of(thing, name);
    told_.origins.push_back({std::string(list) + "[" + std::to_string(scene_[list].size()) + "]",
                             file_.path().string() + (line > 0 ? ":" + std::to_string(line) : "") + ": " +
                                 thing + " " + in_quotes(name)});
  }

  void put_mass(const std::string& link, const Lump& lump, json& body) const {
    if (!(lump.mass > 0)) file_.fail("link", link, "it moves, and needs an inertial with a mass above zero");
    const Vec<3> com = lump.moment / lump.mass;
    const Mat<3> I =
        lump.inertia - lump.mass * (com.squaredNorm() * Mat<3>::Identity() - com * com.transpose());
    const Mat<3> symmetric = (I + I.transpose()) / 2;
    body["mass"] = lump.mass;
    body["com"] = numbers(com);
    for (int i = 0; i < 3; ++i) body["inertia"].push_back(numbers(symmetric.row(i).transpose()));
  }

  // ---- joints ---------------------------------------------------------------------------------------------

  static bool has_limits(const urdf::Joint& joint) {
    return joint.limits && joint.type != urdf::Joint::CONTINUOUS && joint.limits->lower < joint.limits->upper;
  }

  void add_joint(const Hanging& hanging, std::vector<Hanging>& open) {
    const urdf::Joint& joint = *hanging.joint;
    const urdf::Link& child = *file_.model().getLink(joint.child_link_name);
    if (joint.type == urdf::Joint::FIXED) return add_body(child, hanging.X_WJ, true, open);  // to the world
    if (joint.mimic) file_.fail("joint", joint.name, "mimics another; that is not known here");
    const bool slides = joint.type == urdf::Joint::PRISMATIC;
    if (!slides && joint.type != urdf::Joint::REVOLUTE && joint.type != urdf::Joint::CONTINUOUS)
      file_.fail("joint", joint.name, "expected fixed, revolute, continuous or prismatic");
    const Vec<3> axis = vector_of(joint.axis).normalized();
    if (!axis.allFinite()) file_.fail("joint", joint.name, "has no axis");
    const double q = start_value(joint);
    const Pose<3> motion =
        slides ? Pose<3>{Mat<3>::Identity(), q * axis} : Pose<3>{rotation(axis, q), Vec<3>::Zero()};
    // The values of our joints count about or along z of their frames.
    const Pose<3> X_JZ{Eigen::Quaterniond::FromTwoVectors(Vec<3>::UnitZ(), axis).toRotationMatrix(),
                       Vec<3>::Zero()};
    json frames = {json::object(), json::object()};
    put_pose(hanging.X_BJ * X_JZ, frames[0]);
    put_pose(X_JZ, frames[1]);
    json ours = {{"name", prefix_ + joint.name},
                 {"kind", slides ? "prismatic" : "revolute"},
                 {"bodies", {hanging.parent, prefix_ + child.name}},
                 {"frames", frames}};
    if (has_limits(joint)) ours["limits"] = {joint.limits->lower, joint.limits->upper};
    if (joint.dynamics && joint.dynamics->damping > 0) ours["damping"] = joint.dynamics->damping;
    tell_origin("joints", "joint", joint.name);
    scene_["joints"].push_back(ours);
    add_body(child, hanging.X_WJ * motion, false, open);
  }

  void forbid_contacts() {
    const auto self = optional_member(field_, "self_contact");
    if (self && read_flag(*self)) return;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) scene_["no_contact"].push_back({names_[j], names_[i]});
    }
  }

  void tell_dents() {
    if (dents_.empty()) return;
    std::string named;
    for (std::size_t i = 0; i < std::min(dents_.size(), kMostNamedMeshes); ++i) {
      const auto& [file, mesh] = dents_[i];
      named += (i == 0 ? "" : ", ") + in_quotes(file) + " ";
      named += mesh.closed ? "by " + short_number(mesh.added) + " m^3 of " + short_number(mesh.hull) + " m^3"
                           : "to " + short_number(mesh.hull) + " m^3 (its surface is not closed)";
    }
    if (dents_.size() > kMostNamedMeshes)
      named += " and " + std::to_string(dents_.size() - kMostNamedMeshes) + " more";
    told_.warnings.push_back(
        file_.path().filename().string() +
        ": collision meshes that are not convex are filled up to their convex hulls: " + named);
  }

  const Field& field_;
  json& scene_;
  ImportedRobots& told_;
  const UrdfFile file_;
  std::string prefix_;
  const json* start_ = nullptr;
  std::vector<std::string> names_;
  std::vector<std::pair<std::string, HulledMesh>> dents_;
};

}  // namespace

ImportedRobots import_robots(json& scene, const fs::path& folder) {
  ImportedRobots told;
  if (!scene.is_object() || !scene.contains("robots")) return told;
  const json asked = scene.at("robots");
  const Field whole{scene, ""}, list{asked, "robots", &whole, -1};
  if (!asked.is_array()) refuse_value(list, "a list of robots");
  if (scene.value("dimension", json()) != 3) refuse(list, "robots work with dimension: 3 only");
  for (const char* key : {"bodies", "joints", "no_contact"}) growing_list(scene, key);
  for (int i = 0; i < static_cast<int>(asked.size()); ++i) {
    const Field robot = list.element(i);
    check_keys(robot, keys_of("robot", 3));
    RobotReader(robot, folder, scene, told).read();
  }
  return told;
}

}  // namespace touchstone
