#pragma once

#include "convert.h"
#include "touchstone/scene/scene.h"

namespace touchstone::python {

/// Keyword arguments that are short for overrides; None: not given.
struct SceneKeywords {
  py::handle step, duration, model, formulation, solver;
};
std::vector<std::string> to_overrides(py::handle given, const SceneKeywords& words);
/// From the name of a scene, a file, a text, a dict, a World or a Scene.
Scene to_scene(py::handle source, const std::vector<std::string>& overrides);

}  // namespace touchstone::python
