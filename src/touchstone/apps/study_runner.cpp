#include "touchstone/apps/study_runner.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "touchstone/apps/commands.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

/// Between looks at the processes.
constexpr auto kBetweenLooks = std::chrono::milliseconds(10);
constexpr int kNoProgram = 127;

struct Job {
  pid_t pid = -1;
  const StudyRun* run = nullptr;
  Clock::time_point begin;
  bool too_long = false;
};

std::string text_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> command_of(const StudyPlan& plan, const StudyRows& rows, const StudyRun& run) {
  std::vector<std::string> words = {"touchstone", "run", run.scene};
  for (const std::string& value : run.overrides) words.insert(words.end(), {"--set", value});
  words.insert(words.end(), {"--json", "--threads", "1"});
  if (plan.keep_recordings || !plan.measures.empty()) {
    words.insert(words.end(), {"-o", rows.recording(run).string()});
  } else {
    words.emplace_back("--no-recording");
  }
  return words;
}

/// What a run does before it becomes `touchstone run`. Only calls that are safe after a fork.
[[noreturn]] void become(char* const* words, const char* out, const char* err, pid_t parent) {
  // Whoever started the run may be killed: the run ends with it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNoProgram);
  const int o = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0644),
            e = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int nothing = open("/dev/null", O_RDONLY);
  if (o < 0 || e < 0 || nothing < 0) _exit(kNoProgram);
  dup2(nothing, STDIN_FILENO);
  dup2(o, STDOUT_FILENO);
  dup2(e, STDERR_FILENO);
  execv("/proc/self/exe", words);
  _exit(kNoProgram);
}

pid_t start(const std::vector<std::string>& command, const fs::path& out, const fs::path& err) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) throw std::runtime_error("no process can be started");
  if (pid == 0) become(words.data(), out.c_str(), err.c_str(), parent);
  return pid;
}

std::string cell_of(const json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

/// The state of one call of StudyRunner::run().
class RunningStudy {
 public:
  RunningStudy(const StudyRunner& runner, StudyCounts& counts) : r_(runner), counts_(counts) {}
  ~RunningStudy() {
    for (const Job& job : jobs_) kill(job.pid, SIGKILL);
    for (const Job& job : jobs_) waitpid(job.pid, nullptr, 0);
  }

  void work(const StopWish& stop) {
    Progress progress({0, static_cast<double>(r_.plan.runs.size())}, "runs", r_.quiet);
    while (true) {
      if (!stop.asked()) start_more();
      if (jobs_.empty() && (exhausted_ || stop.asked())) return;
      if (stop.asked() && !told_) tell_all();
      look();
      progress.show(static_cast<double>(std::min(last_taken_, r_.plan.runs.size())));
      r_.team.help();
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }

 private:
  void start_more() {
    while (!exhausted_ && jobs_.size() < static_cast<std::size_t>(r_.jobs)) {
      const std::size_t i = last_taken_ = r_.team.next();
      exhausted_ = i >= r_.plan.runs.size();
      if (exhausted_) return;
      const StudyRun& run = r_.plan.runs[i];
      if (r_.rows.read(run).is_final()) {
        ++counts_.known;
      } else {
        jobs_.push_back({start(command_of(r_.plan, r_.rows, run), r_.rows.output(run, ".out"),
                               r_.rows.output(run, ".err")),
                         &run, Clock::now(), false});
      }
    }
  }

  void tell_all() {
    for (const Job& job : jobs_) kill(job.pid, SIGTERM);
    told_ = true;
  }

  void look() {
    for (std::size_t k = jobs_.size(); k-- > 0;) {
      Job& job = jobs_[k];
      const double passed = std::chrono::duration<double>(Clock::now() - job.begin).count();
      if (r_.plan.limit && passed > *r_.plan.limit && !job.too_long) {
        job.too_long = true;
        kill(job.pid, SIGKILL);
      }
      int status = 0;
      if (waitpid(job.pid, &status, WNOHANG) != job.pid) continue;
      const Job ended = job;
      jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(k));
      finish(ended, status);
    }
  }

  void finish(const Job& job, int status) {
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    StudyRow row;
    if (code == kDone || code == kNumbersFailed) {
      row = row_of(*job.run, code);
    } else if (job.too_long) {
      row.status = "timeout";
    } else if (code == kBadInput) {
      row.status = "refused";
    } else if (code != kStopped && !told_) {
      row.status = "crashed";
    }
    note(*job.run, row);
    std::error_code ignored;
    if (!r_.plan.keep_recordings || !row.is_final()) fs::remove(r_.rows.recording(*job.run), ignored);
    for (const char* ending : {".out", ".err"}) fs::remove(r_.rows.output(*job.run, ending), ignored);
  }

  void note(const StudyRun& run, const StudyRow& row) {
    if (row.status.empty()) return;  // it was stopped: as if it had never been
    ++counts_.made;
    counts_.crashed += row.status == "crashed";
    counts_.refused += row.status == "refused";
    if (row.status == "refused" && counts_.refusal.empty()) {
      counts_.refusal = text_in(r_.rows.output(run, ".err"));
      while (counts_.refusal.ends_with('\n')) counts_.refusal.pop_back();
    }
    r_.rows.write(run, row);
  }

  StudyRow row_of(const StudyRun& run, int code) const {
    StudyRow row;
    const json summary = json::parse(text_in(r_.rows.output(run, ".out")), nullptr, false);
    if (!summary.is_object()) return {"crashed", {}};
    row.status = code == kDone ? "done" : "failed";
    for (const std::string& column : r_.plan.columns) {
      if (summary.contains(column)) row.values[column] = cell_of(summary[column]);
    }
    for (const auto& [column, text] : r_.plan.measures) {
      row.values[column] = cell_of(json(evaluate(parse_measure(text), r_.rows.recording(run))));
    }
    if (r_.plan.keep_recordings) row.values["recording"] = "runs/" + run.id + ".h5";
    return row;
  }

  const StudyRunner& r_;
  StudyCounts& counts_;
  std::vector<Job> jobs_;
  std::size_t last_taken_ = 0;
  bool exhausted_ = false, told_ = false;
};

StudyCounts StudyRunner::run(const StopWish& stop) {
  StudyCounts counts;
  RunningStudy(*this, counts).work(stop);
  return counts;
}

}  // namespace touchstone
