// Scene, and World, a scene made in code.

#include "module.h"

#include <nlohmann/json.hpp>
#include "pickles.h"
#include "scene_source.h"
#include "shape.h"
#include "touchstone/scene/scene_builder.h"

namespace touchstone::python {
namespace {

using nlohmann::json;

/// A text with more than one line is a scene, not the name of one.
bool is_text(const std::string& word) { return word.find('\n') != std::string::npos; }

void add_override(std::vector<std::string>& list, const std::string& path, py::handle value) {
  if (!value.is_none()) list.push_back(path + "=" + to_json(value, path).dump());
}

template <int D>
py::list names_in(const Scene& scene) {
  py::list names;
  for (const Body<D>& body : std::get<RunContent<D>>(scene.content).world.bodies) names.append(body.name);
  return names;
}

std::string scene_text(const Scene& scene) {
  return "Scene('" + scene.name + "', dimension=" + std::to_string(scene.dimension) + ", model='" +
         scene.model + "')";
}

/// The keyword arguments of a piece of a world, with its name.
json piece(const py::object& name, const py::kwargs& keys, const char* what) {
  json made = to_json(keys, what);
  if (!name.is_none()) made["name"] = to_json(name, "name");
  return made;
}

/// Whatever Shape() takes serves as a shape of a body, too.
json shape_definition(py::handle value) {
  const GivenShape given = to_given_shape(value, "shape");
  return given.made ? given.made->definition() : given.definition;
}

json body_piece(const py::object& name, const py::object& shape, const py::kwargs& keys) {
  json made = piece(name, keys, "body");
  if (!shape.is_none()) made["shape"] = shape_definition(shape);
  return made;
}

SceneBuilder new_world(int dimension, const py::kwargs& keys) {
  SceneBuilder build(dimension);
  const json values = to_json(keys, "world");
  for (const auto& [key, value] : values.items()) build.set(key, value);
  return build;
}

void bind_world(py::module_& m) {
  py::class_<SceneBuilder>(
      m, "World",
      R"(A world made in code: bodies, joints and materials with the keys of a scene file (docs/scene.md).

World(dimension, gravity=[0, -9.81], step=0.005, contact={"friction": 0.5}, ...). Simulation(world) runs it.)")
      .def(py::init(&new_world), py::arg("dimension"))
      .def(
          "set",
          [](SceneBuilder& w, const std::string& key, py::handle value) -> SceneBuilder& {
            return w.set(key, to_json(value, key));
          },
          py::arg("key"), py::arg("value"),
          "Sets a key of the scene itself: gravity, step, duration, contact, ...",
          py::return_value_policy::reference)
      .def(
          "add_body",
          [](SceneBuilder& w, const py::object& name, const py::object& shape,
             const py::kwargs& keys) -> SceneBuilder& { return w.add_body(body_piece(name, shape, keys)); },
          py::arg("name"), py::arg("shape") = py::none(),
          R"(Adds a body: add_body("crate", {"box": [1, 1]}, mass=1, position=[0, 2]).

Keys: mass, density, inertia, com, fixed, position, angle or quaternion or axis_angle or euler, velocity, angular_velocity, material, ...)",
          py::return_value_policy::reference)
      .def(
          "add_joint",
          [](SceneBuilder& w, const py::object& name, const py::kwargs& keys) -> SceneBuilder& {
            return w.add_joint(piece(name, keys, "joint"));
          },
          py::arg("name"),
          R"(Adds a joint: add_joint("hinge", kind="revolute", bodies=["world", "rod"], position=[0, 0]).)",
          py::return_value_policy::reference)
      .def(
          "add_material",
          [](SceneBuilder& w, const std::string& name, const py::kwargs& keys) -> SceneBuilder& {
            return w.add_material(name, to_json(keys, "material"));
          },
          py::arg("name"), R"(Adds a material: add_material("wood", density=600, friction=0.4).)",
          py::return_value_policy::reference)
      .def(
          "add_surface",
          [](SceneBuilder& w, py::handle a, py::handle b, const py::kwargs& keys) -> SceneBuilder& {
            json pair = to_json(keys, "surface");
            pair["materials"] = {to_json(a, "a"), to_json(b, "b")};
            return w.add_surface(std::move(pair));
          },
          py::arg("a"), py::arg("b"),
          R"(What two materials do to each other: add_surface("wood", "steel", friction=0.3).)",
          py::return_value_policy::reference)
      .def(
          "add_body_surface",
          [](SceneBuilder& w, py::handle a, py::handle b, const py::kwargs& keys) -> SceneBuilder& {
            json pair = to_json(keys, "surface");
            pair["bodies"] = {to_json(a, "a"), to_json(b, "b")};
            return w.add_surface(std::move(pair));
          },
          py::arg("a"), py::arg("b"),
          R"(What two bodies do to each other, whatever their materials are: add_body_surface("hand", "cup", friction=0.9).)",
          py::return_value_policy::reference)
      .def(
          "add_controller",
          [](SceneBuilder& w, const py::kwargs& keys) -> SceneBuilder& {
            return w.add_controller(to_json(keys, "controller"));
          },
          R"(Adds a PD controller: add_controller(joint="hinge", target=[[0, 0], [1, 0.5]], kp=100, kd=10).)",
          py::return_value_policy::reference)
      .def(
          "to_dict", [](const SceneBuilder& w) { return from_json(w.value()); },
          "The world as its scene file would say it.")
      .def("scene", &SceneBuilder::scene, py::arg("name") = "scene",
           "The Scene; bodies that overlap are refused here.")
      .def("__repr__", [](const SceneBuilder& w) {
        return "World(dimension=" + w.value()["dimension"].dump() + ", " +
               std::to_string(w.value()["bodies"].size()) + " bodies)";
      });
}

}  // namespace

