#pragma once
// For tests of planar problems that are written once: TYPED_TEST_SUITE(Name, Dimensions, DimensionNames).

#include <gtest/gtest.h>

#include <string>

namespace touchstone::support {

struct Plane2 {
  static constexpr int D = 2;
};
struct Space3 {
  static constexpr int D = 3;
};
using Dimensions = testing::Types<Plane2, Space3>;

struct DimensionNames {
  template <class T>
  static std::string GetName(int) {
    return T::D == 2 ? "InThePlane" : "InSpace";
  }
};

}  // namespace touchstone::support
