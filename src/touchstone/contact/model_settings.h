#pragma once
// What can be told to a contact model. Each field names the models that listen to it.

#include <string_view>

#include "touchstone/contact/plane_rule.h"

namespace touchstone {

/// How far the tests of features are relaxed, so that contacts are seen before they happen [Thesis 3.2, 3.3].
struct FeatureTests {
  double applicability_angle =
      0.4;                         ///< [rad] theta: how far a vertex may lean away from a facet it presses on
  double feasibility_angle = 0.4;  ///< [rad] phi: how steeply the region of feasibility falls beyond a facet
  double feasibility_slack = 0.05;  ///< share of the margin by which a vertex below a facet counts as above

  bool operator==(const FeatureTests&) const = default;
};

struct ModelSettings {
  double gap_tolerance =
      1e-9;  ///< [m] `plane`, and `relinearise`: no gap of an accepted step is below minus this
  PlaneRule plane_rule = PlaneRule::ca;  ///< `plane`
  FeatureTests tests = {};               ///< `peg`, `peg-printed`, `lnc`: when a contact is primary
  bool relinearise = false;  ///< the same: linearise contacts anew until no gap at the end is below tolerance

  bool operator==(const ModelSettings&) const = default;
};

/// The settings with every field at its default that the model of this name does not listen to.
ModelSettings heard_by(std::string_view model, const ModelSettings& settings);
/// The name of a field that is not at its default although the model does not listen to it; empty: there is
/// none.
std::string_view unheard_setting(std::string_view model, const ModelSettings& settings);

}  // namespace touchstone
