#pragma once
// What a study knows already: one small file per run, and the table that is made from them.

#include <filesystem>
#include <map>
#include <string>

#include "touchstone/scene/study.h"

namespace touchstone {

/// The result of one run.
struct StudyRow {
  std::string status;                         ///< done, failed, timeout; crashed, refused: to be run again
  std::map<std::string, std::string> values;  ///< by column
  std::string message;                        ///< why it crashed, or was refused
  bool is_final() const { return status == "done" || status == "failed" || status == "timeout"; }
};

/// The folder of a study. Rows are written whole or not at all, also by several programs at once.
class StudyRows {
 public:
  /// Throws BadInput where the folder cannot be made.
  StudyRows(std::filesystem::path folder, const StudyPlan& plan);

  std::filesystem::path recording(const StudyRun& run) const;
  std::filesystem::path output(const StudyRun& run, const char* ending) const;
  std::filesystem::path table() const { return folder_ / "table.csv"; }
  const std::filesystem::path& folder() const { return folder_; }

  /// Without a status when there is none, or where it does not tell all that the study asks for now.
  StudyRow read(const StudyRun& run) const;
  void write(const StudyRun& run, const StudyRow& row) const;
  void write_table() const;

 private:
  std::filesystem::path folder_;
  const StudyPlan& plan_;
};

}  // namespace touchstone
