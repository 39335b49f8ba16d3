#pragma once
// The models `peg`, `peg-printed` and `lnc`; inside contact only.

#include "touchstone/contact/peg_constraints.h"

namespace touchstone {

template <int D>
std::unique_ptr<ContactModel<D>> make_peg_model(PegVariant variant, const ModelSettings& settings);

/// Of which features a contact is, so that it can be found again at other poses.
struct ContactFeatures {
  int shape_A = -1, shape_B = -1;  ///< parts
  FeaturePair features;
  double lifted = 0;  ///< [m] by which the offset was raised above the gap of the features
};

/// A set, and per contact its features.
template <int D>
struct FoundContacts {
  ConstraintSet<D> set;
  std::vector<ContactFeatures> features;
};

/// A contact at another pose of its bodies.
template <int D>
struct MovedContact {
  Vec<D> normal;   ///< from B to A
  double gap = 0;  ///< [m] as lifted as at first
};
/// Contact k, whose normal was `before`, at the end of the motion.
template <int D>
MovedContact<D> find_at_end(const TriedMotion<D>& motion, const ContactFeatures& of, const Vec<D>& before);

/// The contacts of one attempt.
template <int D>
std::unique_ptr<StepContacts<D>> make_peg_contacts(const TriedMotion<D>& motion, FoundContacts<D> found,
                                                   const ModelSettings& settings, ModelMemoryPtr memory);

}  // namespace touchstone
