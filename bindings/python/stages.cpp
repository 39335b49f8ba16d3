#include "stages.h"

#include <algorithm>

#include "contact_stage.h"
#include "formulation_stage.h"
#include "module.h"
#include "solution.h"
#include "touchstone/scene/names.h"

namespace touchstone::python {
namespace {

bool is_name(const py::object& stage) { return py::isinstance<py::str>(stage); }

void check_callable(const py::object& stage, const char* method, const std::string& what) {
  if (PyCallable_Check(stage.ptr()) || py::hasattr(stage, method)) return;
  throw py::type_error(what + ": expected a name, a function or an object with a method " + method +
                       ", got " + shown(stage));
}

std::string model_name(const py::object& model) {
  const std::string name = model.cast<std::string>();
  std::vector<std::string> names;
  for (const ContactModelEntry& entry : contact_models()) names.emplace_back(entry.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return name;
  throw BadInput("there is no contact model " + in_quotes(name) + name_hint(name, names));
}

template <int D>
void set_model_in(PySimulation& simulation, Simulation& sim, const py::object& model) {
  if (!is_name(model)) return sim.stepper<D>().set_model(make_python_model<D>(simulation, model));
  sim.stepper<D>().set_model(model_name(model));
  simulation.keep(Stage::model, py::none());
}

/// The boxes of all parts, as two (n, D) arrays.
template <int D>
py::tuple from_boxes(std::span<const Box<D>> boxes) {
  std::vector<Vec<D>> low, high;
  for (const Box<D>& box : boxes) low.push_back(box.low), high.push_back(box.high);
  return py::make_tuple(from_points<D>(low), from_points<D>(high));
}

std::vector<std::pair<int, int>> to_pairs(py::handle value) {
  std::vector<std::pair<int, int>> pairs;
  const Reals reals = to_reals(value, "pairs");
  if (reals.size() == 0) return pairs;
  if (reals.ndim() != 2 || reals.shape(1) != 2)
    throw BadInput("pairs: expected an (n, 2) array of parts, got " + shown(value));
  for (py::ssize_t i = 0; i < reals.shape(0); ++i) {
    pairs.emplace_back(static_cast<int>(reals.at(i, 0)), static_cast<int>(reals.at(i, 1)));
  }
  return pairs;
}

template <int D>
PairFinder<D> python_finder(PySimulation& simulation, const py::object& finder) {
  return [&simulation, place = simulation.keep(Stage::finder, finder)](std::span<const Box<D>> boxes) {
    const PySimulation::PythonPart part(simulation);
    const py::tuple corners = from_boxes<D>(boxes);
    return to_pairs(simulation.kept(place)(corners[0], corners[1]));
  };
}

std::function<Solution(const Problem&, const SolveSettings&)> python_solver(PySimulation& simulation,
                                                                            const py::object& solver) {
  return [&simulation, place = simulation.keep(Stage::solver, solver)](const Problem& problem,
                                                                       const SolveSettings& settings) {
    const PySimulation::PythonPart part(simulation);
    const py::object& stage = simulation.kept(place);
    const py::object call = py::hasattr(stage, "solve") ? py::object(stage.attr("solve")) : stage;
    Solution solution = judged(problem, call(from_problem(problem), settings), settings);
    if (solution.solver.empty()) solution.solver = "python";
    return solution;
  };
}

/// An unknown name is refused now, not in the first step.
std::string known_solver(const py::object& solver) {
  const auto name = solver.cast<std::string>();
  solve(Lcp{MatrixX(0, 0), VectorX(0)}, name);
  return name;
}

template <class Action>
void in_dimension(Simulation& sim, const Action& action) {
  if (sim.dimension() == 2) {
    action(sim.stepper<2>(), std::integral_constant<int, 2>());
  } else {
    action(sim.stepper<3>(), std::integral_constant<int, 3>());
  }
}

}  // namespace

void set_contact_model(PySimulation& simulation, const py::object& model) {
  Simulation& sim = simulation.idle_sim("set_contact_model()");
  if (!is_name(model)) check_callable(model, "propose", "model");
  if (sim.dimension() == 2) {
    set_model_in<2>(simulation, sim, model);
  } else {
    set_model_in<3>(simulation, sim, model);
  }
}

void set_pair_finder(PySimulation& simulation, const py::object& finder) {
  Simulation& sim = simulation.idle_sim("set_pair_finder()");
  if (!finder.is_none() && !PyCallable_Check(finder.ptr()))
    throw py::type_error("finder: expected a function or None, got " + shown(finder));
  in_dimension(sim, [&](auto& stepper, auto d) {
    constexpr int D = decltype(d)::value;
    if (finder.is_none()) simulation.keep(Stage::finder, py::none());
    stepper.set_pair_finder(finder.is_none() ? PairFinder<D>() : python_finder<D>(simulation, finder));
  });
}

void set_formulation(PySimulation& simulation, const py::object& formulation) {
  Simulation& sim = simulation.idle_sim("set_formulation()");
  if (is_name(formulation)) {
    throw BadInput(
        "formulation: one of Touchstone's own is named when the simulation is made: Simulation(scene, "
        "formulation='" +
        formulation.cast<std::string>() + "')");
  }
  check_callable(formulation, "formulate", "formulation");
  in_dimension(sim, [&](auto& stepper, auto d) {
    stepper.set_formulation(make_python_formulation<decltype(d)::value>(simulation, formulation));
  });
}

void set_solver(PySimulation& simulation, const py::object& solver) {
  Simulation& sim = simulation.idle_sim("set_solver()");
  if (!is_name(solver)) check_callable(solver, "solve", "solver");
  in_dimension(sim, [&](auto& stepper, auto) {
    if (!is_name(solver)) return stepper.set_solver(python_solver(simulation, solver));
    stepper.set_solver(known_solver(solver));
    simulation.keep(Stage::solver, py::none());
  });
}

void bind_stages(py::module_& m) {
  bind_contact_stage(m);
  bind_formulation_stage(m);
}

}  // namespace touchstone::python
