#include "touchstone/contact/contact_model.h"
#include "touchstone/contact/pair_memory.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace touchstone {
namespace {

constexpr double kStep = 0.01;     // [s]
constexpr double kGravity = 9.81;  // [m/s^2]

/// Two parts, each a body of its own.
template <int D>
struct TwoParts {
  std::vector<ContactShape<D>> shapes;
  std::vector<Pose<D>> X_WS;
  std::vector<Path<D>> paths;
  std::vector<std::pair<int, int>> pairs = {{0, 1}};

  TwoParts(const Shape<D>& a, const Pose<D>& X_A, const Shape<D>& b, const Pose<D>& X_B) : X_WS{X_A, X_B} {
    for (const Pose<D>& X : X_WS) {
      paths.push_back(steady_path<D>(X.p, Attitude<D>::from(X.R), Twist<D>::Zero(), kStep));
    }
    shapes.push_back({std::make_shared<const Shape<D>>(a), 0, Pose<D>{}, 0});
    shapes.push_back({std::make_shared<const Shape<D>>(b), 1, Pose<D>{}, 1});
  }
  /// Of bodies that stay where they are.
  ConstraintSet<D> propose(std::string_view model, double margin = 0.05) const {
    const TriedMotion<D> motion{shapes, paths, X_WS, X_WS, pairs, kStep, margin, kGravity};
    return make_contact_model<D>(model)->propose(motion, nullptr)->set();
  }
};

const Vec<3> kUp = Vec<3>::UnitZ();

TwoParts<3> box_on_box(double gap) {
  const Shape<3> box = make_box<3>(Vec<3>::Ones());
  return {box, Pose<3>{Mat<3>::Identity(), Vec<3>(0.3, 0.2, 1 + gap)}, box, Pose<3>{}};
}

TEST(ContactModel, ABoxOnABoxTouchesAtTheFourCornersOfWhatTheyShare) {
  const ConstraintSet<3> set = box_on_box(0).propose("manifold");
  ASSERT_EQ(set.contacts.size(), 4u);
  EXPECT_EQ(set.unilateral.size(), 4u);
  for (const Contact<3>& contact : set.contacts) {
    EXPECT_LT((contact.normal - kUp).norm(), 1e-15);
    EXPECT_NEAR(contact.gap, 0, 1e-15);
    EXPECT_NEAR(contact.point.z(), 0.5, 1e-15);
    EXPECT_EQ(contact.body_A, 0);
    EXPECT_EQ(contact.material_B, 1);
  }
}

TEST(ContactModel, ContactsKeepTheirKeysWhenBodiesSlideALittle) {
  const Shape<3> box = make_box<3>(Vec<3>::Ones());
  const auto keys = [&](double x) {
    std::vector<std::uint64_t> found;
    const TwoParts<3> parts(box, Pose<3>{Mat<3>::Identity(), Vec<3>(x, 0.2, 1)}, box, Pose<3>{});
    for (const Contact<3>& contact : parts.propose("manifold").contacts) found.push_back(contact.key);
    std::sort(found.begin(), found.end());
    return found;
  };
  const auto first = keys(0.3);
  EXPECT_EQ(first, keys(0.301));
  EXPECT_EQ(std::adjacent_find(first.begin(), first.end()), first.end()) << "each contact has its own";
}

TEST(ContactModel, TheStandardModelTakesEveryNearContactTheCorrectiveOneOnlyOverlaps) {
  EXPECT_GE(box_on_box(0.01).propose("standard").contacts.size(), 2u);
  EXPECT_EQ(box_on_box(0.01).propose("corrective").contacts.size(), 0u);
  const ConstraintSet<3> deep = box_on_box(-0.01).propose("corrective", 0.05);
  ASSERT_GE(deep.contacts.size(), 2u);
  for (const Contact<3>& contact : deep.contacts) EXPECT_LT(contact.gap, 0);
}

TEST(ContactModel, OneContactPerOverlapLiesInTheMiddleOfWhatIsShared) {
  EXPECT_EQ(box_on_box(0.01).propose("corrective-overlap").contacts.size(), 0u);
  const ConstraintSet<3> set = box_on_box(-0.02).propose("corrective-overlap");
  ASSERT_EQ(set.contacts.size(), 1u);
  EXPECT_NEAR(set.contacts[0].gap, -0.02, 1e-14);
  EXPECT_LT((set.contacts[0].point - Vec<3>(0.15, 0.1, 0.49)).norm(), 1e-13);
}

TEST(ContactModel, APolytopeStandsOnAHalfSpaceWithEveryVertexInReach) {
  for (const auto& entry : contact_models()) {
    const TwoParts<2> parts(make_box<2>({1, 1}), Pose<2>{Mat<2>::Identity(), Vec<2>(0, 0.49)},
                            HalfSpace<2>{{Vec<2>::UnitY(), 0}}, Pose<2>{});
    const ConstraintSet<2> set = parts.propose(entry.name);
    ASSERT_EQ(set.contacts.size(), 2u) << entry.name;
    EXPECT_NEAR(set.contacts[0].gap, -0.01, 1e-15);
    EXPECT_EQ(set.contacts[0].normal, Vec<2>::UnitY());
  }
}

TEST(ContactModel, SwappingTheBodiesNegatesTheNormal) {
  const Shape<2> box = make_box<2>({1, 1}), floor = HalfSpace<2>{{Vec<2>::UnitY(), 0}};
  const Pose<2> above{Mat<2>::Identity(), Vec<2>(0, 0.5)};
  const ConstraintSet<2> set = TwoParts<2>(floor, Pose<2>{}, box, above).propose("manifold");
  ASSERT_EQ(set.contacts.size(), 2u);
  EXPECT_EQ(set.contacts[0].normal, Vec<2>(-Vec<2>::UnitY()));
}

TEST(ContactModel, SpheresTouchInOnePointBetweenThem) {
  const TwoParts<3> parts(Sphere<3>{1}, Pose<3>{Mat<3>::Identity(), Vec<3>(0, 0, 2.01)}, Sphere<3>{1},
                          Pose<3>{});
  const ConstraintSet<3> set = parts.propose("manifold");
  ASSERT_EQ(set.contacts.size(), 1u);
  EXPECT_NEAR(set.contacts[0].gap, 0.01, 1e-14);
  EXPECT_LT((set.contacts[0].point - Vec<3>(0, 0, 1.005)).norm(), 1e-14);
}

TEST(ContactModel, PairsBeyondTheMarginMakeNoContact) {
  for (const auto& entry : contact_models()) {
    EXPECT_EQ(box_on_box(0.06).propose(entry.name).contacts.size(), 0u) << entry.name;
  }
}

TEST(ContactModel, ASettingThatTheModelIgnoresIsRefusedByName) {
  const auto refusal = [](std::string_view model, const ModelSettings& settings) -> std::string {
    try {
      make_contact_model<2>(model, settings);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("plane", {.plane_rule = PlaneRule::toi2}), "");
  EXPECT_EQ(refusal("peg", {.gap_tolerance = 1e-8, .relinearise = true}), "");
  EXPECT_NE(refusal("peg", {.plane_rule = PlaneRule::toi2}).find("plane_rule"), std::string::npos);
  EXPECT_NE(refusal("manifold", {.gap_tolerance = 1e-8}).find("gap_tolerance"), std::string::npos);
  EXPECT_NE(refusal("plane", {.relinearise = true}).find("relinearise"), std::string::npos);
}

TEST(ContactModel, AnUnknownNameIsRefused) {
  EXPECT_THROW(make_contact_model<2>("spring"), std::invalid_argument);
}

TEST(PairMemory, PairsThatLeaveAreForgottenAndTheRestKept) {
  PairMemory<2> memory;
  const std::vector<std::pair<int, int>> first = {{0, 1}, {0, 2}, {1, 2}}, second = {{0, 2}, {1, 3}};
  memory.follow(first);
  memory.of(1).valid = true;
  memory.follow(second);
  EXPECT_TRUE(memory.of(0).valid);
  EXPECT_FALSE(memory.of(1).valid);
}

}  // namespace
}  // namespace touchstone
