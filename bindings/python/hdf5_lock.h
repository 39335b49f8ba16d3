#pragma once
// HDF5 as Debian builds it takes one thread at a time. Nobody waits for the lock while holding the
// interpreter's, and the thread that has it may take it again.

#include <pybind11/pybind11.h>

#include <mutex>

namespace touchstone::python {

inline std::recursive_mutex& hdf5_lock() {
  static std::recursive_mutex lock;
  return lock;
}

/// Does something with files while other threads of Python may run.
template <class Action>
auto with_hdf5(const Action& action) {
  pybind11::gil_scoped_release release;
  const std::lock_guard<std::recursive_mutex> guard(hdf5_lock());
  return action();
}

}  // namespace touchstone::python
