// What a step and a run report.

#include "module.h"
#include "report.h"
#include "touchstone/scene/simulation.h"

namespace touchstone::python {
namespace {

/// Numbers that do not depend on the dimension, and arrays that do.
struct PyReport {
  std::string status, message;
  double time = 0, step = 0, residual = 0, joint_error = 0, kinetic = 0, potential = 0;
  int contacts = 0, pairs = 0, rows = 0, islands = 0, iterations = 0, updates = 0, substeps = 0;
  py::object min_gap, accuracy, undetermined = py::none();
  py::list events;
  py::dict balance, times;
  py::array bodies, points, normals, gaps, impulses, normal_impulses;
};

/// With the names of its bodies and of its joint.
struct PyEvent {
  double time = 0;
  std::string kind;
  py::object bodies, features, joint;
};

py::object name_of(const auto& things, int index) {
  return index < 0 ? py::none() : py::object(py::str(things[index].name));
}

std::string feature_text(const Feature& feature) {
  constexpr const char* kWords[] = {"vertex", "edge", "face"};
  return std::string(kWords[static_cast<int>(feature.kind)]) + " " + std::to_string(feature.index);
}

void bind_event(py::module_& m) {
  py::class_<PyEvent>(m, "Event", "What happened in a motion to an accuracy, see docs/events.md.")
      .def_readonly("time", &PyEvent::time, "[s]")
      .def_readonly("kind", &PyEvent::kind,
                    "impact, contact, release, slip, stop, border, rest, jam or limit")
      .def_readonly("bodies", &PyEvent::bodies, "the names of the two; None: nobody, or the world")
      .def_readonly("features", &PyEvent::features,
                    "of contacts, such as (\"vertex 3\", \"face 0\"): what of the two touches; else None")
      .def_readonly("joint", &PyEvent::joint, "the name of the joint that it happens to; None: of none")
      .def("__repr__", [](const PyEvent& e) {
        return "Event(" + e.kind + ", time=" + py::repr(py::float_(e.time)).cast<std::string>() +
               ", bodies=" + py::repr(e.bodies).cast<std::string>() + ")";
      });
}

py::object from_accuracy(const std::optional<AccuracyReport>& accuracy) {
  if (!accuracy) return py::none();
  const AccuracyReport& a = *accuracy;
  py::dict made;
  made["requested"] = a.requested, made["estimated"] = a.estimated, made["trusted_until"] = a.trusted_until;
  made["reason"] = a.reason, made["branch_points"] = a.branch_points, made["amplification"] = a.amplification;
  made["force_indeterminacy"] = a.force_indeterminacy, made["tolerance"] = a.tolerance;
  made["integrator_steps"] = a.integrator_steps;
  return made;
}

py::dict from_counts(const std::map<std::string, long>& counts) {
  py::dict made;
  for (const auto& [kind, count] : counts) made[py::str(kind)] = count;
  return made;
}

template <int D>
void add_contacts(const StepReport<D>& report, PyReport& made) {
  const auto& contacts = report.set.contacts;
  const std::size_t count = contacts.size();
  std::vector<Vec<D>> points, normals, impulses(count, Vec<D>::Zero());
  std::vector<double> gaps, along(count, 0.0);
  py::array_t<int> bodies({static_cast<py::ssize_t>(count), py::ssize_t{2}});
  auto at = bodies.mutable_unchecked<2>();
  for (std::size_t i = 0; i < count; ++i) {
    points.push_back(contacts[i].point), normals.push_back(contacts[i].normal),
        gaps.push_back(contacts[i].gap);
    at(i, 0) = contacts[i].body_A, at(i, 1) = contacts[i].body_B;
  }
  for (const ContactForce<D>& force : report.forces) {
    impulses[force.contact] += force.impulse;
    along[force.contact] += force.normal;
  }
  made.bodies = bodies, made.points = from_points<D>(points), made.normals = from_points<D>(normals);
  made.gaps = from_list(gaps), made.impulses = from_points<D>(impulses),
  made.normal_impulses = from_list(along);
}

py::array_t<int> from_pairs(const BodyPairs& pairs) {
  py::array_t<int> made({static_cast<py::ssize_t>(pairs.size()), py::ssize_t{2}});
  auto at = made.mutable_unchecked<2>();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto row = static_cast<py::ssize_t>(i);
    at(row, 0) = pairs[i].first, at(row, 1) = pairs[i].second;
  }
  return made;
}

py::dict from_balance(const EnergyBalance& b) {
  py::dict made;
  made["kinetic"] = b.kinetic, made["potential"] = b.potential, made["jump"] = b.jump,
  made["contact"] = b.contact;
  made["joint"] = b.joint, made["drive"] = b.drive, made["friction"] = b.friction, made["work"] = b.work;
  made["error"] = b.error, made["scale"] = b.scale;
  return made;
}

py::dict from_times(const StageTimes& t) {
  py::dict made;
  made["measure"] = t.measure, made["relate"] = t.relate, made["formulate"] = t.formulate;
  made["solve"] = t.solve, made["advance"] = t.advance;
  return made;
}

py::dict from_summary(const RunSummary& s) {
  py::dict made;
  made["steps"] = s.steps, made["time"] = s.time, made["wall_time"] = s.wall_time,
  made["min_gap"] = s.min_gap;
  made["min_gap_time"] = s.min_gap_time,
  made["min_gap_bodies"] = py::make_tuple(s.min_gap_bodies[0], s.min_gap_bodies[1]);
  made["max_overlap"] = s.max_overlap, made["energy_gained"] = s.energy_gained,
  made["energy_scale"] = s.energy_scale;
  made["energy_excess"] = s.energy_excess, made["largest_gain"] = s.largest_gain,
  made["joint_work"] = s.joint_work, made["drive_work"] = s.drive_work,
  made["unstable_joint"] = s.unstable_joint;
  made["warnings"] = from_json(nlohmann::json(warnings_of(s)));
  made["momentum_error"] = s.momentum_error, made["residual"] = s.residual,
  made["joint_error"] = s.joint_error;
  made["failed_steps"] = s.failed_steps, made["divided_steps"] = s.divided_steps,
  made["relaxed_steps"] = s.relaxed_steps;
  made["located_impacts"] = s.located_impacts, made["merged_impacts"] = s.merged_impacts;
  made["dulled_impacts"] = s.dulled_impacts;
  made["friction_islands"] = s.friction_islands, made["canonical_islands"] = s.canonical_islands;
  made["turns"] = s.turns, made["pushing_pairs"] = s.pushing_pairs, made["sliding_pairs"] = s.sliding_pairs;
  made["undetermined_pairs"] =
      s.undetermined_pairs ? py::object(py::int_(*s.undetermined_pairs)) : py::none();
  made["identity_error"] = s.identity_error, made["fastest"] = s.fastest, made["contacts"] = s.contacts;
  made["accuracy"] = from_accuracy(s.accuracy), made["events"] = from_counts(s.events);
  made["most_contacts"] = s.most_contacts, made["message"] = s.message, made["state_hash"] = s.state_hash;
  return made;
}

void bind_report(py::module_& m) {
  py::class_<PyReport>(m, "StepReport",
                       "What one step did, and how exactly. Contacts are as at the start of the step.")
      .def_readonly("status", &PyReport::status, "done, unsolved, not converged or bad state")
      .def_readonly("message", &PyReport::message, "why, if not done")
      .def_readonly("time", &PyReport::time, "at the end of the step [s]")
      .def_readonly("step", &PyReport::step, "length of the step [s]")
      .def_readonly("contacts", &PyReport::contacts, "number of contacts")
      .def_readonly("bodies", &PyReport::bodies, "(n, 2) array: the bodies a, b of each contact")
      .def_readonly("points", &PyReport::points, "(n, D) array: where they touch, in the world [m]")
      .def_readonly("normals", &PyReport::normals, "(n, D) array of unit vectors, from b to a")
      .def_readonly("gaps", &PyReport::gaps, "(n,) array [m], negative when overlapping")
      .def_readonly("impulses", &PyReport::impulses, "(n, D) array: on a, friction included [N s]")
      .def_readonly("normal_impulses", &PyReport::normal_impulses, "(n,) array [N s]")
      .def_readonly("kinetic", &PyReport::kinetic, "energy at the end [J]")
      .def_readonly("potential", &PyReport::potential, "energy of gravity at the end [J], zero at the origin")
      .def_readonly("balance", &PyReport::balance, "where the energy of the step went [J], see docs/step.md")
      .def_readonly("residual", &PyReport::residual, "of the solver, the worst island")
      .def_readonly("joint_error", &PyReport::joint_error, "[m, rad] the largest at the end")
      .def_readonly("min_gap", &PyReport::min_gap,
                    "[m] exact, at the end, where the contact model measures it; else None")
      .def_readonly("events", &PyReport::events, "list of Event: where an accuracy was asked for")
      .def_readonly("accuracy", &PyReport::accuracy, "how exact the motion is, a dict; else None")
      .def_readonly("pairs", &PyReport::pairs, "pairs of parts that may touch")
      .def_readonly("rows", &PyReport::rows, "unknowns of the problems that were solved")
      .def_readonly("islands", &PyReport::islands, "groups of bodies solved apart")
      .def_readonly("iterations", &PyReport::iterations, "of the solver, summed")
      .def_readonly("undetermined", &PyReport::undetermined,
                    "(k, 2) pairs of bodies whose forces the rigid problem leaves open; None where "
                    "contact={\"determinacy\": True} does not ask for it")
      .def_readonly("updates", &PyReport::updates, "how often contacts were evaluated")
      .def_readonly("substeps", &PyReport::substeps, "in how many parts the step was made")
      .def_readonly("times", &PyReport::times, "wall time of each stage [s]")
      .def("__repr__", [](const PyReport& r) {
        return "StepReport(" + r.status + ", time=" + py::repr(py::float_(r.time)).cast<std::string>() +
               ", contacts=" + std::to_string(r.contacts) + ")";
      });
}

}  // namespace

