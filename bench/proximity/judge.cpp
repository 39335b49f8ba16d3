#include "judge.h"

#include <algorithm>
#include <cmath>

#include "reference.h"

namespace touchstone::bench {

void judge(const Answer& answer, const JudgedQuery& truth, Errors& errors) {
  if (!answer.given) {
    ++errors.silent;
    return;
  }
  const double error = std::abs(answer.gap - truth.gap);
  errors.all.push_back(error);
  errors.worst = std::max(errors.worst, error);
  if (error > kGross) ++errors.gross;
  const double lack = truth.gap - separation_along(truth.query, answer.normal);
  errors.worst_normal = std::max(errors.worst_normal, lack);
}

Errors judge_queries(Peer& peer, std::span<const JudgedQuery> queries) {
  Errors errors;
  for (std::size_t q = 0; q < queries.size(); ++q) judge(peer.ask(static_cast<int>(q)), queries[q], errors);
  return errors;
}

Errors judge_motions(Peer& peer, std::span<const JudgedQuery> queries, int steps) {
  Errors errors;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    if (q % static_cast<std::size_t>(steps) == 0) peer.forget();
    judge(peer.follow(static_cast<int>(q)), queries[q], errors);
  }
  return errors;
}

std::vector<Query> strip(std::span<const JudgedQuery> queries) {
  std::vector<Query> result;
  for (const JudgedQuery& q : queries) result.push_back(q.query);
  return result;
}

}  // namespace touchstone::bench
