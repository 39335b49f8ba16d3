#pragma once
// Who works on a study: this process alone, or the ranks of an MPI job (mpirun -n 64 touchstone study ...).

#include <cstddef>

namespace touchstone {

struct StudyCounts {
  std::size_t made = 0;     ///< runs that were started and ended, successfully or not
  std::size_t known = 0;    ///< that were there already
  std::size_t crashed = 0;  ///< of those made: ended by a signal or an unknown exit code
  std::size_t refused = 0;  ///< of those made
};

class StudyTeam {
 public:
  StudyTeam();   ///< joins the job where mpirun started this program
  ~StudyTeam();  ///< leaves it
  StudyTeam(const StudyTeam&) = delete;
  StudyTeam& operator=(const StudyTeam&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// A number that nobody in the team was given before: 0, 1, 2, ...
  std::size_t next();
  /// Lets the others take numbers while this one waits for its runs.
  void help();
  /// Waits for all members of the team and adds up their counts.
  StudyCounts sum(const StudyCounts& mine);
  void wait_for_all();
  /// Ends the whole job: somebody wished to stop, and the others may never come to wait_for_all().
  void end_job(int exit_code);

 private:
  int rank_ = 0, size_ = 1;
  std::size_t taken_ = 0;
  struct Shared;
  Shared* shared_ = nullptr;
};

}  // namespace touchstone
