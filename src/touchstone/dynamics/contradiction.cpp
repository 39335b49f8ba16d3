#include "touchstone/dynamics/contradiction.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <vector>

#include "touchstone/math/joined_sets.h"

namespace touchstone {
namespace {

/// Of the speeds of the bodies in the equation of a motor.
constexpr double kMotorMissed = 1e-3;
/// The same of a joint: where inertias differ by 1e9, equations of the lightest body are not told from those
/// that loops say twice. How far joints may open is judged elsewhere.
constexpr double kJointMissed = 0.1;
/// [m/s, rad/s] Less is round-off.
constexpr double kStill = 1e-7;

/// [m/s, rad/s] What the speeds of its bodies could be in a row at most: what it misses is compared with
/// that.
template <int D>
double largest_rate(const Row<D>& row, const std::vector<Twist<D>>& V, double p) {
  double sum = std::abs(row.offset) + std::abs(row.compliance * p);
  if (row.body_A >= 0) sum += row.G_A.norm() * V[row.body_A].norm();
  if (row.body_B >= 0) sum += row.G_B.norm() * V[row.body_B].norm();
  return sum;
}

/// Per joint: does it lie in a set of joints with a loop, the world and scripted bodies being one end? A tree
/// of joints contradicts nothing.
template <int D>
std::vector<char> find_loops(const StepInput<D>& input) {
  const int ground = static_cast<int>(input.bodies.size());
  const auto end = [&](int body) { return body >= 0 && input.bodies[body].is_dynamic() ? body : ground; };
  JoinedSets all(ground + 1), moving(ground + 1);
  std::vector<int> closing;
  for (const Joint<D>& joint : input.joints) {
    const int a = end(joint.body_A), b = end(joint.body_B);
    if (all.find(a) == all.find(b)) closing.push_back(a != ground ? a : b);
    all.join(a, b);
    if (a != ground && b != ground) moving.join(a, b);
  }
  std::vector<char> loops;
  for (const Joint<D>& joint : input.joints) {
    const int a = end(joint.body_A), body = a != ground ? a : end(joint.body_B);
    loops.push_back(std::any_of(closing.begin(), closing.end(),
                                [&](int c) { return moving.find(c) == moving.find(body); }));
  }
  return loops;
}

}  // namespace

template <int D>
std::optional<std::string> find_contradiction(const StepInput<D>& input, const Assembly<D>& assembly,
                                              const StepImpulses<D>& found) {
  const std::vector<Row<D>>& rows = assembly.equations.bilateral;
  assert(found.bilateral.size() == rows.size() && assembly.bilateral.size() == rows.size());
  // Contacts that do not slip hold more than a joint may let them: that is the law's doing, and the joint
  // opens.
  const bool sticks = std::any_of(
      assembly.bilateral.begin(), assembly.bilateral.end(),
      [](const RowNote& note) { return note.kind == RowKind::contact || note.kind == RowKind::friction; });
  if (sticks || rows.empty()) return std::nullopt;
  const std::vector<char> in_loop = find_loops(input);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowNote& note = assembly.bilateral[i];
    if (note.kind != RowKind::joint && note.kind != RowKind::drive) continue;
    if (!in_loop[note.index]) continue;
    const double p = found.bilateral[i];
    const double missed = std::abs(rate(rows[i], found.V) + rows[i].offset + rows[i].compliance * p);
    // The speed at which a joint closes is asked for, not needed: how far joints open is judged elsewhere.
    const double closing = note.kind == RowKind::joint ? std::abs(rows[i].offset - note.carried) : 0;
    const double share = note.kind == RowKind::joint ? kJointMissed : kMotorMissed;
    if (missed <= share * largest_rate(rows[i], found.V, p) + closing + kStill) continue;
    char text[160];
    std::snprintf(text, sizeof text,
                  "\" cannot be obeyed together with what else holds its bodies: %s misses its speed by %.2g",
                  note.kind == RowKind::drive ? "its motor" : "it", missed);
    return "joint \"" + input.joints[note.index].name + text;
  }
  return std::nullopt;
}

template std::optional<std::string> find_contradiction(const StepInput<2>&, const Assembly<2>&,
                                                       const StepImpulses<2>&);
template std::optional<std::string> find_contradiction(const StepInput<3>&, const Assembly<3>&,
                                                       const StepImpulses<3>&);

}  // namespace touchstone
