// MuJoCo 2.2.2 (libmujoco-dev) with its defaults (Newton's method, soft contacts with a time constant of 0.02
// s). Its models cannot grow, so that bodies which appear later wait far away until then.

#include <mujoco/mujoco.h>

#include <cstring>
#include <sstream>
#include <stdexcept>

#include "peer.h"

namespace touchstone::bench {
namespace {

constexpr double kFarAway = 1000;  ///< [m] to the first waiting body
constexpr double kApart = 10;      ///< [m] between them
/// Room for contacts per body; MuJoCo wants to know it in advance, and takes the square of it.
constexpr std::size_t kContacts = 30;

std::string numbers(const auto& x) {
  std::ostringstream text;
  text.precision(17);
  for (const double value : x) text << value << ' ';
  return text.str();
}

Vec<4> quaternion(const Mat<3>& R) {
  const Eigen::Quaterniond q(R);
  return {q.w(), q.x(), q.y(), q.z()};
}

/// The scene in MuJoCo's own language.
class ModelText {
 public:
  ModelText(const PeerScene& scene, double h) : scene_(scene) {
    text_.precision(17);
    text_ << "<mujoco><compiler angle='radian' inertiafromgeom='false'/>"
          << "<size nconmax='" << kContacts * scene.bodies.size() << "' njmax='"
          << (scene.friction > 0 ? 4 : 1) * kContacts * scene.bodies.size() << "'/>"
          << "<option timestep='" << h << "' gravity='" << numbers(scene.gravity) << "'/><asset>";
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) add_mesh(i);
    text_ << "</asset><worldbody>";
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) add_body(i);
    text_ << "</worldbody></mujoco>";
  }
  std::string text() const { return text_.str(); }

 private:
  bool is_box(const PeerBody& body) const { return scene_.as_boxes && body.box_sides().x() > 0; }

  void add_mesh(std::size_t i) {
    if (is_box(scene_.bodies[i])) return;
    text_ << "<mesh name='m" << i << "' vertex='";
    for (const Vec<3>& v : scene_.bodies[i].solid->vertices()) text_ << numbers(v);
    text_ << "'/>";
  }

  void add_body(std::size_t i) {
    const PeerBody& body = scene_.bodies[i];
    text_ << "<body pos='" << numbers(body.start.p) << "' quat='" << numbers(quaternion(body.start.R))
          << "'>";
    if (!body.fixed) {
      text_ << "<freejoint/><inertial pos='0 0 0' mass='" << body.mass << "' diaginertia='"
            << numbers(body.moments) << "'/>";
    }
    text_ << "<geom condim='" << (scene_.friction > 0 ? 3 : 1) << "' friction='" << scene_.friction
          << " 0 0' ";
    if (is_box(body)) {
      text_ << "type='box' size='" << numbers(Vec<3>(body.box_sides() / 2)) << "'/></body>";
    } else {
      text_ << "type='mesh' mesh='m" << i << "'/></body>";
    }
  }

  const PeerScene& scene_;
  std::ostringstream text_;
};

mjModel* load(const std::string& text) {
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  char error[1000] = "";
  mjModel* model = mj_loadXML("scene.xml", files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(std::string("MuJoCo: ") + error);
  return model;
}

class MujocoPeer : public Peer {
 public:
  MujocoPeer(const PeerScene& scene, double h)
      : scene_(scene), model_(load(ModelText(scene, h).text())), data_(mj_makeData(model_)) {}
  ~MujocoPeer() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  void add_next() override { place(added_++, false); }

  bool step() override {
    for (int i = added_; i < static_cast<int>(scene_.bodies.size()); ++i) place(i, true);
    mj_step(model_, data_);
    mj_kinematics(model_, data_);
    return data_->warning[mjWARN_BADQACC].number == 0;
  }

  Pose<3> pose(int i) const override {
    const double *p = data_->xpos + 3 * (i + 1), *R = data_->xmat + 9 * (i + 1);
    Pose<3> pose;
    for (int r = 0; r < 3; ++r) pose.R.row(r) << R[3 * r], R[3 * r + 1], R[3 * r + 2];
    pose.p = Vec<3>(p[0], p[1], p[2]);
    return scene_.bodies[i].fixed ? scene_.bodies[i].start : pose;
  }

  Twist<3> velocity(int i) const override {
    if (scene_.bodies[i].fixed) return Twist<3>::Zero();
    const double* v = data_->qvel + model_->jnt_dofadr[model_->body_jntadr[i + 1]];
    // Angular velocity is kept in the axes of the body.
    return twist<3>(Vec<3>(v[0], v[1], v[2]), Vec<3>(pose(i).R * Vec<3>(v[3], v[4], v[5])));
  }

 private:
  void place(int i, bool waiting) {
    const PeerBody& body = scene_.bodies[i];
    if (body.fixed) return;
    const int joint = model_->body_jntadr[i + 1];
    double *q = data_->qpos + model_->jnt_qposadr[joint], *v = data_->qvel + model_->jnt_dofadr[joint];
    const Vec<3> p = waiting ? Vec<3>(kFarAway + kApart * i, 0, 0) : body.start.p;
    const Vec<4> turn = quaternion(body.start.R);
    const Vec<3> spin = body.start.R.transpose() * Vec<3>(angular<3>(body.velocity));
    for (int k = 0; k < 3; ++k) q[k] = p[k];
    for (int k = 0; k < 4; ++k) q[3 + k] = turn[k];
    for (int k = 0; k < 3; ++k) {
      v[k] = waiting ? 0 : linear<3>(body.velocity)[k];
      v[3 + k] = waiting ? 0 : spin[k];
    }
  }

  const PeerScene& scene_;
  mjModel* model_;
  mjData* data_;
  int added_ = 0;
};

}  // namespace

std::unique_ptr<Peer> make_mujoco(const PeerScene& scene, double h) {
  return std::make_unique<MujocoPeer>(scene, h);
}

}  // namespace touchstone::bench
