#pragma once
// Runs the points of a study's grid, each in a process of its own.

#include <chrono>
#include <vector>

#include "touchstone/apps/progress.h"
#include "touchstone/apps/study_rows.h"
#include "touchstone/apps/study_team.h"

namespace touchstone {

class StudyRunner {
 public:
  struct Setup {
    const StudyPlan& plan;
    const StudyRows& rows;
    StudyTeam& team;
    int jobs = 1;  ///< processes at a time
    bool quiet = false;
  };
  explicit StudyRunner(const Setup& setup) : setup_(setup) {}
  ~StudyRunner();  ///< ends the runs that are under way

  /// Until all is done, or somebody wishes to stop. What this process did.
  StudyCounts run(const StopWish& stop);
  /// Why the first run was refused, or crashed; empty where none was.
  const std::string& trouble() const { return trouble_; }

 private:
  struct Job {
    int pid = -1;
    const StudyRun* run = nullptr;
    std::chrono::steady_clock::time_point begin;
    bool too_long = false;
  };

  void start_more();
  void tell_all();
  void look();
  void finish(const Job& job, int status);
  void note(const StudyRun& run, const StudyRow& row);
  StudyRow row_of(const StudyRun& run, int code) const;
  void clean_up(const StudyRun& run, const StudyRow& row) const;

  Setup setup_;
  StudyCounts counts_;
  std::string trouble_;
  std::vector<Job> jobs_;
  std::size_t taken_ = 0;  ///< runs of the grid that somebody in the team has taken, as far as this one knows
  bool exhausted_ = false, told_ = false;
};

}  // namespace touchstone
