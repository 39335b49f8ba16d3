#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "touchstone/apps/export.h"
#include "touchstone/apps/viewer_page.h"
#include "touchstone/scene/json_text.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone {
namespace {

/// How the script ends where matplotlib is missing.
constexpr int kNoMatplotlib = 4;
/// The user's own Python first; Debian's has Debian's matplotlib.
constexpr const char* kInterpreters[] = {"python3", "/usr/bin/python3"};

std::string series_text(const RecordingDetails& recording) {
  const std::vector<double>& times = recording.frames().times();
  JsonWriter w;
  w.open('{').key("name").value(recording.frames().text_attribute("scene_name")).key("time").open('[');
  for (std::size_t i = 0; i < recording.step_count(); ++i) w.value(times[i + 1]);
  w.close(']');
  for (const char* name : kSeries) {
    w.key(name).open('[');
    for (const double x : recording.step_values(name)) w.value(x);
    w.close(']');
  }
  return w.close('}').text();
}

void write_all(int pipe, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(pipe, text.data() + done, text.size() - done);
    if (n <= 0) return;  // the reader has ended; its exit code tells why
    done += static_cast<std::size_t>(n);
  }
}

/// Runs the script with the text as its input. Returns its exit code; 127 where there is no such interpreter.
int run_script(const char* python, const std::vector<std::string>& arguments, const std::string& input) {
  int ends[2];
  if (pipe(ends) != 0) throw BadInput("no pipe to python can be made");
  const pid_t child = fork();
  if (child < 0) throw BadInput("python cannot be started");
  if (child == 0) {
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]), close(ends[1]);
    execlp(python, python, arguments[0].c_str(), arguments[1].c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[0]);
  signal(SIGPIPE, SIG_IGN);
  write_all(ends[1], input);
  close(ends[1]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

void export_png(const RecordingDetails& recording, const std::filesystem::path& picture) {
  const std::string script = find_program_file("viewer/plot_recording.py");
  if (script.empty())
    throw BadInput("the script viewer/plot_recording.py, which belongs to the program, is missing");
  const std::string input = series_text(recording);
  int code = 127;
  for (const char* python : kInterpreters) {
    code = run_script(python, {script, picture.string()}, input);
    if (code != 127 && code != kNoMatplotlib) break;
  }
  if (code == 0) return;
  if (code == 127) throw BadInput("plots need python3 (apt-get install python3-matplotlib)");
  if (code == kNoMatplotlib)
    throw BadInput("plots need Python's matplotlib (apt-get install python3-matplotlib)");
  throw BadInput(picture.string() + ": the plots could not be made");
}

}  // namespace touchstone
