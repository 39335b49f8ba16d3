#pragma once
// The commands of the program. Each adds itself to the command line and, when it was chosen, leaves the exit
// code.

#include <CLI/CLI.hpp>

namespace touchstone {

/// Exit codes of the program [docs/commands.md].
enum ExitCode : int {
  kDone = 0,
  kCheckFailed = 1,
  kBadInput = 2,  ///< bad input or usage
  kNumbersFailed = 3,
  kStopped = 130,  ///< what a shell expects of a program that was stopped by Ctrl-C
};

void add_run(CLI::App& program, int& exit_code);
void add_check(CLI::App& program, int& exit_code);
void add_compare(CLI::App& program, int& exit_code);
void add_view(CLI::App& program, int& exit_code);
void add_export(CLI::App& program, int& exit_code);
void add_study(CLI::App& program, int& exit_code);
void add_solve(CLI::App& program, int& exit_code);
void add_query(CLI::App& program, int& exit_code);
void add_list(CLI::App& program, int& exit_code);

}  // namespace touchstone
