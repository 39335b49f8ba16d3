#include "touchstone/apps/export.h"
#include "touchstone/apps/python_script.h"
#include "touchstone/apps/viewer_page.h"
#include "touchstone/scene/bad_input.h"
#include "touchstone/scene/json_text.h"

namespace touchstone {
namespace {

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

}  // namespace

void export_png(const RecordingDetails& recording, const std::filesystem::path& picture) {
  const std::string script = find_program_file("viewer/plot_recording.py");
  if (script.empty())
    throw BadInput("the script viewer/plot_recording.py, which belongs to the program, is missing");
  const int code = run_python({script, {picture.string()}, series_text(recording)});
  if (code == kPythonDone) return;
  if (code == kNoPython) throw BadInput("plots need python3 (apt-get install python3-matplotlib)");
  if (code == kPythonMissing)
    throw BadInput("plots need Python's matplotlib (apt-get install python3-matplotlib)");
  throw BadInput(picture.string() + ": the plots could not be made");
}

}  // namespace touchstone
