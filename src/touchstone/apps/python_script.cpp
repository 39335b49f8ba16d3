#include "touchstone/apps/python_script.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "touchstone/scene/bad_input.h"

namespace touchstone {
namespace {

/// The user's own Python first; Debian's has Debian's matplotlib.
std::vector<std::string> interpreters() {
  if (const char* own = std::getenv("TOUCHSTONE_PYTHON")) return {own};
  return {"python3", "/usr/bin/python3"};
}

void write_all(int pipe, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(pipe, text.data() + done, text.size() - done);
    if (n <= 0) return;  // the reader has ended; its exit code tells why
    done += static_cast<std::size_t>(n);
  }
}

int run_with(const std::string& python, const PythonScript& script) {
  std::vector<std::string> words = {python, script.path};
  words.insert(words.end(), script.arguments.begin(), script.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) throw BadInput("no pipe to python can be made");
  const pid_t child = fork();
  if (child < 0) throw BadInput("python cannot be started");
  if (child == 0) {
    dup2(ends[0], STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);  // standard output belongs to the summary
    close(ends[0]), close(ends[1]);
    execvp(pointers[0], pointers.data());
    _exit(kNoPython);
  }
  close(ends[0]);
  signal(SIGPIPE, SIG_IGN);
  write_all(ends[1], script.input);
  close(ends[1]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int run_python(const PythonScript& script) {
  int code = kNoPython;
  for (const std::string& python : interpreters()) {
    code = run_with(python, script);
    if (code != kNoPython && code != kPythonMissing) break;
  }
  return code;
}

}  // namespace touchstone
