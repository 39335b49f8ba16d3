#pragma once
// Which keys of `contact:` does a contact model use? Private to scene/.

#include <string>
#include <vector>

#include "touchstone/scene/scene.h"

namespace touchstone {

/// An option that was given, but that the model of the scene does not use, and why.
struct IgnoredOption {
  std::string key;  ///< of `contact:`
  std::string why;
};

/// Of the keys given under `contact:`, in their order, those that the scene's model does not use.
std::vector<IgnoredOption> ignored_options(const Scene& scene, const std::vector<std::string>& given);

}  // namespace touchstone
