#pragma once
// A study: one scene or several over a grid of models, steps, seeds and other values [docs/study.md].

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "touchstone/scene/scene.h"

namespace touchstone {

/// One point of the grid.
struct StudyRun {
  std::vector<std::string> values;     ///< one per axis, as in the table
  std::string scene;                   ///< a file or a named scene
  std::vector<std::string> overrides;  ///< "step=0.01", as for `touchstone run --set`
  std::string key;                     ///< all of it in one text; a grid with two equal ones is refused
  std::string id;                      ///< a short name made from the key, fit for a file
};

struct StudyPlan {
  std::string name;  ///< of the file, without its ending
  std::vector<std::string> axes;
  std::vector<StudyRun> runs;
  std::vector<std::size_t> samples;  ///< runs that together show every value of every axis
  /// Column and measure, for example "median(overlap)", taken from the run's recording.
  std::vector<std::pair<std::string, std::string>> measures;
  std::vector<std::string> columns;  ///< of the summary of a run
  std::optional<double> limit;       ///< [s] that a run may take
  bool keep_recordings = false;
  std::string plots = "[]";  ///< a JSON list; as the file has it
};

/// Throws BadScene.
StudyPlan load_study(const std::filesystem::path& file);

/// A number computed from a recording: FUNCTION(QUANTITY), for example last(crate.x). Throws BadInput for
/// other forms.
struct SeriesMeasure {
  std::string function, quantity;
};
SeriesMeasure parse_measure(const std::string& text);
/// Throws BadInput where a run of the scene would not record such a quantity.
void check_quantity(const std::string& quantity, const Scene& scene);
/// The same for every measure and curve of a study.
void check_quantities(const StudyPlan& plan, const Scene& scene);
/// NaN where the series is empty.
double evaluate(const SeriesMeasure& measure, const std::filesystem::path& recording);

}  // namespace touchstone
