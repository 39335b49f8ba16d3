#include "support/feature_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace touchstone::support {
namespace {

std::string name_of(FeatureKind kind) {
  return kind == FeatureKind::vertex ? "vertex" : kind == FeatureKind::edge ? "edge" : "face";
}

template <int D>
std::string edge_edge(const ContactManifold<D>& manifold);

template <>
std::string edge_edge(const ContactManifold<2>&) {
  return "edge-edge";
}

template <>
std::string edge_edge(const ContactManifold<3>& manifold) {
  return manifold.points.size() > 1 ? "edges-parallel" : "edges-crossing";
}

}  // namespace

template <>
std::vector<std::string> feature_cases<2>() {
  return {"edge-edge", "vertex-edge", "vertex-vertex"};
}

template <>
std::vector<std::string> feature_cases<3>() {
  return {"face-face",      "edge-face",   "vertex-face",  "edges-crossing",
          "edges-parallel", "vertex-edge", "vertex-vertex"};
}

template <int D>
std::string case_of(const ContactManifold<D>& manifold) {
  const auto [low, high] = std::minmax(manifold.features.a.kind, manifold.features.b.kind);
  if (low == FeatureKind::edge && high == FeatureKind::edge) return edge_edge(manifold);
  return name_of(low) + "-" + name_of(high);
}

template <int D>
void CaseCount::expect_all(const std::string& property, int least) const {
  std::printf("%dD %s:", D, property.c_str());
  for (const auto& [name, count] : counts_) std::printf(" %s %d", name.c_str(), count);
  std::printf("\n");
  for (const std::string& name : feature_cases<D>()) {
    const auto it = counts_.find(name);
    EXPECT_GE(it == counts_.end() ? 0 : it->second, least) << property << " was never tried on " << name;
  }
}

template std::string case_of(const ContactManifold<2>&);
template std::string case_of(const ContactManifold<3>&);
template void CaseCount::expect_all<2>(const std::string&, int) const;
template void CaseCount::expect_all<3>(const std::string&, int) const;

}  // namespace touchstone::support
