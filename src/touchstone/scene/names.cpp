#include "touchstone/scene/names.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace touchstone {
namespace {

/// Longer words are not compared nor shown in full: a name has no more letters than this.
constexpr std::size_t kLongestName = 60;

char folded(char c) {
  if (c == '-' || c == ' ') return '_';
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table of optimal string alignment: before[i] is row r-2, above[i] row r-1.
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = folded(a[i - 1]), y = folded(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y)});
      const bool swapped = i > 1 && j > 1 && x == folded(b[j - 2]) && y == folded(a[i - 2]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string nearest_name(std::string_view wrong, std::span<const std::string> valid) {
  if (wrong.empty() || wrong.size() > kLongestName) return "";
  std::string nearest;
  int least = (static_cast<int>(wrong.size()) + 1) / 2;  // half of the letters may be wrong
  for (const std::string& name : valid) {
    const int distance = edit_distance(wrong, name);
    if (distance < least || (distance == least && nearest.empty())) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string name_hint(std::string_view wrong, std::span<const std::string> valid) {
  const std::string nearest = nearest_name(wrong, valid);
  if (!nearest.empty()) return "; did you mean \"" + nearest + "\"?";
  std::string all;
  for (const std::string& name : valid) all += (all.empty() ? "" : ", ") + name;
  return "; valid: " + all;
}

std::string in_quotes(std::string_view text) {
  std::string shown = "\"";
  for (char c : text.substr(0, kLongestName)) {
    shown += static_cast<unsigned char>(c) < ' ' || c == 127 ? '?' : c;
  }
  return shown + (text.size() > kLongestName ? "...\"" : "\"");
}

}  // namespace touchstone
