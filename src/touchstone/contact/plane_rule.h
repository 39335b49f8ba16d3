#pragma once
// Which separating plane a pair of bodies gets in the model `plane` [Plane 3].

#include <string_view>
#include <vector>

namespace touchstone {

enum class PlaneRule {
  ca,   ///< the plane that separates last: the best one just before the bodies first meet
  toi2  ///< the one that would be crossed last if planes moved steadily from start to end: no search
};
struct PlaneRuleEntry {
  std::string_view name, summary;
  PlaneRule rule;
};
const std::vector<PlaneRuleEntry>& plane_rules();
/// Throws std::invalid_argument for an unknown name.
PlaneRule plane_rule(std::string_view name);

}  // namespace touchstone
