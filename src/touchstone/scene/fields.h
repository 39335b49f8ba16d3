#pragma once
// Values of structured text that know their own names, for messages such as
//
//     bodies[3].shape.cylinder.radius: expected a positive length, got -2
//
// Private to scene/.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "touchstone/math/vec.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone {

/// A refusal that tells which field is at fault, for readers that know on which line it stands.
class BadField : public BadInput {
 public:
  BadField(std::string where, const std::string& message) : BadInput(message), where_(std::move(where)) {}
  const std::string& where() const { return where_; }  ///< "bodies[3].shape.cylinder.radius"

 private:
  std::string where_;
};

/// A value and where it stands. The name is put together only when a message needs it.
struct Field {
  const nlohmann::json& value;
  std::string key;  ///< of a member, or the name of the whole
  const Field* parent = nullptr;
  int index = -1;  ///< of an element; -1 for members

  std::string name() const;
  Field member(const std::string& member_key) const { return {value.at(member_key), member_key, this, -1}; }
  Field element(int i) const { return {value.at(i), {}, this, i}; }
};

/// Throws BadField: "<name>: <message>".
[[noreturn]] void refuse(const Field& field, const std::string& message);
/// Throws BadField: "<name>: expected <expected>, got <value>".
[[noreturn]] void refuse_value(const Field& field, const std::string& expected);

/// Throws unless the field is an object with no other keys than these.
void check_keys(const Field& field, const std::vector<std::string>& keys);
/// The member `key`. Throws BadField if it is missing; `expected` describes it.
Field required(const Field& field, const std::string& key, const std::string& expected);
std::optional<Field> optional_member(const Field& field, const std::string& key);
/// The list under a key of a scene, to be extended; makes an empty one if the key is missing. Throws BadField
/// for a value that is no list.
nlohmann::json& growing_list(nlohmann::json& scene, const std::string& key);

/// Throws BadField for a number that is not finite or so large that its square overflows.
void check_magnitude(const Field& field, double x);
double read_number(const Field& field);
/// A positive number of metres.
double read_length(const Field& field);
/// `what` names it in messages: "a mass".
double read_positive(const Field& field, const std::string& what);
double read_not_negative(const Field& field, const std::string& what);
double read_share(const Field& field);  ///< from 0 to 1
bool read_flag(const Field& field);
const std::string& read_text(const Field& field, const std::string& what);
/// The place of the text in the list of valid ones; `what` names one of them: "friction law".
int read_choice(const Field& field, const std::vector<std::string>& valid, const std::string& what);
int read_count(const Field& field, int least);
std::uint64_t read_seed(const Field& field);
/// `what` names the numbers in messages: "coordinates".
template <int N>
Vec<N> read_vector(const Field& field, const std::string& what);

}  // namespace touchstone
