#include "touchstone/scene/named_shapes.h"

#include "touchstone/geometry/bounds.h"
#include "touchstone/geometry/mesh_file.h"

namespace touchstone {
namespace {

using nlohmann::json;

// ---- values that several shapes share -------------------------------------------------------------------

/// The member "radius" of an object with these keys, or the plain number that stands for it.
double read_radius(const Field& field) {
  if (field.value.is_number()) return read_length(field);
  check_keys(field, {"radius"});
  return read_length(required(field, "radius", "a positive length"));
}

double read_height(const Field& field) { return read_length(required(field, "height", "a positive length")); }

int read_corners(const Field& field) {
  return read_count(required(field, "corners", "how many around, from 3 on"), 3);
}

// ---- one reader per shape --------------------------------------------------------------------------------

Shape<3> read_mesh_file(const ShapeSource& source) {
  if (!source.field.value.is_string()) refuse_value(source.field, "the path of a mesh file");
  const std::filesystem::path path = source.folder / source.field.value.get_ref<const std::string&>();
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse_value(source.field, "a mesh file, not a folder");
  return load_polytope(path);
}

template <int D>
Shape<D> read_points(const ShapeSource& source) {
  const Field& field = source.field;
  if (!field.value.is_array()) refuse_value(field, "a list of points");
  std::vector<Vec<D>> points(field.value.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = read_vector<D>(field.element(static_cast<int>(i)), "coordinates");
  }
  return Polytope<D>::hull(points);
}

template <int D>
Shape<D> read_box(const ShapeSource& source) {
  const Vec<D> sides = read_vector<D>(source.field, "side lengths");
  for (int k = 0; k < D; ++k) read_length(source.field.element(k));
  return make_box<D>(sides);
}

Shape<2> read_regular_polygon(const ShapeSource& source) {
  check_keys(source.field, {"corners", "radius"});
  return make_regular_polygon(read_corners(source.field),
                              read_length(required(source.field, "radius", "a positive length")));
}

template <Polytope<3> (*make)(double)>
Shape<3> read_platonic(const ShapeSource& source) {
  return make(read_radius(source.field));
}

/// A plain number is the side: of a cube nobody expects another length first.
Shape<3> read_cube(const ShapeSource& source) {
  const Field& field = source.field;
  const auto by_side = [](const Field& side) { return make_box<3>(Vec<3>::Constant(read_length(side))); };
  if (!field.value.is_object()) return by_side(field);
  check_keys(field, {"radius", "side"});
  const bool told = field.value.contains("side");
  if (told == field.value.contains("radius")) refuse(field, "expected either \"side\" or \"radius\"");
  return told ? by_side(field.member("side")) : make_cube(read_length(field.member("radius")));
}

template <Polytope<3> (*make)(double, double, int)>
Shape<3> read_round(const ShapeSource& source) {
  const Field& field = source.field;
  check_keys(field, {"radius", "height", "corners"});
  const double radius = read_length(required(field, "radius", "a positive length"));
  return make(radius, read_height(field), read_corners(field));
}

Shape<3> read_prism(const ShapeSource& source) {
  const Field& field = source.field;
  check_keys(field, {"base", "height"});
  const Field base = required(field, "base", "a 2D shape");
  const Shape<2> shape = read_shape<2>(ShapeSource{base, source.folder});
  const Polytope<2>* polygon = polytope_of(shape);
  if (!polygon) refuse(base, "expected a polygon");
  return make_prism(*polygon, read_height(field));
}

Shape<3> read_tessellated_sphere(const ShapeSource& source) {
  check_keys(source.field, {"vertices", "radius"});
  const int vertices = read_count(required(source.field, "vertices", "how many, from 4 on"), 4);
  return make_tessellated_sphere(vertices,
                                 read_length(required(source.field, "radius", "a positive length")));
}

template <int D>
Shape<D> read_random_hull(const ShapeSource& source) {
  check_keys(source.field, {"vertices", "seed"});
  const int vertices = read_count(required(source.field, "vertices", "how many"), D + 1);
  return make_random_hull<D>(vertices, read_seed(required(source.field, "seed", "a whole number from 0 on")));
}

template <int D>
Shape<D> read_sphere(const ShapeSource& source) {
  return Sphere<D>{read_radius(source.field)};
}

template <int D>
Shape<D> read_half_space(const ShapeSource& source) {
  const Field& field = source.field;
  check_keys(field, {"normal", "offset"});
  const Field normal = required(field, "normal", "a direction");
  const Vec<D> n = read_vector<D>(normal, "components");
  const double length = n.stableNorm();
  if (!(length > 0)) refuse(normal, "expected a direction, got zero");
  // The plane is n.x = offset as it stands: a normal that is twice as long halves the distance.
  const auto given = optional_member(field, "offset");
  const double offset = given ? read_number(*given) / length : 0.0;
  check_magnitude(given ? *given : normal, offset);
  return HalfSpace<D>{{(n / length).normalized(), offset}};
}

// ---- dimensions ------------------------------------------------------------------------------------------

std::optional<int> count_of(const json& list) {
  const bool tells = list.is_array() && (list.size() == 2 || list.size() == 3);
  return tells ? std::optional<int>(static_cast<int>(list.size())) : std::nullopt;
}
std::optional<int> any(const json&) { return std::nullopt; }
std::optional<int> plane(const json&) { return 2; }
std::optional<int> space(const json&) { return 3; }
std::optional<int> of_first_point(const json& value) {
  return value.is_array() && !value.empty() ? count_of(value[0]) : std::nullopt;
}
std::optional<int> of_normal(const json& value) {
  return value.is_object() && value.contains("normal") ? count_of(value["normal"]) : std::nullopt;
}

// ---- the table -------------------------------------------------------------------------------------------

std::vector<NamedShape> make_table() {
  // clang-format off: one row per shape, in columns
  std::vector<NamedShape> table = {
      {{"mesh", R"({"mesh": "part.obj"})", "part.obj",
        "a convex mesh file: OBJ, STL, PLY, OFF or .poly; the path alone will do"},
       {},
       space,
       {nullptr, read_mesh_file}},
      {{"points", R"({"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]})", "",
        "the convex hull of points [m], in 2D with two coordinates"},
       {},
       of_first_point,
       {read_points<2>, read_points<3>}},
      {{"box", R"({"box": [2, 2, 2]})", "box:2,2,2", "full side lengths [m], in 2D two of them"},
       {},
       count_of,
       {read_box<2>, read_box<3>}},
      {{"regular_polygon", R"({"regular_polygon": {"corners": 6, "radius": 1}})", "regular_polygon:6,1",
        "corners on a circle, the first on the x axis"},
       {"corners", "radius"},
       plane,
       {read_regular_polygon, nullptr}},
      {{"tetrahedron", R"({"tetrahedron": {"radius": 1}})", "tetrahedron:1",
        "by circumscribed radius; a plain number will do"},
       {"radius"},
       space,
       {nullptr, read_platonic<make_tetrahedron>}},
      {{"cube", R"({"cube": {"side": 1}})", "cube:1",
        "by side; a plain number will do; {\"radius\": r}: by circumscribed radius"},
       {"side"},
       space,
       {nullptr, read_cube}},
      {{"octahedron", R"({"octahedron": {"radius": 1}})", "octahedron:1", "by circumscribed radius"},
       {"radius"},
       space,
       {nullptr, read_platonic<make_octahedron>}},
      {{"dodecahedron", R"({"dodecahedron": {"radius": 1}})", "dodecahedron:1", "by circumscribed radius"},
       {"radius"},
       space,
       {nullptr, read_platonic<make_dodecahedron>}},
      {{"icosahedron", R"({"icosahedron": {"radius": 1}})", "icosahedron:1", "by circumscribed radius"},
       {"radius"},
       space,
       {nullptr, read_platonic<make_icosahedron>}},
      {{"cylinder", R"({"cylinder": {"radius": 1, "height": 2, "corners": 32}})", "cylinder:1,2,32",
        "a prism around the z axis: radius, height, corners"},
       {"radius", "height", "corners"},
       space,
       {nullptr, read_round<make_cylinder>}},
      {{"cone", R"({"cone": {"radius": 1, "height": 2, "corners": 32}})", "cone:1,2,32",
        "a pyramid around the z axis, tip up: radius, height, corners"},
       {"radius", "height", "corners"},
       space,
       {nullptr, read_round<make_cone>}},
      {{"prism", R"({"prism": {"base": {"regular_polygon": {"corners": 3, "radius": 1}}, "height": 2}})", "",
        "a polygon in x, y drawn out along z"},
       {},
       space,
       {nullptr, read_prism}},
      {{"tessellated_sphere", R"({"tessellated_sphere": {"vertices": 200, "radius": 1}})",
        "tessellated_sphere:200,1", "vertices spread evenly on a sphere: their number, radius"},
       {"vertices", "radius"},
       space,
       {nullptr, read_tessellated_sphere}},
      {{"random_hull", R"({"random_hull": {"vertices": 50, "seed": 7}})", "random_hull:50,7",
        "the hull of random points on the unit sphere (circle)"},
       {"vertices", "seed"},
       any,
       {read_random_hull<2>, read_random_hull<3>}},
      {{"sphere", R"({"sphere": {"radius": 1}})", "sphere:1",
        "truly round (in 2D a disc); a plain number will do"},
       {"radius"},
       any,
       {read_sphere<2>, read_sphere<3>}},
      {{"half_space", R"({"half_space": {"normal": [0, 0, 1], "offset": 0}})", "half_space:0,0,1,0",
        "everything below the plane normal.x = offset"},
       {"normal", "offset"},
       of_normal,
       {read_half_space<2>, read_half_space<3>}},
  };
  // clang-format on
  for (NamedShape& shape : table) {
    shape.entry.in_2d = std::get<ShapeMaker<2>>(shape.makers) != nullptr;
    shape.entry.in_3d = std::get<ShapeMaker<3>>(shape.makers) != nullptr;
  }
  return table;
}

}  // namespace

const std::vector<NamedShape>& named_shapes() {
  static const std::vector<NamedShape> table = make_table();
  return table;
}

const NamedShape* find_named_shape(std::string_view name) {
  for (const NamedShape& shape : named_shapes()) {
    if (shape.entry.name == name) return &shape;
  }
  return nullptr;
}

std::optional<json> with_short_keys(const NamedShape& shape, const json& numbers) {
  const std::size_t keys = shape.short_keys.size(), count = numbers.size();
  const bool spread = shape.short_keys.at(0) == "normal";
  if (spread ? count < keys + 1 : count != keys) return std::nullopt;
  json value = json::object();
  const std::size_t left = count - keys;  // how many more the normal takes
  for (std::size_t i = 0; i < keys; ++i) value[shape.short_keys[i]] = numbers[left + i];
  if (spread) {
    const auto begin = numbers.begin();
    value["normal"] = json::array_t(begin, begin + static_cast<std::ptrdiff_t>(left + 1));
  }
  return value;
}

std::vector<std::string> shape_names() {
  std::vector<std::string> names;
  for (const NamedShape& shape : named_shapes()) names.push_back(shape.entry.name);
  return names;
}

}  // namespace touchstone
