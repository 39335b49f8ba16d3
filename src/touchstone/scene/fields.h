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

namespace touchstone {

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

/// Throws BadInput: "<name>: <message>".
[[noreturn]] void refuse(const Field& field, const std::string& message);
/// Throws BadInput: "<name>: expected <expected>, got <what is there>".
[[noreturn]] void refuse_value(const Field& field, const std::string& expected);

/// Throws unless the field is an object with no other keys than these.
void check_keys(const Field& field, const std::vector<std::string>& keys);
/// The member, or a refusal that says what it should be.
Field required(const Field& field, const std::string& key, const std::string& expected);
std::optional<Field> optional_member(const Field& field, const std::string& key);

/// Refuses what is not finite, or so large that squares overflow.
void check_magnitude(const Field& field, double x);
double read_number(const Field& field);
/// A positive number of metres.
double read_length(const Field& field);
int read_count(const Field& field, int least);
std::uint64_t read_seed(const Field& field);
/// `what` names the numbers in messages: "coordinates".
template <int N>
Vec<N> read_vector(const Field& field, const std::string& what);

}  // namespace touchstone
