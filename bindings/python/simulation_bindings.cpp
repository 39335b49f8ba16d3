// Simulation.

#include "handles.h"
#include "module.h"
#include "pickles.h"
#include "report.h"
#include "scene_source.h"
#include "stages.h"

namespace touchstone::python {
namespace {

constexpr auto kVisitKept = [](PySimulation& simulation, const auto& visit) {
  for (py::object& object : simulation.all_kept()) visit(object);
};

struct Options {
  int threads = 0, measure_every = 1;
};

void check(const Options& options) {
  if (options.threads < 0)
    throw BadInput("threads: expected 0 (all cores) or more, got " + std::to_string(options.threads));
  if (options.measure_every < 0)
    throw BadInput("measure_every: expected 0 (never) or more, got " + std::to_string(options.measure_every));
}

std::unique_ptr<PySimulation> new_simulation(py::handle source, const std::vector<std::string>& overrides,
                                             const Options& options) {
  check(options);
  Scene scene = to_scene(source, overrides);
  scene.settings.threads = options.threads;
  SimulationSettings settings;
  settings.measure_every = options.measure_every;
  return std::make_unique<PySimulation>(std::move(scene), settings);
}

std::unique_ptr<PySimulation> resumed_simulation(const std::string& file,
                                                 const std::vector<std::string>& overrides,
                                                 const Options& options) {
  check(options);
  SimulationSettings settings;
  settings.measure_every = options.measure_every;
  settings.threads = options.threads;
  Simulation resumed = with_hdf5([&] { return Simulation::resume(file, overrides, settings); });
  return std::make_unique<PySimulation>(std::move(resumed), true);
}

/// The functions are kept by the simulation, where the garbage collector sees them.
Simulation::Function python_function(PySimulation& self, const py::object& function) {
  if (!PyCallable_Check(function.ptr()))
    throw py::type_error("function: expected a function of the simulation, got " + shown(function));
  return [&self, place = self.keep(function)](Simulation&) {
    const PySimulation::Loan loan(self);
    const PySimulation::PythonPart part(self);
    self.kept(place)(py::cast(self, py::return_value_policy::reference));
  };
}

/// Likewise, of the simulation and an event.
Simulation::EventFunction python_event_function(PySimulation& self, const py::object& function) {
  if (!PyCallable_Check(function.ptr()))
    throw py::type_error("function: expected a function of an event, got " + shown(function));
  return [&self, place = self.keep(function)](Simulation& sim, const StepEvent& event) {
    const PySimulation::Loan loan(self);
    const PySimulation::PythonPart part(self);
    self.kept(place)(sim.dimension() == 2 ? from_event(event, sim.world<2>())
                                          : from_event(event, sim.world<3>()));
  };
}

template <class List>
List list_of(PySimulation& self) {
  return {{py::cast(self, py::return_value_policy::reference)}};
}

py::object report_of(PySimulation& self) {
  Simulation& sim = self.sim();
  return sim.dimension() == 2 ? from_report(sim.report<2>(), sim.world<2>())
                              : from_report(sim.report<3>(), sim.world<3>());
}

py::tuple energy_of(PySimulation& self) {
  return with_world(self, [](auto& world) {
    const Energy now = energy(world);
    return py::make_tuple(now.kinetic, now.potential);
  });
}

template <int D>
py::tuple momentum_in(const World<D>& world) {
  const Momentum<D> now = momentum(world);
  return py::make_tuple(from_vector(now.linear), from_spin<D>(now.angular));
}

template <int D>
py::array contact_force(PySimulation& self, const World<D>& world, py::handle a, py::handle b) {
  const int on = place_in(world.bodies, a, "body");
  const int from = b.is_none() ? -1 : place_in(world.bodies, b, "body");
  return from_vector(contact_forces(self.sim().report<D>(), world.bodies.size(), from)[on], true);
}

template <int D>
void set_gravity(World<D>& world, py::handle value) {
  world.gravity = to_vector<D>(value, "gravity");
}

std::string simulation_text(PySimulation& self) {
  Simulation& sim = self.sim();
  return "Simulation('" + sim.scene().name +
         "', time=" + py::repr(py::float_(sim.time())).cast<std::string>() + ")";
}

using Class = py::class_<PySimulation>;

void bind_running(Class& simulation) {
  simulation
      .def("step", &PySimulation::step,
           "Makes one step; False when it failed: summary().message says why, and nothing has moved.")
      .def(
          "run_until", [](PySimulation& self, py::handle time) { self.run_until(to_real(time, "time")); },
          py::arg("time"),
          "Steps until the time [s] is reached. Raises StepFailed when a step cannot be made.")
      .def(
          "run", [](PySimulation& self) { self.run_until(self.sim().scene().duration); },
          "Steps until the scene's duration is reached.")
      .def(
          "before_step",
          [](PySimulation& self, const py::object& function) {
            self.sim().before_step(python_function(self, function));
            return function;
          },
          py::arg("function"),
          "Calls function(simulation) before each step, to set forces and joint torques. Works as a "
          "decorator.")
      .def(
          "on_step",
          [](PySimulation& self, const py::object& function) {
            self.sim().on_step(python_function(self, function));
            return function;
          },
          py::arg("function"), "Calls function(simulation) after each step. Works as a decorator.")
      .def(
          "on_event",
          [](PySimulation& self, const py::object& function) {
            self.sim().on_event(python_event_function(self, function));
            return function;
          },
          py::arg("function"),
          "Calls function(event) for each Event of a motion to an accuracy, after the step in which it lies. "
          "Works as a decorator.")
      .def(
          "record",
          [](py::object self, py::handle file) {
            self.cast<PySimulation&>().record(to_path(file, "file"));
            return self;
          },
          py::arg("file"), "Records from here on, into an HDF5 file. `with sim.record(file): ...` closes it.")
      .def("close_recording", &PySimulation::close_recording,
           "Writes the rest of the recording and closes it.")
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](PySimulation& self, const py::args&) { self.close_recording(); });
}

