#include "peer.h"
#include "touchstone/proximity/gap.h"

namespace touchstone::bench {
namespace {

class TouchstonePeer : public Peer {
 public:
  std::string name() const override { return "Touchstone"; }

  void load(std::span<const Query> queries) override {
    pairs_.clear();
    for (const Query& q : queries) pairs_.push_back({{q.A, q.X_WA}, {q.B, q.X_WB}});
    forget();
  }

  Answer ask(int query) override { return answer(query, nullptr); }
  Answer follow(int query) override { return answer(query, &memory_); }
  void forget() override { memory_ = {}; }

 private:
  struct Pair {
    Placed<3> A, B;
  };

  Answer answer(int query, GapMemory<3>* memory) {
    const Pair& pair = pairs_[query];
    const Gap<3> found = find_gap(pair.A, pair.B, memory, settings_);
    return {true, found.gap, found.normal};
  }

  std::vector<Pair> pairs_;
  GapMemory<3> memory_;
  // Gap and one normal are asked for, of every library.
  GapSettings settings_{.find_candidates = false, .find_points = false};
};

}  // namespace

std::unique_ptr<Peer> make_touchstone() { return std::make_unique<TouchstonePeer>(); }

}  // namespace touchstone::bench
