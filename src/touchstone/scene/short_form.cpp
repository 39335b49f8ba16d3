// Shapes as single words of a command line: box:2,2,2.

#include <charconv>

#include "touchstone/scene/json_text.h"
#include "touchstone/scene/named_shapes.h"
#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

using nlohmann::json;

json read_word_number(std::string_view text, const std::string& field) {
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  double x = 0;
  const auto [end, fault] = std::from_chars(begin, text.data() + text.size(), x);
  if (fault != std::errc() || end != text.data() + text.size()) {
    throw BadInput(field + ": expected numbers separated by commas, got " + in_quotes(text));
  }
  return x;
}

/// The numbers under their keys.
json with_keys(const json& numbers, const NamedShape& shape, const std::string& field) {
  if (const std::optional<json> value = with_short_keys(shape, numbers)) return *value;
  throw BadInput(field + ": expected " + shape.entry.short_form + ", got " + std::to_string(numbers.size()) +
                 (numbers.size() == 1 ? " number" : " numbers"));
}

json expand(const NamedShape& shape, std::string_view values, const std::string& field) {
  if (shape.entry.name == "mesh") return json(values);
  if (shape.entry.short_form.empty()) {
    throw BadInput(field + ": a " + shape.entry.name + " has no short form; write " + shape.entry.example);
  }
  const json numbers = numbers_of_word(values, field);
  const json value = shape.short_keys.empty() ? numbers : with_keys(numbers, shape, field);
  return {{shape.entry.name, value}};
}

/// A word that is neither JSON nor a known short form: a path, unless it looks like a name that is misspelt.
json path_or_refusal(std::string_view word, const std::string& field) {
  const std::size_t colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  const bool is_path = name.find_first_of("./\\") != std::string_view::npos || std::filesystem::exists(word);
  if (is_path) return json(word);
  if (const NamedShape* shape = find_named_shape(name)) {
    const std::string& right =
        shape->entry.short_form.empty() ? shape->entry.example : shape->entry.short_form;
    throw BadInput(field + ": a " + shape->entry.name + " needs its sizes, such as " + right);
  }
  throw BadInput(field + ": there is no shape or file " + in_quotes(name) + name_hint(name, shape_names()));
}

}  // namespace

json numbers_of_word(std::string_view text, const std::string& field) {
  json numbers = json::array();
  for (;;) {
    const std::size_t comma = text.find(',');
    numbers.push_back(read_word_number(text.substr(0, comma), field));
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

json shape_of_word(std::string_view word, const std::string& field) {
  if (word.starts_with('{')) {
    try {
      return parse_json(word);
    } catch (const BadInput& error) {
      throw BadInput(field + ": " + error.what());
    }
  }
  const std::size_t colon = word.find(':');
  const NamedShape* shape =
      colon == std::string_view::npos ? nullptr : find_named_shape(word.substr(0, colon));
  return shape ? expand(*shape, word.substr(colon + 1), field) : path_or_refusal(word, field);
}

}  // namespace touchstone
