#include "touchstone/contact/plane_rule.h"

#include <stdexcept>
#include <string>

namespace touchstone {

const std::vector<PlaneRuleEntry>& plane_rules() {
  static const std::vector<PlaneRuleEntry> entries = {
      {"ca", "the plane that separates best just before the bodies first meet", PlaneRule::ca},
      {"toi2", "the plane that would be crossed last if all moved steadily; no search", PlaneRule::toi2}};
  return entries;
}

PlaneRule plane_rule(std::string_view name) {
  for (const PlaneRuleEntry& entry : plane_rules()) {
    if (entry.name == name) return entry.rule;
  }
  throw std::invalid_argument("there is no rule for planes \"" + std::string(name) + "\"");
}

}  // namespace touchstone
