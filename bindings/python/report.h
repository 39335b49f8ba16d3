#pragma once

#include "convert.h"
#include "touchstone/stepping/step_report.h"

namespace touchstone::python {

/// The report of a step, as a StepReport of Python: a snapshot.
template <int D>
py::object from_report(const StepReport<D>& report);

}  // namespace touchstone::python
