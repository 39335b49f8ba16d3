#include "touchstone/scene/json_text.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <set>

#include "touchstone/scene/names.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone {
namespace {

using nlohmann::json;

/// Digits that tell every double from its neighbours.
constexpr int kAllDigits = 17;

/// Watches a text while it is parsed.
class Watch {
 public:
  bool operator()(int depth, json::parse_event_t event, json& value) {
    if (depth > kDeepest)
      throw BadInput("JSON is nested deeper than " + std::to_string(kDeepest) + " levels");
    switch (event) {
      case json::parse_event_t::object_start:
        keys_.emplace_back();
        break;
      case json::parse_event_t::object_end:
        keys_.pop_back();
        break;
      case json::parse_event_t::key:
        check_key(value.get_ref<const std::string&>());
        break;
      default:
        if (++values_ > kMostValues) {
          throw BadInput("JSON holds more than " + std::to_string(kMostValues) + " values");
        }
    }
    return true;
  }

 private:
  void check_key(const std::string& key) {
    if (!keys_.back().insert(key).second) throw BadInput("the key " + in_quotes(key) + " is given twice");
  }

  std::vector<std::set<std::string>> keys_;  ///< of each object that is open
  long values_ = 0;
};

/// The reader's own words without its tag and its idea of the line.
std::string trouble_of(const json::exception& error) {
  const std::string text = error.what();
  const std::size_t dash = text.find(" - "), bracket = text.find("] ");
  if (dash != std::string::npos) return text.substr(dash + 3);
  return bracket != std::string::npos ? text.substr(bracket + 2) : text;
}

}  // namespace

json parse_json(std::string_view text) {
  // The parser would take a zero byte for the end and keep silent about what follows.
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos)
    throw BadInput("column " + std::to_string(zero + 1) + ": not JSON: a zero byte");
  try {
    return json::parse(text, Watch());
  } catch (const json::parse_error& error) {
    throw BadInput("column " + std::to_string(error.byte) + ": not JSON: " + trouble_of(error));
  } catch (const json::exception& error) {
    throw BadInput("not JSON: " + trouble_of(error));
  }
}

void JsonWriter::separate() {
  if (!text_.empty() && text_.back() != '[' && text_.back() != '{' && text_.back() != ' ') text_ += ", ";
}

JsonWriter& JsonWriter::key(std::string_view name) {
  value(name);
  text_ += ": ";
  return *this;
}

JsonWriter& JsonWriter::value(double x) {
  separate();
  char digits[32];
  const double plain = x + 0.0;  // -0 becomes 0
  const auto end =
      std::to_chars(digits, digits + sizeof digits, plain, std::chars_format::general, kAllDigits);
  text_ += std::isfinite(x) ? std::string_view(digits, end.ptr - digits) : "null";
  return *this;
}

JsonWriter& JsonWriter::value(int x) {
  separate();
  text_ += std::to_string(x);
  return *this;
}

JsonWriter& JsonWriter::value(bool x) {
  separate();
  text_ += x ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view x) {
  separate();
  // Plain ASCII, and a replacement for bytes that are no UTF-8: the answer is valid JSON for any
  // question.
  text_ += json(x).dump(-1, ' ', true, json::error_handler_t::replace);
  return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  text_ += bracket;
  return *this;
}

}  // namespace touchstone
