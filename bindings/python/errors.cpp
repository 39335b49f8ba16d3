#include "errors.h"

#include "module.h"
#include "touchstone/geometry/mesh_file.h"
#include "touchstone/problems/problem_file.h"
#include "touchstone/record/recording.h"
#include "touchstone/scene/scene.h"
#include "touchstone/store/array_file.h"

namespace touchstone::python {
namespace {

namespace py = pybind11;

/// The classes live as long as the interpreter.
struct Classes {
  py::handle error, bad_input, bad_scene, bad_shape, bad_mesh_file, bad_problem, bad_recording, step_failed;
};
Classes& classes() {
  static Classes all;
  return all;
}

py::handle make(py::module_& m, const char* name, const char* doc, py::handle bases) {
  const std::string full = std::string("touchstone.") + name;
  const py::object made =
      py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.ptr(), nullptr));
  if (!made) throw py::error_already_set();
  m.add_object(name, made);
  return py::handle(made).inc_ref();
}

void say(py::handle kind, const std::exception& error) { PyErr_SetString(kind.ptr(), error.what()); }

/// The most derived exceptions first: a base class would catch them, too.
void translate(std::exception_ptr thrown) {
  const Classes& all = classes();
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const BadScene& error) {
    say(all.bad_scene, error);
  } catch (const BadInput& error) {
    say(all.bad_input, error);
  } catch (const BadShape& error) {
    say(all.bad_shape, error);
  } catch (const BadMeshFile& error) {
    say(all.bad_mesh_file, error);
  } catch (const ProblemFileError& error) {
    say(all.bad_problem, error);
  } catch (const BadRecording& error) {
    say(all.bad_recording, error);
  } catch (const StoreError& error) {
    say(all.bad_recording, error);
  } catch (const StepFailed& error) {
    say(all.step_failed, error);
  } catch (const std::invalid_argument& error) {
    say(all.bad_input, error);
  }
}

}  // namespace

void bind_errors(py::module_& m) {
  Classes& all = classes();
  all.error = make(m, "Error", "The base of all errors that Touchstone raises.", PyExc_Exception);
  const auto input = py::make_tuple(all.error, py::handle(PyExc_ValueError));
  all.bad_input =
      make(m, "BadInput", "A faulty value; the message names the field and the expected value.", input);
  all.bad_scene = make(m, "BadScene", "A scene that cannot be read; the message names file, line and field.",
                       all.bad_input);
  all.bad_shape = make(m, "BadShape", "Points or faces that are no convex solid.", all.bad_input);
  all.bad_mesh_file =
      make(m, "BadMeshFile", "A mesh file that cannot be read, or that is no convex solid.", all.bad_input);
  all.bad_problem = make(m, "BadProblem", "A problem file that cannot be read or written.", all.bad_input);
  all.bad_recording =
      make(m, "BadRecording", "A file that is no recording, or a damaged one.", all.bad_input);
  const auto run = py::make_tuple(all.error, py::handle(PyExc_RuntimeError));
  all.step_failed = make(m, "StepFailed", "A step that could not be made; the state is that before it.", run);
  py::register_exception_translator(translate);
}

}  // namespace touchstone::python