template <int D>
py::object from_event(const StepEvent& e, const World<D>& world) {
  PyEvent made{e.time, std::string(text_of(e.kind)), {}, py::none(), name_of(world.joints, e.joint)};
  made.bodies = py::make_tuple(name_of(world.bodies, e.body_A), name_of(world.bodies, e.body_B));
  if (e.joint < 0 && e.body_A >= 0)
    made.features = py::make_tuple(feature_text(e.feature_A), feature_text(e.feature_B));
  return py::cast(made);
}

template <int D>
py::object from_report(const StepReport<D>& report, const World<D>& world) {
  PyReport made;
  made.accuracy = from_accuracy(report.accuracy);
  for (const StepEvent& event : report.events) made.events.append(from_event<D>(event, world));
  made.status = text_of(report.status), made.message = report.message;
  made.time = report.time, made.step = report.h, made.residual = report.residual,
  made.joint_error = report.joint_error;
  made.kinetic = report.energy.kinetic, made.potential = report.energy.potential;
  made.contacts = static_cast<int>(report.set.contacts.size()), made.pairs = report.pairs,
  made.rows = report.rows;
  made.islands = report.islands, made.iterations = report.iterations, made.updates = report.updates;
  made.substeps = report.substeps;
  made.min_gap = report.min_gap ? py::object(py::float_(*report.min_gap)) : py::none();
  if (report.undetermined) made.undetermined = from_pairs(*report.undetermined);
  made.balance = from_balance(report.balance), made.times = from_times(report.times);
  add_contacts(report, made);
  return py::cast(made);
}

