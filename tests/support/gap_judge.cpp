#include "support/gap_judge.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace touchstone::support {
namespace {

using oracle::SignedDistance;

/// [rad] Two normals this close are the same one.
constexpr double kSameNormal = 1e-6;
/// [sizes] Closer than this, the direction of closest points is no better than any that separates.
constexpr double kDirectionKnown = 1e-10;
/// Round-offs of a world position that a witness may be off by.
constexpr double kWitnessRoundOffs = 4;

std::string format(const char* text, ...) {
  char line[400];
  va_list arguments;
  va_start(arguments, text);
  std::vsnprintf(line, sizeof line, text, arguments);
  va_end(arguments);
  return line;
}

/// The sine of the angle at which two edges cross; 1 for all other features.
double crossing_sine(const Placed<2>&, const Placed<2>&, const FeaturePair&) { return 1; }

double crossing_sine(const Placed<3>& A, const Placed<3>& B, const FeaturePair& features) {
  if (features.a.kind != FeatureKind::edge || features.b.kind != FeatureKind::edge) return 1;
  const auto direction = [](const Placed<3>& P, int e) {
    const Edge& edge = P.polytope->edge(e);
    return Vec<3>(P.X_WB.R * (P.polytope->vertex(edge.head) - P.polytope->vertex(edge.tail)).normalized());
  };
  return direction(A, features.a.index).cross(direction(B, features.b.index)).norm();
}

template <int D>
class Judge {
 public:
  Judge(const Placed<D>& A, const Placed<D>& B, const Gap<D>& answer)
      : A_(A), B_(B), g_(answer), truth_(oracle::signed_distance<D>(A, B)) {}

  Verdict verdict() {
    judge_value();
    judge_status();
    judge_normal();
    judge_uniqueness();
    judge_witnesses();
    return std::move(verdict_);
  }

 private:
  long double size() const { return truth_.size; }
  double truth() const { return static_cast<double>(truth_.gap); }
  void require(bool holds, const std::string& complaint) {
    if (!holds) verdict_.complaints.push_back(complaint);
  }

  void judge_value() {
    const long double error = std::abs(static_cast<long double>(g_.gap) - truth_.gap);
    verdict_.error = static_cast<double>(error / size());
    verdict_.gross = !(verdict_.error <= kGross);
    const long double allowed = kGapBound * size() + truth_.error;
    require(error <= allowed,
            format("gap %.17g, truth %.17g, error %.2e sizes", g_.gap, truth(), verdict_.error));
    require(g_.lower <= truth_.gap + allowed, format("lower bound %.17g above %.17g", g_.lower, truth()));
    require(g_.upper >= truth_.gap - allowed, format("upper bound %.17g below %.17g", g_.upper, truth()));
    require(g_.lower <= g_.upper + allowed, format("bounds %.17g > %.17g", g_.lower, g_.upper));
  }

  void judge_status() {
    const long double limit = kTouching * size();
    if (std::abs(std::abs(truth_.gap) - limit) <= kStatusMargin * size()) return;
    verdict_.judged_status = true;
    const Status right = std::abs(truth_.gap) < limit ? Status::touching
                         : truth_.gap > 0             ? Status::disjoint
                                                      : Status::overlapping;
    require(g_.status == right, format("status %d instead of %d, gap %.17g", static_cast<int>(g_.status),
                                       static_cast<int>(right), truth()));
  }

  /// A normal is right if it shows the gap: s(n) = gap. Where several do so within the touching tolerance,
  /// any of them is right; near a corner that touches from outside, none does better than the best facet.
  void judge_normal() {
    require(std::abs(g_.normal.norm() - 1) <= kGapBound, format("normal of length %.17g", g_.normal.norm()));
    const long double s = oracle::separation<D>(A_, B_, g_.normal);
    const bool facets_only = g_.status != Status::disjoint && !truth_.axes.empty();
    const long double best = facets_only ? truth_.axes[0].separation : truth_.gap;
    const double allowed = kNormalBound + (g_.normal_is_unique ? 0 : kTouching * (1 + kTieMargin));
    require(s >= best - allowed * size(),
            format("the normal separates by %.17g only, gap %.17g, %.2e sizes less", static_cast<double>(s),
                   truth(), static_cast<double>((best - s) / size())));
    if (g_.status != Status::disjoint || truth_.gap < kDirectionKnown * size()) return;
    // Closest points are known to a round-off of the size, and with them the direction; where edges cross at
    // a small angle they slide along the edges by round-off over the angle, and the direction tilts with
    // them.
    const long double tilt = (g_.normal.template cast<long double>() - truth_.normal).norm();
    require(tilt * truth_.gap * crossing_sine(A_, B_, g_.features) <= kNormalBound * size(),
            format("normal tilted by %.2e rad at gap %.2e", static_cast<double>(tilt), truth()));
  }

