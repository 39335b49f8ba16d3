#include "contact_stage.h"

#include <cmath>
#include <map>

#include "shape.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone::python {
namespace {

/// How far a given normal may be from unit length: rounded numbers.
constexpr double kUnitSlack = 1e-6;

/// What a model of Python sees; a copy, which it may keep.
struct PyContactScene {
  int dimension = 3;
  double margin = 0;
  py::array pairs;
  py::list shapes, poses;
  py::array bodies, materials;
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
PyContactScene from_scene(const ContactScene<D>& scene) {
  PyContactScene made;
  made.dimension = D, made.margin = scene.margin;
  std::vector<int> bodies, materials;
  for (const ContactShape<D>& part : scene.shapes) {
    made.shapes.append(PyShape{part.shape, {}});
    bodies.push_back(part.body), materials.push_back(part.material);
  }
  for (const Pose<D>& X : scene.X_WS) made.poses.append(PyPose{X});
  py::array_t<int> pairs({static_cast<py::ssize_t>(scene.pairs.size()), py::ssize_t{2}});
  auto at = pairs.mutable_unchecked<2>();
  for (std::size_t i = 0; i < scene.pairs.size(); ++i)
    at(i, 0) = scene.pairs[i].first, at(i, 1) = scene.pairs[i].second;
  made.pairs = pairs, made.bodies = from_list(bodies), made.materials = from_list(materials);
  return made;
}

/// Vertices of part i in the world.
py::object vertices_of(const PyContactScene& scene, int i) {
  if (i < 0 || i >= static_cast<int>(scene.shapes.size()))
    throw py::index_error("there is no part " + std::to_string(i));
  return py::object(scene.poses[i]) * py::object(scene.shapes[i].attr("vertices"));
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
Contact<D> to_contact(const PyContact& given, const ContactScene<D>& scene) {
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
void fill(const PyConstraintSet& given, const ContactScene<D>& scene, ConstraintSet<D>& set) {
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

template <int D>
class PythonModel : public ContactModel<D> {
 public:
  PythonModel(PySimulation& simulation, const py::object& model)
      : simulation_(simulation),
        has_choices_(py::hasattr(model, "has_choices") && py::bool_(model.attr("has_choices"))),
        place_(simulation.keep(Stage::model, model)) {}

  bool has_choices() const override { return has_choices_; }

  void relate(const ContactScene<D>& scene, PairMemory<D>&, ConstraintSet<D>& set) const override {
    const PySimulation::PythonPart part(simulation_);
    const py::object& model = simulation_.kept(place_);
    const py::object call = py::hasattr(model, "relate") ? py::object(model.attr("relate")) : model;
    set.clear();
    fill<D>(to_set(call(from_scene(scene))), scene, set);
  }

 private:
  PySimulation& simulation_;
  bool has_choices_;  ///< asked for before the model takes the place of another, for it may raise
  std::size_t place_;
};

PyContact new_contact(int shape_a, int shape_b, py::object point, py::object normal, py::handle gap,
                      bool primary, const py::object& key) {
  PyContact made{shape_a, shape_b,     std::move(point), std::move(normal), to_real(gap, "gap"),
                 primary, std::nullopt};
  if (!key.is_none()) made.key = key.cast<std::uint64_t>();
  return made;
}

}  // namespace

template <int D>
std::shared_ptr<const ContactModel<D>> make_python_model(PySimulation& simulation, const py::object& model) {
  return std::make_shared<const PythonModel<D>>(simulation, model);
}
template std::shared_ptr<const ContactModel<2>> make_python_model(PySimulation&, const py::object&);
template std::shared_ptr<const ContactModel<3>> make_python_model(PySimulation&, const py::object&);

void bind_contact_stage(py::module_& m) {
  py::class_<PyContactScene>(m, "ContactScene",
                             "What a contact model sees: every convex part, where it lies, and which pairs "
                             "may touch within the step.")
      .def_readonly("dimension", &PyContactScene::dimension, "2 or 3")
      .def_readonly("margin", &PyContactScene::margin, "features further apart may be left out [m]")
      .def_readonly("pairs", &PyContactScene::pairs, "(n, 2) array of parts, i < j")
      .def_readonly("shapes", &PyContactScene::shapes, "Shape of each part")
      .def_readonly("poses", &PyContactScene::poses, "Pose of each part in the world")
      .def_readonly("bodies", &PyContactScene::bodies, "body of each part")
      .def_readonly("materials", &PyContactScene::materials, "material of each part")
      .def("vertices", &vertices_of, py::arg("part"), "(n, D) array: vertices of a part in the world [m].");
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
