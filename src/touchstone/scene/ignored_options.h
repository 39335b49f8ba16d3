#pragma once
// Which options of a scene do nothing, because its contact model, formulation, solver, friction laws or
// dimension do not use them? Private to scene/.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "touchstone/scene/scene.h"

namespace touchstone {

/// An option that was given although nothing in the scene uses it.
struct IgnoredOption {
  std::string field;  ///< "contact.margin", "pairs[0].directions"
  std::string who;    ///< "the model plane does not use": how a warning begins, which ends with fields
  std::string why;    ///< what a refusal says
};

/// Of the options that stand under `contact`, `materials` and `pairs` of a scene's text, in their order.
/// `scene` was read from the same text.
std::vector<IgnoredOption> ignored_options(const nlohmann::json& text, const Scene& scene);

/// The settings with every field at its default that the scene's model or formulation does not use.
StepSettings heard_settings(const Scene& scene);

}  // namespace touchstone
