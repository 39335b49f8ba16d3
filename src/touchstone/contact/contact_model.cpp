#include "touchstone/contact/contact_model.h"

#include <algorithm>
#include <stdexcept>

#include "touchstone/contact/pair_contacts.h"
#include "touchstone/contact/pair_memory.h"
#include "touchstone/contact/peg_model.h"
#include "touchstone/contact/plane_model.h"
#include "touchstone/contact/thesis/feature_models.h"

namespace touchstone {
namespace {

/// The models that look at one pair at a time and take every contact they find as unilateral.
template <int D>
class PairModel : public ContactModel<D> {
 public:
  explicit PairModel(PairRule<D> rule, bool as_printed = true) : rule_(rule), as_printed_(as_printed) {}
  bool is_as_printed() const override { return as_printed_; }

  std::unique_ptr<StepContacts<D>> propose(const TriedMotion<D>& motion,
                                           const ModelMemoryPtr& last) const override {
    auto memory = followed<D>(last, motion.pairs);
    ConstraintSet<D> set;
    PairContacts<D> found;
    for (std::size_t i = 0; i < motion.pairs.size(); ++i) {
      const Pair<D> pair = pair_at_start(motion, *memory, static_cast<int>(i));
      found.clear();
      rule_(pair, found);
      for (const PairContact<D>& contact : found) {
        set.unilateral.push_back(static_cast<int>(set.contacts.size()));
        set.contacts.push_back(contact_of(motion, pair, contact));
      }
    }
    return std::make_unique<PlainContacts<D>>(std::move(set), std::move(memory));
  }

 private:
  PairRule<D> rule_;
  bool as_printed_;
};

bool is_model(std::string_view name) {
  const auto& all = contact_models();
  return std::any_of(all.begin(), all.end(),
                     [&](const ContactModelEntry& entry) { return entry.name == name; });
}

}  // namespace

const std::vector<ContactModelEntry>& contact_models() {
  static const std::vector<ContactModelEntry> entries = {
      {"plane", "one separating plane per pair, exact gaps at the end of every step [Plane]"},
      {"manifold", "the corners of the contact manifold of each near pair, with one normal [Contact Data]"},
      {"peg", "exact geometry by choice: per vertex and per corner one contact of several must hold [PEG 4]"},
      {"peg-printed", "the same as the thesis prints it, misprints corrected [Thesis alg. 8-17]"},
      {"lnc", "one contact of several per vertex, vertices independent of each other [Thesis eq. 4.2-4.4]"},
      {"standard", "every feature contact within the margin at which a force is expected, all unilateral"},
      {"standard-all", "every feature contact within the margin, all of them unilateral [Thesis 5.2]"},
      {"corrective", "only feature contacts that overlap [Thesis 5.2]"},
      {"corrective-overlap",
       "one contact per overlap, in the middle of what the bodies share [Thesis 5.2.3]"}};
  return entries;
}

template <int D>
std::unique_ptr<ContactModel<D>> make_contact_model(std::string_view name, const ModelSettings& settings) {
  if (const std::string_view unheard = unheard_setting(name, settings); is_model(name) && !unheard.empty()) {
    throw std::invalid_argument("the contact model " + std::string(name) + " does not use the setting " +
                                std::string(unheard));
  }
  if (name == "plane") return make_plane_model<D>(settings);
  if (name == "manifold") return std::make_unique<PairModel<D>>(add_manifold<D>, false);
  if (name == "peg") return make_peg_model<D>(PegVariant::merged, settings);
  if (name == "peg-printed") return make_peg_model<D>(PegVariant::printed, settings);
  if (name == "lnc") return make_peg_model<D>(PegVariant::lnc, settings);
  if (name == "standard") return std::make_unique<PairModel<D>>(add_standard<D>);
  if (name == "standard-all") return std::make_unique<PairModel<D>>(add_everything<D>);
  if (name == "corrective") return std::make_unique<PairModel<D>>(add_corrective<D>);
  if (name == "corrective-overlap") return std::make_unique<PairModel<D>>(add_overlap<D>);
  throw std::invalid_argument("there is no contact model \"" + std::string(name) + "\"");
}

template std::unique_ptr<ContactModel<2>> make_contact_model(std::string_view, const ModelSettings&);
template std::unique_ptr<ContactModel<3>> make_contact_model(std::string_view, const ModelSettings&);

}  // namespace touchstone
