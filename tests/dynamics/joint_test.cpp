#include "touchstone/dynamics/joint.h"

#include <gtest/gtest.h>

#include <numbers>

#include "touchstone/math/random.h"

namespace touchstone {
namespace {

constexpr JointKind kKinds3[] = {JointKind::fixed,       JointKind::revolute,  JointKind::prismatic,
                                 JointKind::cylindrical, JointKind::spherical, JointKind::universal,
                                 JointKind::planar};
constexpr JointKind kKinds2[] = {JointKind::fixed, JointKind::revolute, JointKind::prismatic};

template <int D>
Vec<D> random_vector(Random& random, double size) {
  Vec<D> x;
  for (int i = 0; i < D; ++i) x[i] = random.uniform(-size, size);
  return x;
}

template <int D>
Body<D> random_body(Random& random) {
  Body<D> body;
  body.com = random_vector<D>(random, 0.3);
  body.position = random_vector<D>(random, 2);
  body.attitude = Attitude<D>::from(random.rotation_matrix<D>());
  return body;
}

template <int D>
Pose<D> random_pose(Random& random) {
  return {random.rotation_matrix<D>(), random_vector<D>(random, 1)};
}

/// Two bodies anywhere: the joint is far from closed.
template <int D>
struct JointedPair {
  std::vector<Body<D>> bodies;
  Joint<D> joint;

