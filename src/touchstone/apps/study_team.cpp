#include "touchstone/apps/study_team.h"

#include <cstdlib>

#include "touchstone/scene/bad_input.h"
#ifdef TOUCHSTONE_WITH_MPI
#define OMPI_SKIP_MPICXX 1  // the C interface is all that is linked
#include <mpi.h>
#endif

namespace touchstone {
namespace {

/// Open MPI tells its processes how many they are.
bool started_by_mpirun() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  return size && std::atoi(size) > 1;
}

}  // namespace

#ifdef TOUCHSTONE_WITH_MPI

/// A counter that lies with rank 0.
struct StudyTeam::Shared {
  MPI_Win window = MPI_WIN_NULL;
  long* counter = nullptr;
};

StudyTeam::StudyTeam() {
  if (!started_by_mpirun()) return;
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  shared_ = new Shared;
  MPI_Win_allocate(rank_ == 0 ? sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &shared_->counter, &shared_->window);
  if (rank_ == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, shared_->window);
    *shared_->counter = 0;
    MPI_Win_unlock(0, shared_->window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

StudyTeam::~StudyTeam() {
  if (!shared_) return;
  MPI_Win_free(&shared_->window);
  MPI_Finalize();
  delete shared_;
}

std::size_t StudyTeam::next() {
  if (!shared_) return taken_++;
  const long one = 1;
  long before = 0;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, shared_->window);
  MPI_Fetch_and_op(&one, &before, MPI_LONG, 0, 0, MPI_SUM, shared_->window);
  MPI_Win_unlock(0, shared_->window);
  return static_cast<std::size_t>(before);
}

void StudyTeam::help() {
  int found = 0;
  if (shared_) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

StudyCounts StudyTeam::sum(const StudyCounts& mine) {
  if (!shared_) return mine;
  unsigned long counts[] = {mine.made, mine.known, mine.crashed, mine.refused};
  MPI_Allreduce(MPI_IN_PLACE, counts, 4, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
  return {counts[0], counts[1], counts[2], counts[3]};
}

void StudyTeam::wait_for_all() {
  if (shared_) MPI_Barrier(MPI_COMM_WORLD);
}

void StudyTeam::end_job(int exit_code) {
  if (shared_) MPI_Abort(MPI_COMM_WORLD, exit_code);
}

#else

struct StudyTeam::Shared {};

StudyTeam::StudyTeam() {
  if (started_by_mpirun())
    throw BadInput("this program was built without MPI; install libopenmpi-dev and build it again");
}
StudyTeam::~StudyTeam() = default;
std::size_t StudyTeam::next() { return taken_++; }
void StudyTeam::help() {}
StudyCounts StudyTeam::sum(const StudyCounts& mine) { return mine; }
void StudyTeam::wait_for_all() {}
void StudyTeam::end_job(int) {}

#endif

}  // namespace touchstone
