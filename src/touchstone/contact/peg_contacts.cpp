// How models with I- and X-constraints judge the motion that was found.
//
// A body that is struck may be faster at the end than anything was at the start, and close a pair that had no
// contact [PEG 1.4]: then the margin was too small.
//
// With `relinearise` [PEG 7, 7.1] the exact gaps at the end are looked at. Stewart-Trinkle keeps the normals
// of the start, so bodies that turn overlap by a second-order amount. Contacts of pairs that overlap at the
// end, and that promised more, get
//
//     the normal of the end pose, but the point and the levers of the start,
//     and the offset  phi(end) - h G.V  of the motion tried,
//
// and the step is solved again. This form keeps momentum to round-off and gains no energy as long as no row
// with a negative offset pushes; among the members of a list, such rows are not held.

#include <algorithm>
#include <cassert>
#include <set>

#include "touchstone/contact/peg_model.h"
#include "touchstone/math/checks.h"
#include "touchstone/proximity/gap.h"

namespace touchstone {
namespace {

/// Times the margin may be doubled when a pair closes that it did not see.
constexpr int kMaxWidenings = 4;
/// [m] overlap of an unseen pair that is round-off of touching.
constexpr double kUnseenOverlap = 1e-9;
/// Solutions tried before the step is halved.
constexpr int kMaxPasses = 20;
/// Passes in which guards are chosen anew and exchanged; later they are kept, which ends circles of two
/// [PEG 7.1 R2].
constexpr int kPassesOfChoice = 3;

using ShapePair = std::pair<int, int>;

/// Pairs that overlap by more than the tolerance.
struct Overlaps {
  std::set<ShapePair> pairs;
  double lowest = 0;  ///< [m] the least gap of all pairs, if it is below zero
};
template <int D>
Overlaps find_overlaps(const TriedMotion<D>& motion, const std::vector<ShapePair>& pairs, double tolerance) {
  assert(tolerance >= 0);
  Overlaps found;
  for (const ShapePair& pair : pairs) {
    const double gap = find_gap<D>(motion.part_at_end(pair.first), motion.part_at_end(pair.second)).gap;
    if (gap < -tolerance) found.pairs.insert(pair);
    found.lowest = std::min(found.lowest, gap);
  }
  return found;
}

/// By how much the bodies move apart along the contact's normal, at its point [m].
template <int D>
double way(const TriedMotion<D>& motion, const Contact<D>& contact) {
  assert(is_index(contact.body_A, motion.paths.size()) && is_index(contact.body_B, motion.paths.size()));
  const auto velocity = [&](int b) {
    return point_velocity<D>(motion.paths[b].velocity, contact.point - motion.paths[b].centre);
  };
  return motion.h * contact.normal.dot(velocity(contact.body_A) - velocity(contact.body_B));
}

template <int D>
class PegContacts : public StepContacts<D> {
 public:
  PegContacts(const TriedMotion<D>& motion, FoundContacts<D> found, const ModelSettings& settings,
              ModelMemoryPtr memory)
      : found_(std::move(found)),
        near_(motion.pairs.begin(), motion.pairs.end()),
        memory_(std::move(memory)) {
    assert(found_.features.size() == found_.set.contacts.size());
    relinearises_ = settings.relinearise, tolerance_ = settings.gap_tolerance;
    if (relinearises_) close_small_gaps();
  }

  const ConstraintSet<D>& set() const override { return found_.set; }
  ModelMemoryPtr memory() override { return memory_; }
  std::vector<ModelNote> notes() const override { return {{"renewed", renewed_count_}}; }

  Verdict judge(const TriedMotion<D>& motion, const Reaction& reaction) override {
    Verdict verdict;
    if (relinearises_) verdict = judge_ends(motion, reaction);
    if (verdict.word == Verdict::Word::holds && motion.widened < kMaxWidenings && missed_a_pair(motion)) {
      verdict.word = Verdict::Word::wider;
    }
    return verdict;
  }

 private:
  bool missed_a_pair(const TriedMotion<D>& motion) const;
  Verdict judge_ends(const TriedMotion<D>& motion, const Reaction& reaction);
  int renew(const std::set<ShapePair>& bad, const TriedMotion<D>& motion);

