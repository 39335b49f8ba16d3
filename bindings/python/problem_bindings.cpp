// Problems for solvers, as classes; and their files.

#include "hdf5_lock.h"
#include "module.h"
#include "problem.h"
#include "touchstone/problems/problem_file.h"
#include "touchstone/scene/bad_input.h"
#include "touchstone/solve/problem_check.h"

namespace touchstone::python {
namespace {

int to_dimension(py::handle value) {
  const double dimension = to_real(value, "dimension");
  if (dimension != 2 && dimension != 3) throw BadInput("dimension: expected 2 or 3, got " + shown(value));
  return static_cast<int>(dimension);
}

SparseMatrix to_sparse(py::handle value, const char* name) { return to_matrix(value, name).to_sparse(); }

py::array dense(const ProblemMatrix& M) { return from_matrix(M.to_dense()); }
py::array dense(const SparseMatrix& M) { return from_matrix(MatrixX(M)); }

py::array from_flags(const std::vector<bool>& flags) {
  py::array_t<bool> made(static_cast<py::ssize_t>(flags.size()));
  for (std::size_t i = 0; i < flags.size(); ++i) made.mutable_data()[i] = flags[i];
  return made;
}

/// What every class of problem has.
template <class P>
py::class_<P> bind_problem(py::module_& m, const char* name, const char* doc) {
  return py::class_<P>(m, name, doc)
      .def_property_readonly(
          "kind", [](const P& p) { return kind_of(p); }, "lcp, mlcp, friction, global-friction or qp")
      .def_property_readonly(
          "size", [](const P& p) { return size_of(p); }, "number of unknowns of its solution")
      .def("__repr__", [name = std::string(name)](const P& p) {
        return name + "(" + std::to_string(size_of(p)) + " unknowns)";
      });
}

template <class P>
P checked(P problem) {
  Problem made = std::move(problem);
  check_problem(made);
  return std::get<P>(std::move(made));
}

#define MATRIX(P, field, doc) \
  def_property_readonly(      \
      #field, [](const P& p) { return dense(p.field); }, doc)
#define VECTOR(P, field, doc) \
  def_property_readonly(      \
      #field, [](const P& p) { return from_vector(p.field); }, doc)

void bind_linear(py::module_& m) {
  bind_problem<Lcp>(m, "Lcp",
                    "Find z with 0 <= z _|_ w = M z + q >= 0. M is an array or a sparse matrix of scipy.")
      .def(py::init([](py::handle M, py::handle q) {
             return checked(Lcp{to_matrix(M, "M"), to_numbers(q, "q")});
           }),
           py::arg("M"), py::arg("q"))
      .MATRIX(Lcp, M, "(n, n) array")
      .VECTOR(Lcp, q, "(n,) array");
  bind_problem<Mlcp>(m, "Mlcp",
                     "As Lcp, but where free[i] the row is an equation: z_i of any sign and w_i = 0.")
      .def(py::init([](py::handle M, py::handle q, py::handle free) {
             return checked(Mlcp{to_matrix(M, "M"), to_numbers(q, "q"), to_flags(free, "free")});
           }),
           py::arg("M"), py::arg("q"), py::arg("free"))
      .MATRIX(Mlcp, M, "(n, n) array")
      .VECTOR(Mlcp, q, "(n,) array")
      .def_property_readonly(
          "free", [](const Mlcp& p) { return from_flags(p.free); }, "(n,) array of bool");
  bind_problem<Qp>(m, "Qp",
                   "min 1/2 x.P x + c.x subject to A x + b >= 0, with equality where equality[i]; its "
                   "solution is (x, y) with multipliers y.")
      .def(py::init([](py::handle P, py::handle c, py::handle A, py::handle b, py::handle equality) {
             Qp qp{to_matrix(P, "P"), to_numbers(c, "c"), to_matrix(A, "A"), to_numbers(b, "b"), {}};
             qp.equality =
                 equality.is_none() ? std::vector<bool>(qp.b.size(), false) : to_flags(equality, "equality");
             return checked(std::move(qp));
           }),
           py::arg("P"), py::arg("c"), py::arg("A"), py::arg("b"), py::arg("equality") = py::none())
      .MATRIX(Qp, P, "(n, n) array, positive semidefinite")
      .VECTOR(Qp, c, "(n,) array")
      .MATRIX(Qp, A, "(m, n) array")
      .VECTOR(Qp, b, "(m,) array")
      .def_property_readonly(
          "equality", [](const Qp& p) { return from_flags(p.equality); }, "(m,) array of bool");
}

void bind_friction(py::module_& m) {
  bind_problem<FrictionProblem>(
      m, "FrictionProblem",
      R"(Coulomb friction, local form: u = W r + q, K* >= u + mu |u_t| e_n _|_ r in K, |r_t| <= mu r_n.

Each contact has `dimension` components, the normal one first; `mu` has one entry per contact.)")
      .def(py::init([](py::handle W, py::handle q, py::handle mu, py::handle dimension) {
             return checked(FrictionProblem{to_dimension(dimension), to_matrix(W, "W"), to_numbers(q, "q"),
                                            to_numbers(mu, "mu")});
           }),
           py::arg("W"), py::arg("q"), py::arg("mu"), py::arg("dimension") = 3)
      .def_readonly("dimension", &FrictionProblem::dimension, "components per contact, 2 or 3")
      .MATRIX(FrictionProblem, W, "(n, n) array")
      .VECTOR(FrictionProblem, q, "(n,) array")
      .VECTOR(FrictionProblem, mu, "coefficient of friction per contact");
  bind_problem<GlobalFrictionProblem>(
      m, "GlobalFrictionProblem",
      "The same in global form: M v = H r + f, u = H^T v + w; its solution is (v, r).")
      .def(py::init([](py::handle M, py::handle H, py::handle f, py::handle w, py::handle mu,
                       py::handle dimension) {
             return checked(GlobalFrictionProblem{to_dimension(dimension), to_sparse(M, "M"),
                                                  to_sparse(H, "H"), to_numbers(f, "f"), to_numbers(w, "w"),
                                                  to_numbers(mu, "mu")});
           }),
           py::arg("M"), py::arg("H"), py::arg("f"), py::arg("w"), py::arg("mu"), py::arg("dimension") = 3)
      .def_readonly("dimension", &GlobalFrictionProblem::dimension, "components per contact, 2 or 3")
      .MATRIX(GlobalFrictionProblem, M, "(n, n) array")
      .MATRIX(GlobalFrictionProblem, H, "(n, m) array")
      .VECTOR(GlobalFrictionProblem, f, "(n,) array")
      .VECTOR(GlobalFrictionProblem, w, "(m,) array")
      .VECTOR(GlobalFrictionProblem, mu, "coefficient of friction per contact");
}

StoredProblem read_file(py::handle file, const std::string& kind) {
  const std::string path = to_path(file, "file");
  return with_hdf5([&] { return read_stored_problem(path, kind); });
}

void bind_files(py::module_& m) {
  m.def(
      "read_problem",
      [](py::handle file, const std::string& kind) { return from_problem(read_file(file, kind).problem); },
      py::arg("file"), py::arg("kind") = "",
      "A problem from a file (own JSON or HDF5, Siconos' text, FCLIB's HDF5); `kind` (lcp, mlcp, friction) "
      "decides where a text could mean several.");
  m.def(
      "read_solution",
      [](py::handle file, const std::string& kind) -> py::object {
        const StoredProblem stored = read_file(file, kind);
        if (!stored.solution) return py::none();
        return from_vector(*stored.solution);
      },
      py::arg("file"), py::arg("kind") = "", "The solution that a problem file holds, or None.");
  m.def(
      "write_problem",
      [](py::handle file, py::handle problem, py::handle solution) {
        const std::string path = to_path(file, "file");
        std::optional<VectorX> z;
        if (!solution.is_none()) z = to_numbers(solution, "solution");
        const Problem made = to_problem(problem, "problem");
        with_hdf5([&] { write_problem(path, made, z); });
      },
      py::arg("file"), py::arg("problem"), py::arg("solution") = py::none(),
      "Writes a problem, by the file's ending: .json, .h5 (own), .hdf5 (FCLIB's for friction), .dat "
      "(Siconos' text).");
}

}  // namespace

Problem to_problem(py::handle value, const std::string& name) {
  if (py::isinstance<Lcp>(value)) return value.cast<const Lcp&>();
  if (py::isinstance<Mlcp>(value)) return value.cast<const Mlcp&>();
  if (py::isinstance<FrictionProblem>(value)) return value.cast<const FrictionProblem&>();
  if (py::isinstance<GlobalFrictionProblem>(value)) return value.cast<const GlobalFrictionProblem&>();
  if (py::isinstance<Qp>(value)) return value.cast<const Qp&>();
  throw py::type_error(name + ": expected an Lcp, Mlcp, FrictionProblem, GlobalFrictionProblem or Qp, got " +
                       shown(value));
}

py::object from_problem(const Problem& problem) {
  return std::visit([](const auto& p) { return py::cast(p); }, problem);
}

void bind_problems(py::module_& m) {
  bind_linear(m);
  bind_friction(m);
  bind_files(m);
}

}  // namespace touchstone::python
