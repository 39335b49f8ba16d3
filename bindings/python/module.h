#pragma once
// Who binds what; called once each by module.cpp, in this order.

#include <pybind11/pybind11.h>

namespace touchstone::python {

void bind_errors(pybind11::module_& m);
void bind_shapes(pybind11::module_& m);
void bind_queries(pybind11::module_& m);
void bind_problems(pybind11::module_& m);
void bind_solvers(pybind11::module_& m);
void bind_scenes(pybind11::module_& m);
void bind_reports(pybind11::module_& m);
void bind_stages(pybind11::module_& m);
void bind_bodies(pybind11::module_& m);
void bind_joints(pybind11::module_& m);
void bind_states(pybind11::module_& m);
void bind_simulation(pybind11::module_& m);
void bind_recordings(pybind11::module_& m);

}  // namespace touchstone::python
