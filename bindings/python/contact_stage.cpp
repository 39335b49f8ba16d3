#include "contact_stage.h"

#include <cmath>
#include <map>

#include "shape.h"
#include "touchstone/scene/bad_input.h"

namespace touchstone::python {
namespace {

/// How far a given normal may be from unit length: rounded numbers.
constexpr double kUnitSlack = 1e-6;

/// What a model of Python sees; a copy, which it may keep.
struct PyMotion {
  int dimension = 3;
  double h = 0, margin = 0;
  py::array pairs;
  py::list shapes, poses, end_poses;
  py::array bodies, materials, velocities;
};

/// What it says of a motion.
struct PyVerdict {
  Verdict::Word word = Verdict::Word::holds;
  std::string why;
  double event = 0.5;
  py::object contacts;  ///< renewed: in place of those before
};

/// A contact that the model returns; it names parts by number, which gives bodies and materials.
struct PyContact {
  int shape_a = 0, shape_b = 0;
  py::object point, normal;
  double gap = 0;
  bool primary = true;
  std::optional<std::uint64_t> key;
};

struct PyConstraintSet {
  py::list contacts;
  py::object unilateral;
  py::list inter_contact, cross_contact;
};

template <int D>
PyMotion from_motion(const TriedMotion<D>& scene) {
  PyMotion made;
  made.dimension = D, made.margin = scene.margin, made.h = scene.h;
  std::vector<int> bodies, materials;
  for (const ContactShape<D>& part : scene.shapes) {
    made.shapes.append(PyShape{part.shape, {}});
    bodies.push_back(part.body), materials.push_back(part.material);
  }
  for (const Pose<D>& X : scene.start) made.poses.append(PyPose{X});
  for (const Pose<D>& X : scene.end) made.end_poses.append(PyPose{X});
  py::array_t<double> velocities({static_cast<py::ssize_t>(scene.paths.size()), py::ssize_t{kDof<D>}});
  auto V = velocities.mutable_unchecked<2>();
  for (std::size_t b = 0; b < scene.paths.size(); ++b) {
    for (int k = 0; k < kDof<D>; ++k) V(b, k) = scene.paths[b].velocity[k];
  }
  made.velocities = velocities;
  py::array_t<int> pairs({static_cast<py::ssize_t>(scene.pairs.size()), py::ssize_t{2}});
  auto at = pairs.mutable_unchecked<2>();
  for (std::size_t i = 0; i < scene.pairs.size(); ++i)
    at(i, 0) = scene.pairs[i].first, at(i, 1) = scene.pairs[i].second;
  made.pairs = pairs, made.bodies = from_list(bodies), made.materials = from_list(materials);
  return made;
}

/// Vertices of part i in the world.
py::object vertices_of(const PyMotion& motion, int i, bool at_end) {
  if (i < 0 || i >= static_cast<int>(motion.shapes.size()))
    throw py::index_error("there is no part " + std::to_string(i));
  const py::list& poses = at_end ? motion.end_poses : motion.poses;
  return py::object(poses[i]) * py::object(motion.shapes[i].attr("vertices"));
}

/// Contacts of one pair are told apart by their order, unless the model names them itself.
class Keys {
 public:
  std::uint64_t of(const PyContact& contact) {
    if (contact.key) return *contact.key;
    const auto pair =
        static_cast<std::uint64_t>(contact.shape_a) << 40 | static_cast<std::uint64_t>(contact.shape_b) << 16;
    return pair + count_[pair]++;
  }

