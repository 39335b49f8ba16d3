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

/// How a script ended; a script that lacks a Python package ends with kPythonMissing.
enum PythonExit : int { kPythonDone = 0, kPythonMissing = 4, kNoPython = 127 };

/// Runs the script with the user's python3 and, if a package is missing there, with Debian's; the environment
/// variable TOUCHSTONE_PYTHON names another one. Returns the exit code.
int run_python(const PythonScript& script);

}  // namespace touchstone
