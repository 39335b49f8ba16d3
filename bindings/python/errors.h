#pragma once
// Exceptions of C++ as classes of Python, with the same message.

#include <pybind11/pybind11.h>

#include <stdexcept>

namespace touchstone::python {

/// A step of run_until() that could not be made.
class StepFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace touchstone::python
