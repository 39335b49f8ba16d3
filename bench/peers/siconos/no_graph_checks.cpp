// Debian's Siconos is built with its assertions. Two of them walk through the whole graph of contacts
// whenever a contact comes or goes, and took three quarters of the time of a pile of a hundred bodies. A user
// who builds Siconos for release has none of them, so that the benchmark must not charge for them: the
// definitions below are found before the library's own, which are weak. Its other assertions stay.

#undef NDEBUG  // the header has the checks only without it

#include <MechanicsFwd.hpp>
#include <SimulationGraphs.hpp>

namespace {

using SystemPointer = std::shared_ptr<DynamicalSystem>;
using ContactPointer = std::shared_ptr<Interaction>;
using SystemGraph = SiconosGraph<SystemPointer, ContactPointer, DynamicalSystemProperties,
                                 InteractionProperties, GraphProperties>;
using ContactGraph = SiconosGraph<ContactPointer, SystemPointer, InteractionProperties,
                                  DynamicalSystemProperties, GraphProperties>;

}  // namespace

template <>
bool SystemGraph::state_assert() const {
  return true;
}

template <>
bool SystemGraph::adjacent_vertices_ok() const {
  return true;
}

template <>
bool ContactGraph::state_assert() const {
  return true;
}

template <>
bool ContactGraph::adjacent_vertices_ok() const {
  return true;
}
