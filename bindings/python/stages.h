#pragma once
// Stages of a step that are written in Python: contact detection, contact model, formulation, solver.

#include "simulation.h"

namespace touchstone::python {

/// Each takes the name of a stage of Touchstone's own, or the user's object or function.
void set_pair_finder(PySimulation& simulation, const py::object& finder);
void set_contact_model(PySimulation& simulation, const py::object& model);
void set_formulation(PySimulation& simulation, const py::object& formulation);
void set_solver(PySimulation& simulation, const py::object& solver);

}  // namespace touchstone::python