 private:
  std::map<std::uint64_t, int> count_;
};

template <int D>
Vec<D> to_normal(py::handle value) {
  const Vec<D> n = to_vector<D>(value, "normal");
  if (std::abs(n.norm() - 1) > kUnitSlack)
    throw BadInput("normal: expected a vector of length 1, got one of " + std::to_string(n.norm()));
  return n.normalized();
}

template <int D>
Contact<D> to_contact(const PyContact& given, const TriedMotion<D>& scene) {
  const int count = static_cast<int>(scene.shapes.size());
  for (const int part : {given.shape_a, given.shape_b}) {
    if (part < 0 || part >= count) {
      throw BadInput("a contact names part " + std::to_string(part) + "; expected 0 to " +
                     std::to_string(count - 1));
    }
  }
  const ContactShape<D>&A = scene.shapes[given.shape_a], &B = scene.shapes[given.shape_b];
  if (A.body == B.body) throw BadInput("a contact is between two parts of one body");
  Contact<D> contact{A.body,
                     B.body,
                     A.material,
                     B.material,
                     to_vector<D>(given.point, "point"),
                     to_normal<D>(given.normal),
                     given.gap,
                     0,
                     given.primary};
  return contact;
}

std::vector<int> to_indices(py::handle list, std::size_t count, const char* name) {
  std::vector<int> indices;
  for (const double x : to_numbers(list, name)) {
    if (!(x >= 0 && x < static_cast<double>(count)))
      throw BadInput(std::string(name) + ": there is no contact " + std::to_string(x));
    indices.push_back(static_cast<int>(x));
  }
  return indices;
}

PyConstraintSet to_set(py::handle given) {
  if (py::isinstance<PyConstraintSet>(given)) return given.cast<PyConstraintSet>();
  if (py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given))
    return {py::list(py::reinterpret_borrow<py::object>(given)), py::none(), py::list(), py::list()};
  throw py::type_error("the contact model returned " + shown(given) +
                       "; expected a list of Contacts or a ConstraintSet");
}

template <int D>
void fill(const PyConstraintSet& given, const TriedMotion<D>& scene, ConstraintSet<D>& set) {
  Keys keys;
  for (const py::handle element : given.contacts) {
    if (!py::isinstance<PyContact>(element))
      throw py::type_error("the contact model returned " + shown(element) + "; expected a Contact");
    const PyContact& contact = element.cast<const PyContact&>();
    set.contacts.push_back(to_contact<D>(contact, scene));
    set.contacts.back().key = keys.of(contact);
  }
  const std::size_t count = set.contacts.size();
  if (given.unilateral.is_none()) {
    for (std::size_t i = 0; i < count; ++i) set.unilateral.push_back(static_cast<int>(i));
  } else {
    set.unilateral = to_indices(given.unilateral, count, "unilateral");
  }
  for (const py::handle list : given.inter_contact)
    set.inter_contact.push_back(to_indices(list, count, "inter_contact"));
  for (const py::handle list : given.cross_contact)
    set.cross_contact.push_back(to_indices(list, count, "cross_contact"));
}

bool has(const py::object& model, const char* attribute) { return py::hasattr(model, attribute); }

template <int D>
class PythonContacts : public StepContacts<D> {
 public:
  PythonContacts(PySimulation& simulation, std::size_t place, ConstraintSet<D> set)
      : simulation_(simulation), place_(place), set_(std::move(set)) {}
  const ConstraintSet<D>& set() const override { return set_; }

  Verdict judge(const TriedMotion<D>& motion, const Reaction& reaction) override {
    const PySimulation::PythonPart part(simulation_);
    const std::vector<double> push(reaction.push.begin(), reaction.push.end());
    const py::object said = simulation_.kept(place_).attr("judge")(from_motion(motion), from_list(push));
    if (said.is_none()) return {};
    if (!py::isinstance<PyVerdict>(said))
      throw py::type_error("judge() returned " + shown(said) + "; expected a Verdict or None");
    const PyVerdict& verdict = said.cast<const PyVerdict&>();
    if (verdict.word == Verdict::Word::renewed) {
      set_.clear();
      fill<D>(to_set(verdict.contacts), motion, set_);
    }
    return {verdict.word, verdict.event, verdict.why};
  }

 private:
  PySimulation& simulation_;
  std::size_t place_;
  ConstraintSet<D> set_;
};

template <int D>
class PythonModel : public ContactModel<D> {
 public:
  PythonModel(PySimulation& simulation, const py::object& model)
      : simulation_(simulation),
        has_choices_(has(model, "has_choices") && py::bool_(model.attr("has_choices"))),
        judges_(has(model, "judge")),
        place_(simulation.keep(Stage::model, model)) {}

  bool has_choices() const override { return has_choices_; }
  Promise promises() const override { return {.gap = judges_}; }

  std::unique_ptr<StepContacts<D>> propose(const TriedMotion<D>& motion,
                                           const ModelMemoryPtr&) const override {
    const PySimulation::PythonPart part(simulation_);
    const py::object& model = simulation_.kept(place_);
    const py::object call = has(model, "propose") ? py::object(model.attr("propose")) : model;
    ConstraintSet<D> set;
    fill<D>(to_set(call(from_motion(motion))), motion, set);
    return std::make_unique<PythonContacts<D>>(simulation_, place_, std::move(set));
  }

