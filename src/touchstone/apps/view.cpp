// touchstone view: shows a recording, or a scene while it runs, on a web page of this machine.

#include "touchstone/apps/view.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "touchstone/apps/commands.h"
#include "touchstone/apps/show_live.h"
#include "touchstone/apps/show_recording.h"
#include "touchstone/apps/viewer_page.h"
#include "touchstone/record/recording.h"
#include "touchstone/scene/json_text.h"

namespace touchstone {
namespace {

constexpr const char* kViewExamples =
    R"(WHAT is a recording, as made by run, or a scene: a scene is simulated, and shown while it is, without a recording
('touchstone run SCENE --view' records too).

The page is served on 127.0.0.1 alone; other machines cannot see it, and other users of this machine do not know its
address. Ctrl-C ends. Keys on the page: press ?.

Examples:
  touchstone view box-stack.h5
  touchstone view box-stack
  touchstone view slope --set contact.friction=0.5 --port 9000 --no-browser

Exit codes: 0 ended by Ctrl-C; 2 bad input; 3 a step could not be solved.)";

/// How soon Ctrl-C is noticed.
constexpr auto kLookForStop = std::chrono::milliseconds(50);

struct ViewCommand {
  std::string what;
  std::vector<std::string> set;
  ViewOptions view;
};

/// The first bytes of every HDF5 file.
bool is_recording(const std::string& path) {
  char head[4] = {};
  std::ifstream(path, std::ios::binary).read(head, sizeof head);
  return std::string_view(head, sizeof head) == "\x89HDF";
}

/// Does the word name a recording, there or not?
bool means_recording(const std::string& word) {
  const std::string ending = std::filesystem::path(word).extension();
  return ending == ".h5" || ending == ".hdf5" || is_recording(word);
}

int view_recording(const ViewCommand& command) {
  if (!command.set.empty()) throw BadInput("--set: changes a scene, and a recording is shown here");
  std::shared_ptr<const Show> show;
  try {
    show = show_recording(command.what);
  } catch (const BadRecording& error) {
    throw BadInput(error.what());
  }
  if (show->progress().frames == 0) throw BadInput(command.what + ": holds no frame");
  const StopWish stop;
  const auto viewer = open_viewer(show, command.view);
  wait_for(stop);
  return kDone;
}

int view_scene(const ViewCommand& command) {
  const StopWish stop;
  SimulationSettings settings;
  settings.stop = stop.flag();
  Simulation simulation(load_scene(command.what, command.set), settings);
  const auto show = LiveShow::watch(simulation);
  const auto viewer = open_viewer(show, command.view);
  const double end = simulation.scene().duration, h = simulation.scene().settings.h;
  double before = -1;
  bool done = true;
  while (done && !stop.asked() && simulation.time() > before) {
    before = simulation.time();
    done = simulation.run_until(std::min(end, before + h));
  }
  const RunSummary summary = simulation.summary();
  show->end(summary.message);
  if (summary.failed_steps > 0) {
    std::fprintf(stderr, "touchstone: the step from %.6g s on failed: %s\n", summary.time,
                 summary.message.c_str());
  }
  wait_for(stop);
  return summary.failed_steps > 0 ? kNumbersFailed : kDone;
}

}  // namespace

std::unique_ptr<ViewerServer> open_viewer(std::shared_ptr<const Show> show, const ViewOptions& options) {
  auto viewer = std::make_unique<ViewerServer>(std::move(show), viewer_page(), options.port);
  if (options.json) {
    JsonWriter w;
    w.open('{').key("address").value(viewer->address()).close('}');
    std::fprintf(options.out, "%s\n", w.text().c_str());
  } else if (!options.quiet) {
    std::fprintf(options.out, "viewer        %s (Ctrl-C ends it)\n", viewer->address().c_str());
  }
  std::fflush(options.out);
  if (!options.no_browser) open_browser(viewer->address());
  return viewer;
}

void wait_for(const StopWish& stop) {
  while (!stop.asked()) std::this_thread::sleep_for(kLookForStop);
}

void add_view(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<ViewCommand>();
  CLI::App* command =
      program.add_subcommand("view", "Shows a recording, or a scene while it runs, in the browser");
  command->add_option("WHAT", options->what, "a recording or a scene")->option_text(" ")->required();
  command->add_option("--set", options->set, "change one value of the scene")
      ->option_text("PATH=VALUE")
      ->expected(1)
      ->take_all();
  command->add_option("--port", options->view.port, "on 127.0.0.1 (8642 or, where that is taken, any)")
      ->option_text("PORT")
      ->check(CLI::Range(0, 65535));
  command->add_flag("--no-browser", options->view.no_browser, "only print the address");
  command->add_flag("--json", options->view.json, "print the address as one JSON object");
  command->add_flag("-q,--quiet", options->view.quiet, "print nothing");
  command->footer(kViewExamples);
  command->callback([options, &exit_code] {
    exit_code = means_recording(options->what) ? view_recording(*options) : view_scene(*options);
  });
}

}  // namespace touchstone
