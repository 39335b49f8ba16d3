#pragma once
// Benchmarks named "<family>/<n>" as one table: a row per n, a column per family, and behind each time the
// power of n with which it grew since the row above.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace touchstone::bench {

/// Prints as usual while the benchmarks run and keeps what the table needs.
class GrowthTable : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (!run.error_occurred) add(run.benchmark_name(), run.GetAdjustedCPUTime());
    }
  }

  /// In markdown. Times in the unit of the benchmarks; "n^0.5" after a time says how it grew.
  void print() const {
    std::printf("\n| %8s |", "n");
    for (const std::string& family : families_) std::printf(" %20s |", family.c_str());
    std::printf("\n| %s: |", std::string(7, '-').c_str());
    for (std::size_t i = 0; i < families_.size(); ++i) std::printf(" %s: |", std::string(19, '-').c_str());
    std::printf("\n");
    Row above{0, nullptr};
    for (const auto& [n, times] : rows_) {
      std::printf("| %8ld |", n);
      for (std::size_t i = 0; i < families_.size(); ++i) print_cell(above, {n, &times}, static_cast<long>(i));
      std::printf("\n");
      above = {n, &times};
    }
  }

 private:
  struct Row {
    long n;
    const std::map<long, double>* times;  ///< column -> time
  };

  void add(const std::string& name, double time) {
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) return;
    const std::string family = name.substr(0, slash);
    std::size_t column = 0;
    while (column < families_.size() && families_[column] != family) ++column;
    if (column == families_.size()) families_.push_back(family);
    rows_[std::atol(name.c_str() + slash + 1)][static_cast<long>(column)] = time;
  }

  static void print_cell(const Row& above, const Row& row, long column) {
    const auto here = row.times->find(column);
    if (here == row.times->end()) {
      std::printf(" %20s |", "");
    } else if (above.times == nullptr || !above.times->contains(column)) {
      std::printf(" %12.4g %7s |", here->second, "");
    } else {
      const double growth = std::log(here->second / above.times->at(column)) /
                            std::log(static_cast<double>(row.n) / static_cast<double>(above.n));
      std::printf(" %12.4g n^%5.2f |", here->second, growth);
    }
  }

  std::vector<std::string> families_;
  std::map<long, std::map<long, double>> rows_;
};

/// Runs what the command line asks for and prints the table.
inline int run_and_tabulate(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  GrowthTable table;
  benchmark::RunSpecifiedBenchmarks(&table);
  table.print();
  benchmark::Shutdown();
  return 0;
}

}  // namespace touchstone::bench
