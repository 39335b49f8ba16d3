#include "touchstone/record/recording_rows.h"

#include <algorithm>
#include <cassert>

#include "touchstone/math/checks.h"
#include "touchstone/record/recording_details.h"

namespace touchstone {
namespace {

/// Per step, one number each. The last one is missing in recordings of version 1.
constexpr const char* kMomentumError = "momentum_error";
constexpr const char* kStepReals[] = {"h",         "min_gap",     "overlap",     "kinetic",
                                      "potential", "residual",    "joint_error", "energy_gained",
                                      "wall_time", kMomentumError};
constexpr const char* kStepCounts[] = {"contacts", "unilateral", "inter_contact", "cross_contact",
                                       "rows",     "iterations", "updates",       "guards",
                                       "relaxed",  "substeps",   "status"};

/// Only in recordings of runs that were asked for it: whether the forces between the contact's bodies are
/// open.
constexpr const char* kUndetermined = "contacts/undetermined";

template <int D>
void append_undetermined(ArrayFile& file, const StepReport<D>& report) {
  if (!file.has(kUndetermined)) return;
  const BodyPairs open = report.undetermined.value_or(BodyPairs());
  std::vector<std::int32_t> flags;
  for (const Contact<D>& contact : report.set.contacts) {
    const std::pair<int, int> bodies = std::minmax(contact.body_A, contact.body_B);
    flags.push_back(std::binary_search(open.begin(), open.end(), bodies));
  }
  file.append_rows<std::int32_t>(kUndetermined, flags);
}

template <int D>
void append_contacts(ArrayFile& file, const StepReport<D>& report) {
  const auto& contacts = report.set.contacts;
  const std::size_t count = contacts.size();
  std::vector<std::int32_t> bodies(2 * count);
  std::vector<std::int64_t> features(count);
  std::vector<double> point(count * D), normal(count * D), gap(count), impulse(count * D, 0.0);
  const auto set = [](std::vector<double>& list, std::size_t i, const Vec<D>& value) {
    std::copy_n(value.data(), D, &list[i * D]);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Contact<D>& contact = contacts[i];
    bodies[2 * i] = contact.body_A, bodies[2 * i + 1] = contact.body_B;
    features[i] = static_cast<std::int64_t>(contact.key);
    set(point, i, contact.point);
    set(normal, i, contact.normal);
    gap[i] = contact.gap;
  }
  assert(std::all_of(report.forces.begin(), report.forces.end(),
                     [&](const auto& force) { return is_index(force.contact, count); }));
  for (const ContactForce<D>& force : report.forces) set(impulse, force.contact, force.impulse);
  file.append_rows<std::int32_t>("contacts/bodies", bodies);
  file.append_rows<std::int64_t>("contacts/features", features);
  file.append_rows<double>("contacts/point", point);
  file.append_rows<double>("contacts/normal", normal);
  file.append_rows<double>("contacts/gap", gap);
  file.append_rows<double>("contacts/impulse", impulse);
  file.append_rows<std::int32_t>("contacts/kind", contact_kinds(report.set));
  append_undetermined(file, report);
}

}  // namespace

template <int D>
void make_step_rows(ArrayFile& file) {
  for (const char* name : kStepReals) file.make_rows<double>(std::string("steps/") + name);
  for (const char* name : kStepCounts) file.make_rows<std::int32_t>(std::string("steps/") + name);
  file.make_rows<std::int64_t>("contacts/offsets");
  append_one<std::int64_t>(file, "contacts/offsets", 0);
  file.make_rows<std::int32_t>("contacts/bodies", {2});
  file.make_rows<std::int64_t>("contacts/features");
  file.make_rows<double>("contacts/point", {D});
  file.make_rows<double>("contacts/normal", {D});
  file.make_rows<double>("contacts/gap");
  file.make_rows<double>("contacts/impulse", {D});
  file.make_rows<std::int32_t>("contacts/kind");
  file.make_rows<double>("events/time");
  file.make_rows<std::string>("events/kind");
  file.make_rows<std::int32_t>("events/bodies", {2});
}

template <int D>
void append_step(ArrayFile& file, const StepReport<D>& report, const StepMeasures& measures,
                 bool first_version) {
  const bool is_first = file.extents("contacts/offsets") == Extents{1};
  if (is_first && report.undetermined) file.make_rows<std::int32_t>(kUndetermined);
  const double reals[] = {report.h,
                          measures.min_gap,
                          measures.overlap,
                          report.energy.kinetic,
                          report.energy.potential,
                          report.residual,
                          report.joint_error,
                          measures.energy_gained,
                          measures.wall_time,
                          measures.momentum_error};
  const auto size = [](const auto& list) { return static_cast<std::int32_t>(list.size()); };
  const std::int32_t counts[] = {report.contacts,
                                 size(report.set.unilateral),
                                 size(report.set.inter_contact),
                                 size(report.set.cross_contact),
                                 report.rows,
                                 report.iterations,
                                 report.updates,
                                 report.choice.guards,
                                 measures.relaxed,
                                 report.substeps,
                                 static_cast<std::int32_t>(report.status)};
  static_assert(std::size(reals) == std::size(kStepReals) && std::size(counts) == std::size(kStepCounts));
  for (std::size_t i = 0; i < std::size(reals); ++i) {
    if (kStepReals[i] == kMomentumError && first_version) continue;
    append_one(file, std::string("steps/") + kStepReals[i], reals[i]);
  }
  for (std::size_t i = 0; i < std::size(counts); ++i)
    append_one(file, std::string("steps/") + kStepCounts[i], counts[i]);
  append_contacts(file, report);
}

std::vector<std::string> step_arrays() {
  std::vector<std::string> names(std::begin(kStepReals), std::end(kStepReals));
  names.insert(names.end(), std::begin(kStepCounts), std::end(kStepCounts));
  return names;
}

#define TOUCHSTONE_INSTANTIATE(D)              \
  template void make_step_rows<D>(ArrayFile&); \
  template void append_step(ArrayFile&, const StepReport<D>&, const StepMeasures&, bool);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
