// Robots from URDF files. Links that fixed joints hold together become one body; the convex hull of a
// collision mesh stands for it; links of one robot touch each other only where the scene asks for it.

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <fstream>
#include <map>
#include <sstream>

#include "touchstone/geometry/mesh_file.h"
#include "touchstone/math/pose.h"
#include "touchstone/scene/import_scene.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/pose_reader.h"
#include "touchstone/scene/scene_keys.h"

namespace touchstone {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Corners around a cylinder: its facets differ from the round one by a half percent of the radius.
constexpr int kCylinderCorners = 32;

/// What urdfdom has to say about a file, in place of printing it.
class Complaints : public console_bridge::OutputHandler {
 public:
  Complaints() { console_bridge::useOutputHandler(this); }
  ~Complaints() override { console_bridge::restorePreviousOutputHandler(); }
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_.empty()) first_ = text;
  }
  const std::string& first() const { return first_; }

 private:
  std::string first_;
};

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
  RobotReader(const Field& field, const fs::path& folder, json& scene)
      : field_(field), folder_(folder), scene_(scene) {
    if (const auto x = optional_member(field, "name")) prefix_ = read_text(*x, "a name") + "/";
    if (const auto x = optional_member(field, "joints")) start_ = &x->value;
    if (start_ && !start_->is_object()) refuse_value(field.member("joints"), "a map from joints to values");
  }

  RobotReader(const RobotReader&) = delete;
  RobotReader& operator=(const RobotReader&) = delete;
  /// Links own each other along the joints: a loop that hangs on nothing would never be freed.
  ~RobotReader() {
    if (!model_) return;
    for (auto& [name, link] : model_->links_) link->child_links.clear(), link->child_joints.clear();
  }

  void read() {
    const Field file = required(field_, "urdf", "a URDF file");
    path_ = folder_ / read_text(file, "a URDF file");
    std::error_code ignored;
    if (!fs::is_regular_file(path_, ignored)) refuse(file, "there is no file " + in_quotes(path_.string()));
    std::ifstream in(path_, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    Complaints complaints;
    try {
      model_ = urdf::parseURDF(text.str());
    } catch (const std::exception& error) {
      refuse(file, path_.string() + ": " + error.what());
    }
    if (!model_ || !model_->getRoot())
      refuse(file, path_.string() + ": is no URDF" +
                       (complaints.first().empty() ? std::string() : " (" + complaints.first() + ")"));
    const bool base_moves = free_base();
    add_body(*model_->getRoot(), read_base_pose(), !base_moves);
    if (start_) {
      for (const auto& [joint, value] : start_->items()) check_start(joint);
    }
    forbid_contacts();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    refuse(field_.member("urdf"), path_.string() + ": " + what);
  }

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
    for (const auto& [joint, ignored] : model_->joints_) names.push_back(joint);
    if (!model_->joints_.count(name))
      refuse(field_.member("joints"), "there is no joint " + in_quotes(name) + name_hint(name, names));
  }

  double start_value(const std::string& joint) const {
    if (!start_ || !start_->contains(joint)) return 0;
    return read_number(Field{start_->at(joint), field_.name() + ".joints." + joint});
  }

  // ---- one body: a link and all that is fixed to it -------------------------------------------------------

  fs::path mesh_path(std::string name) const {
    for (const char* scheme : {"package://", "file://"}) {
      if (name.starts_with(scheme)) name = name.substr(std::string(scheme).size());
    }
    // A package may be the folder itself, or one of those around it.
    std::error_code ignored;
    const fs::path given = name, within = fs::path(name.substr(std::min(name.size(), name.find('/') + 1)));
    for (fs::path folder = fs::absolute(path_).parent_path();; folder = folder.parent_path()) {
      for (const fs::path& candidate : {folder / given, folder / within}) {
        if (fs::is_regular_file(candidate, ignored)) return candidate;
      }
      if (folder == folder.parent_path()) fail("there is no mesh " + in_quotes(name));
    }
  }

  json hull_of_mesh(const urdf::Mesh& mesh) const {
    const fs::path file = mesh_path(mesh.filename);
    std::ifstream in(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    json points = json::array();
    try {
      for (const Vec<3>& x : read_mesh(bytes.str(), mesh_format_of(file), file.string()).points)
        points.push_back(numbers(vector_of(mesh.scale).cwiseProduct(x)));
    } catch (const BadMeshFile& error) {
      fail(error.what());
    }
    return {{"points", points}};
  }

  static json prism_of(const urdf::Cylinder& cylinder) {
    json prism;
    prism["cylinder"] = {
        {"radius", cylinder.radius}, {"height", cylinder.length}, {"corners", kCylinderCorners}};
    return prism;
  }

  json shape_of(const urdf::Geometry& geometry) const {
    switch (geometry.type) {
      case urdf::Geometry::SPHERE:
        return {{"sphere", static_cast<const urdf::Sphere&>(geometry).radius}};
      case urdf::Geometry::BOX:
        return {{"box", numbers(vector_of(static_cast<const urdf::Box&>(geometry).dim))}};
      case urdf::Geometry::CYLINDER:
        return prism_of(static_cast<const urdf::Cylinder&>(geometry));
      default:
        return hull_of_mesh(static_cast<const urdf::Mesh&>(geometry));
    }
  }

  void add_link(const urdf::Link& link, const Pose<3>& X_BL, json& parts, Lump& lump) {
    for (const auto& collision : link.collision_array) {
      if (!collision || !collision->geometry) continue;
      json part = {{"shape", shape_of(*collision->geometry)}};
      put_pose(X_BL * pose_of(collision->origin), part);
      parts.push_back(part);
    }
    if (const auto& inertial = link.inertial) {
      const Pose<3> X = X_BL * pose_of(inertial->origin);
      const Mat<3> I = (Mat<3>() << inertial->ixx, inertial->ixy, inertial->ixz, inertial->ixy, inertial->iyy,
                        inertial->iyz, inertial->ixz, inertial->iyz, inertial->izz)
                           .finished();
      lump.add(inertial->mass, X.p, X.R * I * X.R.transpose());
    }
  }

  /// Collects the parts of a body (links that fixed joints hold together) and the joints that leave it.
  void gather(const urdf::Link& link, const Pose<3>& X_BL, json& parts, Lump& lump,
              std::vector<std::pair<const urdf::Joint*, Pose<3>>>& joints) {
    add_link(link, X_BL, parts, lump);
    for (const auto& joint : link.child_joints) {
      const Pose<3> X_BJ = X_BL * pose_of(joint->parent_to_joint_origin_transform);
      if (joint->type == urdf::Joint::FIXED) {
        gather(*model_->getLink(joint->child_link_name), X_BJ, parts, lump, joints);
      } else {
        joints.emplace_back(joint.get(), X_BJ);
      }
    }
  }

  void add_body(const urdf::Link& link, const Pose<3>& X_WB, bool fixed) {
    json body = {{"name", prefix_ + link.name}}, parts = json::array();
    Lump lump;
    std::vector<std::pair<const urdf::Joint*, Pose<3>>> joints;
    gather(link, {}, parts, lump, joints);
    if (!parts.empty()) body["parts"] = parts;
    put_pose(X_WB, body);
    if (fixed) {
      body["fixed"] = true;
    } else {
      put_mass(link.name, lump, body);
    }
    names_.push_back(prefix_ + link.name);
    scene_["bodies"].push_back(body);
    for (const auto& [joint, X_BJ] : joints) add_joint(*joint, X_BJ, X_WB, prefix_ + link.name);
  }

  void put_mass(const std::string& link, const Lump& lump, json& body) const {
    if (!(lump.mass > 0))
      fail("link " + in_quotes(link) + " moves: it needs an inertial with a mass above zero");
    const Vec<3> com = lump.moment / lump.mass;
    const Mat<3> I =
        lump.inertia - lump.mass * (com.squaredNorm() * Mat<3>::Identity() - com * com.transpose());
    body["mass"] = lump.mass;
    body["com"] = numbers(com);
    for (int i = 0; i < 3; ++i) body["inertia"].push_back(numbers(I.row(i).transpose()));
  }

  // ---- joints ---------------------------------------------------------------------------------------------

  void add_joint(const urdf::Joint& joint, const Pose<3>& X_BJ, const Pose<3>& X_WB,
                 const std::string& parent) {
    if (joint.mimic) fail("joint " + in_quotes(joint.name) + " mimics another; that is not known here");
    const bool slides = joint.type == urdf::Joint::PRISMATIC;
    if (!slides && joint.type != urdf::Joint::REVOLUTE && joint.type != urdf::Joint::CONTINUOUS)
      fail("joint " + in_quotes(joint.name) + ": expected fixed, revolute, continuous or prismatic");
    const Vec<3> axis = vector_of(joint.axis).normalized();
    if (!axis.allFinite()) fail("joint " + in_quotes(joint.name) + " has no axis");
    const double q = start_value(joint.name);
    const Pose<3> motion =
        slides ? Pose<3>{Mat<3>::Identity(), q * axis} : Pose<3>{rotation(axis, q), Vec<3>::Zero()};
    // The values of our joints count about or along z of their frames.
    const Pose<3> X_JZ{Eigen::Quaterniond::FromTwoVectors(Vec<3>::UnitZ(), axis).toRotationMatrix(),
                       Vec<3>::Zero()};
    json frames = {json::object(), json::object()};
    put_pose(X_BJ * X_JZ, frames[0]);
    put_pose(X_JZ, frames[1]);
    json ours = {{"name", prefix_ + joint.name},
                 {"kind", slides ? "prismatic" : "revolute"},
                 {"bodies", {parent, prefix_ + joint.child_link_name}},
                 {"frames", frames}};
    if (joint.limits && joint.type != urdf::Joint::CONTINUOUS && joint.limits->lower < joint.limits->upper)
      ours["limits"] = {joint.limits->lower, joint.limits->upper};
    if (joint.dynamics && joint.dynamics->damping > 0) ours["damping"] = joint.dynamics->damping;
    scene_["joints"].push_back(ours);
    add_body(*model_->getLink(joint.child_link_name), X_WB * X_BJ * motion, false);
  }

  void forbid_contacts() {
    const auto self = optional_member(field_, "self_contact");
    if (self && read_flag(*self)) return;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) scene_["no_contact"].push_back({names_[j], names_[i]});
    }
  }

  const Field& field_;
  const fs::path& folder_;
  json& scene_;
  fs::path path_;
  std::string prefix_;
  const json* start_ = nullptr;
  urdf::ModelInterfaceSharedPtr model_;
  std::vector<std::string> names_;
};

}  // namespace

void import_robots(json& scene, const fs::path& folder) {
  if (!scene.is_object() || !scene.contains("robots")) return;
  const json asked = scene.at("robots");
  const Field whole{scene, ""}, list{asked, "robots", &whole, -1};
  if (!asked.is_array()) refuse_value(list, "a list of robots");
  if (scene.value("dimension", json()) != 3) refuse(list, "robots work with dimension: 3 only");
  for (const char* key : {"bodies", "joints", "no_contact"}) growing_list(scene, key);
  for (int i = 0; i < static_cast<int>(asked.size()); ++i) {
    const Field robot = list.element(i);
    check_keys(robot, keys_of("robot", 3));
    RobotReader(robot, folder, scene).read();
  }
}

bool looks_like_urdf(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string::npos && text[first] == '<';
}

}  // namespace touchstone
