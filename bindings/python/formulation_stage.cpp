#include "formulation_stage.h"

#include "problem.h"
#include "touchstone/scene/bad_input.h"

namespace touchstone::python {
namespace {

/// Rows of one kind: G (rows times degrees of freedom of the bodies), offsets, compliances.
struct PyRows {
  py::array G, offset, compliance;
};

/// What a formulation of Python sees; a copy, which it may keep.
struct PyEquations {
  int bodies = 0;
  py::array inverse_mass, V_free;
  PyRows bilateral, unilateral, tangent;
  py::list groups;
};

template <int D>
PyRows from_rows(const std::vector<Row<D>>& rows, int bodies) {
  constexpr int n = kDof<D>;
  MatrixX G = MatrixX::Zero(rows.size(), bodies * n);
  VectorX offset(rows.size()), compliance(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row<D>& row = rows[i];
    if (row.body_A >= 0) G.row(i).template segment<n>(row.body_A * n) += row.G_A.transpose();
    if (row.body_B >= 0) G.row(i).template segment<n>(row.body_B * n) += row.G_B.transpose();
    offset[i] = row.offset, compliance[i] = row.compliance;
  }
  return {from_matrix(G), from_vector(offset), from_vector(compliance)};
}

py::dict from_group(const FrictionGroup& group) {
  py::dict made;
  made["normal"] = group.normal, made["mu"] = group.mu, made["bound"] = group.bound;
  made["first"] = group.first, made["count"] = group.count, made["round"] = group.round;
  return made;
}

template <int D>
PyEquations from_equations(const StepEquations<D>& equations) {
  constexpr int n = kDof<D>;
  const int bodies = equations.body_count();
  MatrixX inverse = MatrixX::Zero(bodies * n, bodies * n);
  VectorX V(bodies * n);
  for (int i = 0; i < bodies; ++i) {
    inverse.block<D, D>(i * n, i * n).diagonal().setConstant(equations.inverse_mass[i]);
    inverse.block<n - D, n - D>(i * n + D, i * n + D) = equations.inverse_inertia[i];
    V.segment<n>(i * n) = equations.V_free[i];
  }
  PyEquations made{bodies,
                   from_matrix(inverse),
                   from_vector(V),
                   from_rows<D>(equations.bilateral, bodies),
                   from_rows<D>(equations.unilateral, bodies),
                   from_rows<D>(equations.tangent, bodies),
                   py::list()};
  for (const FrictionGroup& group : equations.groups) made.groups.append(from_group(group));
  return made;
}

/// The impulses of one kind of rows; zeros where the formulation says nothing.
std::vector<double> to_impulses(const py::dict& given, const char* kind, std::size_t count) {
  if (!given.contains(kind)) return std::vector<double>(count, 0.0);
  const VectorX p = to_numbers(given[kind], kind);
  if (static_cast<std::size_t>(p.size()) != count) {
    throw BadInput(std::string("impulses: expected ") + std::to_string(count) + " numbers for " + kind +
                   ", got " + std::to_string(p.size()));
  }
  return {p.data(), p.data() + p.size()};
}

template <int D>
class PythonFormulation : public Formulation<D> {
 public:
  PythonFormulation(PySimulation& simulation, py::object made, const StepEquations<D>& equations)
      : simulation_(simulation),
        equations_(equations),
        problem_(to_problem(made.attr("problem"), "problem")),
        made_(std::move(made)) {}
  ~PythonFormulation() override {
    const PySimulation::PythonPart part(simulation_);
    made_ = py::object();
  }

  const Problem& problem() const override { return problem_; }
  VectorX start(const StepImpulses<D>&) const override { return {}; }

  StepImpulses<D> impulses(const VectorX& z) const override {
    const PySimulation::PythonPart part(simulation_);
    const py::object given = made_.attr("impulses")(from_vector(z));
    if (!py::isinstance<py::dict>(given))
      throw py::type_error("impulses: expected a dict such as {'unilateral': z}, got " + shown(given));
    const auto dict = py::reinterpret_borrow<py::dict>(given);
    StepImpulses<D> found;
    found.bilateral = to_impulses(dict, "bilateral", equations_.bilateral.size());
    found.unilateral = to_impulses(dict, "unilateral", equations_.unilateral.size());
    found.tangent = to_impulses(dict, "tangent", equations_.tangent.size());
    found.slip.assign(equations_.groups.size(), 0.0);
    add_impulses(equations_, found);
    return found;
  }

 private:
  PySimulation& simulation_;
  const StepEquations<D>& equations_;
  Problem problem_;
  py::object made_;
};

#define ROWS(kind)                                                                           \
  def_property_readonly(                                                                     \
      #kind "_G", [](const PyEquations& e) { return e.kind.G; }, "(rows, bodies dof) array") \
      .def_property_readonly(                                                                \
          #kind "_offset", [](const PyEquations& e) { return e.kind.offset; },               \
          "(rows,) array [m/s or rad/s]")                                                    \
      .def_property_readonly(                                                                \
          #kind "_compliance", [](const PyEquations& e) { return e.kind.compliance; }, "(rows,) array")

}  // namespace

template <int D>
FormulationMaker<D> make_python_formulation(PySimulation& simulation, const py::object& formulation) {
  return [&simulation, place = simulation.keep(Stage::formulation, formulation)](
             const StepEquations<D>& equations) -> std::unique_ptr<Formulation<D>> {
    const PySimulation::PythonPart part(simulation);
    const py::object& stage = simulation.kept(place);
    const py::object call = py::hasattr(stage, "formulate") ? py::object(stage.attr("formulate")) : stage;
    py::object made = call(from_equations(equations));
    if (!py::hasattr(made, "problem") || !py::hasattr(made, "impulses")) {
      throw py::type_error("the formulation returned " + shown(made) +
                           "; expected an object with `problem` and `impulses(z)`");
    }
    return std::make_unique<PythonFormulation<D>>(simulation, std::move(made), equations);
  };
}
template FormulationMaker<2> make_python_formulation(PySimulation&, const py::object&);
template FormulationMaker<3> make_python_formulation(PySimulation&, const py::object&);

void bind_formulation_stage(py::module_& m) {
  py::class_<PyEquations>(
      m, "StepEquations",
      R"(The equations of one island in one step. V is the velocity of all bodies, one behind the other:

    V = V_free + inverse_mass (sum of G^T p)
    bilateral    G V + offset + compliance p = 0
    unilateral   0 <= G V + offset _|_ p >= 0
    tangent      friction: each of `groups` bounds rows first .. first + count by mu times the impulse of unilateral row `normal`, plus `bound`)")
      .def_readonly("bodies", &PyEquations::bodies, "number of bodies")
      .def_readonly("inverse_mass", &PyEquations::inverse_mass, "(bodies dof, bodies dof) array")
      .def_readonly("V_free", &PyEquations::V_free, "velocity without impulses")
      .ROWS(bilateral)
      .ROWS(unilateral)
      .ROWS(tangent)
      .def_readonly("groups", &PyEquations::groups,
                    "friction groups: dicts of normal, mu, bound, first, count, round");
}

}  // namespace touchstone::python
