#include "table.h"

#include <algorithm>
#include <cstdio>

namespace touchstone::bench {
namespace {

std::string formatted(const char* format, int digits, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

void print_cell(const std::string& text, std::size_t width, bool left) {
  std::printf(left ? "| %-*s " : "| %*s ", static_cast<int>(width), text.c_str());
}

}  // namespace

void Table::print(int left) const {
  const std::size_t columns = rows_.front().size();
  std::vector<std::size_t> widths(columns, 4);
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < columns; ++c) widths[c] = std::max(widths[c], row[c].size());
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) print_cell(rows_[r][c], widths[c], static_cast<int>(c) < left);
    std::printf("|\n");
    if (r > 0) continue;
    for (std::size_t c = 0; c < columns; ++c) {
      const bool words = static_cast<int>(c) < left;
      std::printf("| %s%s ", std::string(widths[c] - 1, '-').c_str(), words ? "-" : ":");
    }
    std::printf("|\n");
  }
  std::printf("\n");
}

std::string fixed(double value, int digits) { return formatted("%.*f", digits, value); }

std::string scientific(double value, int digits) {
  return value == 0 ? "0" : formatted("%.*e", digits, value);
}

}  // namespace touchstone::bench
