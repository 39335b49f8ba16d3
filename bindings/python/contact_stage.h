#pragma once
// The stage `relate` in Python: what a user's contact model sees, proposes and judges.

#include "simulation.h"
#include "touchstone/contact/contact_model.h"

namespace touchstone::python {

void bind_contact_stage(py::module_& m);

template <int D>
std::shared_ptr<const ContactModel<D>> make_python_model(PySimulation& simulation, const py::object& model);

}  // namespace touchstone::python