  JointedPair(JointKind kind, Random& random) : bodies{random_body<D>(random), random_body<D>(random)} {
    joint.kind = kind;
    joint.body_A = 0, joint.body_B = 1;
    joint.X_AJ = random_pose<D>(random), joint.X_BJ = random_pose<D>(random);
  }
  /// Body B is placed so that the joint is closed and its values are not zero.
  void close(const Pose<D>& X_JaJb) {
    const Pose<D> X_WB = bodies[0].X_WB() * joint.X_AJ * X_JaJb * joint.X_BJ.inverse();
    bodies[1].set_X_WB(X_WB);
  }
};

template <int D>
std::vector<double> offsets(const JointedPair<D>& pair) {
  const JointEquations<D> equations = joint_equations<D>(pair.joint, pair.bodies);
  std::vector<double> all;
  for (const Row<D>& row : equations.rows) all.push_back(row.offset);
  for (const Row<D>& row : equations.axes) all.push_back(row.offset);
  return all;
}

template <int D>
JointedPair<D> moved(JointedPair<D> pair, int body, int dof, double by) {
  Twist<D> d = Twist<D>::Zero();
  d[dof] = by;
  pair.bodies[body].position += linear<D>(d);
  pair.bodies[body].attitude = pair.bodies[body].attitude.turned(angular<D>(d));
  return pair;
}

template <int D>
double worst_difference(const JointedPair<D>& pair) {
  const JointEquations<D> equations = joint_equations<D>(pair.joint, pair.bodies);
  std::vector<Row<D>> rows = equations.rows;
  rows.insert(rows.end(), equations.axes.begin(), equations.axes.end());
  double worst = 0;
  constexpr double kStep = 1e-5;
  for (int body = 0; body < 2; ++body) {
    for (int dof = 0; dof < kDof<D>; ++dof) {
      const auto plus = offsets(moved(pair, body, dof, kStep)),
                 minus = offsets(moved(pair, body, dof, -kStep));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double change = std::remainder(plus[i] - minus[i], 2 * std::numbers::pi);
        const double slope = change / (2 * kStep);
        worst = std::max(worst, std::abs(slope - (body == 0 ? rows[i].G_A : rows[i].G_B)[dof]));
      }
    }
  }
  return worst;
}

/// A closed position of a joint of this kind, with values of about one.
Pose<3> open_position(JointKind kind, Random& random) {
  const double a = random.uniform(-1.2, 1.2), b = random.uniform(-1.2, 1.2), s = random.uniform(-2, 2);
  const Vec<3> x = Vec<3>::UnitX(), y = Vec<3>::UnitY(), z = Vec<3>::UnitZ();
  switch (kind) {
    case JointKind::fixed:
      return {};
    case JointKind::revolute:
      return {rotation(z, a), Vec<3>::Zero()};
    case JointKind::prismatic:
      return {Mat<3>::Identity(), s * z};
    case JointKind::cylindrical:
      return {rotation(z, a), s * z};
    case JointKind::spherical:
      return {random.rotation_matrix<3>(), Vec<3>::Zero()};
    case JointKind::universal:
      return {rotation(x, a) * rotation(y, b), Vec<3>::Zero()};
    case JointKind::planar:
      return {rotation(z, a), s * x + b * y};
  }
  return {};
}

TEST(Joint, EveryRowInSpaceIsTheDerivativeOfItsErrorWhereverTheBodiesAre) {
  Random random(1);
  for (const JointKind kind : kKinds3) {
    for (int trial = 0; trial < 200; ++trial) {
      JointedPair<3> pair(kind, random);
      const bool closed = trial % 2 == 0;
      if (closed) pair.close(open_position(kind, random));
      // Central differences err by step^2 times third derivatives, and near singular angles these are large.
      const auto axes = joint_equations<3>(pair.joint, pair.bodies).axes;
      double steep = 1;
      for (const Row<3>& axis : axes) steep = std::max(steep, axis.G_B.norm());
      if (steep > 10) continue;
      EXPECT_LT(worst_difference(pair), 1e-8 * std::pow(steep, 3)) << "kind " << static_cast<int>(kind);
    }
  }
}

TEST(Joint, EveryRowInThePlaneIsTheDerivativeOfItsErrorWhereverTheBodiesAre) {
  Random random(2);
  for (const JointKind kind : kKinds2) {
    for (int trial = 0; trial < 200; ++trial) {
      EXPECT_LT(worst_difference(JointedPair<2>(kind, random)), 1e-8) << "kind " << static_cast<int>(kind);
    }
  }
}

TEST(Joint, AClosedJointHasNoErrorAwayFromItsZeroPosition) {
  Random random(3);
  for (const JointKind kind : kKinds3) {
    for (int trial = 0; trial < 50; ++trial) {
      JointedPair<3> pair(kind, random);
      pair.close(open_position(kind, random));
      for (const Row<3>& row : joint_equations<3>(pair.joint, pair.bodies).rows)
        EXPECT_NEAR(row.offset, 0, 1e-14);
    }
  }
}

TEST(Joint, RowsAndValuesTogetherAreAsManyAsTheDegreesOfFreedom) {
  Random random(4);
  for (const JointKind kind : kKinds3) {
    const JointedPair<3> pair(kind, random);
    const auto equations = joint_equations<3>(pair.joint, pair.bodies);
    EXPECT_EQ(equations.rows.size() + equations.axes.size(), 6u);
    EXPECT_EQ(static_cast<int>(equations.axes.size()), axis_count<3>(kind));
  }
  for (const JointKind kind : kKinds2) {
    const JointedPair<2> pair(kind, random);
    const auto equations = joint_equations<2>(pair.joint, pair.bodies);
    EXPECT_EQ(equations.rows.size() + equations.axes.size(), 3u);
    EXPECT_EQ(static_cast<int>(equations.axes.size()), axis_count<2>(kind));
  }
}

TEST(Joint, ValuesAreWhatTheJointWasOpenedBy) {
  Random random(5);
  const auto values = [&](JointKind kind, const Pose<3>& by) {
    JointedPair<3> pair(kind, random);
    pair.close(by);
    measure_joint(pair.joint, pair.bodies);
    return pair.joint.value;
  };
  const Vec<3> x = Vec<3>::UnitX(), y = Vec<3>::UnitY(), z = Vec<3>::UnitZ();
  EXPECT_NEAR(values(JointKind::revolute, {rotation(z, 0.7), Vec<3>::Zero()})[0], 0.7, 1e-14);
  EXPECT_NEAR(values(JointKind::prismatic, {Mat<3>::Identity(), -1.5 * z})[0], -1.5, 1e-14);
  const auto cylindrical = values(JointKind::cylindrical, {rotation(z, -0.4), 2 * z});
  EXPECT_NEAR(cylindrical[0], 2, 1e-14);
  EXPECT_NEAR(cylindrical[1], -0.4, 1e-14);
  const auto universal = values(JointKind::universal, {rotation(x, 0.3) * rotation(y, -0.9), Vec<3>::Zero()});
  EXPECT_NEAR(universal[0], 0.3, 1e-14);
  EXPECT_NEAR(universal[1], -0.9, 1e-14);
  const auto planar = values(JointKind::planar, {rotation(z, 0.2), 0.5 * x - 0.25 * y});
  EXPECT_NEAR(planar[0], 0.5, 1e-14);
  EXPECT_NEAR(planar[1], -0.25, 1e-14);
  EXPECT_NEAR(planar[2], 0.2, 1e-14);
  const auto spherical = values(JointKind::spherical, {rotation(y, 0.6), Vec<3>::Zero()});
  EXPECT_NEAR(spherical[1], 0.6, 1e-14);
}

TEST(Joint, AWheelThatTurnsTwiceCountsItsTurns) {
  std::vector<Body<2>> bodies(1);
  Joint<2> joint;
  joint.kind = JointKind::revolute;
  joint.body_B = 0;
  for (int i = 0; i < 40; ++i) {
    bodies[0].attitude = bodies[0].attitude.turned(Spin<2>(0.1 * std::numbers::pi));
    measure_joint(joint, bodies);
  }
  EXPECT_NEAR(joint.value[0], 4 * std::numbers::pi, 1e-12);
}

TEST(Joint, CorrectionClosesAChainQuadraticallyAndLeavesNoSpeedAcross) {
  Random random(6);
  std::vector<Body<3>> bodies;
  std::vector<Joint<3>> joints;
  for (int i = 0; i < 4; ++i) {
    bodies.push_back(random_body<3>(random));
    Joint<3> joint;
    joint.kind = kKinds3[1 + i];
    joint.body_A = i - 1, joint.body_B = i;
    joint.X_AJ = random_pose<3>(random), joint.X_BJ = random_pose<3>(random);
    const Pose<3> X_WA = i == 0 ? Pose<3>{} : bodies[i - 1].X_WB();
    bodies[i].set_X_WB(X_WA * joint.X_AJ * open_position(joint.kind, random) * joint.X_BJ.inverse());
    joints.push_back(joint);
  }
  for (Body<3>& body : bodies) {
    body.position += random_vector<3>(random, 0.01);
    body.attitude = body.attitude.turned(random_vector<3>(random, 0.01));
    body.velocity.setRandom();
  }
  const std::vector<Body<3>> start = bodies;
  const int passes = correct_joints(joints, bodies);
  EXPECT_GE(passes, 1);
  EXPECT_LE(passes, 5) << "0.01 -> 1e-4 -> 1e-8 -> 1e-16";
  for (const Joint<3>& joint : joints) {
    for (const Row<3>& row : joint_equations<3>(joint, bodies).rows) {
      EXPECT_NEAR(row.offset, 0, 1e-12);
      double rate = row.G_B.dot(bodies[row.body_B].velocity);
      if (row.body_A >= 0) rate += row.G_A.dot(bodies[row.body_A].velocity);
      EXPECT_NEAR(rate, 0, 1e-12);
    }
  }
}

TEST(Joint, ThePlaneHasNoSphericalJoint) {
  EXPECT_THROW(axis_count<2>(JointKind::spherical), std::invalid_argument);
}

}  // namespace
}  // namespace touchstone