  /// Gaps that are closed up to the tolerance are closed: what the last step left must not be pushed out.
  void close_small_gaps() {
    for (Contact<D>& contact : found_.set.contacts) {
      if (contact.offset < 0 && contact.offset >= -tolerance_) contact.offset = 0;
    }
    found_.set.preferred = found_.set.contacts;
  }

  FoundContacts<D> found_;
  std::vector<ShapePair> near_;
  ModelMemoryPtr memory_;
  bool relinearises_;
  double tolerance_;       ///< [m]
  std::set<int> renewed_;  ///< sticky: contacts linearised anew in every pass from the first time on
  int renewed_count_ = 0, passes_ = 0;
};

/// Did two bodies close that have no contact in the set?
template <int D>
bool PegContacts<D>::missed_a_pair(const TriedMotion<D>& motion) const {
  std::vector<std::pair<int, int>> seen;
  for (const Contact<D>& contact : found_.set.contacts) seen.emplace_back(contact.body_A, contact.body_B);
  std::sort(seen.begin(), seen.end());
  return std::any_of(motion.pairs.begin(), motion.pairs.end(), [&](const ShapePair& pair) {
    const std::pair bodies(motion.shapes[pair.first].body, motion.shapes[pair.second].body);
    if (std::binary_search(seen.begin(), seen.end(), bodies)) return false;
    return find_gap<D>(motion.part_at_end(pair.first), motion.part_at_end(pair.second)).gap < -kUnseenOverlap;
  });
}

template <int D>
Verdict PegContacts<D>::judge_ends(const TriedMotion<D>& motion, const Reaction& reaction) {
  Verdict verdict;
  assert(reaction.push.size() == found_.set.contacts.size());
  const Overlaps overlaps = find_overlaps(motion, near_, tolerance_);
  if (overlaps.pairs.empty()) {
    verdict.lowest_gap = overlaps.lowest;
    return verdict;
  }
  const int renewed = renew(overlaps.pairs, motion);
  renewed_count_ += renewed;
  verdict.word = Verdict::Word::renewed;
  if (++passes_ >= kPassesOfChoice) found_.set.kept.assign(reaction.held.begin(), reaction.held.end());
  if (passes_ == kMaxPasses || renewed == 0) {
    const auto [a, b] = *overlaps.pairs.begin();
    verdict.word = Verdict::Word::too_long;
    verdict.why = renewed > 0 ? "contacts did not settle in " + std::to_string(kMaxPasses) + " evaluations"
                              : "parts " + std::to_string(a) + " and " + std::to_string(b) +
                                    " overlap though all their contacts hold";
  }
  return verdict;
}

/// Linearises contacts of the pairs anew that broke their promise; returns how many did.
template <int D>
int PegContacts<D>::renew(const std::set<ShapePair>& bad, const TriedMotion<D>& motion) {
  int broken = 0;
  for (int k = 0; k < static_cast<int>(found_.features.size()); ++k) {
    assert(found_.set.preferred.size() == found_.features.size());
    const ContactFeatures& of = found_.features[k];
    if (!renewed_.contains(k) && !bad.contains({of.shape_A, of.shape_B})) continue;
    Contact<D>& row = found_.set.contacts[k];
    const MovedContact<D> now = find_at_end<D>(motion, of, found_.set.preferred[k].normal);
    const double promised = row.offset + way(motion, row);
    const bool breaks = now.gap < -tolerance_ && promised > now.gap + 0.5 * tolerance_;
    if (!breaks && !renewed_.contains(k)) continue;
    broken += breaks;
    renewed_.insert(k);
    row.normal = now.normal;
    row.offset = now.gap - way(motion, row);
  }
  return broken;
}

}  // namespace

template <int D>
std::unique_ptr<StepContacts<D>> make_peg_contacts(const TriedMotion<D>& motion, FoundContacts<D> found,
                                                   const ModelSettings& settings, ModelMemoryPtr memory) {
  return std::make_unique<PegContacts<D>>(motion, std::move(found), settings, std::move(memory));
}

template std::unique_ptr<StepContacts<2>> make_peg_contacts(const TriedMotion<2>&, FoundContacts<2>,
                                                            const ModelSettings&, ModelMemoryPtr);
template std::unique_ptr<StepContacts<3>> make_peg_contacts(const TriedMotion<3>&, FoundContacts<3>,
                                                            const ModelSettings&, ModelMemoryPtr);

}  // namespace touchstone
