#include <cstdio>

#include "judge.h"
#include "report.h"
#include "table.h"

namespace touchstone::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kAsFast = 1;

std::vector<std::unique_ptr<Peer>> make_peers(bool overlapping) {
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(make_touchstone());
  peers.push_back(make_fcl());
  peers.push_back(make_bullet());
  if (overlapping) peers.push_back(make_ccd_gjk_epa());
  if (overlapping) peers.push_back(make_ccd_mpr());
  return peers;
}

std::vector<Peer*> pointers(const std::vector<std::unique_ptr<Peer>>& peers) {
  std::vector<Peer*> result;
  for (const auto& peer : peers) result.push_back(peer.get());
  return result;
}

/// Where the rows of one regime go.
struct ColdTables {
  Table each{{"set", "library", "median us", "mean us", "p99 us", "no answer", "gross", "worst error m",
              "worst normal m"}};
  Table ratios{{"set", "FCL / Touchstone, median", "mean", "p99", "Bullet / Touchstone, median", "mean"}};
  std::vector<Bar> bars;
};

void add_ratios(const std::string& set, const std::vector<Timing>& t, ColdTables& tables) {
  const auto of_medians = [&](int peer) { return median(t[peer].query_us) / median(t[0].query_us); };
  const auto of_means = [&](int peer) { return t[peer].sweep_us / t[0].sweep_us; };
  const double p99 = quantile(t[1].query_us, 0.99) / quantile(t[0].query_us, 0.99);
  tables.ratios.add({set, fixed(of_medians(1), 2), fixed(of_means(1), 2), fixed(p99, 2),
                     fixed(of_medians(2), 2), fixed(of_means(2), 2)});
  tables.bars.push_back({"cold " + set + ", median", of_medians(1), kAsFast});
  tables.bars.push_back({"cold " + set + ", mean", of_means(1), kAsFast});
}

void measure(const std::string& set, const std::vector<JudgedQuery>& queries,
             const std::vector<std::unique_ptr<Peer>>& peers, const Effort& effort, ColdTables& tables) {
  const std::vector<Query> bare = strip(queries);
  for (const auto& peer : peers) peer->load(bare);
  const auto timings = time_queries(pointers(peers), static_cast<int>(bare.size()), effort);
  for (std::size_t i = 0; i < peers.size(); ++i) {
    const Errors errors = judge_queries(*peers[i], queries);
    tables.each.add({set, peers[i]->name(), fixed(median(timings[i].query_us), 2),
                     fixed(timings[i].sweep_us, 2), fixed(quantile(timings[i].query_us, 0.99), 2),
                     std::to_string(errors.silent), std::to_string(errors.gross), scientific(errors.worst, 1),
                     scientific(errors.worst_normal, 1)});
  }
  add_ratios(set, timings, tables);
}

}  // namespace

std::vector<Bar> report_cold(const Plan& plan) {
  const auto for_overlap = make_peers(true), for_distance = make_peers(false);
  ColdTables overlap, distance;
  for (const Family family : plan.families) {
    PairMaker maker(family, kSeed);
    const PoseSet set = make_pose_set(maker, plan.poses);
    measure(family_name(family), set.overlapping, for_overlap, plan.effort, overlap);
    measure(family_name(family), set.disjoint, for_distance, plan.effort, distance);
  }
  std::printf("## Cold queries, overlapping bodies (%d poses per set)\n\n", plan.poses / 2);
  overlap.each.print(2);
  overlap.ratios.print(1);
  std::printf("## Cold queries, disjoint bodies (%d poses per set)\n\n", plan.poses / 2);
  distance.each.print(2);
  distance.ratios.print(1);
  for (Bar& bar : overlap.bars) bar.what += ", overlapping";
  for (Bar& bar : distance.bars) overlap.bars.push_back({bar.what + ", disjoint", bar.ratio, bar.needed});
  return overlap.bars;
}

}  // namespace touchstone::bench
