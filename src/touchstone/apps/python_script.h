#pragma once
// Scripts of the program that draw with matplotlib.

#include <string>
#include <vector>

namespace touchstone {

struct PythonScript {
  std::string path;
  std::vector<std::string> arguments;
  std::string input;  ///< that it reads
};

/// How a script ended; scripts that need what Python does not have end with kMissing.
enum PythonExit : int { kPythonDone = 0, kPythonMissing = 4, kNoPython = 127 };

/// Runs it with the user's own python3 and, where that lacks what is needed, with Debian's; TOUCHSTONE_PYTHON
/// names another one. Returns its exit code.
int run_python(const PythonScript& script);

}  // namespace touchstone
