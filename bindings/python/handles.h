#pragma once
// Bodies and joints of a simulation: who asks for one gets a handle, not a copy.

#include "simulation.h"

namespace touchstone::python {

struct BodyHandle {
  TOUCHSTONE_ZEROED_FOR_PYTHON
  SimulationLink link;
  int index = 0;
};
struct BodyList {
  TOUCHSTONE_ZEROED_FOR_PYTHON
  SimulationLink link;
};
struct JointHandle {
  TOUCHSTONE_ZEROED_FOR_PYTHON
  SimulationLink link;
  int index = 0;
};
struct JointList {
  TOUCHSTONE_ZEROED_FOR_PYTHON
  SimulationLink link;
};

template <class Handle>
inline constexpr auto kVisitLink = [](Handle& handle, const auto& visit) { visit(handle.link.object); };

/// The place in a list that a key (a number, from the end where negative, or a name) stands for.
/// `what` names an element: "body".
int find_place(py::handle key, const std::vector<std::string>& names, const char* what);
/// The same for a number below `count`.
int find_number(py::handle key, std::size_t count, const char* what);

/// The names of a world's bodies or joints.
template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& element : list) names.push_back(element.name);
  return names;
}

/// The place in a world's bodies or joints; names are gathered only where one is asked for.
template <class List>
int place_in(const List& list, py::handle key, const char* what) {
  return py::isinstance<py::str>(key) ? find_place(key, names_of(list), what)
                                      : find_number(key, list.size(), what);
}

}  // namespace touchstone::python
