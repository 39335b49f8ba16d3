// Contact data of two placed shapes, and which of many boxes meet.

#include <cmath>

#include "module.h"
#include "shape.h"
#include "touchstone/proximity/broad_phase.h"
#include "touchstone/proximity/contact_data.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone::python {
namespace {

struct PyContactData {
  std::string status;
  double gap = 0;
  py::array normal;
  bool normal_unique = true;
  py::array candidates, manifold, points;
  py::tuple features, bounds;
  py::list manifold_features;
  double overlap = 0;
};

const char* word_of(Status status) {
  constexpr const char* kWords[] = {"disjoint", "touching", "overlapping"};
  return kWords[static_cast<int>(status)];
}

template <int D>
py::tuple from_feature(const Shape<D>& shape, const Feature& feature) {
  constexpr const char* kWords[] = {"vertex", "edge", "face"};
  if (shape.index() == 1) return py::make_tuple("surface", 0);
  if (shape.index() == 2) return py::make_tuple("plane", 0);
  return py::make_tuple(kWords[static_cast<int>(feature.kind)], feature.index);
}

template <int D>
PyContactData from_data(const PlacedShape<D>& A, const PlacedShape<D>& B, const ContactData<D>& data) {
  PyContactData made;
  const Gap<D>& gap = data.gap;
  made.status = word_of(gap.status), made.gap = gap.gap, made.overlap = data.overlap;
  made.normal = from_vector(gap.normal);
  made.normal_unique = gap.normal_is_unique;
  made.candidates = from_points<D>(gap.normal_is_unique ? std::vector<Vec<D>>{gap.normal} : gap.candidates);
  made.points = from_points<D>({gap.point_A, gap.point_B});
  made.bounds = py::make_tuple(gap.lower, gap.upper);
  made.features =
      py::make_tuple(from_feature<D>(*A.shape, data.features.a), from_feature<D>(*B.shape, data.features.b));
  std::vector<Vec<D>> corners;
  for (const ManifoldPoint<D>& point : data.manifold) {
    corners.push_back(point.position);
    made.manifold_features.append(
        py::make_tuple(from_feature<D>(*A.shape, point.a), from_feature<D>(*B.shape, point.b)));
  }
  made.manifold = from_points<D>(corners);
  return made;
}

/// The arguments of a query, before it is known in which dimension they are meant.
struct Query {
  GivenShape a, b;
  py::object pose_a, pose_b;

  int dimension() const {
    for (const auto& told : {a.dimension(), b.dimension(), dimension_of_given_pose(pose_a, "pose_a"),
                             dimension_of_given_pose(pose_b, "pose_b")}) {
      if (told) return *told;
    }
    return 3;
  }
};

template <int D>
void refuse_endless(const Shape<D>& a, const Shape<D>& b) {
  if (a.index() == 2 && b.index() == 2) {
    throw BadInput("b: two half-spaces have no gap; expected at least one bounded shape");
  }
}

template <int D>
PyContactData answer(const Query& query) {
  const SharedShape<D> a = make_shape<D>(query.a, "a"), b = make_shape<D>(query.b, "b");
  refuse_endless<D>(*a, *b);
  const PlacedShape<D> A{a.get(), to_pose<D>(query.pose_a, "pose_a")},
      B{b.get(), to_pose<D>(query.pose_b, "pose_b")};
  ContactData<D> data;
  {
    py::gil_scoped_release release;
    data = find_contact_data(A, B);
  }
  if (!std::isfinite(data.gap.gap)) throw std::runtime_error("the numbers failed: the gap is not finite");
  return from_data(A, B, data);
}

template <int D>
double gap_of(const Query& query) {
  const SharedShape<D> a = make_shape<D>(query.a, "a"), b = make_shape<D>(query.b, "b");
  refuse_endless<D>(*a, *b);
  GapSettings settings;
  settings.find_candidates = settings.find_points = false;
  return find_gap<D>(PlacedShape<D>{a.get(), to_pose<D>(query.pose_a, "pose_a")},
                     PlacedShape<D>{b.get(), to_pose<D>(query.pose_b, "pose_b")}, nullptr, settings)
      .gap;
}

Query to_query(py::handle a, py::handle b, const py::object& pose_a, const py::object& pose_b) {
  return {to_given_shape(a, "a"), to_given_shape(b, "b"), pose_a, pose_b};
}

std::string data_text(const PyContactData& data) {
  return "ContactData(" + data.status + ", gap=" + py::repr(py::float_(data.gap)).cast<std::string>() +
         ", normal=" + py::repr(data.normal.attr("tolist")()).cast<std::string>() + ")";
}

// ---- many boxes ------------------------------------------------------------------------------------------

struct PyBroadPhase {
  std::variant<BroadPhase<2>, BroadPhase<3>> tree;

