#include "touchstone/dynamics/contradiction.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>

namespace touchstone {
namespace {

/// Of the speeds of the bodies in an equation. Loops of joints say some things twice, and differ by their
/// drift.
constexpr double kMissed = 1e-3;
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
  if (sticks) return std::nullopt;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowNote& note = assembly.bilateral[i];
    if (note.kind != RowKind::joint && note.kind != RowKind::drive) continue;
    const double p = found.bilateral[i];
    const double missed = std::abs(rate(rows[i], found.V) + rows[i].offset + rows[i].compliance * p);
    // The speed at which a joint closes is asked for, not needed: how far joints open is judged elsewhere.
    const double closing = note.kind == RowKind::joint ? std::abs(rows[i].offset - note.carried) : 0;
    if (missed <= kMissed * largest_rate(rows[i], found.V, p) + closing + kStill) continue;
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
