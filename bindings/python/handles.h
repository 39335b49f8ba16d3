#pragma once
// Bodies and joints of a simulation: who asks for one gets a handle, not a copy.

#include "simulation.h"

namespace touchstone::python {

struct BodyHandle {
  SimulationLink link;
  int index = 0;
};
struct BodyList {
  SimulationLink link;
};
struct JointHandle {
  SimulationLink link;
  int index = 0;
};
struct JointList {
  SimulationLink link;
};

template <class Handle>
inline constexpr auto kVisitLink = [](Handle& handle, const auto& visit) { visit(handle.link.object); };

/// The place in a list that a key (a number, from the end where negative, or a name) stands for.
/// `what` names an element: "body".
int find_place(py::handle key, const std::vector<std::string>& names, const char* what);

/// The names of a world's bodies or joints.
template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& element : list) names.push_back(element.name);
  return names;
}

}  // namespace touchstone::python