void bind_state(Class& simulation) {
  simulation
      .def_property_readonly(
          "time", [](PySimulation& self) { return self.sim().time(); }, "simulated up to now [s]")
      .def_property_readonly(
          "dimension", [](PySimulation& self) { return self.sim().dimension(); }, "2 or 3")
      .def_property_readonly(
          "scene", [](PySimulation& self) { return Scene(self.sim().scene()); }, "the Scene it was made from")
      .def_property_readonly("bodies", &list_of<BodyList>, "its Bodies, by number or name")
      .def_property_readonly("joints", &list_of<JointList>, "its Joints, by number or name")
      .def_property(
          "gravity",
          [](PySimulation& self) {
            return with_world(self, [](auto& world) { return from_vector(world.gravity, true); });
          },
          [](PySimulation& self, py::handle value) {
            with_world(self, [&](auto& world) { set_gravity(world, value); });
          },
          "[m/s^2]")
      .def_property(
          "accuracy", [](PySimulation& self) { return self.sim().scene().settings.accuracy; },
          [](PySimulation& self, py::handle value) {
            self.idle_sim("accuracy").set_accuracy(to_real(value, "accuracy"));
          },
          "[m] that positions are to have, with every event located (docs/events.md); 0: fixed steps")
      .def_property_readonly("energy", &energy_of, "(kinetic, potential) [J]")
      .def_property_readonly(
          "momentum",
          [](PySimulation& self) { return with_world(self, [](auto& world) { return momentum_in(world); }); },
          "(linear [kg m/s], angular about the origin [kg m^2/s]) of the bodies that move by forces")
      .def_property_readonly("report", &report_of,
                             "StepReport of the last step: contacts, energies, residual, timings")
      .def_property_readonly("is_recording", &PySimulation::is_recording, "is a recording open?")
      .def(
          "summary", [](PySimulation& self) { return self.sim().summary(); },
          "RunSummary: what happened up to now.")
      .def("__repr__", &simulation_text);
}

std::unique_ptr<PySimulation> copy_of(PySimulation& self) {
  return std::make_unique<PySimulation>(self.idle_sim("copy()").copy(), false);
}

