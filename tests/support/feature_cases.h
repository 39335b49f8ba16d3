#pragma once
// Which features met? Property tests count the cases and fail if one never came up.

#include <map>
#include <string>
#include <vector>

#include "touchstone/proximity/manifold.h"

namespace touchstone::support {

/// "face-face", "edge-face", "vertex-face", "edges-crossing", "edges-parallel", "vertex-edge",
/// "vertex-vertex"; in the plane "edge-edge", "vertex-edge", "vertex-vertex". Which body has which feature
/// does not count.
template <int D>
std::vector<std::string> feature_cases();

/// The case of a manifold: its most general features, and whether edges share a segment or cross.
template <int D>
std::string case_of(const ContactManifold<D>& manifold);

class CaseCount {
 public:
  void add(const std::string& name) { ++counts_[name]; }
  /// Fails the running test for each case that was met less than `least` times; prints all counts.
  template <int D>
  void expect_all(const std::string& property, int least = 1) const;

 private:
  std::map<std::string, int> counts_;
};

}  // namespace touchstone::support
