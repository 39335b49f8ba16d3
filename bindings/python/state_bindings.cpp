// State: where everything is in a simulation.

#include "module.h"
#include "pickles.h"

namespace touchstone::python {
namespace {

using Numbers = std::vector<double>;

template <class V>
void put(Numbers& numbers, const V& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) numbers.push_back(values(i));
}
void put(Numbers& numbers, const Attitude<2>& attitude) { numbers.push_back(attitude.angle); }
void put(Numbers& numbers, const Attitude<3>& attitude) {
  const Eigen::Quaterniond& q = attitude.q;
  numbers.insert(numbers.end(), {q.w(), q.x(), q.y(), q.z()});
}
void put(Numbers& numbers, const JointAxis& axis) {
  numbers.insert(numbers.end(), {axis.lower, axis.upper, axis.damping, axis.motor ? 1.0 : 0.0,
                                 axis.motor_rate, axis.motor_force, axis.bounce});
}

/// Also such as are none: of what was not measured.
Reals any_reals(const py::handle& data) {
  const auto reals = py::reinterpret_borrow<py::object>(data).cast<Reals>();
  if (reals.ndim() != 1) throw BadInput("state: the pickle is damaged");
  return reals;
}

/// Takes numbers in the order in which they were put.
class Taker {
 public:
  explicit Taker(const py::handle& data) : numbers_(any_reals(data)) {}
  double next() {
    if (at_ >= numbers_.size()) throw BadInput("state: the pickle is damaged");
    return numbers_.data()[at_++];
  }
  template <class V>
  void take(V& values) {
    for (Eigen::Index i = 0; i < values.size(); ++i) values(i) = next();
  }
  void take(Attitude<2>& attitude) { attitude.angle = next(); }
  void take(Attitude<3>& attitude) {
    const double w = next(), x = next(), y = next(), z = next();
    attitude.q = Eigen::Quaterniond(w, x, y, z);
  }
  void take(JointAxis& axis) {
    axis.lower = next(), axis.upper = next(), axis.damping = next(), axis.motor = next() != 0;
    axis.motor_rate = next(), axis.motor_force = next(), axis.bounce = next();
  }

 private:
  Reals numbers_;
  py::ssize_t at_ = 0;
};

template <int D>
py::tuple pickled_checkpoint(const Checkpoint<D>& c) {
  Numbers bodies;
  for (std::size_t i = 0; i < c.position.size(); ++i) {
    put(bodies, c.position[i]), put(bodies, c.attitude[i]), put(bodies, c.velocity[i]);
  }
  Numbers sticking;
  for (const auto& [a, b] : c.sticking) sticking.insert(sticking.end(), {double(a), double(b)});
  return py::make_tuple(D, c.time, c.steps, c.bodies_present, c.position.size(), from_list(bodies),
                        from_list(c.joint_value), from_list(c.tallies), c.hash, from_list(sticking));
}

Numbers numbers_in(const py::handle& data) {
  const Reals reals = any_reals(data);
  return Numbers(reals.data(), reals.data() + reals.size());
}

template <int D>
Checkpoint<D> unpickled_checkpoint(const py::tuple& data) {
  Checkpoint<D> c;
  c.time = data[1].cast<double>(), c.steps = data[2].cast<std::int64_t>();
  c.bodies_present = data[3].cast<std::int64_t>();
  const auto count = data[4].cast<std::size_t>();
  Taker bodies(data[5]);
  for (std::size_t i = 0; i < count; ++i) {
    bodies.take(c.position.emplace_back()), bodies.take(c.attitude.emplace_back());
    bodies.take(c.velocity.emplace_back());
  }
  c.joint_value = numbers_in(data[6]), c.tallies = numbers_in(data[7]),
  c.hash = data[8].cast<std::uint64_t>();
  const Numbers sticking = numbers_in(data[9]);
  for (std::size_t i = 0; i + 1 < sticking.size(); i += 2)
    c.sticking.push_back({static_cast<int>(sticking[i]), static_cast<int>(sticking[i + 1])});
  return c;
}

/// What users may assign and a state does not hold.
template <int D>
Numbers assigned(const World<D>& world) {
  Numbers numbers;
  put(numbers, world.gravity);
  for (const Body<D>& body : world.bodies) numbers.push_back(body.mass), put(numbers, body.inertia);
  for (const Joint<D>& joint : world.joints) {
    for (const JointAxis& axis : joint.axes) put(numbers, axis);
  }
  return numbers;
}

template <int D>
void assign(const py::handle& data, World<D>& world) {
  Taker numbers(data);
  numbers.take(world.gravity);
  for (Body<D>& body : world.bodies) body.mass = numbers.next(), numbers.take(body.inertia);
  for (Joint<D>& joint : world.joints) {
    for (JointAxis& axis : joint.axes) numbers.take(axis);
  }
}

void expect_size(const py::tuple& data, std::size_t size) {
  if (data.size() != size) throw BadInput("the pickle is damaged, or of another version of touchstone");
}

bool are_same(const SimulationState& a, const SimulationState& b) {
  return std::visit(
      [&]<int D>(const Checkpoint<D>& c) {
        const auto* other = std::get_if<Checkpoint<D>>(&b);
        return other && c.hash == other->hash && c.steps == other->steps &&
               c.joint_value == other->joint_value;
      },
      a);
}

/// One row per body.
template <int D, class Row>
py::array table(const Checkpoint<D>& c, const Row& row) {
  const VectorX first = c.position.empty() ? VectorX(0) : VectorX(row(0));
  MatrixX M(c.position.size(), first.size());
  for (std::size_t i = 0; i < c.position.size(); ++i)
    M.row(static_cast<Eigen::Index>(i)) = row(i).transpose();
  return from_matrix(M, true);
}

#define OF_STATE(expression) \
  [](const SimulationState& s) { return std::visit([](const auto& c) { return expression; }, s); }

}  // namespace

