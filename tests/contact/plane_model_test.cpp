// The model `plane` by itself: what it proposes for a motion, and how it judges the one that was found.

#include <gtest/gtest.h>

#include <numeric>

#include "touchstone/contact/contact_model.h"
#include "touchstone/geometry/shapes.h"

namespace touchstone {
namespace {

constexpr double kStep = 0.01;     // [s]
constexpr double kGravity = 9.81;  // [m/s^2]

/// A box over a fixed one, and how it moves.
struct BoxOverBox {
  std::vector<ContactShape<3>> shapes;
  std::vector<Path<3>> paths;
  std::vector<Pose<3>> start, end;
  std::vector<std::pair<int, int>> pairs = {{0, 1}};

  BoxOverBox(double gap, const Vec<3>& velocity, double thickness = 1) {
    const Vec<3> sides(1, 1, thickness);
    shapes.push_back({std::make_shared<const Shape<3>>(make_box<3>(sides)), 0, {}, 0});
    shapes.push_back({std::make_shared<const Shape<3>>(make_box<3>(sides)), 1, {}, 0});
    start = {{Mat<3>::Identity(), Vec<3>(0.3, 0.2, thickness + gap)}, {}};
    move(velocity);
  }
  void move(const Vec<3>& velocity) {
    paths.clear(), end.clear();
    for (int b = 0; b < 2; ++b) {
      const Twist<3> V = twist<3>(b == 0 ? velocity : Vec<3>(Vec<3>::Zero()), Vec<3>::Zero());
      paths.push_back(steady_path<3>(start[b].p, {}, V, kStep));
      end.push_back(paths[b].at(1));
    }
  }
  TriedMotion<3> motion() const { return {shapes, paths, start, end, pairs, kStep, 0.05, kGravity}; }
  std::unique_ptr<StepContacts<3>> propose(const ModelMemoryPtr& last = nullptr) const {
    return make_contact_model<3>("plane")->propose(motion(), last);
  }
};

const Vec<3> kDown(0, 0, -kGravity* kStep);

Verdict judge(StepContacts<3>& contacts, const BoxOverBox& boxes, double push, bool gains_energy = false) {
  const std::vector<double> impulses(contacts.set().contacts.size(), push);
  const std::vector<char> gives(gains_energy ? impulses.size() : 0, true);
  return contacts.judge(boxes.motion(), {impulses, contacts.set().unilateral, gives});
}

TEST(PlaneModel, PromisesGapsPassesAndEnergy) {
  const Promise promise = make_contact_model<3>("plane")->promises();
  EXPECT_TRUE(promise.gap && promise.pass && promise.energy && promise.seen);
  EXPECT_FALSE(make_contact_model<3>("manifold")->promises().anything());
}

TEST(PlaneModel, BoxesFarApartGetNoContacts) {
  EXPECT_TRUE(BoxOverBox(0.5, kDown).propose()->set().contacts.empty());
}

TEST(PlaneModel, ABoxThatRestsGetsTheFourCornersOfWhatBothShare) {
  const auto contacts = BoxOverBox(0, kDown).propose();
  const ConstraintSet<3>& set = contacts->set();
  ASSERT_EQ(set.contacts.size(), 4u);
  for (const Contact<3>& contact : set.contacts) {
    EXPECT_NEAR(contact.gap, 0, 1e-15);
    EXPECT_NEAR(contact.normal.z(), 1, 1e-15);
    EXPECT_TRUE(contact.point.x() > -0.21 && contact.point.x() < 0.51) << "within both";
  }
}

TEST(PlaneModel, AGapIsThatOfTheStartAndAnOffsetWhatTheRowAsksFor) {
  const double gap = 1e-4;
  const auto contacts = BoxOverBox(gap, Vec<3>(0, 0, -1)).propose();
  ASSERT_FALSE(contacts->set().contacts.empty());
  for (const Contact<3>& contact : contacts->set().contacts) {
    EXPECT_NEAR(contact.gap, gap, 1e-14);
    EXPECT_NEAR(contact.offset, gap, 1e-3) << "to the second order of the step";
  }
}

TEST(PlaneModel, AMotionThatEndsApartHoldsAndOneThatOverlapsIsRenewed) {
  BoxOverBox boxes(0, kDown);
  const auto contacts = boxes.propose();
  boxes.move(Vec<3>::Zero());
  const Verdict still = judge(*contacts, boxes, 1);
  EXPECT_EQ(still.word, Verdict::Word::holds);
  EXPECT_NEAR(*still.lowest_gap, 0, 1e-15);
  EXPECT_EQ(still.ends->closest, (std::pair<int, int>(0, 1)));

  boxes.move(Vec<3>(0, 0, -1e-3));
  EXPECT_EQ(judge(*contacts, boxes, 1).word, Verdict::Word::renewed);
}

/// 200 m/s through a plate of 2 cm: apart at both ends.
TEST(PlaneModel, APlateThatPassesAnotherWithinTheStepIsSeen) {
  BoxOverBox plates(0.5, Vec<3>(0, 0, -200), 0.02);
  const auto contacts = plates.propose();
  ASSERT_FALSE(contacts->set().contacts.empty());
  const auto notes = contacts->notes();
  EXPECT_EQ(
      std::accumulate(notes.begin(), notes.end(), 0,
                      [](int sum, const ModelNote& n) { return sum + (n.name == "passed" ? n.count : 0); }),
      1);
  for (const Contact<3>& contact : contacts->set().contacts) {
    EXPECT_NEAR(contact.normal.z(), 1, 1e-12)
        << "the plane that is crossed first, from the side it came from";
  }
}

/// Rows of the end can ask for more than the bodies are open. Once they gave energy, none does.
TEST(PlaneModel, RowsThatGaveEnergyGiveWayToRowsThatCannot) {
  BoxOverBox boxes(0, Vec<3>(0.1, 0, -0.5));
  const auto contacts = boxes.propose();
  const auto asks_too_much = [&] {
    const auto& rows = contacts->set().contacts;
    return std::any_of(rows.begin(), rows.end(), [](const Contact<3>& c) { return c.offset < 0; });
  };
  boxes.move(Vec<3>(0.1, 0, -0.01));
  for (int pass = 0; pass < 3 && !asks_too_much(); ++pass) judge(*contacts, boxes, 1);
  ASSERT_TRUE(asks_too_much());
  boxes.move(Vec<3>(0.1, 0, 0));
  Verdict verdict;
  for (int pass = 0; pass < 3 && asks_too_much(); ++pass) verdict = judge(*contacts, boxes, 1, true);
  EXPECT_FALSE(asks_too_much());
  EXPECT_EQ(verdict.word, Verdict::Word::renewed);
  EXPECT_FALSE(verdict.steady.empty()) << "the bodies are held to a steady path";
}

TEST(PlaneModel, WhatIsRememberedChangesNothing) {
  const BoxOverBox boxes(1e-5, Vec<3>(0.2, 0.1, -0.3));
  const auto fresh = boxes.propose();
  const ModelMemoryPtr memory = boxes.propose()->memory();
  const auto known = boxes.propose(memory);
  ASSERT_EQ(fresh->set().contacts.size(), known->set().contacts.size());
  for (std::size_t k = 0; k < fresh->set().contacts.size(); ++k) {
    EXPECT_NEAR(fresh->set().contacts[k].offset, known->set().contacts[k].offset, 1e-15);
    EXPECT_EQ(fresh->set().contacts[k].key, known->set().contacts[k].key);
  }
}

}  // namespace
}  // namespace touchstone
