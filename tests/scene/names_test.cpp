#include "touchstone/scene/names.h"

#include <gtest/gtest.h>

#include <vector>

namespace touchstone {
namespace {

TEST(Names, DistanceCountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("box", "box"), 0);
  EXPECT_EQ(edit_distance("box", "bxo"), 1);
  EXPECT_EQ(edit_distance("box", ""), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("Half-Space", "half_space"), 0);
}

TEST(Names, OnlyANameThatIsNearIsOffered) {
  const std::vector<std::string> valid = {"box", "cube", "sphere"};
  EXPECT_EQ(nearest_name("cub", valid), "cube");
  EXPECT_EQ(nearest_name("shpere", valid), "sphere");
  EXPECT_EQ(nearest_name("tetrahedron", valid), "");
  EXPECT_EQ(nearest_name("", valid), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'x'), valid), "");
  EXPECT_EQ(name_hint("qqqq", valid), "; valid: box, cube, sphere");
}

TEST(Names, WhatUsersWroteIsShownCutAndTame) {
  EXPECT_EQ(in_quotes("box"), "\"box\"");
  EXPECT_EQ(in_quotes("a\x1b[2Jb\n"), "\"a?[2Jb?\"");
  EXPECT_LT(in_quotes(std::string(100000, 'x')).size(), 70u);
}

}  // namespace
}  // namespace touchstone