  explicit PyBroadPhase(int dimension, double fat) : tree(make(dimension, fat)) {}
  static std::variant<BroadPhase<2>, BroadPhase<3>> make(int dimension, double fat) {
    if (dimension == 2) return BroadPhase<2>(fat);
    if (dimension == 3) return BroadPhase<3>(fat);
    throw BadInput("dimension: expected 2 or 3, got " + std::to_string(dimension));
  }
};

template <int D>
Box<D> to_box(const BroadPhase<D>&, py::handle low, py::handle high) {
  return {to_vector<D>(low, "low"), to_vector<D>(high, "high")};
}

/// Proxies are places in a list: a number that was never given out must not be looked up.
template <int D>
void check_proxy(const BroadPhase<D>& tree, int proxy, const std::vector<bool>& there) {
  (void)tree;
  if (proxy < 0 || proxy >= static_cast<int>(there.size()) || !there[proxy]) {
    throw py::index_error("there is no proxy " + std::to_string(proxy));
  }
}

/// The tree, and which proxies it has.
struct BoxSet {
  PyBroadPhase phase;
  std::vector<bool> there;

  int insert(py::handle low, py::handle high) {
    const int proxy =
        std::visit([&](auto& tree) { return tree.insert(to_box(tree, low, high)); }, phase.tree);
    if (proxy >= static_cast<int>(there.size())) there.resize(proxy + 1);
    there[proxy] = true;
    return proxy;
  }
  void move(int proxy, py::handle low, py::handle high) {
    std::visit(
        [&](auto& tree) { check_proxy(tree, proxy, there), tree.move(proxy, to_box(tree, low, high)); },
        phase.tree);
  }
  void remove(int proxy) {
    std::visit([&](auto& tree) { check_proxy(tree, proxy, there), tree.remove(proxy); }, phase.tree);
    there[proxy] = false;
  }
  py::array pairs() const {
    const auto found = std::visit([](const auto& tree) { return tree.pairs(); }, phase.tree);
    py::array_t<int> made({static_cast<py::ssize_t>(found.size()), py::ssize_t{2}});
    auto at = made.mutable_unchecked<2>();
    for (std::size_t i = 0; i < found.size(); ++i) at(i, 0) = found[i].first, at(i, 1) = found[i].second;
    return made;
  }
  py::array overlapping(py::handle low, py::handle high) const {
    return std::visit(
        [&](const auto& tree) { return py::array(from_list(tree.overlapping(to_box(tree, low, high)))); },
        phase.tree);
  }
};

template <int D>
py::tuple box_of(const GivenShape& shape, py::handle pose, double margin) {
  const Box<D> box = bounding_box(*make_shape<D>(shape, "shape"), to_pose<D>(pose, "pose"), margin);
  return py::make_tuple(from_vector(box.low), from_vector(box.high));
}

void bind_boxes(py::module_& m) {
  m.def(
      "bounding_box",
      [](py::handle shape, py::handle pose, double margin) {
        const GivenShape given = to_given_shape(shape, "shape");
        const auto told = given.dimension() ? given.dimension() : dimension_of_given_pose(pose, "pose");
        return told.value_or(3) == 2 ? box_of<2>(given, pose, margin) : box_of<3>(given, pose, margin);
      },
      py::arg("shape"), py::arg("pose") = py::none(), py::arg("margin") = 0.0,
      "The corners (low, high) of the tightest axis-aligned box about a placed shape, grown by `margin` "
      "[m].");
  py::class_<BoxSet>(m, "BroadPhase", R"(A tree of axis-aligned boxes that knows which pairs of them meet.

`fat` [m]: how far a stored box reaches beyond the given one, so that small moves cost little.)")
      .def(py::init([](int dimension, double fat) {
             return BoxSet{PyBroadPhase(dimension, fat), {}};
           }),
           py::arg("dimension"), py::arg("fat") = 0.0)
      .def("insert", &BoxSet::insert, py::arg("low"), py::arg("high"), "A new box; returns its number.")
      .def("move", &BoxSet::move, py::arg("proxy"), py::arg("low"), py::arg("high"),
           "Gives box `proxy` new corners.")
      .def("remove", &BoxSet::remove, py::arg("proxy"), "Takes box `proxy` out.")
      .def("pairs", &BoxSet::pairs, "(n, 2) array of the boxes that meet, i < j, sorted.")
      .def("overlapping", &BoxSet::overlapping, py::arg("low"), py::arg("high"),
           "The boxes that meet this one.")
      .def("__len__", [](const BoxSet& s) {
        return std::visit([](const auto& tree) { return tree.count(); }, s.phase.tree);
      });
}

}  // namespace

