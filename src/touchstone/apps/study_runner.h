#pragma once
// Runs the points of a study's grid, each in a process of its own.

#include "touchstone/apps/progress.h"
#include "touchstone/apps/study_rows.h"
#include "touchstone/apps/study_team.h"

namespace touchstone {

struct StudyCounts {
  std::size_t made = 0;     ///< runs that this process made now
  std::size_t known = 0;    ///< that were there already
  std::size_t crashed = 0;  ///< ended by a signal or an unknown exit code
  std::size_t refused = 0;
  std::string refusal;  ///< the first
};

struct StudyRunner {
  const StudyPlan& plan;
  const StudyRows& rows;
  StudyTeam& team;
  int jobs = 1;  ///< processes at a time
  bool quiet = false;

  /// Until all is done, or somebody wishes to stop.
  StudyCounts run(const StopWish& stop);
};

}  // namespace touchstone
