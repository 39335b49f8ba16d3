#pragma once
// The stage `formulate` in Python: the equations of an island as a problem, and its solution back as
// impulses.

#include "simulation.h"
#include "touchstone/dynamics/formulation.h"

namespace touchstone::python {

void bind_formulation_stage(py::module_& m);

template <int D>
FormulationMaker<D> make_python_formulation(PySimulation& simulation, const py::object& formulation);

}  // namespace touchstone::python