void bind_queries(py::module_& m) {
  py::class_<PyContactData>(
      m, "ContactData", "How two placed shapes lie to each other. Points and directions are in the world.")
      .def_readonly("status", &PyContactData::status, "disjoint, touching or overlapping")
      .def_readonly("gap", &PyContactData::gap, "signed distance [m], negative when overlapping")
      .def_readonly("normal", &PyContactData::normal,
                    "unit vector from b to a: moving a by -gap along it makes them kiss")
      .def_readonly("normal_unique", &PyContactData::normal_unique,
                    "False: every row of `candidates` serves as well")
      .def_readonly("candidates", &PyContactData::candidates, "(n, D) array of all normals of the same gap")
      .def_readonly("features", &PyContactData::features,
                    "most general pair of closest features, as ((kind, index) of a, of b)")
      .def_readonly("manifold", &PyContactData::manifold,
                    "(n, D) array: corners of what they share of the contact plane")
      .def_readonly("manifold_features", &PyContactData::manifold_features,
                    "the features that hold each corner")
      .def_readonly("points", &PyContactData::points, "a point of a and one of b that show the gap, as rows")
      .def_readonly("bounds", &PyContactData::bounds, "certified lower and upper bound of the gap [m]")
      .def_readonly("overlap", &PyContactData::overlap, "shared volume [m^3], in the plane area [m^2]")
      .def("__repr__", &data_text);
  m.def(
      "query",
      [](py::handle a, py::handle b, const py::object& pose_a, const py::object& pose_b) {
        const Query query = to_query(a, b, pose_a, pose_b);
        return query.dimension() == 2 ? answer<2>(query) : answer<3>(query);
      },
      py::arg("a"), py::arg("b"), py::arg("pose_a") = py::none(), py::arg("pose_b") = py::none(),
      R"(Contact data of two placed shapes: gap, normal, features, manifold, overlap.

Shapes are Shapes or whatever Shape() takes; poses are Poses, positions, dicts or homogeneous matrices.)");
  m.def(
      "gap",
      [](py::handle a, py::handle b, const py::object& pose_a, const py::object& pose_b) {
        const Query query = to_query(a, b, pose_a, pose_b);
        return query.dimension() == 2 ? gap_of<2>(query) : gap_of<3>(query);
      },
      py::arg("a"), py::arg("b"), py::arg("pose_a") = py::none(), py::arg("pose_b") = py::none(),
      "The gap alone [m]: faster than query().");
  bind_boxes(m);
}

}  // namespace touchstone::python
