#pragma once

#include "convert.h"
#include "touchstone/solve/problem.h"

namespace touchstone::python {

Problem to_problem(py::handle value, const std::string& name);
py::object from_problem(const Problem& problem);

}  // namespace touchstone::python
