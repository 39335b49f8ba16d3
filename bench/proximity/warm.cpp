#include <cstdio>

#include "judge.h"
#include "report.h"
#include "table.h"

namespace touchstone::bench {
namespace {

constexpr std::uint64_t kSeed = 2;
constexpr double kFiveTimes = 5;

/// All motions of a regime behind each other.
std::vector<JudgedQuery> join(const std::vector<Motion>& motions) {
  std::vector<JudgedQuery> queries;
  for (const Motion& motion : motions) queries.insert(queries.end(), motion.begin(), motion.end());
  return queries;
}

class WarmReport {
 public:
  explicit WarmReport(const Plan& plan) : plan_(plan) {
    peers_.push_back(make_touchstone());
    peers_.push_back(make_fcl());
    peers_.push_back(make_fcl_cached());
    peers_.push_back(make_bullet());
  }

  void measure(Family family) {
    PairMaker maker(family, kSeed);
    const auto motions = make_motions(maker, plan_.motions);
    for (const Regime regime : kRegimes)
      measure({family_name(family), regime_name(regime)}, join(motions[static_cast<int>(regime)]));
  }

  void print() const {
    std::printf("## Coherent motion, warm start (%d pairs of %d steps per set)\n\n", plan_.motions.pairs,
                plan_.motions.steps);
    each_.print(3);
    ratios_.print(2);
  }

  const std::vector<Bar>& bars() const { return bars_; }

 private:
  struct Label {
    std::string set, regime;
  };

  void measure(const Label& label, const std::vector<JudgedQuery>& queries) {
    const std::vector<Query> bare = strip(queries);
    std::vector<Peer*> pointers;
    for (const auto& peer : peers_) {
      peer->load(bare);
      pointers.push_back(peer.get());
    }
    const auto timings = time_motions(pointers, {plan_.motions.pairs, plan_.motions.steps}, plan_.effort);
    for (std::size_t i = 0; i < peers_.size(); ++i) add_row(label, *peers_[i], queries, timings[i]);
    add_ratios(label, timings);
  }

  void add_row(const Label& label, Peer& peer, const std::vector<JudgedQuery>& queries,
               const Timing& timing) {
    const Errors errors = judge_motions(peer, queries, plan_.motions.steps);
    each_.add({label.set, label.regime, peer.name(), fixed(median(timing.query_us), 3),
               fixed(timing.sweep_us, 3), fixed(quantile(timing.query_us, 0.99), 3),
               std::to_string(errors.silent), std::to_string(errors.gross), scientific(errors.worst, 1),
               scientific(errors.worst_normal, 1)});
  }

  void add_ratios(const Label& label, const std::vector<Timing>& t) {
    const auto of_medians = [&](int peer) { return median(t[peer].query_us) / median(t[0].query_us); };
    const double means = t[1].sweep_us / t[0].sweep_us;
    ratios_.add({label.set, label.regime, fixed(of_medians(1), 1), fixed(means, 1), fixed(of_medians(2), 1),
                 fixed(of_medians(3), 1)});
    const std::string what = "warm " + label.set + ", " + label.regime;
    bars_.push_back({what + ", median", of_medians(1), kFiveTimes});
    bars_.push_back({what + ", mean", means, kFiveTimes});
  }

  const Plan& plan_;
  std::vector<std::unique_ptr<Peer>> peers_;
  Table each_{{"set", "regime", "library", "median us", "mean us", "slowest pair us", "no answer", "gross",
               "worst error m", "worst normal m"}};
  Table ratios_{{"set", "regime", "FCL / Touchstone, median", "mean", "FCL cached / Touchstone, median",
                 "Bullet / Touchstone, median"}};
  std::vector<Bar> bars_;
};

}  // namespace

std::vector<Bar> report_warm(const Plan& plan) {
  WarmReport report(plan);
  for (const Family family : plan.families) report.measure(family);
  report.print();
  return report.bars();
}

}  // namespace touchstone::bench
