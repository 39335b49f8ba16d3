#pragma once
// JSON as text: reading it from strangers, writing it with all digits.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "touchstone/math/vec.h"

namespace touchstone {

/// Deepest nesting of a text: a scene needs eight levels; every level costs stack where a value is read.
inline constexpr int kDeepest = 64;
/// Most values of one text, values repeated by aliases included: a hull of a million points needs four
/// million.
inline constexpr long kMostValues = 5'000'000;

/// Reads one JSON value. Throws BadInput with the column for text that is no JSON, that names a key twice, or
/// that is nested deeper or holds more values than any honest input (so that no line eats the memory).
nlohmann::json parse_json(std::string_view text);

/// JSON as it is written, piece by piece, on one line. Numbers get 17 significant digits (%.17g), which
/// every reader turns back into the same double; NaN and infinity become null.
class JsonWriter {
 public:
  JsonWriter& key(std::string_view name);
  JsonWriter& value(double x);
  JsonWriter& value(int x);
  JsonWriter& value(bool x);
  JsonWriter& value(std::string_view x);
  JsonWriter& value(const char* x) { return value(std::string_view(x)); }
  template <int D>
  JsonWriter& value(const Vec<D>& x) {
    open('[');
    for (double component : x) value(component);
    return close(']');
  }
  /// '[' or '{', and its counterpart.
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);

  const std::string& text() const { return text_; }

 private:
  void separate();
  std::string text_;
};

}  // namespace touchstone
