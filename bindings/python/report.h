#pragma once

#include "convert.h"
#include "touchstone/stepping/step_report.h"

namespace touchstone::python {

/// The report of a step, as a StepReport of Python: a snapshot.
template <int D>
py::object from_report(const StepReport<D>& report, const World<D>& world);

/// An event of a motion to an accuracy, as an Event of Python.
template <int D>
py::object from_event(const StepEvent& event, const World<D>& world);

/// The forces of contacts on each of so many bodies in a step [N]; `from`: only of contacts with that body,
/// -1: of all. Of a step that was divided they are those of its last part.
template <int D>
std::vector<Vec<D>> contact_forces(const StepReport<D>& report, std::size_t bodies, int from);

}  // namespace touchstone::python
