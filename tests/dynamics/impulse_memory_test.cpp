// Where a solver starts: the impulses of the last step, found again by the keys of the contacts.

#include "touchstone/dynamics/impulse_memory.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "support/dimensions.h"

namespace touchstone {
namespace {

/// The contacts and rows of a step, written by hand: what the memory reads, and no more.
template <int D>
struct Step {
  ConstraintSet<D> set;
  Assembly<D> assembly;
  StepImpulses<D> impulses;

  /// A contact with a row, and with a group of friction where it has tangents.
  void add(std::uint64_t key, double normal, const std::vector<double>& tangents = {}, double slip = 0) {
    add_contact(key);
    StepEquations<D>& equations = assembly.equations;
    assembly.row_of_contact.back() = static_cast<int>(equations.unilateral.size());
    equations.unilateral.emplace_back();
    impulses.unilateral.push_back(normal);
    if (tangents.empty()) return;
    assembly.group_of_contact.back() = static_cast<int>(equations.groups.size());
    FrictionGroup group;
    group.first = static_cast<int>(equations.tangent.size());
    group.count = static_cast<int>(tangents.size());
    equations.groups.push_back(group);
    equations.tangent.resize(equations.tangent.size() + tangents.size());
    impulses.tangent.insert(impulses.tangent.end(), tangents.begin(), tangents.end());
    impulses.slip.push_back(slip);
  }
  /// A contact that the formulation gave no row.
  void add_contact(std::uint64_t key) {
    set.unilateral.push_back(static_cast<int>(set.contacts.size()));
    set.contacts.emplace_back();
    set.contacts.back().key = key;
    assembly.row_of_contact.push_back(-1);
    assembly.group_of_contact.push_back(-1);
  }
};

template <class T>
struct ImpulseMemoryTest : testing::Test {
  static constexpr int D = T::D;
  ImpulseMemory memory;

  void remember(const Step<D>& step) { memory.remember(step.set, step.assembly, step.impulses); }
  StepImpulses<D> guess(const Step<D>& step) const { return memory.guess(step.set, step.assembly); }
};
TYPED_TEST_SUITE(ImpulseMemoryTest, support::Dimensions, support::DimensionNames);

using Numbers = std::vector<double>;

TYPED_TEST(ImpulseMemoryTest, WithoutALastStepTheGuessIsTheFreeMotion) {
  constexpr int D = TypeParam::D;
  Step<D> step;
  step.add(7, 1, {2, 3}, 4);
  step.assembly.equations.V_free = {Twist<D>::Constant(0.5)};
  step.assembly.equations.bilateral.resize(2);
  const StepImpulses<D> guess = this->guess(step);
  EXPECT_EQ(guess.V, step.assembly.equations.V_free);
  EXPECT_EQ(guess.bilateral, Numbers(2, 0));
  EXPECT_EQ(guess.unilateral, Numbers(1, 0));
  EXPECT_EQ(guess.tangent, Numbers(2, 0));
  EXPECT_EQ(guess.slip, Numbers(1, 0));
}

TYPED_TEST(ImpulseMemoryTest, AContactIsFoundByItsKeyWhereverItStandsAndANewOneStartsAtZero) {
  Step<TypeParam::D> last, next;
  last.add(10, 1), last.add(20, 2, {0.1, 0.2}, 0.3), last.add(30, 3);
  next.add(30, 0), next.add(40, 0, {0, 0}), next.add(20, 0, {0, 0}), next.add(10, 0);
  this->remember(last);
  const auto guess = this->guess(next);
  EXPECT_EQ(guess.unilateral, (Numbers{3, 0, 2, 1}));
  EXPECT_EQ(guess.tangent, (Numbers{0, 0, 0.1, 0.2}));
  EXPECT_EQ(guess.slip, (Numbers{0, 0.3}));
}

/// Another number of directions is another cone: what the old one carried says nothing about it.
TYPED_TEST(ImpulseMemoryTest, FrictionOfAnotherConeStartsAtZeroBesideTheKnownNormal) {
  Step<TypeParam::D> last, next;
  last.add(1, 5, {1, 2, 3, 4}, 6), last.add(2, 7);
  next.add(1, 0, {0, 0}), next.add(2, 0, {0, 0});
  this->remember(last);
  const auto guess = this->guess(next);
  EXPECT_EQ(guess.unilateral, (Numbers{5, 7}));
  EXPECT_EQ(guess.tangent, Numbers(4, 0));
  EXPECT_EQ(guess.slip, Numbers(2, 0));
}

TYPED_TEST(ImpulseMemoryTest, OfContactsWithTheSameKeyTheFirstCounts) {
  Step<TypeParam::D> last, next;
  last.add(1, 5), last.add(1, 6);
  next.add(1, 0), next.add(1, 0);
  this->remember(last);
  EXPECT_EQ(this->guess(next).unilateral, (Numbers{5, 5}));
}

TYPED_TEST(ImpulseMemoryTest, AContactWithoutARowNeitherRemembersNorGetsAnything) {
  Step<TypeParam::D> last, next;
  last.add_contact(1), last.add(2, 8);
  next.add(1, 0), next.add_contact(2), next.add(2, 0);
  this->remember(last);
  EXPECT_EQ(this->guess(next).unilateral, (Numbers{0, 8}));
}

TYPED_TEST(ImpulseMemoryTest, OnlyTheLastStepIsRemembered) {
  Step<TypeParam::D> first, second;
  first.add(1, 5, {1}, 2), second.add(2, 6);
  this->remember(first), this->remember(second);
  const auto guess = this->guess(first);
  EXPECT_EQ(guess.unilateral, Numbers{0});
  EXPECT_EQ(guess.tangent, Numbers{0});
  this->remember({});
  EXPECT_EQ(this->guess(second).unilateral, Numbers{0}) << "a step without contacts forgets all";
}

/// Keys that differ in their high bits alone begin at the same place of the table.
TYPED_TEST(ImpulseMemoryTest, AmongManyContactsEachIsFoundAsInAMap) {
  std::mt19937_64 random(3);
  Step<TypeParam::D> last, next;
  std::map<std::uint64_t, double> oracle;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t key = i % 2 == 0 ? random() : random() << 48;
    last.add(key, i + 1), oracle.emplace(key, i + 1);
    next.add(i % 3 == 0 ? random() : key, 0);
  }
  this->remember(last);
  const auto guess = this->guess(next);
  int known = 0, fresh = 0;
  for (std::size_t i = 0; i < next.set.contacts.size(); ++i) {
    const auto found = oracle.find(next.set.contacts[i].key);
    EXPECT_EQ(guess.unilateral[i], found == oracle.end() ? 0 : found->second) << i;
    ++(found == oracle.end() ? fresh : known);
  }
  EXPECT_GT(known, 600);
  EXPECT_GT(fresh, 300);
}

}  // namespace
}  // namespace touchstone
