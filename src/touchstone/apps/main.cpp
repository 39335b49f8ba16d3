// touchstone: the command line. Each command has its own file; this one has their common part.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "touchstone/apps/commands.h"
#include "touchstone/scene/bad_input.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/scene_keys.h"

namespace touchstone {
namespace {

constexpr const char* kProgramExamples = R"(Examples:
  touchstone run box-stack
  touchstone check box-stack.h5
  touchstone view box-stack.h5
  touchstone export box-stack.h5 box-stack.html
  touchstone query box:2,2,2 sphere:1 --position-b 0,0,1.5
  touchstone list shapes
  touchstone query --help

Exit codes: 0 done; 1 a check failed; 2 bad input or usage; 3 the numbers failed, or a recording could not be written.)";

int complain(const std::string& message, ExitCode code) {
  std::fprintf(stderr, "touchstone: %s\n", message.c_str());
  return code;
}

/// Ends the program after a fault. HDF5 would try once more to write what could not be written, and crash.
[[noreturn]] void give_up(const std::string& message, ExitCode code) {
  complain(message, code);
  std::fflush(nullptr);
  std::_Exit(code);
}

/// Every long option and every command that may stand where `command` is at work.
std::vector<std::string> words_of(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    words.push_back(sub->get_name());
  }
  return words;
}

/// What to type for a value of the scene that was given as an option (--friction); empty: it is none.
std::string set_option(const std::string& word, const CLI::App& command) {
  if (!word.starts_with("--") || !command.get_option_no_throw("--set")) return "";
  std::string key = word.substr(2);
  std::replace(key.begin(), key.end(), '-', '_');
  for (const SceneKey& known : scene_keys()) {
    const bool in_contact = known.section == "contact";
    if (known.key == key && (in_contact || known.section == "scene"))
      return "--set " + (in_contact ? "contact." + key : key);
  }
  return "";
}

/// What was given for the first of these arguments: --friction .5 or --friction=.5.
std::string value_behind(const std::vector<std::string>& arguments) {
  const std::string& first = arguments.front();
  if (const std::size_t equals = first.find('='); equals != first.npos) return first.substr(equals + 1);
  return arguments.size() > 1 && !arguments[1].starts_with("--") ? arguments[1] : "VALUE";
}

/// The command that was chosen, or the program itself.
const CLI::App& chosen(const CLI::App& program) {
  const auto commands = program.get_subcommands();
  return commands.empty() ? program : *commands.front();
}

int refuse_usage(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& command = chosen(program);
  const std::string name = &command == &program ? "" : " " + command.get_name();
  const bool none = dynamic_cast<const CLI::RequiredError*>(&error) && &command == &program;
  std::string message = none ? "expected a command, such as run" : error.what();
  const std::vector<std::string> extras = program.remaining(true);
  if (!extras.empty()) {
    const std::string word = extras.front().substr(0, extras.front().find('='));
    message = "unexpected argument " + in_quotes(word);
    if (const std::string set = set_option(word, command); !set.empty()) {
      message += "; it is a value of the scene: write " + set + "=" + value_behind(extras);
    } else if (const std::string near = nearest_name(word, words_of(command)); !near.empty()) {
      message += "; did you mean \"" + near + "\"?";
    }
  }
  return complain(message + " (touchstone" + name + " --help shows what there is)", kBadInput);
}

int run(int argc, char** argv) {
  CLI::App program("Touchstone: rigid bodies with exact contact, in 2D and 3D.", "touchstone");
  program.set_version_flag("--version", std::string("touchstone ") + TOUCHSTONE_VERSION);
  program.footer(kProgramExamples);
  program.require_subcommand(1);
  int exit_code = kDone;
  add_run(program, exit_code);
  add_check(program, exit_code);
  add_compare(program, exit_code);
  add_view(program, exit_code);
  add_export(program, exit_code);
  add_study(program, exit_code);
  add_solve(program, exit_code);
  add_query(program, exit_code);
  add_list(program, exit_code);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return program.exit(asked);
  } catch (const CLI::ParseError& error) {
    return refuse_usage(program, error);
  }
  return exit_code;
}

}  // namespace
}  // namespace touchstone

int main(int argc, char** argv) {
  using namespace touchstone;
  // A file that may not grow (ulimit -f) is then an error like a full disk, and not the end of the program.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const int code = run(argc, argv);
    if (std::fflush(stdout) != 0) return complain("the output cannot be written", kBadInput);
    return code;
  } catch (const BadInput& error) {
    give_up(error.what(), kBadInput);
  } catch (const std::bad_alloc&) {
    give_up("there is not enough memory", kNumbersFailed);
  } catch (const std::exception& error) {
    give_up(error.what(), kNumbersFailed);
  }
}
