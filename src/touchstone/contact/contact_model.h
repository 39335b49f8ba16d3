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

/// What a model sees: every part, where it lies, and which pairs may touch within the step.
template <int D>
struct ContactScene {
  std::span<const ContactShape<D>> shapes;
  std::span<const Pose<D>> X_WS;               ///< per shape
  std::span<const std::pair<int, int>> pairs;  ///< of shapes (i < j), from the broad phase
  double margin = 0.05;                        ///< [m] epsilon: features further apart are left out
};

template <int D>
class ContactModel {
 public:
  virtual ~ContactModel() = default;
  /// Fills `set`, in an order that depends on the scene alone. `memory` speeds up and changes nothing else.
  virtual void relate(const ContactScene<D>& scene, PairMemory<D>& memory, ConstraintSet<D>& set) const = 0;
};

struct ContactModelEntry {
  std::string_view name, summary;
};
const std::vector<ContactModelEntry>& contact_models();
/// Throws std::invalid_argument for an unknown name.
template <int D>
std::unique_ptr<ContactModel<D>> make_contact_model(std::string_view name);

}  // namespace touchstone
