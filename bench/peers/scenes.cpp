#include "scenes.h"

#include <Eigen/Eigenvalues>

#include "touchstone/geometry/bounds.h"
#include "touchstone/scene/scene.h"

namespace touchstone::bench {
namespace {

/// Share of a length by which a corner may miss that of a box.
constexpr double kRoundOff = 1e-12;

/// The axes of the frame are the principal ones already, to round-off?
bool is_diagonal(const SpinMat<3>& J) {
  const Vec<3> moments = J.diagonal();
  return (J - SpinMat<3>(moments.asDiagonal())).norm() <= kRoundOff * J.norm();
}

Mat<3> principal_axes(const SpinMat<3>& J) {
  if (is_diagonal(J)) return Mat<3>::Identity();
  Mat<3> axes = Eigen::SelfAdjointEigenSolver<SpinMat<3>>(J).eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  return axes;
}

PeerBody convert(const Body<3>& body, const ContactShape<3>& part, double appear) {
  const auto* solid = polytope_of(*part.shape);
  if (!solid) throw BadInput("a peer takes polytopes only; " + body.name + " is none");
  PeerBody made;
  made.fixed = !body.is_dynamic(), made.mass = body.mass, made.appear = appear;
  const Mat<3> axes = made.fixed ? Mat<3>(Mat<3>::Identity()) : principal_axes(body.inertia);
  made.moments = (axes.transpose() * body.inertia * axes).diagonal();
  std::vector<Vec<3>> points;
  for (const Vec<3>& v : solid->vertices()) points.push_back(axes.transpose() * (part.X_CS * v));
  made.solid = std::make_shared<const Polytope<3>>(Polytope<3>::hull(points));
  made.start = body.X_WC();
  made.start.R *= axes;
  made.velocity = body.velocity;
  return made;
}

}  // namespace

Vec<3> PeerBody::box_sides() const {
  const Vec<3> none = Vec<3>::Zero();
  if (solid->vertex_count() != 8 || solid->facet_count() != 6) return none;
  const Vec<3> half = solid->vertex(0).cwiseAbs();
  for (const Vec<3>& v : solid->vertices()) {
    if ((v.cwiseAbs() - half).norm() > kRoundOff * half.norm()) return none;
  }
  return 2 * half;
}

PeerScene load_peer_scene(const std::string& path_or_name, const std::vector<std::string>& overrides) {
  const Scene scene = load_scene(path_or_name, overrides);
  const auto& content = std::get<RunContent<3>>(scene.content);
  PeerScene made;
  made.name = scene.name, made.duration = scene.duration;
  made.gravity = content.world.gravity;
  made.friction = content.world.surfaces.of(0, 0).mu;
  if (content.world.shapes.size() != content.world.bodies.size()) {
    throw BadInput("a peer takes bodies of one convex shape only");
  }
  for (const ContactShape<3>& part : content.world.shapes) {
    made.bodies.push_back(convert(content.world.bodies[part.body], part, content.appear[part.body]));
  }
  return made;
}

void add_body(const PeerBody& given, World<3>& world) {
  Body<3> body;
  body.name = "body-" + std::to_string(world.bodies.size() + 1);
  body.kind = given.fixed ? BodyKind::fixed : BodyKind::dynamic;
  body.mass = given.mass;
  body.inertia = SpinMat<3>(given.moments.asDiagonal());
  body.set_X_WB(given.start);
  body.velocity = given.velocity;
  ContactShape<3> part;
  part.shape = std::make_shared<const Shape<3>>(*given.solid);
  part.body = static_cast<int>(world.bodies.size());
  world.shapes.push_back(part);
  world.bodies.push_back(body);
}

}  // namespace touchstone::bench
