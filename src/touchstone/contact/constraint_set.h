#pragma once
// What a contact model hands to dynamics: contacts, and which stands in which relation. The models are tables
// of indices, not a class tree.

#include <cstdint>
#include <vector>

#include "touchstone/math/vec.h"

namespace touchstone {

/// A point at which two bodies may push each other.
template <int D>
struct Contact {
  int body_A = 0, body_B = 0;
  int material_A = 0, material_B = 0;
  Vec<D> point;    ///< [m] world; one point for both bodies, so that Newton's third law holds
  Vec<D> normal;   ///< unit, world, from B to A
  double gap = 0;  ///< [m] of the bodies here at the start of the step, along the normal; negative: overlap
  /// The same feature pair of the same parts has the same key from step to step.
  std::uint64_t key = 0;
  /// Applicable and feasible [Thesis 3.2, 3.3]: a force is expected here. Secondary contacts of I and X
  /// describe the geometry around it.
  bool primary = true;
  /// [m] The row of this contact asks for offset + h (normal speed at the end) >= 0. It is the gap, unless
  /// the model linearises elsewhere than at the start.
  double offset = gap;
};

template <int D>
struct ConstraintSet {
  std::vector<Contact<D>> contacts;
  std::vector<int> unilateral;                  ///< contacts k with gap_k >= 0 at the end of the step
  std::vector<std::vector<int>> inter_contact;  ///< PEG's I: at least one gap of each list is >= 0 then
  std::vector<std::vector<int>> cross_contact;  ///< PEG's X: likewise, over contacts of different features
  /// The contacts by which members of the lists are preferred, where rows were linearised anew: as they were
  /// at first. Empty: `contacts`.
  std::vector<Contact<D>> preferred;
  std::vector<int> kept;  ///< members that an earlier pass held, tried first; empty: the choice is free

  void clear() {
    contacts.clear(), unilateral.clear(), inter_contact.clear(), cross_contact.clear();
    preferred.clear(), kept.clear();
  }
};

}  // namespace touchstone
