#pragma once
// formulate: the equations of a step as a problem for a solver, and its solution back as impulses.

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "touchstone/dynamics/equations.h"
#include "touchstone/solve/solver.h"

namespace touchstone {

/// Which rows a contact makes.
enum class Scheme {
  stewart_trinkle,  ///< G.V+ + gap/h >= 0 for every contact within the margin
  anitescu_potra    ///< G.V+ >= 0 for closed contacts; overlaps are pushed out by a share per step
};
enum class Form {
  reduced,  ///< velocities and joints eliminated: an LCP, or cones [Thesis eq. 2.37, corrected]
  mixed,    ///< velocities and joint impulses kept: an MLCP [Thesis eq. 2.34]
  choices   ///< as mixed, and I- and X-constraints stand in the same problem [Thesis eq. 4.50]
};

struct FormulationSettings {
  Scheme scheme = Scheme::stewart_trinkle;
  Form form = Form::reduced;
  double stabilisation = 1;  ///< Anitescu-Potra: share of an overlap removed per step
  /// [m] Contacts with a smaller gap are closed (Anitescu-Potra, no-slip, viscous).
  double closed_gap = 1e-9;
};

struct FormulationEntry {
  std::string_view name, summary;
  Scheme scheme;
  Form form;
};
const std::vector<FormulationEntry>& formulations();
/// Sets scheme and form; throws std::invalid_argument for an unknown name.
void choose_formulation(std::string_view name, FormulationSettings& settings);

/// One island's problem. It keeps the data that lead back from a solution to impulses.
template <int D>
class Formulation {
 public:
  virtual ~Formulation() = default;
  virtual const Problem& problem() const = 0;
  /// The unknowns of known impulses: to start a solver from.
  virtual VectorX start(const StepImpulses<D>& guess) const = 0;
  virtual StepImpulses<D> impulses(const VectorX& z) const = 0;
};

/// `equations` must outlive the answer.
template <int D>
std::unique_ptr<Formulation<D>> formulate(const StepEquations<D>& equations, Form form);

/// A formulation of the user's own: called once per island and step, from several threads.
template <int D>
using FormulationMaker = std::function<std::unique_ptr<Formulation<D>>(const StepEquations<D>&)>;

/// Sets the velocities that known impulses p lead to: V = V_free + M^-1 G p.
template <int D>
void add_impulses(const StepEquations<D>& equations, StepImpulses<D>& impulses);

}  // namespace touchstone