 private:
  PySimulation& simulation_;
  bool has_choices_, judges_;  ///< asked for before the model takes the place of another, for it may raise
  std::size_t place_;
};

PyContact new_contact(int shape_a, int shape_b, py::object point, py::object normal, py::handle gap,
                      bool primary, const py::object& key) {
  PyContact made{shape_a, shape_b,     std::move(point), std::move(normal), to_real(gap, "gap"),
                 primary, std::nullopt};
  if (!key.is_none()) made.key = key.cast<std::uint64_t>();
  return made;
}

void bind_motion(py::module_& m) {
  py::class_<PyMotion>(
      m, "TriedMotion",
      "What a contact model sees: every convex part, where it is at the start and at the end of a "
      "motion through the step, and which pairs may touch.")
      .def_readonly("dimension", &PyMotion::dimension, "2 or 3")
      .def_readonly("h", &PyMotion::h, "length of the step [s]")
      .def_readonly("margin", &PyMotion::margin, "features further apart may be left out [m]")
      .def_readonly("pairs", &PyMotion::pairs, "(n, 2) array of parts, i < j")
      .def_readonly("shapes", &PyMotion::shapes, "Shape of each part")
      .def_readonly("poses", &PyMotion::poses, "Pose of each part in the world, at the start")
      .def_readonly("end_poses", &PyMotion::end_poses, "Pose of each part in the world, at the end")
      .def_readonly("bodies", &PyMotion::bodies, "body of each part")
      .def_readonly("materials", &PyMotion::materials, "material of each part")
      .def_readonly("velocities", &PyMotion::velocities,
                    "(n, 3 or 6) array: linear and angular velocity of each body")
      .def("vertices", &vertices_of, py::arg("part"), py::arg("at_end") = false,
           "(n, D) array: vertices of a part in the world, at the start or at the end [m].");
}

void bind_verdict(py::module_& m) {
  py::class_<PyVerdict>(m, "Verdict", "What a contact model says of the motion that its contacts led to.")
      .def_static(
          "holds", [] { return PyVerdict{}; }, "The step is made. (None says the same.)")
      .def_static(
          "renewed",
          [](py::object contacts) {
            return PyVerdict{Verdict::Word::renewed, {}, 0.5, std::move(contacts)};
          },
          py::arg("contacts"), "Solve again with these contacts.")
      .def_static(
          "too_long",
          [](std::string why, double event) {
            if (!(event > 0 && event < 1))
              throw BadInput("event: expected a fraction of the step between 0 and 1");
            return PyVerdict{Verdict::Word::too_long, std::move(why), event, py::none()};
          },
          py::arg("why"), py::arg("event") = 0.5,
          "The step is divided at the fraction `event`; `why` stands in the message if that does not help.");
}

}  // namespace

template <int D>
std::shared_ptr<const ContactModel<D>> make_python_model(PySimulation& simulation, const py::object& model) {
  return std::make_shared<const PythonModel<D>>(simulation, model);
}
template std::shared_ptr<const ContactModel<2>> make_python_model(PySimulation&, const py::object&);
template std::shared_ptr<const ContactModel<3>> make_python_model(PySimulation&, const py::object&);

void bind_contact_stage(py::module_& m) {
  bind_motion(m);
  bind_verdict(m);
  py::class_<PyContact>(m, "Contact",
                        R"(A point at which two parts may push each other; what a contact model lists.

The normal is a unit vector from b to a, the gap [m] is along it and negative when overlapping. `key` names the contact from step to step
(by default its place among those of the pair); `primary` matters to models with choices.)")
      .def(py::init(&new_contact), py::arg("shape_a"), py::arg("shape_b"), py::arg("point"),
           py::arg("normal"), py::arg("gap"), py::arg("primary") = true, py::arg("key") = py::none())
      .def_readonly("shape_a", &PyContact::shape_a, "part")
      .def_readonly("shape_b", &PyContact::shape_b, "part")
      .def_readonly("point", &PyContact::point, "in the world [m]")
      .def_readonly("normal", &PyContact::normal, "unit vector from b to a")
      .def_readonly("gap", &PyContact::gap, "[m]")
      .def_readonly("primary", &PyContact::primary, "is a force expected here?");
  py::class_<PyConstraintSet>(m, "ConstraintSet",
                              R"(Contacts, and which stand in which relation; lists of numbers of contacts.

unilateral (all, if None): gap >= 0 at the end of the step; inter_contact, cross_contact: of each list at least one. The last two need a
model whose attribute `has_choices` is True.)")
      .def(py::init(
               [](py::list contacts, py::object unilateral, py::list inter_contact, py::list cross_contact) {
                 return PyConstraintSet{std::move(contacts), std::move(unilateral), std::move(inter_contact),
                                        std::move(cross_contact)};
               }),
           py::arg("contacts"), py::arg("unilateral") = py::none(), py::arg("inter_contact") = py::list(),
           py::arg("cross_contact") = py::list())
      .def_readonly("contacts", &PyConstraintSet::contacts, "list of Contacts")
      .def_readonly("unilateral", &PyConstraintSet::unilateral, "numbers of contacts, or None for all")
      .def_readonly("inter_contact", &PyConstraintSet::inter_contact, "lists of numbers of contacts")
      .def_readonly("cross_contact", &PyConstraintSet::cross_contact, "lists of numbers of contacts");
}

}  // namespace touchstone::python
