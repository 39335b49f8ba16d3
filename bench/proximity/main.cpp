// Touchstone beside FCL, Bullet and libccd: time and error of the signed distance of convex pairs.
// Prints markdown; tools/make_bench_doc keeps it in docs/notes/benchmarks.md.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "report.h"
#include "table.h"

namespace touchstone::bench {

void print_bars(const std::vector<Bar>& bars) {
  Table table{{"bar", "FCL / Touchstone", "needed", "met"}};
  for (const Bar& bar : bars)
    table.add({bar.what, fixed(bar.ratio, 2), fixed(bar.needed, 0), bar.met() ? "yes" : "**NO**"});
  std::printf("## Bars\n\n");
  table.print(1);
}

namespace {

struct Options {
  bool cold = false, warm = false, table_one = false, quick = false, check = false;
  std::string only;
};

void declare(CLI::App& app, Options& options) {
  app.add_flag("--cold", options.cold, "only the cold queries");
  app.add_flag("--warm", options.warm, "only the coherent motion");
  app.add_flag("--table1", options.table_one, "only Table I of the paper");
  app.add_flag("--quick", options.quick, "a tenth of the poses: half a minute instead of several");
  app.add_flag("--check", options.check, "exit with 1 when FCL is faster than it may be");
  std::vector<std::string> names;
  for (const Family family : kFamilies) names.push_back(family_name(family));
  app.add_option("--only", options.only, "only this set")->check(CLI::IsMember(names));
}

Plan make_plan(const Options& options) {
  Plan plan;
  if (options.quick) {
    plan.poses = 120;
    plan.motions = {6, 30};
    plan.placements = 1000;
    plan.effort.rounds = 5;
  }
  if (!options.only.empty())
    std::erase_if(plan.families, [&](Family family) { return family_name(family) != options.only; });
  return plan;
}

int run(const Options& options) {
  const Plan plan = make_plan(options);
  const bool all = !options.cold && !options.warm && !options.table_one;
  std::vector<Bar> bars;
  if (all || options.table_one) report_table_one(plan);
  if (all || options.cold) bars = report_cold(plan);
  if (all || options.warm) {
    const std::vector<Bar> warm = report_warm(plan);
    bars.insert(bars.end(), warm.begin(), warm.end());
  }
  if (!bars.empty()) print_bars(bars);
  const bool met = std::all_of(bars.begin(), bars.end(), [](const Bar& bar) { return bar.met(); });
  return options.check && !met ? 1 : 0;
}

}  // namespace
}  // namespace touchstone::bench

int main(int argc, char** argv) {
  CLI::App app{"Signed distance of convex pairs: Touchstone beside FCL, Bullet and libccd"};
  touchstone::bench::Options options;
  touchstone::bench::declare(app, options);
  CLI11_PARSE(app, argc, argv);
  return touchstone::bench::run(options);
}