  void judge_uniqueness() {
    if (g_.status == Status::disjoint) {
      require(g_.normal_is_unique && g_.candidates.empty(), "a disjoint pair has one normal");
      verdict_.judged_uniqueness = true;
      return;
    }
    if (!verdict_.judged_status) return;  // on the limit of touching, so is what counts as a tie
    std::size_t ties = 0;
    for (const auto& axis : truth_.axes) {
      const long double behind = (truth_.axes[0].separation - axis.separation) / (kTouching * size());
      if (std::abs(behind - 1) <= kTieMargin) return;  // the oracle cannot tell what counts as a tie
      ties += behind < 1;
    }
    verdict_.judged_uniqueness = true;
    require(g_.normal_is_unique == (ties == 1),
            format("%zu normals, but unique is %d", ties, g_.normal_is_unique));
    if (ties > 1) judge_candidates(ties);
  }

  void judge_candidates(std::size_t ties) {
    require(g_.candidates.size() == ties,
            format("%zu candidates instead of %zu", g_.candidates.size(), ties));
    for (std::size_t i = 0; i < ties; ++i) {
      const Vec<D> n = truth_.axes[i].normal.template cast<double>();
      require(std::any_of(g_.candidates.begin(), g_.candidates.end(),
                          [&](const Vec<D>& c) { return (c - n).norm() <= kSameNormal; }),
              format("candidate %zu (%.6f, %.6f, ..) is missing", i, n[0], n[1]));
    }
    require(std::any_of(g_.candidates.begin(), g_.candidates.end(),
                        [&](const Vec<D>& c) { return (c - g_.normal).norm() <= kSameNormal; }),
            "the normal is not among its candidates");
  }

  void judge_witnesses() {
    const double world = std::max(A_.X_WB.p.norm(), B_.X_WB.p.norm());
    const double allowed = kGapBound * static_cast<double>(size()) + kWitnessRoundOffs * 0x1p-53 * world;
    const double shown = g_.normal.dot(g_.point_A - g_.point_B);
    require(std::abs(shown - g_.gap) <= 2 * allowed + touching_slack(),
            format("the witnesses show %.17g, not %.17g", shown, g_.gap));
    const double a = static_cast<double>(oracle::height_over<D>(A_, g_.point_A));
    const double b = static_cast<double>(oracle::height_over<D>(B_, g_.point_B));
    require(a <= allowed, format("point_A lies %.2e sizes outside A", a / static_cast<double>(size())));
    require(b <= allowed, format("point_B lies %.2e sizes outside B", b / static_cast<double>(size())));
  }

  /// A facet's normal at a corner that touches from outside shows less than the distance.
  double touching_slack() const {
    return g_.status == Status::touching ? kTouching * static_cast<double>(size()) : 0;
  }

  const Placed<D>&A_, &B_;
  const Gap<D>& g_;
  SignedDistance<D> truth_;
  Verdict verdict_;
};

template <int D>
std::string text_of(const Pose<D>& X) {
  std::string text = "{R rows ";
  for (int i = 0; i < D; ++i) {
    for (int k = 0; k < D; ++k) text += format("%.17g, ", X.R(i, k));
  }
  text += "p ";
  for (int k = 0; k < D; ++k) text += format("%.17g%s", X.p[k], k + 1 < D ? ", " : "}");
  return text;
}

}  // namespace

template <int D>
Verdict judge_gap(const Placed<D>& A, const Placed<D>& B, const Gap<D>& answer) {
  return Judge<D>(A, B, answer).verdict();
}

template <int D>
std::string text_of(const Placed<D>& A, const Placed<D>& B) {
  return "A (" + std::to_string(A.polytope->vertex_count()) + " vertices) " + text_of(A.X_WB) + "\nB (" +
         std::to_string(B.polytope->vertex_count()) + " vertices) " + text_of(B.X_WB);
}

template Verdict judge_gap(const Placed<2>&, const Placed<2>&, const Gap<2>&);
template Verdict judge_gap(const Placed<3>&, const Placed<3>&, const Gap<3>&);
template std::string text_of(const Placed<2>&, const Placed<2>&);
template std::string text_of(const Placed<3>&, const Placed<3>&);

}  // namespace touchstone::support
