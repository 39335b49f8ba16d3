#include "touchstone/record/certificate.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <set>

#include "touchstone/geometry/bounds.h"
#include "touchstone/math/checks.h"
#include "touchstone/record/pair_judge.h"

namespace touchstone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Overlaps less deep than this times the size of the smaller part are round-off: their volume is not
/// measured.
constexpr double kSkin = 1e-13;

}  // namespace

template <int D>
struct Certifier<D>::State {
  CertifiedBodies<D> bodies;
  std::vector<Ball<D>> balls;  ///< per part, in its own frame
  std::vector<int> order;      ///< bounded parts, by where their balls begin along x
  std::vector<int> endless;    ///< half-spaces
  std::map<std::pair<int, int>, Vec<D>> axes;
  // Of the frame that is looked at:
  std::vector<Pose<D>> X_WS;
  std::vector<Ball<D>> placed;
  double overlap = 0;

  bool may_touch(int i, int j) const {
    assert(is_index(i, bodies.parts.size()) && is_index(j, bodies.parts.size()));
    const CertifiedPart<D>&a = bodies.parts[i], &b = bodies.parts[j];
    if (a.body == b.body || !(a.collides & b.group) || !(b.collides & a.group)) return false;
    if (!bodies.dynamic[a.body] && !bodies.dynamic[b.body]) return false;
    const std::pair<int, int> pair = std::minmax(a.body, b.body);
    return !std::binary_search(bodies.no_contact.begin(), bodies.no_contact.end(), pair);
  }

  long count_pairs() const {
    std::set<std::pair<int, int>> pairs;
    for (std::size_t i = 0; i < bodies.parts.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (may_touch(static_cast<int>(i), static_cast<int>(j))) {
          pairs.insert(std::minmax(bodies.parts[i].body, bodies.parts[j].body));
        }
      }
    }
    return static_cast<long>(pairs.size());
  }

  void place(std::span<const Pose<D>> X_WB) {
    assert(X_WB.size() == bodies.dynamic.size() && balls.size() == bodies.parts.size());
    X_WS.resize(bodies.parts.size());
    placed.resize(bodies.parts.size());
    for (std::size_t i = 0; i < X_WS.size(); ++i) {
      X_WS[i] = X_WB[bodies.parts[i].body] * bodies.parts[i].X_BS;
      placed[i] = {X_WS[i] * balls[i].centre, balls[i].radius};
    }
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return begin_of(i) < begin_of(j); });
    overlap = 0;
  }

  double begin_of(int i) const { return placed[i].centre.x() - placed[i].radius; }
  double end_of(int i) const { return placed[i].centre.x() + placed[i].radius; }

  /// A lower bound of the gap.
  double distance_of_balls(int i, int j) const {
    return (placed[i].centre - placed[j].centre).norm() - placed[i].radius - placed[j].radius;
  }

  /// Measures the pair as far as it can change the certificate.
  void judge(int i, int j, Certificate& found) {
    assert(i < j);
    if (!may_touch(i, j)) return;
    const double skin = kSkin * std::min(balls[i].radius, balls[j].radius);
    const double enough = std::max(found.min_gap, -skin);
    if (distance_of_balls(i, j) >= enough) return;
    const Shape<D>&A = *bodies.parts[i].shape, &B = *bodies.parts[j].shape;
    const Pose<D> X_AB = relative_pose(X_WS[i], X_WS[j]);
    Vec<D>& axis = axes.try_emplace({i, j}, Vec<D>::Zero()).first->second;
    const double gap = judge_gap<D>(A, B, X_AB, enough, axis);
    if (gap < -skin) overlap += judge_overlap<D>(A, B, X_AB);
    if (gap >= found.min_gap) return;
    found.min_gap = gap, found.min_frame = found.frames;
    found.body_A = bodies.parts[i].body, found.body_B = bodies.parts[j].body;
  }
};

template <int D>
Certifier<D>::Certifier(CertifiedBodies<D> bodies) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.bodies = std::move(bodies);
  for (std::size_t i = 0; i < s.bodies.parts.size(); ++i) {
    assert(s.bodies.parts[i].shape && is_index(s.bodies.parts[i].body, s.bodies.dynamic.size()));
    s.balls.push_back(ball_about(*s.bodies.parts[i].shape));
    (std::isfinite(s.balls[i].radius) ? s.order : s.endless).push_back(static_cast<int>(i));
  }
  assert(std::is_sorted(s.bodies.no_contact.begin(), s.bodies.no_contact.end()));
  certificate_.pairs = s.count_pairs();
}

template <int D>
Certifier<D>::~Certifier() = default;

template <int D>
void Certifier<D>::check(std::span<const Pose<D>> X_WB, const std::vector<bool>& present) {
  State& s = *state_;
  assert(present.empty() || present.size() == s.bodies.dynamic.size());
  const auto is_present = [&](int i) { return present.empty() || present[s.bodies.parts[i].body]; };
  s.place(X_WB);
  for (std::size_t i = 0; i < s.order.size(); ++i) {
    const int a = s.order[i];
    if (!is_present(a)) continue;
    for (const int b : s.endless) {
      if (is_present(b)) s.judge(std::min(a, b), std::max(a, b), certificate_);
    }
    // Whoever begins beyond the end of this ball, and as far again as the least gap yet, is too far away.
    for (std::size_t j = i + 1; j < s.order.size(); ++j) {
      const int b = s.order[j];
      if (s.begin_of(b) > s.end_of(a) + std::max(0.0, certificate_.min_gap)) break;
      if (is_present(b)) s.judge(std::min(a, b), std::max(a, b), certificate_);
    }
  }
  assert(s.overlap >= 0);
  if (s.overlap > certificate_.max_overlap) {
    certificate_.max_overlap = s.overlap;
    certificate_.overlap_frame = certificate_.frames;
  }
  ++certificate_.frames;
}

template class Certifier<2>;
template class Certifier<3>;

}  // namespace touchstone
