#include <algorithm>
#include <cmath>
#include <cstdio>

#include "judge.h"
#include "report.h"
#include "table.h"

namespace touchstone::bench {
namespace {

constexpr std::uint64_t kSeed = 3;

double deviation(const std::vector<double>& values) {
  const double centre = mean(values);
  double sum = 0;
  for (const double v : values) sum += (v - centre) * (v - centre);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

void add_row(Peer& peer, const std::string& bodies, const std::vector<JudgedQuery>& queries, Table& table) {
  peer.load(strip(queries));
  const Errors errors = judge_queries(peer, queries);
  const auto [least, most] = std::minmax_element(errors.all.begin(), errors.all.end());
  table.add({peer.name(), bodies, scientific(*least, 3), scientific(*most, 3),
             scientific(mean(errors.all), 3), scientific(deviation(errors.all), 3),
             std::to_string(errors.gross), std::to_string(errors.silent)});
}

/// The rows as the paper prints them.
void add_published(Table& table) {
  table.add({"paper: SAT (Moby)", "both", "0.000000", "2.66454e-15", "3.353e-16", "4.413e-16", "-", "-"});
  table.add({"paper: GJK+EPA (libccd)", "both", "2.693e-6", "0.608937", "0.0518467", "0.1311", "-", "-"});
}

}  // namespace

void report_table_one(const Plan& plan) {
  PairMaker maker(Family::boxes, kSeed);
  const PoseSet set = make_pose_set(maker, 2 * plan.placements);
  Table table{{"algorithm", "bodies", "minimum error", "maximum error", "mean error", "standard deviation",
               "gross", "no answer"}};
  for (const auto& make : {make_touchstone, make_fcl, make_bullet, make_ccd_gjk_epa, make_ccd_mpr}) {
    const auto peer = make();
    add_row(*peer, "overlapping", set.overlapping, table);
    if (peer->measures_distance()) add_row(*peer, "disjoint", set.disjoint, table);
  }
  add_published(table);
  std::printf("## Table I of the paper: error of the signed distance of two 2x2x2 boxes [m]\n\n");
  std::printf(
      "%d random placements that overlap and as many that do not, against the explicit Minkowski\n"
      "difference. \"gross\" counts errors above 1e-3.\n\n",
      plan.placements);
  table.print(2);
}

}  // namespace touchstone::bench
