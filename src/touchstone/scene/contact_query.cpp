#include "touchstone/scene/contact_query.h"

#include <cassert>
#include <nlohmann/json.hpp>

#include <cmath>
#include <new>
#include <unordered_map>

#include "touchstone/geometry/bounds.h"
#include "touchstone/scene/answer_text.h"
#include "touchstone/scene/fields.h"
#include "touchstone/scene/json_text.h"

namespace touchstone {
namespace {

using nlohmann::json;

const std::vector<std::string> kQueryKeys = {"a", "b", "pose_a", "pose_b", "dimension"};
/// Vertices that are kept in memory, all remembered shapes together: some 200 MB.
constexpr long kMostRemembered = 200'000;

template <int D>
long weight_of(const Shape<D>& shape) {
  const Polytope<D>* P = polytope_of(shape);
  return P ? P->vertex_count() : 1;
}

/// The dimension that a part of the query tells, and which part.
struct ToldDimension {
  std::string part;
  std::optional<int> dimension;
};

std::optional<int> read_dimension(const json& query) {
  if (!query.contains("dimension")) return std::nullopt;
  const json& value = query["dimension"];
  if (value != 2 && value != 3) refuse_value(Field{value, "dimension"}, "2 or 3");
  return value.get<int>();
}

std::optional<int> pose_dimension(const json& query, const char* key) {
  return query.contains(key) ? dimension_of_pose(query[key]) : std::nullopt;
}

/// What all parts agree on; bodies that would do in both are bodies in space.
int common_dimension(const json& query) {
  const ToldDimension told[] = {{"dimension", read_dimension(query)},
                                {"a", dimension_of_shape(query["a"])},
                                {"b", dimension_of_shape(query["b"])},
                                {"pose_a", pose_dimension(query, "pose_a")},
                                {"pose_b", pose_dimension(query, "pose_b")}};
  const ToldDimension* first = nullptr;
  for (const ToldDimension& part : told) {
    if (!part.dimension) continue;
    if (first && *first->dimension != *part.dimension) {
      throw BadInput(part.part + ": is " + std::to_string(*part.dimension) + "D, but " + first->part +
                     " is " + std::to_string(*first->dimension) + "D");
    }
    if (!first) first = &part;
  }
  return first ? *first->dimension : 3;
}

template <int D>
Pose<D> pose_in(const json& query, const char* key) {
  return query.contains(key) && !query[key].is_null() ? read_pose<D>(query[key], key) : Pose<D>();
}

template <int D>
void check_numbers(const ContactData<D>& data) {
  if (std::isfinite(data.gap.gap) && data.gap.normal.allFinite() && std::isfinite(data.overlap)) return;
  throw std::runtime_error("the numbers failed: the gap or the overlap is not finite");
}

std::string error_text(const std::string& where, const std::string& message) {
  JsonWriter writer;
  writer.open('{').key("error").value(where + ": " + message).close('}');
  return writer.text();
}

}  // namespace

/// Shapes by their JSON value, so that equal values are read once. Forgets all when it has grown too large.
template <int D>
class ContactQueries::Shapes {
 public:
  explicit Shapes(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::shared_ptr<const Shape<D>> find(const json& value, const char* field) {
    if (const auto it = shapes_.find(value); it != shapes_.end()) return it->second;
    auto shape = std::make_shared<const Shape<D>>(read_shape<D>(value, field, folder_));
    const long weight = weight_of(*shape);
    assert(weight > 0 && remembered_ >= 0);
    if (remembered_ + weight > kMostRemembered) forget();
    shapes_.emplace(value, shape);
    remembered_ += weight;
    return shape;
  }

 private:
  void forget() {
    shapes_.clear();
    remembered_ = 0;
  }

  std::filesystem::path folder_;
  std::unordered_map<json, std::shared_ptr<const Shape<D>>> shapes_;  // never walked: its order shows nowhere
  long remembered_ = 0;                                               ///< vertices
};

ContactQueries::ContactQueries(std::filesystem::path folder)
    : shapes_2d_(std::make_unique<Shapes<2>>(folder)), shapes_3d_(std::make_unique<Shapes<3>>(folder)) {}

ContactQueries::~ContactQueries() = default;

template <int D>
std::string ContactQueries::answer_in(const json& query, Shapes<D>& shapes) {
  const auto a = shapes.find(query["a"], "a"), b = shapes.find(query["b"], "b");
  const PlacedShape<D> A{a.get(), pose_in<D>(query, "pose_a")}, B{b.get(), pose_in<D>(query, "pose_b")};
  if (!is_bounded(*a) && !is_bounded(*b))
    throw BadInput("b: two half-spaces have no gap; expected at least one bounded shape");
  const ContactData<D> data = find_contact_data(A, B);
  check_numbers(data);
  return answer_text(A, B, data);
}

std::string ContactQueries::answer(const json& query) {
  const Field whole{query, "query"};
  check_keys(whole, kQueryKeys);
  required(whole, "a", "a shape");
  required(whole, "b", "a shape");
  return common_dimension(query) == 2 ? answer_in<2>(query, *shapes_2d_) : answer_in<3>(query, *shapes_3d_);
}

QueryAnswer refused_line(const std::string& where, const std::string& message) {
  return {error_text(where, message), QueryOutcome::bad_input};
}

QueryAnswer ContactQueries::answer_line(std::string_view line, const std::string& where) {
  try {
    return {answer(parse_json(line)), QueryOutcome::answered};
  } catch (const BadInput& error) {
    return refused_line(where, error.what());
  } catch (const std::bad_alloc&) {
    return {error_text(where, "there is not enough memory for these shapes"), QueryOutcome::failed};
  } catch (const std::exception& error) {
    return {error_text(where, error.what()), QueryOutcome::failed};
  }
}

}  // namespace touchstone