std::vector<std::string> to_overrides(py::handle given, const SceneKeywords& words) {
  std::vector<std::string> list;
  if (py::isinstance<py::dict>(given)) {
    for (const auto& [path, value] : py::reinterpret_borrow<py::dict>(given)) {
      list.push_back(py::str(path).cast<std::string>() + "=" + to_json(value, py::str(path)).dump());
    }
  } else if (py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given)) {
    for (const py::handle text : given) list.push_back(py::str(text).cast<std::string>());
  } else if (!given.is_none()) {
    throw py::type_error("overrides: expected a dict such as {'contact.friction': 0.3}, got " + shown(given));
  }
  add_override(list, "step", words.step);
  add_override(list, "duration", words.duration);
  add_override(list, "contact.model", words.model);
  add_override(list, "contact.formulation", words.formulation);
  add_override(list, "contact.solver", words.solver);
  return list;
}

namespace {

Scene read_scene(py::handle source, const std::vector<std::string>& overrides) {
  if (py::isinstance<Scene>(source)) {
    const Scene& scene = source.cast<const Scene&>();
    if (overrides.empty()) return scene;
    std::vector<std::string> all = scene.overrides;
    all.insert(all.end(), overrides.begin(), overrides.end());
    Scene again = parse_scene({scene.text, scene.file.empty() ? scene.name : scene.file.string(),
                               scene.file.parent_path(), all, !scene.file.empty()});
    again.file = scene.file;
    return again;
  }
  if (py::isinstance<SceneBuilder>(source))
    return make_scene(source.cast<const SceneBuilder&>().value(), "scene", overrides);
  if (py::isinstance<py::dict>(source)) return make_scene(to_json(source, "scene"), "scene", overrides);
  if (py::isinstance<py::str>(source) && is_text(source.cast<std::string>())) {
    return parse_scene({source.cast<std::string>(), "scene", "", overrides});
  }
  if (py::isinstance<py::str>(source) || py::hasattr(source, "__fspath__"))
    return load_scene(to_path(source, "scene"), overrides);
  throw py::type_error(
      "scene: expected the name of a scene, a file, a text, a dict, a World or a Scene, got " +
      shown(source));
}

/// Python's own way to tell what a user should know; who turns warnings into errors gets them.
void warn(const Scene& scene) {
  for (const std::string& warning : scene.warnings) {
    const std::string text = scene.name + ": " + warning;
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw py::error_already_set();
  }
}

}  // namespace

Scene to_scene(py::handle source, const std::vector<std::string>& overrides) {
  try {
    Scene scene = read_scene(source, overrides);
    if (!py::isinstance<Scene>(source) || !overrides.empty()) warn(scene);
    return scene;
  } catch (const BadScene& error) {
    const std::string_view said = error.what(), option = "--set ";  // which is how the command line has it
    if (!said.starts_with(option)) throw;
    throw BadScene(std::string(said.substr(option.size())));
  }
}

void bind_scenes(py::module_& m) {
  py::class_<Scene, std::shared_ptr<Scene>>(m, "Scene", R"(Everything a simulation starts from.

Scene("box-stack"), a named one; Scene("stack.yaml"), a file; Scene(text) with more than one line; Scene(dict); Scene(world). Overrides change
values: {"contact.friction": 0.3, "bodies.crate.mass": 2}; step, duration, model, formulation and solver are short for the most usual.)")
      .def(py::init([](py::handle source, py::handle overrides, py::handle step, py::handle duration,
                       py::handle model, py::handle formulation, py::handle solver) {
             return to_scene(source, to_overrides(overrides, {step, duration, model, formulation, solver}));
           }),
           py::arg("source"), py::arg("overrides") = py::none(), py::kw_only(), py::arg("step") = py::none(),
           py::arg("duration") = py::none(), py::arg("model") = py::none(),
           py::arg("formulation") = py::none(), py::arg("solver") = py::none())
      .def_readonly("name", &Scene::name, "the file's name without its ending")
      .def_readonly("about", &Scene::about, "one line, by the author")
      .def_readonly("text", &Scene::text, "as it was read")
      .def_property_readonly(
          "file",
          [](const Scene& s) -> py::object {
            return s.file.empty() ? py::object(py::none()) : py::str(s.file.string());
          },
          "path of the file, or None")
      .def_property_readonly(
          "overrides", [](const Scene& s) { return py::tuple(from_json(json(s.overrides))); },
          "the overrides that were applied, as texts")
      .def_readonly("dimension", &Scene::dimension, "2 or 3")
      .def_readonly("duration", &Scene::duration, "how long it is meant to run [s]")
      .def_property_readonly(
          "step", [](const Scene& s) { return s.settings.h; }, "length of a step [s]")
      .def_readonly("model", &Scene::model, "contact model")
      .def_readonly("formulation", &Scene::formulation, "equations of a step")
      .def_property_readonly(
          "solver", [](const Scene& s) { return s.settings.solver; }, "name of the solver")
      .def_property_readonly(
          "body_names", [](const Scene& s) { return s.dimension == 2 ? names_in<2>(s) : names_in<3>(s); },
          "names of all bodies, also of bodies that appear later")
      .def(py::pickle([](const Scene& scene) { return pickled(scene); },
                      [](const py::tuple& data) { return std::make_shared<Scene>(unpickled_scene(data)); }))
      .def("__repr__", &scene_text);
  bind_world(m);
}

}  // namespace touchstone::python