void bind_returning(Class& simulation) {
  simulation
      .def(
          "reset", [](PySimulation& self) { self.idle_sim("reset()").reset(); },
          "Goes back to the start of the scene, without reading it again; your functions and stages stay.")
      .def(
          "state", [](PySimulation& self) { return self.sim().state(); },
          "State: where everything is, to come back to.")
      .def(
          "set_state",
          [](PySimulation& self, const SimulationState& state) {
            self.idle_sim("set_state()").set_state(state);
          },
          py::arg("state"), "Comes back to a state(). The same state is always followed by the same bits.")
      .def(
          "copy", &copy_of,
          "Another simulation in the same state. It records nothing; your functions and stages are to be set "
          "again.")
      .def("__copy__", &copy_of)
      .def("__deepcopy__", [](PySimulation& self, const py::dict&) { return copy_of(self); })
      .def(py::pickle([](PySimulation& self) { return pickled(self.idle_sim("pickle")); },
                      [](const py::tuple& data) {
                        return std::make_unique<PySimulation>(unpickled_simulation(data), false);
                      }))
      .def(
          "contact_force",
          [](PySimulation& self, py::handle a, py::handle b) {
            return with_world(self, [&](auto& world) { return contact_force(self, world, a, b); });
          },
          py::arg("a"), py::arg("b") = py::none(),
          "The force on body a, of all contacts with b (None: with all bodies) in the last step [N].");
}

void bind_replacing(Class& simulation) {
  simulation
      .def("set_pair_finder", &set_pair_finder, py::arg("finder"),
           "Replaces contact detection: finder(low, high), given the boxes of all parts as (n, D) arrays, "
           "lists the pairs that meet. None: Touchstone's own.")
      .def("set_contact_model", &set_contact_model, py::arg("model"),
           "Replaces the contact model: a name of models(), a function of a TriedMotion that lists Contacts, "
           "or an object with such a method `propose` and, if it wants to, a method `judge` of the "
           "TriedMotion found "
           "and of the impulses at its Contacts, that returns a Verdict.")
      .def("set_formulation", &set_formulation, py::arg("formulation"),
           "Replaces the formulation: a function of StepEquations (or an object with such a method "
           "`formulate`) that returns an object with `problem` and `impulses(z)`.")
      .def("set_solver", &set_solver, py::arg("solver"),
           "Replaces the solver: a name of solvers(), a function of a problem and SolveSettings, or an "
           "object with such a method `solve`, that returns z or a Solution.");
}

}  // namespace

void bind_simulation(py::module_& m) {
  Class simulation(m, "Simulation", R"(A scene that runs.

    sim = touchstone.Simulation("box-stack")
    sim.on_step(lambda s: print(s.time, s.bodies["box-1"].position))
    sim.run_until(3.0)

`scene` is whatever Scene() takes. accuracy: what positions are to have [m], see docs/events.md. threads: 0 for all cores; the result is the same for any number. measure_every: exact gaps are measured
after every n-th step, n being this number; 0 for never.)",
                   py::custom_type_setup(collectable<PySimulation, kVisitKept>));
  simulation.def(
      py::init([](py::handle source, py::handle overrides, py::handle step, py::handle duration,
                  py::handle model, py::handle formulation, py::handle solver, py::handle accuracy,
                  int threads, int measure_every) {
        std::vector<std::string> list = to_overrides(overrides, {step, duration, model, formulation, solver});
        if (!accuracy.is_none())
          list.push_back("accuracy=" + shown(py::float_(to_real(accuracy, "accuracy"))));
        return new_simulation(source, list, {threads, measure_every});
      }),
      py::arg("scene"), py::arg("overrides") = py::none(), py::kw_only(), py::arg("step") = py::none(),
      py::arg("duration") = py::none(), py::arg("model") = py::none(), py::arg("formulation") = py::none(),
      py::arg("solver") = py::none(), py::arg("accuracy") = py::none(), py::arg("threads") = 0,
      py::arg("measure_every") = 1);
  simulation.def_static(
      "resume",
      [](py::handle file, py::handle overrides, py::handle duration, int threads, int measure_every) {
        const py::none none;
        return resumed_simulation(to_path(file, "file"),
                                  to_overrides(overrides, {none, duration, none, none, none}),
                                  {threads, measure_every});
      },
      py::arg("file"), py::arg("overrides") = py::none(), py::kw_only(), py::arg("duration") = py::none(),
      py::arg("threads") = 0, py::arg("measure_every") = 1,
      "Goes on where a recording ended, in the same file, with the same bits as a run that never stopped. "
      "Functions and "
      "stages of your own are not in a recording: set them again before the first step.");
  bind_running(simulation);
  bind_state(simulation);
  bind_returning(simulation);
  bind_replacing(simulation);
}

}  // namespace touchstone::python
