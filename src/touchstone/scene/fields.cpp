#include "touchstone/scene/fields.h"

#include <cmath>
#include <limits>

#include "touchstone/geometry/shapes.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone {
namespace {

using nlohmann::json;

/// Largest magnitude of a number [SI units]: beyond it, products of lengths overflow (as in geometry/).
constexpr double kLargestNumber = 1e60;
/// Smallest length [m]: below it, squares of lengths vanish (as in geometry/).
constexpr double kSmallestLength = 1e-60;
/// Doubles up to here are whole numbers without gaps.
constexpr double kLargestWhole = 9007199254740992.0;

std::string with_article(const json& value) {
  switch (value.type()) {
    case json::value_t::null:
      return "null";
    case json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case json::value_t::string:
      return "the text " + in_quotes(value.get_ref<const std::string&>());
    case json::value_t::array:
      return value.empty() ? "an empty list" : "a list of " + std::to_string(value.size());
    case json::value_t::object:
      return value.empty() ? "an empty object" : "an object with the key " + in_quotes(value.begin().key());
    default:
      return value.dump();
  }
}

/// The whole number that a value holds, also when it is written as 6.0; none when it is none.
std::optional<double> whole_number(const json& value) {
  if (!value.is_number()) return std::nullopt;
  const double x = value.get<double>();
  if (std::trunc(x) != x || std::abs(x) > kLargestWhole) return std::nullopt;
  return x;
}

}  // namespace

std::string Field::name() const {
  const std::string before = parent ? parent->name() : "";
  if (index >= 0) return before + "[" + std::to_string(index) + "]";
  return before.empty() ? key : before + "." + key;
}

void refuse(const Field& field, const std::string& message) {
  const std::string name = field.name();
  throw BadField(name, name.empty() ? message : name + ": " + message);
}

void refuse_value(const Field& field, const std::string& expected) {
  refuse(field, "expected " + expected + ", got " + with_article(field.value));
}

void check_keys(const Field& field, const std::vector<std::string>& keys) {
  if (!field.value.is_object()) {
    std::string list;
    for (const std::string& key : keys) list += (list.empty() ? "" : ", ") + key;
    refuse_value(field, "an object with the keys " + list);
  }
  for (const auto& item : field.value.items()) {
    if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) {
      const std::string name = field.name(), before = name.empty() ? "" : name + ".";
      throw BadField(before + item.key(), (name.empty() ? "" : name + ": ") + "unknown key " +
                                              in_quotes(item.key()) + name_hint(item.key(), keys));
    }
  }
}

Field required(const Field& field, const std::string& key, const std::string& expected) {
  if (!field.value.contains(key)) refuse(field, "the key \"" + key + "\" is missing (" + expected + ")");
  return field.member(key);
}

std::optional<Field> optional_member(const Field& field, const std::string& key) {
  if (!field.value.contains(key)) return std::nullopt;
  return std::optional<Field>(std::in_place, Field{field.value.at(key), key, &field, -1});
}

json& growing_list(json& scene, const std::string& key) {
  json& list = scene[key];
  if (list.is_null()) list = json::array();
  const Field whole{scene, ""};
  if (!list.is_array()) refuse_value(whole.member(key), "a list");
  return list;
}

void check_magnitude(const Field& field, double x) {
  if (!std::isfinite(x)) refuse(field, "expected a finite number, got " + std::to_string(x));
  if (std::abs(x) > kLargestNumber) refuse_value(field, "a number of at most 1e60");
}

double read_number(const Field& field) {
  if (!field.value.is_number()) refuse_value(field, "a number");
  const double x = field.value.get<double>();
  check_magnitude(field, x);
  return x;
}

double read_length(const Field& field) {
  if (!field.value.is_number()) refuse_value(field, "a positive length");
  const double x = read_number(field);
  if (!(x > 0)) refuse_value(field, "a positive length");
  if (x < kSmallestLength) refuse_value(field, "a length of at least 1e-60");
  return x;
}

double read_positive(const Field& field, const std::string& what) {
  if (!field.value.is_number() || !(read_number(field) > 0)) refuse_value(field, what + " above zero");
  return field.value.get<double>();
}

double read_not_negative(const Field& field, const std::string& what) {
  if (!field.value.is_number() || !(read_number(field) >= 0)) refuse_value(field, what + " of at least zero");
  return field.value.get<double>();
}

double read_share(const Field& field) {
  const double x = read_number(field);
  if (x < 0 || x > 1) refuse_value(field, "a number from 0 to 1");
  return x;
}

bool read_flag(const Field& field) {
  if (!field.value.is_boolean()) refuse_value(field, "true or false");
  return field.value.get<bool>();
}

const std::string& read_text(const Field& field, const std::string& what) {
  if (!field.value.is_string()) refuse_value(field, what);
  return field.value.get_ref<const std::string&>();
}

int read_choice(const Field& field, const std::vector<std::string>& valid, const std::string& what) {
  const std::string& text = read_text(field, "the name of a " + what);
  const auto it = std::find(valid.begin(), valid.end(), text);
  if (it == valid.end()) {
    refuse(field, "there is no " + what + " " + in_quotes(text) + name_hint(text, valid));
  }
  return static_cast<int>(it - valid.begin());
}

int read_count(const Field& field, int least) {
  const std::string expected =
      "a whole number from " + std::to_string(least) + " to " + std::to_string(kMostVertices);
  const std::optional<double> x = whole_number(field.value);
  if (!x || *x < least || *x > kMostVertices) refuse_value(field, expected);
  return static_cast<int>(*x);
}

std::uint64_t read_seed(const Field& field) {
  if (field.value.is_number_unsigned()) return field.value.get<std::uint64_t>();
  const std::optional<double> x = whole_number(field.value);
  if (!x || *x < 0) refuse_value(field, "a whole number from 0 on");
  return static_cast<std::uint64_t>(*x);
}

template <int N>
Vec<N> read_vector(const Field& field, const std::string& what) {
  if (!field.value.is_array() || field.value.size() != N) {
    refuse_value(field, "a list of " + std::to_string(N) + " " + what);
  }
  Vec<N> x;
  for (int i = 0; i < N; ++i) x[i] = read_number(field.element(i));
  return x;
}

template Vec<2> read_vector<2>(const Field&, const std::string&);
template Vec<3> read_vector<3>(const Field&, const std::string&);
template Vec<4> read_vector<4>(const Field&, const std::string&);

}  // namespace touchstone
