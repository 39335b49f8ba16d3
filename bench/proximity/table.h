#pragma once
// Markdown tables.

#include <string>
#include <vector>

namespace touchstone::bench {

class Table {
 public:
  explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// All columns padded to their width; the first `left` columns are words, the rest numbers.
  void print(int left) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string fixed(double value, int digits);       ///< 12.35
std::string scientific(double value, int digits);  ///< 1.2e-15; plain 0 for zero

}  // namespace touchstone::bench