template <int D>
std::vector<Vec<D>> contact_forces(const StepReport<D>& report, std::size_t bodies, int from) {
  std::vector<Vec<D>> forces(bodies, Vec<D>::Zero());
  for (const ContactForce<D>& force : report.forces) {
    const Contact<D>& contact = report.set.contacts[force.contact];
    const Vec<D> on_A = force.impulse / report.h;
    if (from < 0 || from == contact.body_B) forces[contact.body_A] += on_A;
    if (from < 0 || from == contact.body_A) forces[contact.body_B] -= on_A;
  }
  return forces;
}
template std::vector<Vec<2>> contact_forces(const StepReport<2>&, std::size_t, int);
template std::vector<Vec<3>> contact_forces(const StepReport<3>&, std::size_t, int);
template py::object from_report(const StepReport<2>&, const World<2>&);
template py::object from_report(const StepReport<3>&, const World<3>&);
template py::object from_event(const StepEvent&, const World<2>&);
template py::object from_event(const StepEvent&, const World<3>&);

#define FIELD(name, doc) def_readonly(#name, &RunSummary::name, doc)

void bind_reports(py::module_& m) {
  bind_event(m);
  bind_report(m);
  py::class_<RunSummary>(m, "RunSummary",
                         "What happened up to now. Gaps and overlaps are exact, measured at the end of each "
                         "step and at the start.")
      .FIELD(steps, "that were made")
      .FIELD(time, "simulated [s]")
      .FIELD(wall_time, "[s]")
      .FIELD(min_gap, "exact, over the run [m]; infinite where no two bodies may touch")
      .FIELD(min_gap_time, "when that was [s]")
      .def_property_readonly(
          "min_gap_bodies",
          [](const RunSummary& s) { return py::make_tuple(s.min_gap_bodies[0], s.min_gap_bodies[1]); },
          "who that was")
      .FIELD(max_overlap, "shared volume of a step [m^3], in the plane area [m^2]")
      .FIELD(energy_gained, "that came from nowhere [J]")
      .FIELD(energy_excess, "of it: what nothing explains [J]")
      .FIELD(largest_gain, "of one step [J]")
      .FIELD(joint_work, "the most that joints and limits gave in any stretch of the run [J]")
      .FIELD(drive_work, "given by motors and controllers, less what dampers took [J]")
      .FIELD(energy_scale, "largest energy, to judge it by [J]")
      .FIELD(unstable_joint, "on which an unstable controller acts; empty: none")
      .def_property_readonly(
          "warnings", [](const RunSummary& s) { return from_json(nlohmann::json(warnings_of(s))); },
          "what must be known of the run, one sentence each")
      .FIELD(momentum_error, "relative, the worst step; nan where a joint is tied to the world")
      .FIELD(residual, "the worst step")
      .FIELD(joint_error, "[m, rad] the worst step")
      .FIELD(failed_steps, "that could not be made")
      .FIELD(divided_steps, "made in parts, for contacts did not settle in one")
      .FIELD(located_impacts, "strikes of pairs alone, at their times")
      .FIELD(merged_impacts, "strikes merged with the equations of their steps")
      .FIELD(dulled_impacts, "contacts that struck without a bounce: no motion bounces as the law asks")
      .FIELD(relaxed_steps, "missed the solver's tolerance and were accepted all the same")
      .FIELD(identity_error, "of the energy balance, relative, the worst step")
      .FIELD(fastest, "speed of any centre of mass [m/s]")
      .FIELD(contacts, "summed over the steps")
      .FIELD(most_contacts, "of one step")
      .def_property_readonly(
          "accuracy", [](const RunSummary& s) { return from_accuracy(s.accuracy); },
          "how exact the motion is, a dict (docs/events.md), where an accuracy was asked for; else None")
      .def_property_readonly(
          "events", [](const RunSummary& s) { return from_counts(s.events); },
          "how many of each kind, where an accuracy was asked for")
      .FIELD(message, "why a step failed")
      .FIELD(state_hash, "of every bit of the last state")
      .def("as_dict", &from_summary, "All fields by name.")
      .def("__repr__", [](const RunSummary& s) {
        return "RunSummary(" + py::repr(from_summary(s)).cast<std::string>() + ")";
      });
}

}  // namespace touchstone::python
