// The extension module. The package `touchstone` around it adds nothing but its names.

#include "module.h"

#include <filesystem>

#include "convert.h"
#include "touchstone/scene/scene.h"

PYBIND11_MODULE(_touchstone, m) {
  using namespace touchstone::python;
  m.doc() = "The C++ side of the package touchstone.";
  // Classes say where users find them, not where they are made.
  const py::object own_name = m.attr("__name__");
  m.attr("__name__") = "touchstone";
  m.attr("__version__") = TOUCHSTONE_VERSION;
  bind_errors(m);
  bind_shapes(m);
  bind_queries(m);
  bind_problems(m);
  bind_solvers(m);
  bind_scenes(m);
  bind_reports(m);
  bind_stages(m);
  bind_bodies(m);
  bind_joints(m);
  bind_states(m);
  bind_simulation(m);
  bind_recordings(m);
  m.def("_set_scene_folder",
        [](py::handle folder) { touchstone::set_scene_folder(to_path(folder, "folder")); });
  m.attr("__name__") = own_name;
}
