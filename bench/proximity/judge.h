#pragma once
// How wrong a library is, against the explicit Minkowski difference.

#include <span>

#include "pose_set.h"

namespace touchstone::bench {

/// [m] An error that no round-off explains.
inline constexpr double kGross = 1e-3;

struct Errors {
  int silent = 0;           ///< queries without an answer
  int gross = 0;            ///< answers wrong by more than kGross
  double worst = 0;         ///< [m] largest |error| of the gap
  double worst_normal = 0;  ///< [m] largest lack of separation along the normal: 0 for the right one
  std::vector<double> all;  ///< [m] |error| of each answer
};

void judge(const Answer& answer, const JudgedQuery& truth, Errors& errors);

/// Cold answers; the peer must have loaded these queries.
Errors judge_queries(Peer& peer, std::span<const JudgedQuery> queries);
/// Answers along motions of `steps` queries each.
Errors judge_motions(Peer& peer, std::span<const JudgedQuery> queries, int steps);

std::vector<Query> strip(std::span<const JudgedQuery> queries);

}  // namespace touchstone::bench
