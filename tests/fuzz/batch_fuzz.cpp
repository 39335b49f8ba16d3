// Lines of a batch from a stranger: every one must be answered by one line of JSON, whatever its bytes.

#include <cstdlib>
#include <string_view>

#include "touchstone/scene/contact_query.h"

#include <nlohmann/json.hpp>

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Lines that ask for bodies of thousands of vertices are valid, but no work for a fuzzer.
bool asks_for_much(std::string_view line) {
  const bool by_count = line.find("corners") != line.npos || line.find("vertices") != line.npos;
  int digits = 0;
  for (char c : line) {
    if (by_count && digits > 0 && (c == 'e' || c == 'E')) return true;
    digits = is_digit(c) ? digits + 1 : 0;
    if (by_count && digits > 3) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  if (asks_for_much(line)) return 0;
  touchstone::ContactQueries queries("");
  const touchstone::QueryAnswer answer = queries.answer_line(line, "fuzz:1");
  const auto value = nlohmann::json::parse(answer.text, nullptr, false);
  if (!value.is_object() || answer.text.find('\n') != std::string::npos) std::abort();
  const bool answered = value.contains("status") && value.contains("gap") && value.contains("manifold");
  if (answered != (answer.outcome == touchstone::QueryOutcome::answered)) std::abort();
  if (!answered && !value.contains("error")) std::abort();
  return 0;
}
