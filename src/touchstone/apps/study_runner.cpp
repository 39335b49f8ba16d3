#include "touchstone/apps/study_runner.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "touchstone/apps/commands.h"
#include "touchstone/apps/plain_text.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

/// Between looks at the processes.
constexpr auto kBetweenLooks = std::chrono::milliseconds(10);
constexpr int kNoProgram = 127;

std::vector<std::string> command_of(const StudyPlan& plan, const StudyRows& rows, const StudyRun& run) {
  std::vector<std::string> words = {"touchstone", "run", run.scene};
  for (const std::string& value : run.overrides) words.insert(words.end(), {"--set", value});
  words.insert(words.end(), {"--json", "--threads", "1", "--allow-ignored"});
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

/// Empty where there is none, as in the summary of a run.
std::string number(double x) { return std::isfinite(x) ? json(x).dump() : ""; }

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  const std::size_t end = text.rfind('\n');
  return end == std::string::npos ? text : text.substr(end + 1);
}

std::string cell_of(const json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

StudyRunner::~StudyRunner() {
  for (const Job& job : jobs_) kill(job.pid, SIGKILL);
  for (const Job& job : jobs_) waitpid(job.pid, nullptr, 0);
}

StudyCounts StudyRunner::run(const StopWish& stop) {
  const std::size_t runs = setup_.plan.runs.size();
  Progress progress({0, static_cast<double>(runs)}, "runs", setup_.quiet);
  while (true) {
    if (!stop.asked()) start_more();
    if (jobs_.empty() && (exhausted_ || stop.asked())) return counts_;
    if (stop.asked() && !told_) tell_all();
    look();
    progress.begin_at(static_cast<double>(counts_.known));
    progress.show(static_cast<double>(std::min(taken_, runs) - jobs_.size()));
    setup_.team.help();
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

void StudyRunner::start_more() {
  const auto& [plan, rows, team, jobs, quiet] = setup_;
  while (!exhausted_ && jobs_.size() < static_cast<std::size_t>(jobs)) {
    const std::size_t i = team.next();
    exhausted_ = i >= plan.runs.size();
    if (exhausted_) return;
    taken_ = i + 1;
    const StudyRun& run = plan.runs[i];
    if (rows.read(run).is_final()) {
      ++counts_.known;
    } else {
      std::error_code ignored;  // what is left of an earlier try
      fs::remove(rows.recording(run), ignored);
      const pid_t pid =
          start(command_of(plan, rows, run), rows.output(run, ".out"), rows.output(run, ".err"));
      jobs_.push_back({pid, &run, Clock::now(), false});
    }
  }
}

void StudyRunner::tell_all() {
  for (const Job& job : jobs_) kill(job.pid, SIGTERM);
  told_ = true;
}

void StudyRunner::look() {
  const std::optional<double> limit = setup_.plan.limit;
  for (std::size_t k = jobs_.size(); k-- > 0;) {
    Job& job = jobs_[k];
    const double passed = std::chrono::duration<double>(Clock::now() - job.begin).count();
    if (limit && passed > *limit && !job.too_long) {
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

void StudyRunner::finish(const Job& job, int status) {
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const std::string said = last_line(text_in(setup_.rows.output(*job.run, ".err")));
  StudyRow row;
  if (code == kDone || code == kNumbersFailed) {
    row = row_of(*job.run, code);
  } else if (job.too_long) {
    row.status = "timeout";
    row.message = "took longer than " + number(*setup_.plan.limit) + " s";
  } else if (code == kBadInput) {
    row = {"refused", {}, said};
  } else if (code != kStopped && !told_) {
    const std::string how =
        WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit code " + std::to_string(code);
    row = {"crashed", {}, said.empty() ? how : how + ": " + said};
  }
  const bool recorded = setup_.plan.keep_recordings && row.is_final();
  if (recorded && fs::exists(setup_.rows.recording(*job.run)))
    row.values["recording"] = "runs/" + job.run->id + ".h5";
  note(*job.run, row);
  clean_up(*job.run, row);
}

void StudyRunner::note(const StudyRun& run, const StudyRow& row) {
  if (row.status.empty()) return;  // it was stopped: as if it had never been
  const bool crashed = row.status == "crashed", refused = row.status == "refused";
  ++counts_.made;
  counts_.crashed += crashed;
  counts_.refused += refused;
  if (refused && trouble_.empty()) trouble_ = row.message;
  if (crashed && trouble_.empty()) trouble_ = "touchstone: a run crashed (" + run.key + "): " + row.message;
  StudyRow told = row;
  if (!row.message.empty()) told.values["message"] = row.message;
  setup_.rows.write(run, told);
}

/// What a run that crashed has said stays; so do recordings that were asked for.
void StudyRunner::clean_up(const StudyRun& run, const StudyRow& row) const {
  std::error_code ignored;
  if (!row.values.contains("recording")) fs::remove(setup_.rows.recording(run), ignored);
  fs::remove(setup_.rows.output(run, ".out"), ignored);
  if (row.status != "crashed") fs::remove(setup_.rows.output(run, ".err"), ignored);
}

StudyRow StudyRunner::row_of(const StudyRun& run, int code) const {
  StudyRow row;
  const json summary = json::parse(text_in(setup_.rows.output(run, ".out")), nullptr, false);
  if (!summary.is_object()) return {"crashed", {}, "its summary cannot be read"};
  row.status = code == kDone ? "done" : "failed";
  for (const std::string& column : setup_.plan.columns) {
    if (summary.contains(column)) row.values[column] = cell_of(summary[column]);
  }
  try {
    for (const auto& [column, text] : setup_.plan.measures)
      row.values[column] = number(evaluate(parse_measure(text), setup_.rows.recording(run)));
  } catch (const BadInput& error) {
    return {"refused", {}, std::string("touchstone: ") + error.what()};
  }
  return row;
}

}  // namespace touchstone
