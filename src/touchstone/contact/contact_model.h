#pragma once
// relate: which constraints follow from the geometry? Every model answers through the same small interface
// and is chosen by name; users may bring their own.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "touchstone/contact/constraint_set.h"
#include "touchstone/contact/contact_shape.h"
#include "touchstone/contact/pair_memory.h"

namespace touchstone {

/// How far the tests of features are relaxed, so that contacts are seen before they happen [Thesis 3.2, 3.3].
struct FeatureTests {
  double applicability_angle =
      0.4;                         ///< [rad] theta: how far a vertex may lean away from a facet it presses on
  double feasibility_angle = 0.4;  ///< [rad] phi: how steeply the region of feasibility falls beyond a facet
  double feasibility_slack = 0.05;  ///< share of the margin by which a vertex below a facet counts as above
};

/// What a model sees: every part, where it lies, and which pairs may touch within the step.
template <int D>
struct ContactScene {
  std::span<const ContactShape<D>> shapes;
  std::span<const Pose<D>> X_WS;               ///< per shape
  std::span<const std::pair<int, int>> pairs;  ///< of shapes (i < j), from the broad phase
  double margin = 0.05;                        ///< [m] epsilon: features further apart are left out
  FeatureTests tests = {};                     ///< models `peg`, `peg-printed` and `lnc`
};

/// A contact at another pose of its bodies.
template <int D>
struct MovedContact {
  Vec<D> normal;   ///< from B to A
  double gap = 0;  ///< [m]
};

template <int D>
class ContactModel {
 public:
  virtual ~ContactModel() = default;
  /// May its sets hold I- and X-constraints, between whose members the step has to choose?
  virtual bool has_choices() const { return false; }
  /// Fills `set`, in an order that depends on the scene alone. `memory` speeds up and changes nothing else.
  virtual void relate(const ContactScene<D>& scene, PairMemory<D>& memory, ConstraintSet<D>& set) const = 0;
  /// Contact k of a set that this model made, with its parts at other poses; as it was where the model does
  /// not find it again.
  virtual MovedContact<D> find_again(const ContactScene<D>& moved, const ConstraintSet<D>& set, int k) const {
    (void)moved;
    return {set.contacts[k].normal, set.contacts[k].gap};
  }
};

struct ContactModelEntry {
  std::string_view name, summary;
};
const std::vector<ContactModelEntry>& contact_models();
/// Throws std::invalid_argument for an unknown name.
template <int D>
std::unique_ptr<ContactModel<D>> make_contact_model(std::string_view name);

}  // namespace touchstone