py::tuple pickled(const Scene& scene) {
  py::list overrides;
  for (const std::string& text : scene.overrides) overrides.append(text);
  return py::make_tuple(scene.text, scene.name, scene.file.string(), overrides);
}

Scene unpickled_scene(const py::tuple& data) {
  expect_size(data, 4);
  const std::filesystem::path file = data[2].cast<std::string>();
  std::vector<std::string> overrides;
  for (const py::handle text : data[3]) overrides.push_back(text.cast<std::string>());
  const auto name = data[1].cast<std::string>();
  Scene scene = parse_scene({data[0].cast<std::string>(), file.empty() ? name : file.string(),
                             file.parent_path(), overrides, true, IgnoredOptions::told});
  scene.name = name, scene.file = file;
  scene.warnings.clear();  // who made it has seen them
  return scene;
}

py::tuple pickled(const SimulationState& state) {
  return std::visit([](const auto& c) { return pickled_checkpoint(c); }, state);
}

SimulationState unpickled_state(const py::tuple& data) {
  expect_size(data, 10);
  if (data[0].cast<int>() == 2) return unpickled_checkpoint<2>(data);
  return unpickled_checkpoint<3>(data);
}

py::tuple pickled(Simulation& simulation) {
  const Numbers changed =
      simulation.dimension() == 2 ? assigned(simulation.world<2>()) : assigned(simulation.world<3>());
  const SimulationSettings& settings = simulation.settings();
  return py::make_tuple(pickled(simulation.scene()), simulation.scene().settings.threads,
                        settings.measure_every, pickled(simulation.state()), from_list(changed));
}

Simulation unpickled_simulation(const py::tuple& data) {
  expect_size(data, 5);
  SimulationSettings settings;
  settings.threads = data[1].cast<int>(), settings.measure_every = data[2].cast<int>();
  Simulation simulation(unpickled_scene(data[0].cast<py::tuple>()), settings);
  simulation.set_state(unpickled_state(data[3].cast<py::tuple>()));
  if (simulation.dimension() == 2) {
    assign(data[4], simulation.world<2>());
  } else {
    assign(data[4], simulation.world<3>());
  }
  return simulation;
}

void bind_states(py::module_& m) {
  py::class_<SimulationState>(m, "State",
                              "Where everything is in a simulation: sim.state(), sim.set_state(state). It "
                              "cannot be changed, and can be pickled.")
      .def_property_readonly("time", OF_STATE(c.time), "[s]")
      .def_property_readonly("steps", OF_STATE(c.steps), "made so far")
      .def_property_readonly("com_positions",
                             OF_STATE(table(c, [&](std::size_t i) { return c.position[i]; })),
                             "(n, D) array of all centres of mass [m]")
      .def_property_readonly("velocities", OF_STATE(table(c, [&](std::size_t i) { return c.velocity[i]; })),
                             "array of all velocities, one row per body: linear [m/s], then angular [rad/s]")
      .def_property_readonly("joint_values", OF_STATE(from_list(c.joint_value)),
                             "of all joints, one behind the other [m or rad]")
      .def("__eq__", &are_same)
      .def(py::pickle([](const SimulationState& state) { return pickled(state); }, &unpickled_state))
      .def("__repr__", [](const SimulationState& s) {
        return std::visit(
            [](const auto& c) {
              return "State(time=" + py::repr(py::float_(c.time)).template cast<std::string>() + ", " +
                     std::to_string(c.position.size()) + " bodies)";
            },
            s);
      });
}

}  // namespace touchstone::python
