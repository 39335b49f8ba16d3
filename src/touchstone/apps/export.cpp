// touchstone export: a recording in other forms, by the ending of the file.

#include "touchstone/apps/export.h"

#include <cstdio>
#include <fstream>
#include <memory>

#include "touchstone/apps/commands.h"
#include "touchstone/apps/show_recording.h"
#include "touchstone/scene/bad_input.h"
#include "touchstone/scene/json_text.h"
#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExportExamples = R"(OUT's ending says what is made:
  .html  the viewer with the recording in it, one file that works without a network
  .glb   an animated scene (glTF 2.0) for Blender and other programs
  .csv   the states: one line for each body in each frame
  .png   plots of energy, gap, residual and contacts (needs python3-matplotlib)

Examples:
  touchstone export box-stack.h5 box-stack.html
  touchstone export box-stack.h5 states.csv --json

Exit codes: 0 done; 2 bad input.)";

struct ExportOptions {
  std::string recording, out;
  bool json = false, quiet = false;
};

const std::vector<std::string> kEndings = {".html", ".glb", ".csv", ".png"};

std::string ending_of(const std::string& out) {
  std::string ending = fs::path(out).extension();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end()) return ending;
  throw BadInput(in_quotes(out) + ": expected a name that ends with .html, .glb, .csv or .png" +
                 (ending.empty() ? "" : name_hint(ending, kEndings)));
}

template <int D>
void write_in(const RecordingDetails& recording, const std::string& ending, std::ostream& out) {
  if (ending == ".glb") {
    export_glb<D>(recording, out);
  } else {
    export_csv<D>(recording, out);
  }
}

void write_stream(const ExportOptions& options, const std::string& ending, std::ostream& out) {
  if (ending == ".html") return export_html(*show_recording(options.recording), out);
  const RecordingDetails recording(options.recording);
  if (recording.frames().dimension() == 2) return write_in<2>(recording, ending, out);
  write_in<3>(recording, ending, out);
}

/// Makes the file under another name first, so that a failure leaves none, and no broken one.
void write_file(const ExportOptions& options) {
  const std::string ending = ending_of(options.out);
  const fs::path out = options.out, part = options.out + ".part" + ending;
  try {
    if (ending == ".png") {
      export_png(RecordingDetails(options.recording), part);
    } else {
      std::ofstream stream(part, std::ios::binary);
      write_stream(options, ending, stream);
      stream.close();
      if (!stream) throw BadInput(options.out + ": cannot be written");
    }
    fs::rename(part, out);
  } catch (...) {
    std::error_code ignored;
    fs::remove(part, ignored);
    throw;
  }
}

int export_recording(const ExportOptions& options) {
  std::size_t frames = 0;
  try {
    frames = RecordingReader(options.recording).frame_count();
    if (frames == 0) throw BadInput(options.recording + ": holds no frame");
    write_file(options);
  } catch (const BadRecording& error) {
    throw BadInput(error.what());
  } catch (const fs::filesystem_error& error) {
    throw BadInput(options.out + ": " + error.code().message());
  }
  const auto bytes = static_cast<double>(fs::file_size(options.out));
  if (options.json) {
    JsonWriter w;
    w.open('{').key("recording").value(options.recording).key("output").value(options.out);
    w.key("frames").value(static_cast<double>(frames)).key("bytes").value(bytes).close('}');
    std::printf("%s\n", w.text().c_str());
  } else if (!options.quiet) {
    std::printf("%s: %zu frames, %.3g MB\n", options.out.c_str(), frames, bytes / 1e6);
  }
  return kDone;
}

}  // namespace

void add_export(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = program.add_subcommand("export", "Makes a web page, glTF, CSV or plots of a recording");
  command->add_option("RECORDING", options->recording, "a recording, as made by run")
      ->option_text(" ")
      ->required();
  command->add_option("OUT", options->out, "the file to make: .html, .glb, .csv or .png")
      ->option_text(" ")
      ->required();
  command->add_flag("--json", options->json, "print what was made as one JSON object");
  command->add_flag("-q,--quiet", options->quiet, "print nothing");
  command->footer(kExportExamples);
  command->callback([options, &exit_code] { exit_code = export_recording(*options); });
}

}  // namespace touchstone
