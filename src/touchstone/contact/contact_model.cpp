#include "touchstone/contact/contact_model.h"

#include <stdexcept>

#include "touchstone/contact/pair_contacts.h"

namespace touchstone {
namespace {

/// Mixes the bits of one more number into a key; the constant is 2^64 over the golden ratio.
std::uint64_t mixed(std::uint64_t key, std::uint64_t number) {
  key = (key ^ number) * 0x9E3779B97F4A7C15u;
  return key ^ (key >> 29);
}

template <int D>
std::uint64_t key_of(const Pair<D>& pair, const FeaturePair& features) {
  std::uint64_t key = mixed(mixed(1, pair.shape_A), pair.shape_B);
  for (const Feature& f : {features.a, features.b})
    key = mixed(mixed(key, static_cast<int>(f.kind)), f.index);
  return key;
}

/// The models that look at one pair at a time and take every contact they find as unilateral.
template <int D>
class PairModel : public ContactModel<D> {
 public:
  explicit PairModel(PairRule<D> rule) : rule_(rule) {}

  void relate(const ContactScene<D>& scene, PairMemory<D>& memory, ConstraintSet<D>& set) const override {
    memory.follow(scene.pairs);
    set.clear();
    PairContacts<D> found;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
      const auto [a, b] = scene.pairs[i];
      const Pair<D> pair{
          a, b, placed(scene, a), placed(scene, b), scene.margin, &memory.of(static_cast<int>(i))};
      found.clear();
      rule_(pair, found);
      for (const PairContact<D>& contact : found) add(scene, pair, contact, set);
    }
  }

 private:
  static PlacedShape<D> placed(const ContactScene<D>& scene, int shape) {
    return {scene.shapes[shape].shape.get(), scene.X_WS[shape]};
  }
  static void add(const ContactScene<D>& scene, const Pair<D>& pair, const PairContact<D>& found,
                  ConstraintSet<D>& set) {
    const ContactShape<D>&A = scene.shapes[pair.shape_A], &B = scene.shapes[pair.shape_B];
    set.unilateral.push_back(static_cast<int>(set.contacts.size()));
    set.contacts.push_back({A.body, B.body, A.material, B.material, found.point, found.normal, found.gap,
                            key_of(pair, found.features)});
  }

  PairRule<D> rule_;
};

}  // namespace

const std::vector<ContactModelEntry>& contact_models() {
  static const std::vector<ContactModelEntry> entries = {
      {"manifold", "the corners of the contact manifold of each near pair, with one normal [Contact Data]"},
      {"standard", "every feature contact within the margin, all of them unilateral [Thesis 5.2]"},
      {"corrective", "only feature contacts that overlap [Thesis 5.2]"},
      {"corrective-overlap",
       "one contact per overlap, in the middle of what the bodies share [Thesis 5.2.3]"}};
  return entries;
}

template <int D>
std::unique_ptr<ContactModel<D>> make_contact_model(std::string_view name) {
  if (name == "manifold") return std::make_unique<PairModel<D>>(add_manifold<D>);
  if (name == "standard") return std::make_unique<PairModel<D>>(add_standard<D>);
  if (name == "corrective") return std::make_unique<PairModel<D>>(add_corrective<D>);
  if (name == "corrective-overlap") return std::make_unique<PairModel<D>>(add_overlap<D>);
  throw std::invalid_argument("there is no contact model \"" + std::string(name) + "\"");
}

template std::unique_ptr<ContactModel<2>> make_contact_model(std::string_view);
template std::unique_ptr<ContactModel<3>> make_contact_model(std::string_view);

}  // namespace touchstone
