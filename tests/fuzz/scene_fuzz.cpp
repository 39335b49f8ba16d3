// Scenes from a stranger (ours, rigid-ipc's, lists of hulls): read, or refused in a message; never a crash.

#include <string>

#include "touchstone/scene/simulation.h"

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Scenes of thousands of bodies or vertices are valid, but no work for a fuzzer: no whole number above 99,
/// and no exponents.
bool asks_for_much(const std::string& text) {
  int digits = 0;
  bool fraction = false;
  for (const char c : text) {
    if (digits > 0 && (c == 'e' || c == 'E')) return true;
    fraction = is_digit(c) ? fraction : c == '.' && digits > 0;
    digits = is_digit(c) ? digits + 1 : 0;
    if (digits > 2 && !fraction) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (asks_for_much(text)) return 0;
  try {
    touchstone::Simulation simulation(touchstone::parse_scene(text, "fuzz.yaml"));
    simulation.step();
  } catch (const touchstone::BadInput&) {
  }
  return 0;
}
