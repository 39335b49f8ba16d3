#pragma once
// Reports of parts of a step, summed; inside stepping only.

#include "touchstone/stepping/step_report.h"

namespace touchstone {

void add(const EnergyBalance& part, EnergyBalance& sum);
void add(const StageTimes& part, StageTimes& sum);
/// `sum` may be empty: all zeros.
void add(const std::vector<BodyWork>& part, std::vector<BodyWork>& sum);
void add(const std::vector<ModelNote>& part, std::vector<ModelNote>& sum);

/// Of islands that were stepped apart from each other: contacts of all, efforts added up, the worst of the
/// rest.
template <int D>
void add_island(const StepReport<D>& island, StepReport<D>& sum);

}  // namespace touchstone
