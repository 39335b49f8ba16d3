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
  double gap = 0;  ///< [m] along the normal, negative when overlapping
  /// The same feature pair of the same parts has the same key from step to step.
  std::uint64_t key = 0;
  /// Applicable and feasible [Thesis 3.2, 3.3]: a force is expected here. Secondary contacts of I and X
  /// describe the geometry around it.
  bool primary = true;
};

/// Of which features a contact is, so that its model can find it again at other poses.
struct ContactFeatures {
  int shape_A = -1, shape_B = -1;  ///< parts; -1: the contact is not found again
  int kind_A = 0, index_A = 0, kind_B = 0, index_B = 0;
  double lifted = 0;  ///< [m] by which the contact's gap was raised above that of its features
};

template <int D>
struct ConstraintSet {
  std::vector<Contact<D>> contacts;
  std::vector<int> unilateral;                  ///< contacts k with gap_k >= 0 at the end of the step
  std::vector<std::vector<int>> inter_contact;  ///< PEG's I: at least one gap of each list is >= 0 then
  std::vector<std::vector<int>> cross_contact;  ///< PEG's X: likewise, over contacts of different features
  std::vector<ContactFeatures> features;        ///< per contact; empty where the model does not tell
  void clear() {
    contacts.clear(), unilateral.clear(), inter_contact.clear(), cross_contact.clear();
    features.clear();
  }
};

}  // namespace touchstone
