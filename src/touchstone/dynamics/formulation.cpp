#include "touchstone/dynamics/formulation.h"

#include <cassert>
#include <stdexcept>
#include <string>

#include "touchstone/dynamics/formulations.h"
#include "touchstone/dynamics/pyramid.h"

namespace touchstone {

const std::vector<FormulationEntry>& formulations() {
  static const std::vector<FormulationEntry> entries = {
      {"stewart-trinkle",
       "contacts within the margin keep gap/h + speed >= 0; impulses only, as an LCP or cones",
       Scheme::stewart_trinkle, Form::reduced},
      {"anitescu-potra", "closed contacts keep speed >= 0, overlaps are pushed out; impulses only",
       Scheme::anitescu_potra, Form::reduced},
      {"stewart-trinkle-mixed",
       "the same equations as a mixed LCP with velocities and joints [Thesis eq. 2.34]",
       Scheme::stewart_trinkle, Form::mixed},
      {"anitescu-potra-mixed", "the same equations as a mixed LCP with velocities and joints",
       Scheme::anitescu_potra, Form::mixed},
      {"peg-lcp", "models of choice: all members of I- and X-constraints in one mixed LCP [Thesis eq. 4.50]",
       Scheme::stewart_trinkle, Form::choices}};
  return entries;
}

void choose_formulation(std::string_view name, FormulationSettings& settings) {
  for (const FormulationEntry& entry : formulations()) {
    if (entry.name != name) continue;
    settings.scheme = entry.scheme, settings.form = entry.form;
    return;
  }
  throw std::invalid_argument("there is no formulation \"" + std::string(name) + "\"");
}

template <int D>
std::unique_ptr<Formulation<D>> formulate(const StepEquations<D>& equations, Form form) {
  // Round cones are no mixed LCP: they are always solved in impulses.
  if (has_round_cone(equations)) return make_cones(equations);
  return form == Form::reduced ? make_reduced_lcp(equations) : make_mixed_lcp(equations);
}

namespace {

template <int D>
void add_row_impulses(const std::vector<Row<D>>& rows, const std::vector<double>& p,
                      std::vector<Twist<D>>& wrench) {
  assert(p.empty() || p.size() == rows.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (rows[i].body_A >= 0) wrench[rows[i].body_A] += p[i] * rows[i].G_A;
    if (rows[i].body_B >= 0) wrench[rows[i].body_B] += p[i] * rows[i].G_B;
  }
}

}  // namespace

template <int D>
void add_impulses(const StepEquations<D>& equations, StepImpulses<D>& impulses) {
  assert(equations.V_free.size() == equations.inverse_mass.size());
  std::vector<Twist<D>> wrench(equations.body_count(), Twist<D>::Zero());
  add_row_impulses(equations.bilateral, impulses.bilateral, wrench);
  add_row_impulses(equations.unilateral, impulses.unilateral, wrench);
  add_row_impulses(equations.tangent, impulses.tangent, wrench);
  impulses.V.resize(equations.body_count());
  for (int body = 0; body < equations.body_count(); ++body) {
    impulses.V[body] = equations.V_free[body] + equations.apply_inverse_mass(body, wrench[body]);
  }
}

template std::unique_ptr<Formulation<2>> formulate(const StepEquations<2>&, Form);
template std::unique_ptr<Formulation<3>> formulate(const StepEquations<3>&, Form);
template void add_impulses(const StepEquations<2>&, StepImpulses<2>&);
template void add_impulses(const StepEquations<3>&, StepImpulses<3>&);

}  // namespace touchstone
