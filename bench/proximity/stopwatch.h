#pragma once
// Times of several libraries on the same queries. The libraries take turns within a round, so that a noisy
// neighbour on the machine slows all of them, and the median over the rounds is taken.

#include <span>
#include <vector>

#include "peer.h"

namespace touchstone::bench {

struct Effort {
  int rounds;       ///< of which the median is taken
  double batch_us;  ///< a query is repeated for about so long in each round, far above the clock's grain
};

/// Times of one library.
struct Timing {
  std::vector<double> query_us;  ///< of each query, repeated
  double sweep_us =
      0;  ///< mean, when all queries are asked once, one after another: nothing is in the caches
          ///  and no branch has been learnt from the same query
};

/// Each query from a cold start. One entry per peer; all must have loaded the same queries.
std::vector<Timing> time_queries(std::span<Peer* const> peers, int queries, const Effort& effort);

/// Motions of equal length that follow each other among the queries. The first step of each is not timed;
/// query_us holds one mean per motion.
struct MotionLayout {
  int motions, steps;
};
std::vector<Timing> time_motions(std::span<Peer* const> peers, const MotionLayout& layout,
                                 const Effort& effort);

double median(std::vector<double> values);
double mean(std::span<const double> values);
/// The value that the given fraction of all lies below.
double quantile(std::vector<double> values, double fraction);

}  // namespace touchstone::bench
