#pragma once
// relate: which constraints follow from the geometry? A model has two verbs. It *proposes* contacts for a
// motion, and it *judges* the motion that the equations of the step found with them:
//
//     propose --contacts--> formulate, solve --motion--> judge --holds--> the step is made
//                                 ^                        |
//                                 +-------renewed----------+--too long--> a shorter step is tried
//
// Every model answers through this interface and is chosen by name; users may bring their own.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "touchstone/contact/constraint_set.h"
#include "touchstone/contact/contact_shape.h"
#include "touchstone/contact/end_closeness.h"
#include "touchstone/contact/model_settings.h"
#include "touchstone/math/path.h"

namespace touchstone {

/// A motion of all bodies through the step: that of bodies which go on as they move now, or that which the
/// equations of the step found. Valid during the call it is given to.
template <int D>
struct TriedMotion {
  std::span<const ContactShape<D>> shapes;     ///< every part
  std::span<const Path<D>> paths;              ///< per body
  std::span<const Pose<D>> start, end;         ///< per part: on the path of its body at 0 and at 1
  std::span<const std::pair<int, int>> pairs;  ///< of parts (i < j) that may meet, sorted
  double h = 0;                                ///< [s]
  double margin = 0.05;                        ///< [m] features further apart than this need no contact
  double acceleration = 0;                     ///< [m/s^2] of gravity
  int widened = 0;                             ///< how often a model asked for a wider margin in this step
  std::span<const char> moved_by_forces = {};  ///< per body; empty: all are

  bool moves(int body) const { return moved_by_forces.empty() || moved_by_forces[body]; }
  PlacedShape<D> part_at_start(int i) const { return {shapes[i].shape.get(), start[i]}; }
  PlacedShape<D> part_at_end(int i) const { return {shapes[i].shape.get(), end[i]}; }
};

/// What the step made of the contacts that were proposed.
struct Reaction {
  std::span<const double> push;  ///< [N s] normal impulse of each contact of the set
  std::span<const int> held;     ///< the contacts that had a row: unilateral ones and chosen members of lists
  /// Contacts of islands to which contacts gave energy, which they must not. Empty: there is none.
  std::span<const char> gives = {};
  bool gains_energy(int contact) const { return !gives.empty() && gives[contact]; }
};

struct Verdict {
  enum class Word {
    holds,    ///< the motion keeps what the model promises
    renewed,  ///< set() has changed: solve again
    wider,    ///< a pair met that the proposal did not see: measure with twice the margin and propose again
    too_long  ///< a shorter step may be made; `why` says what was wrong with this one
  };
  Word word = Word::holds;
  double event = 0.5;    ///< too_long: the fraction of the step at which it is to be divided
  std::string why = {};  ///< too_long
  /// Bodies that contacts hold from now on: each of their points moves as the velocity says (SteadyBodies).
  std::vector<int> steady = {};
  std::optional<double> lowest_gap = {};  ///< [m] holds: exact, of all pairs that were measured at the end
  std::optional<EndCloseness> ends =
      {};  ///< holds: of all pairs of the motion, where the model measured them
};

/// A number that a model tells of its step, by name; recorded and shown as it is.
struct ModelNote {
  std::string_view name;  ///< of a constant
  int count = 0;
};

/// What a model remembers from one step to the next. It makes steps faster and changes no more than
/// round-off. A step never changes it: it makes another.
struct ModelMemory {
  virtual ~ModelMemory() = default;
};
using ModelMemoryPtr = std::shared_ptr<const ModelMemory>;

/// The contacts of one attempt at a step.
template <int D>
class StepContacts {
 public:
  virtual ~StepContacts() = default;
  virtual const ConstraintSet<D>& set() const = 0;
  virtual Verdict judge(const TriedMotion<D>& motion, const Reaction& reaction) {
    (void)motion, (void)reaction;
    return {};
  }
  virtual std::vector<ModelNote> notes() const { return {}; }
  /// For the next step. Called once, when the attempt is over.
  virtual ModelMemoryPtr memory() { return nullptr; }
};

/// What a model keeps in every step that it lets pass. A model is asked to judge only if it promises
/// something.
struct Promise {
  bool seen = false;    ///< no pair that the proposal did not see ends with an overlap
  bool gap = false;     ///< no gap is below minus the tolerance at the end of the step
  bool pass = false;    ///< no pair passes through each other between start and end
  bool energy = false;  ///< contacts give no energy, in any island
  bool anything() const { return seen || gap || pass || energy; }
};

template <int D>
class ContactModel {
 public:
  virtual ~ContactModel() = default;
  virtual Promise promises() const { return {}; }
  /// May its sets hold I- and X-constraints, between whose members the step has to choose?
  virtual bool has_choices() const { return false; }
  /// Is it kept as a paper prints it? Then bodies that nothing pushes move as printed, too.
  virtual bool is_as_printed() const { return false; }
  /// Which pairs does it want to see? true: all pairs that may meet on their paths; false: all pairs that are
  /// within the margin of each other at the start.
  virtual bool sweeps() const { return false; }
  /// What several attempts remember that were made of different bodies of one world, together; null: nothing.
  virtual ModelMemoryPtr merged(std::span<const ModelMemoryPtr> parts) const {
    (void)parts;
    return nullptr;
  }
  /// Contacts, in an order that depends on the motion alone. `last` may be null, or the memory of another
  /// model.
  virtual std::unique_ptr<StepContacts<D>> propose(const TriedMotion<D>& motion,
                                                   const ModelMemoryPtr& last) const = 0;
};

/// The contacts of a model that does not look at the end of the motion.
template <int D>
class PlainContacts : public StepContacts<D> {
 public:
  explicit PlainContacts(ConstraintSet<D> set, ModelMemoryPtr memory = nullptr)
      : set_(std::move(set)), memory_(std::move(memory)) {}
  const ConstraintSet<D>& set() const override { return set_; }
  ModelMemoryPtr memory() override { return memory_; }

 private:
  ConstraintSet<D> set_;
  ModelMemoryPtr memory_;
};

struct ContactModelEntry {
  std::string_view name, summary;
};
const std::vector<ContactModelEntry>& contact_models();
/// Throws std::invalid_argument for an unknown name, and for settings that the model does not listen to.
template <int D>
std::unique_ptr<ContactModel<D>> make_contact_model(std::string_view name,
                                                    const ModelSettings& settings = {});

}  // namespace touchstone
