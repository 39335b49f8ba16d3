#include "motion.h"

#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "reference.h"

namespace touchstone::bench {
namespace {

constexpr double kTurnPerStep = 0.01;  // [rad] both of the body and of the line of centres

/// How far apart the bodies are at a step, in kissing distances along the line of centres.
double spread(Regime regime, int step) {
  switch (regime) {
    case Regime::disjoint:
      return 1.2 + 0.05 * std::sin(0.1 * step);
    case Regime::shallow:
      return 1 + 1e-3 * std::sin(0.37 * step);
    case Regime::kissing:
      return 1;
    case Regime::overlapping:
      return 0.6 + 0.05 * std::sin(0.1 * step);
  }
  return 1;
}

/// Orientations and lines of centres of one pair over time.
struct Path {
  Query start;                         ///< both bodies at the origin
  std::optional<Vec<3>> turning_axis;  ///< of B
  Vec<3> direction_W;                  ///< from A to B at the start

  /// The bodies at a step, still at the origin. Turned from the start each time: no rotation drifts away from
  /// orthogonal.
  Query turned(int step) const {
    Query query = start;
    if (turning_axis) query.X_WB.R = rotation(*turning_axis, kTurnPerStep * step) * start.X_WB.R;
    return query;
  }
  Vec<3> direction(int step) const {
    return rotation(any_perpendicular(direction_W), kTurnPerStep * step) * direction_W;
  }
};

Path make_path(PairMaker& maker) {
  const Query start = maker.pair();
  const auto axis = maker.turning_axis();
  return {start, axis, maker.random().direction<3>()};
}

/// One step in each regime: the same orientations, further and further apart.
void add_step(const Path& path, int step, std::span<Motion*> motions) {
  Query query = path.turned(step);
  const Mat<3> R_AW = query.X_WA.R.transpose();
  const Vec<3> direction = path.direction(step);
  const Difference difference(*query.A, *query.B, R_AW * query.X_WB.R);
  const double kissing = difference.kissing_distance(R_AW * direction);
  for (const Regime regime : kRegimes) {
    query.X_WB.p = spread(regime, step) * kissing * direction;
    motions[static_cast<int>(regime)]->push_back({query, difference.gap(R_AW * query.X_WB.p)});
  }
}

}  // namespace

std::string regime_name(Regime regime) {
  constexpr const char* kNames[] = {"disjoint", "shallow", "kissing", "overlapping"};
  return kNames[static_cast<int>(regime)];
}

std::vector<std::vector<Motion>> make_motions(PairMaker& maker, const MotionSize& size) {
  std::vector<std::vector<Motion>> motions(std::size(kRegimes), std::vector<Motion>(size.pairs));
  for (int pair = 0; pair < size.pairs; ++pair) {
    const Path path = make_path(maker);
    std::array<Motion*, std::size(kRegimes)> into;
    for (const Regime regime : kRegimes)
      into[static_cast<int>(regime)] = &motions[static_cast<int>(regime)][pair];
    for (int step = 0; step < size.steps; ++step) add_step(path, step, into);
  }
  return motions;
}

}  // namespace touchstone::bench
