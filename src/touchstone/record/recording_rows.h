#pragma once
// The rows that a step adds to a recording. Private to record/.

#include "touchstone/record/recording.h"
#include "touchstone/store/array_file.h"

namespace touchstone {

template <class T>
void append_one(ArrayFile& file, const std::string& name, const T& value) {
  file.append_rows<T>(name, std::span<const T>(&value, 1));
}

/// The arrays of steps, contacts and events.
template <int D>
void make_step_rows(ArrayFile& file);

/// The step and its contacts, but not where these end. `first_version`: the file has no errors of momentum.
template <int D>
void append_step(ArrayFile& file, const StepReport<D>& report, const StepMeasures& measures,
                 bool first_version);

}  // namespace touchstone
