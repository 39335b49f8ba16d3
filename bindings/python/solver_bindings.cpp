// Solvers by name, the one residual, and the tables of names.

#include "module.h"
#include "solution.h"
#include "touchstone/contact/contact_model.h"
#include "touchstone/dynamics/formulation.h"
#include "touchstone/scene/scene.h"
#include "touchstone/scene/shape_reader.h"
#include "touchstone/solve/residual.h"

namespace touchstone::python {
namespace {

VectorX to_fitting(py::handle value, const Problem& problem, const std::string& name) {
  const VectorX z = to_numbers(value, name);
  if (z.size() != size_of(problem)) {
    throw BadInput(name + ": expected " + std::to_string(size_of(problem)) + " numbers, got " + shown(value));
  }
  return z;
}

SolveSettings to_settings(double tolerance, int max_iterations, double relaxation) {
  SolveSettings settings;
  settings.tolerance = tolerance, settings.max_iterations = max_iterations, settings.relaxation = relaxation;
  return settings;
}

Solution solve_by(py::handle problem, const std::string& solver, SolveSettings settings, py::handle start) {
  const Problem made = to_problem(problem, "problem");
  if (!start.is_none()) settings.start = to_fitting(start, made, "start");
  py::gil_scoped_release release;
  return solve(made, solver, settings);
}

std::string solution_text(const Solution& solution) {
  return "Solution(" + std::string(text_of(solution.status)) + " by " + solution.solver +
         ", residual=" + py::repr(py::float_(solution.residual)).cast<std::string>() +
         ", iterations=" + std::to_string(solution.iterations) + ")";
}

template <class Entries>
py::dict table_of(const Entries& entries) {
  py::dict table;
  for (const auto& entry : entries) table[py::str(std::string(entry.name))] = std::string(entry.summary);
  return table;
}

void bind_tables(py::module_& m) {
  m.def(
      "models", [] { return table_of(contact_models()); }, "The contact models: {name: summary}.");
  m.def(
      "formulations", [] { return table_of(formulations()); }, "The formulations: {name: summary}.");
  m.def(
      "solvers", [] { return table_of(solvers()); }, "The solvers: {name: summary}.");
  m.def(
      "shapes",
      [] {
        py::dict table;
        for (const ShapeEntry& entry : shape_entries()) {
          table[py::str(entry.name)] = entry.example + "  " + entry.meaning;
        }
        return table;
      },
      "The shapes: {name: an example and its meaning}.");
  m.def(
      "scenes",
      [] {
        py::dict table;
        for (const NamedScene& scene : named_scenes()) table[py::str(scene.name)] = scene.about;
        return table;
      },
      "The scenes that come with Touchstone: {name: summary}.");
}

}  // namespace

Solution judged(const Problem& problem, py::handle value, const SolveSettings& settings) {
  Solution solution;
  if (py::isinstance<Solution>(value)) {
    solution = value.cast<Solution>();
  } else {
    solution.z = to_numbers(value, "what the solver returned");
  }
  if (solution.z.size() != size_of(problem)) {
    throw BadInput("the solver returned " + std::to_string(solution.z.size()) + " numbers; expected " +
                   std::to_string(size_of(problem)));
  }
  solution.residual = residual(problem, solution.z);
  const bool exact = solution.residual <= settings.tolerance;
  if (exact || solution.status == SolveStatus::solved) {
    solution.status = exact ? SolveStatus::solved : SolveStatus::inaccurate;
  }
  return solution;
}

void bind_solvers(py::module_& m) {
  py::class_<Solution>(
      m, "Solution",
      "What a solver reached; always filled, also on failure. Made in Python by Solution(z, iterations=0).")
      .def(py::init([](py::handle z, int iterations) {
             Solution solution;
             solution.z = to_numbers(z, "z"), solution.iterations = iterations;
             return solution;
           }),
           py::arg("z"), py::arg("iterations") = 0)
      .def_property_readonly(
          "z", [](const Solution& s) { return from_vector(s.z); },
          "lcp, mlcp: z; friction: r; global friction: (v, r); qp: (x, y)")
      .def_property_readonly(
          "status", [](const Solution& s) { return std::string(text_of(s.status)); },
          "solved, inaccurate, ray, unsolvable, singular, too-large, not-applicable or absent")
      .def_property_readonly(
          "solved", [](const Solution& s) { return s.status == SolveStatus::solved; },
          "is the residual at most the tolerance?")
      .def_readonly("iterations", &Solution::iterations, "of the solver")
      .def_readonly("residual", &Solution::residual, "by residual(), apart from every solver")
      .def_readonly("solver", &Solution::solver, "who found it: with `auto` the member of the chain")
      .def("__repr__", &solution_text);
  py::class_<SolveSettings>(m, "SolveSettings", "What a stage `solver` of a simulation is asked for.")
      .def_readonly("tolerance", &SolveSettings::tolerance, "of the residual, relative")
      .def_readonly("max_iterations", &SolveSettings::max_iterations, "0: the solver's own limit")
      .def_readonly("relaxation", &SolveSettings::relaxation, "0: the solver's own")
      .def_property_readonly(
          "start", [](const SolveSettings& s) { return from_vector(s.start); }, "a guess of z, or empty");
  m.def(
      "solve",
      [](py::handle problem, const std::string& solver, double tolerance, int max_iterations,
         double relaxation, py::handle start) {
        return solve_by(problem, solver, to_settings(tolerance, max_iterations, relaxation), start);
      },
      py::arg("problem"), py::arg("solver") = "auto", py::arg("tolerance") = SolveSettings().tolerance,
      py::arg("max_iterations") = 0, py::arg("relaxation") = 0.0, py::arg("start") = py::none(),
      "Solves a problem by a solver of solvers(). Failure is a status, not an exception.");
  m.def(
      "treats",
      [](const std::string& solver, py::handle problem) {
        return treats(solver, to_problem(problem, "problem"));
      },
      py::arg("solver"), py::arg("problem"), "Does this solver treat this class of problem?");
  m.def(
      "residual",
      [](py::handle problem, py::handle z) {
        const Problem made = to_problem(problem, "problem");
        return residual(made, to_fitting(z, made, "z"));
      },
      py::arg("problem"), py::arg("z"),
      "The one error measure of the problem's class, relative; zero for an exact solution.");
  bind_tables(m);
}

}  // namespace touchstone::python
