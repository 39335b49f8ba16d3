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

/// Overlapping or disjoint: who is asked, and where the rows go.
struct ColdRegime {
  std::string name;
  std::vector<std::unique_ptr<Peer>> peers;  ///< Touchstone, FCL, Bullet, then others
  Table each{{"set", "library", "median us", "mean us", "p99 us", "no answer", "gross", "worst error m",
              "worst normal m"}};
  Table ratios{{"set", "FCL / Touchstone, median", "mean", "p99", "Bullet / Touchstone, median", "mean"}};
  std::vector<Bar> bars{};
};

void add_ratios(const std::string& set, const std::vector<Timing>& t, ColdRegime& regime) {
  const auto of_medians = [&](int peer) { return median(t[peer].query_us) / median(t[0].query_us); };
  const auto of_means = [&](int peer) { return t[peer].sweep_us / t[0].sweep_us; };
  const double p99 = quantile(t[1].query_us, 0.99) / quantile(t[0].query_us, 0.99);
  regime.ratios.add({set, fixed(of_medians(1), 2), fixed(of_means(1), 2), fixed(p99, 2),
                     fixed(of_medians(2), 2), fixed(of_means(2), 2)});
  const std::string what = "cold " + set + ", " + regime.name;
  regime.bars.push_back({what + ", median", of_medians(1), kAsFast});
  regime.bars.push_back({what + ", mean", of_means(1), kAsFast});
}

void measure(const std::string& set, const std::vector<JudgedQuery>& queries, const Effort& effort,
             ColdRegime& regime) {
  const std::vector<Query> bare = strip(queries);
  for (const auto& peer : regime.peers) peer->load(bare);
  const auto timings = time_queries(pointers(regime.peers), static_cast<int>(bare.size()), effort);
  for (std::size_t i = 0; i < regime.peers.size(); ++i) {
    const Errors errors = judge_queries(*regime.peers[i], queries);
    const Timing& t = timings[i];
    regime.each.add({set, regime.peers[i]->name(), fixed(median(t.query_us), 2), fixed(t.sweep_us, 2),
                     fixed(quantile(t.query_us, 0.99), 2), std::to_string(errors.silent),
                     std::to_string(errors.gross), scientific(errors.worst, 1),
                     scientific(errors.worst_normal, 1)});
  }
  add_ratios(set, timings, regime);
}

void print(const ColdRegime& regime, int poses) {
  std::printf("## Cold queries, %s bodies (%d poses per set)\n\n", regime.name.c_str(), poses);
  regime.each.print(2);
  regime.ratios.print(1);
}

}  // namespace

std::vector<Bar> report_cold(const Plan& plan) {
  ColdRegime overlapping{"overlapping", make_peers(true)}, disjoint{"disjoint", make_peers(false)};
  for (const Family family : plan.families) {
    PairMaker maker(family, kSeed);
    const PoseSet set = make_pose_set(maker, plan.poses);
    measure(family_name(family), set.overlapping, plan.effort, overlapping);
    measure(family_name(family), set.disjoint, plan.effort, disjoint);
  }
  std::vector<Bar> bars;
  for (const ColdRegime* regime : {&overlapping, &disjoint}) {
    print(*regime, plan.poses / 2);
    bars.insert(bars.end(), regime->bars.begin(), regime->bars.end());
  }
  return bars;
}

}  // namespace touchstone::bench
