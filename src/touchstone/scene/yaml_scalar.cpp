#include "touchstone/scene/yaml_scalar.h"

#include <charconv>
#include <cstdint>
#include <limits>

namespace touchstone {
namespace {

using nlohmann::json;

struct Word {
  const char* text;
  json value;
};

/// The words with a meaning of their own, in the three ways in which they may be written.
const Word* find_word(const std::string& text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  static const Word words[] = {{"", nullptr},         {"~", nullptr},        {"null", nullptr},
                               {"Null", nullptr},     {"NULL", nullptr},     {"true", true},
                               {"True", true},        {"TRUE", true},        {"false", false},
                               {"False", false},      {"FALSE", false},      {".inf", kInfinity},
                               {".Inf", kInfinity},   {".INF", kInfinity},   {"+.inf", kInfinity},
                               {"-.inf", -kInfinity}, {"-.Inf", -kInfinity}, {"-.INF", -kInfinity},
                               {".nan", kNone},       {".NaN", kNone},       {".NAN", kNone}};
  for (const Word& word : words) {
    if (text == word.text) return &word;
  }
  return nullptr;
}

/// from_chars reads "inf", "nan" and hexadecimals, too: a number of YAML has only these letters.
bool looks_like_number(const std::string& text) {
  return text.find_first_not_of("+-.0123456789eE") == std::string::npos &&
         text.find_first_of("0123456789") != std::string::npos;
}

}  // namespace

json plain_scalar(const std::string& text) {
  if (const Word* word = find_word(text)) return word->value;
  if (!looks_like_number(text)) return text;
  const char* begin = text.data() + (text[0] == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  if (begin != text.data() && *begin == '-') return text;
  std::int64_t whole = 0;
  if (const auto read = std::from_chars(begin, end, whole); read.ec == std::errc() && read.ptr == end) {
    return whole;
  }
  double x = 0;
  const auto read = std::from_chars(begin, end, x);
  if (read.ptr != end) return text;
  // Out of range: too small becomes zero, too large infinity.
  if (read.ec == std::errc::result_out_of_range) x = std::strtod(begin, nullptr);
  return x;
}

}  // namespace touchstone
