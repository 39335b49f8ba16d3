#pragma once
// Scenes, states and simulations as tuples of plain values, for pickle.

#include "convert.h"
#include "touchstone/scene/simulation.h"

namespace touchstone::python {

py::tuple pickled(const Scene& scene);
Scene unpickled_scene(const py::tuple& data);

py::tuple pickled(const SimulationState& state);
SimulationState unpickled_state(const py::tuple& data);

/// The scene, the state, and what was assigned to bodies, joints and gravity; no functions or stages of the
/// user.
py::tuple pickled(Simulation& simulation);
Simulation unpickled_simulation(const py::tuple& data);

}  // namespace touchstone::python
