#pragma once
// The three parts of the comparison. Each prints its tables as markdown and returns the bars it has measured.

#include <string>
#include <vector>

#include "motion.h"
#include "stopwatch.h"

namespace touchstone::bench {

/// A ratio of times that must not be less than a given one.
struct Bar {
  std::string what;
  double ratio;   ///< time of FCL / time of Touchstone
  double needed;  ///< 1: at least as fast
  bool met() const { return ratio >= needed; }
};

/// How much is measured.
struct Plan {
  std::vector<Family> families{std::begin(kFamilies), std::end(kFamilies)};
  int poses = 1200;            ///< of each family
  MotionSize motions{24, 60};  ///< of each family and regime
  int placements = 10000;      ///< of Table I, in each regime
  Effort effort{7, 20};
};

/// Cold queries: times and errors of each library on each set and regime.
std::vector<Bar> report_cold(const Plan& plan);
/// Coherent motion, with what each library can keep from one step to the next.
std::vector<Bar> report_warm(const Plan& plan);
/// Table I of the paper: errors of the signed distance of two 2x2x2 boxes.
void report_table_one(const Plan& plan);

void print_bars(const std::vector<Bar>& bars);

}  // namespace touchstone::bench
