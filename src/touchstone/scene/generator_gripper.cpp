// The grasp of [Thesis 5.2.5]: five links, four hinges, PD control; the rest is chosen here.
//
//           +----palm----+           The palm is fixed. Upper links reach out and down, lower links hang
//          /              \          down; the hinges turn the links inwards until the fingers press the
//     upper                upper     polygon, which lies on the floor on the edge on which it rests most
//        |                    |      deeply.
//   lower|    .-""-.          |lower
//        |   ( body )         |
//    ----------------------------- floor

#include <cassert>
#include <cmath>
#include <numbers>

#include "touchstone/geometry/polytope.h"
#include "touchstone/scene/generated.h"

namespace touchstone {
namespace {

using nlohmann::json;

constexpr double kUpper = 0.5, kLower = 0.45;          ///< [m] lengths of the links
constexpr double kWidth = 0.08;                        ///< [m] of a link
constexpr double kShoulder[2] = {0.25, 1.02};          ///< [m] of the right hinge of the palm
constexpr double kOpen = 40 * std::numbers::pi / 180;  ///< [rad] the upper link from straight down, outwards
constexpr double kLinkMass = 0.4;                      ///< [kg]
/// [rad] How far shoulder and elbow want to turn inwards: the tips would meet 0.1 m from the middle line,
/// within any of these polygons, so that the fingers press.
constexpr double kShoulderTurn = 0.75, kElbowTurn = -0.45;
constexpr double kClosing = 1;  ///< [s] until the targets stand still
/// Stiffness [N m/rad] and damping [N m s/rad]: stable up to steps of 0.01 s for links of this inertia.
constexpr double kStiffness = 15, kDamping = 1.2;

/// The attitude in which the polygon rests with its centre lowest.
Mat<2> resting_rotation(const Polytope<2>& polygon) {
  int lowest = 0;
  auto height = [&](int f) {
    return polygon.plane(f).offset - polygon.plane(f).normal.dot(polygon.centre());
  };
  for (int f = 1; f < polygon.facet_count(); ++f) lowest = height(f) < height(lowest) ? f : lowest;
  const Vec<2> n = polygon.plane(lowest).normal;  // becomes (0, -1)
  return (Mat<2>() << -n.y(), n.x(), -n.x(), -n.y()).finished();
}

/// The polygon, turned to rest, on the floor and near the middle.
json resting_polygon(Generation& made) {
  const json cloud = made.cloud(made.count("points", 10, 3), made.positive("half", 0.25));
  std::vector<Vec<2>> points;
  for (const json& point : cloud.at("points")) points.emplace_back(point[0], point[1]);
  const Polytope<2> polygon = Polytope<2>::hull(points);
  const Mat<2> R = resting_rotation(polygon);
  const Vec<2> centre = R * polygon.centre();
  double lowest = std::numeric_limits<double>::infinity();
  json turned = json::array();
  for (const Vec<2>& x : polygon.vertices()) lowest = std::min(lowest, (R * x).y());
  const double x0 = made.random.uniform(-0.05, 0.05);
  for (const Vec<2>& x : polygon.vertices()) {
    const Vec<2> y = R * x;
    turned.push_back({y.x() - centre.x(), y.y() - lowest});
  }
  json object = {{"name", "object"}, {"density", 10}, {"position", {x0, 0}}};
  object["shape"]["points"] = turned;
  return object;
}

struct Link {
  std::string name;
  Vec<2> from, to;  ///< [m] its hinge and its end
};

json link_body(const Link& link) {
  const Vec<2> along = link.to - link.from, middle = (link.from + link.to) / 2;
  assert(along.norm() > 0);
  json body = {{"name", link.name},
               {"mass", kLinkMass},
               {"position", {middle.x(), middle.y()}},
               {"angle", std::atan2(along.y(), along.x())}};
  body["shape"]["box"] = {along.norm(), kWidth};
  return body;
}

void add_hinge(Generation& made, const std::string& parent, const Link& link, double turn) {
  const std::string name = link.name + "-hinge";
  made.add("joints", {{"name", name},
                      {"kind", "revolute"},
                      {"bodies", {parent, link.name}},
                      {"position", {link.from.x(), link.from.y()}}});
  json controller = {{"joint", name}, {"kp", kStiffness}, {"kd", kDamping}};
  controller["target"] = {{0, 0}, {kClosing, turn}};
  made.add("controllers", controller);
}

/// side: +1 right, -1 left. Turning inwards is clockwise on the right.
void add_finger(Generation& made, int side) {
  const std::string name = side > 0 ? "right" : "left";
  const Vec<2> shoulder(side * kShoulder[0], kShoulder[1]);
  const Vec<2> elbow = shoulder + kUpper * Vec<2>(side * std::sin(kOpen), -std::cos(kOpen));
  const Link upper{name + "-upper", shoulder, elbow};
  const Link lower{name + "-lower", elbow, elbow - Vec<2>(0, kLower)};
  made.add(link_body(upper));
  made.add(link_body(lower));
  add_hinge(made, "palm", upper, -side * kShoulderTurn);
  add_hinge(made, upper.name, lower, -side * kElbowTurn);
}

}  // namespace

void generate_gripper(Generation& made) {
  made.add_fixed_box("floor", {4, 0.5}, {0, -0.25});
  made.add_fixed_box("palm", {0.6, 0.1}, {0, kShoulder[1] + 0.05});
  made.add(resting_polygon(made));
  for (const int side : {-1, 1}) add_finger(made, side);
}

}  // namespace touchstone
