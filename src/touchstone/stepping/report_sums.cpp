#include "touchstone/stepping/report_sums.h"

#include <algorithm>
#include <cassert>

namespace touchstone {

std::string_view text_of(EventKind kind) {
  constexpr std::string_view kWords[] = {"impact", "contact", "release", "slip", "stop",
                                         "border", "rest",    "jam",     "limit"};
  return kWords[static_cast<int>(kind)];
}

std::string_view text_of(StepStatus status) {
  switch (status) {
    case StepStatus::done:
      return "done";
    case StepStatus::not_converged:
      return "not converged";
    case StepStatus::unsolved:
      return "unsolved";
    case StepStatus::bad_state:
      return "bad state";
    case StepStatus::stopped:
      return "stopped";
  }
  return "";
}

void add(const EnergyBalance& part, EnergyBalance& sum) {
  sum.kinetic += part.kinetic, sum.potential += part.potential, sum.jump += part.jump;
  sum.contact += part.contact, sum.joint += part.joint, sum.drive += part.drive,
      sum.friction += part.friction;
  sum.work += part.work, sum.error += part.error, sum.scale += part.scale;
}

void add(const StageTimes& part, StageTimes& sum) {
  sum.measure += part.measure, sum.relate += part.relate, sum.formulate += part.formulate;
  sum.solve += part.solve, sum.advance += part.advance;
}

void add(const std::vector<BodyWork>& part, std::vector<BodyWork>& sum) {
  sum.resize(std::max(sum.size(), part.size()));
  for (std::size_t b = 0; b < part.size(); ++b) {
    sum[b].gravity += part[b].gravity, sum[b].forces += part[b].forces, sum[b].motors += part[b].motors;
    sum[b].scripts += part[b].scripts, sum[b].contacts += part[b].contacts, sum[b].joints += part[b].joints;
  }
}

void add(const std::vector<ModelNote>& part, std::vector<ModelNote>& sum) {
  for (const ModelNote& note : part) {
    const auto same = [&](const ModelNote& known) { return known.name == note.name; };
    const auto known = std::find_if(sum.begin(), sum.end(), same);
    if (known == sum.end()) {
      sum.push_back(note);
    } else {
      known->count += note.count;
    }
  }
}

namespace {

void add(const ChoiceReport& part, ChoiceReport& sum) {
  sum.guards += part.guards, sum.solves += part.solves, sum.backtracks += part.backtracks;
  sum.flips += part.flips, sum.relaxed += part.relaxed, sum.illegal += part.illegal;
}

void add(const BodyPairs& part, std::optional<BodyPairs>& sum) {
  if (!sum) sum.emplace();
  sum->insert(sum->end(), part.begin(), part.end());
  std::sort(sum->begin(), sum->end());
}

template <int D>
void append_contacts(const StepReport<D>& from, StepReport<D>& to) {
  const int first = static_cast<int>(to.set.contacts.size());
  const auto shifted = [&](std::vector<int> contacts) {
    for (int& k : contacts) k += first;
    return contacts;
  };
  to.set.contacts.insert(to.set.contacts.end(), from.set.contacts.begin(), from.set.contacts.end());
  for (int k : from.set.unilateral) to.set.unilateral.push_back(first + k);
  for (const auto& list : from.set.inter_contact) to.set.inter_contact.push_back(shifted(list));
  for (const auto& list : from.set.cross_contact) to.set.cross_contact.push_back(shifted(list));
  for (ContactForce<D> force : from.forces) {
    force.contact += first;
    to.forces.push_back(force);
  }
  assert(to.forces.size() == to.set.unilateral.size());
}

}  // namespace

template <int D>
void add_island(const StepReport<D>& island, StepReport<D>& sum) {
  sum.pairs += island.pairs, sum.contacts += island.contacts;
  sum.rows += island.rows, sum.islands += island.islands;
  sum.iterations += island.iterations, sum.updates += island.updates;
  sum.substeps = std::max(sum.substeps, island.substeps);
  sum.divided = sum.divided || island.divided;
  sum.located_impacts += island.located_impacts, sum.merged_impacts += island.merged_impacts;
  sum.dulled_impacts += island.dulled_impacts;
  if (island.min_gap && island.pairs > 0)
    sum.min_gap = std::min(sum.min_gap.value_or(*island.min_gap), *island.min_gap);
  sum.residual = std::max(sum.residual, island.residual);
  sum.joint_error = std::max(sum.joint_error, island.joint_error);
  sum.energy.kinetic += island.energy.kinetic, sum.energy.potential += island.energy.potential;
  add(island.balance, sum.balance);
  add(island.works, sum.works);
  sum.flew.resize(std::max(sum.flew.size(), island.flew.size()), false);
  for (std::size_t b = 0; b < island.flew.size(); ++b) sum.flew[b] = sum.flew[b] || island.flew[b];
  add(island.choice, sum.choice);
  sum.friction.add(island.friction);
  sum.pushing_pairs += island.pushing_pairs, sum.sliding_pairs += island.sliding_pairs;
  if (island.undetermined) add(*island.undetermined, sum.undetermined);
  add(island.notes, sum.notes);
  add(island.times, sum.times);
  append_contacts(island, sum);
}

template void add_island(const StepReport<2>&, StepReport<2>&);
template void add_island(const StepReport<3>&, StepReport<3>&);

}  // namespace touchstone
