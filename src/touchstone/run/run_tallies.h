#pragma once
// What a run has counted, as the numbers of /checkpoint/tallies [docs/recording.md]: so that a run that is
// resumed goes on counting. Private to run/.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "touchstone/run/run_summary.h"

namespace touchstone {

/// `index_of`: a body of this name, -1 where there is none.
std::vector<double> tallies_of(const RunSummary& summary,
                               const std::function<int(const std::string&)>& index_of);
/// The inverse. `name_of`: a body of this index, empty where there is none.
void set_tallies(std::vector<double> tallies, RunSummary& summary,
                 const std::function<std::string(int)>& name_of);
/// Does a checkpoint of this or of an earlier version hold so many?
bool are_tallies(std::size_t count);

}  // namespace touchstone
