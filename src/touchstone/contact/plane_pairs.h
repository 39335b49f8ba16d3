#pragma once
// The pairs of a step of the model `plane`: those of its first motion, with what is known of them, and those
// that later motions bring together. Inside contact only.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "touchstone/contact/contact_model.h"
#include "touchstone/contact/plane_state.h"

namespace touchstone {

template <int D>
class PlanePairs {
 public:
  /// `known`: from earlier steps, sorted; what is known of pairs that left the sweep is forgotten.
  PlanePairs(const TriedMotion<D>& motion, std::span<const PairRecord<D>> known);
  PlanePairs(const PlanePairs&) = delete;

  /// Pairs of the step keep their state; those that left the sweep are forgotten unless they have rows.
  void match(const TriedMotion<D>& motion);

  const std::vector<PairState<D>*>& all() const { return all_; }      ///< sorted by parts
  const std::vector<PairState<D>*>& swept() const { return swept_; }  ///< those of the motion's pairs

 private:
  std::vector<PairState<D>> begun_;  ///< of the first motion: one block, which never grows
  std::vector<std::unique_ptr<PairState<D>>> met_;
  std::vector<PairState<D>*> all_, swept_;
};

extern template class PlanePairs<2>;
extern template class PlanePairs<3>;

}  // namespace touchstone
