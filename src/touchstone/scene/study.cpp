#include "touchstone/scene/study.h"

#include <cassert>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "touchstone/record/metrics.h"
#include "touchstone/scene/fields.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/scene_keys.h"
#include "touchstone/scene/yaml_text.h"

namespace touchstone {
namespace {

using nlohmann::json;

/// Runs of a grid; more are a slip of the pen.
constexpr std::size_t kMostRuns = 1'000'000;

/// Fields of a run's summary [docs/commands.md].
const std::vector<std::string> kSummaryColumns = {
    "steps",        "time",           "wall_time",     "min_gap",         "max_overlap",    "energy_gained",
    "energy_scale", "momentum_error", "residual",      "joint_error",     "contacts",       "most_contacts",
    "failed_steps", "relaxed_steps",  "divided_steps", "located_impacts", "merged_impacts", "identity_error",
    "fastest",      "state_hash",     "message"};
const std::vector<std::string> kDefaultColumns = {
    "steps",          "time",     "min_gap",      "max_overlap",   "energy_gained",
    "momentum_error", "residual", "failed_steps", "relaxed_steps", "state_hash"};

/// One direction of the grid.
struct Axis {
  std::string name;
  std::vector<std::string> values;
  std::string path;  ///< of the scene's value that it sets; empty: the scene itself
  std::vector<std::string> scenes = {};
};

/// Values that grow with the step: path and factor.
using Scaled = std::vector<std::pair<std::string, double>>;

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// A single value counts as a list of one.
std::vector<json> list_in(const Field& field) {
  if (!field.value.is_array()) return {field.value};
  if (field.value.empty()) refuse_value(field, "at least one value");
  return std::vector<json>(field.value.begin(), field.value.end());
}

void add_simple_axis(const Field& study, const char* key, const char* name, const char* path,
                     std::vector<Axis>& axes) {
  const auto field = optional_member(study, key);
  if (!field) return;
  Axis axis{name, {}, path};
  for (const json& value : list_in(*field)) {
    axis.values.push_back(text_of(value));
  }
  axes.push_back(std::move(axis));
}

/// A list of seeds, or how many from 1 on.
void add_seeds(const Field& study, std::vector<Axis>& axes) {
  const auto field = optional_member(study, "seeds");
  if (!field) return;
  std::vector<std::string> seeds;
  if (field->value.is_array()) {
    for (int i = 0; i < static_cast<int>(field->value.size()); ++i)
      seeds.push_back(std::to_string(read_seed(field->element(i))));
  } else {
    const int count = read_count(*field, 1);
    for (int i = 1; i <= count; ++i) seeds.push_back(std::to_string(i));
  }
  axes.push_back({"seed", seeds, "generate.seed"});
}

void add_set(const Field& study, std::vector<Axis>& axes) {
  const auto set = optional_member(study, "set");
  if (!set) return;
  if (!set->value.is_object()) refuse_value(*set, "a map from paths to values");
  for (const auto& [path, ignored] : set->value.items()) {
    Axis axis{path, {}, path};
    for (const json& value : list_in(set->member(path))) axis.values.push_back(text_of(value));
    axes.push_back(std::move(axis));
  }
}

/// Files lie beside the study; other words are named scenes.
std::string scene_argument(const std::string& word, const std::filesystem::path& folder) {
  const std::filesystem::path beside = folder / word;
  std::error_code ignored;
  return std::filesystem::is_regular_file(beside, ignored) ? beside.string() : word;
}

/// Files are called by their stem, or in full where two have the same.
std::vector<std::string> scene_names(const std::vector<std::filesystem::path>& words) {
  const auto short_name = [](const std::filesystem::path& word) {
    return word.has_extension() ? word.stem().string() : word.string();
  };
  std::map<std::string, int> count;
  for (const auto& word : words) ++count[short_name(word)];
  std::vector<std::string> names;
  for (const auto& word : words)
    names.push_back(count[short_name(word)] > 1 ? word.string() : short_name(word));
  return names;
}

void add_scenes(const Field& study, const std::filesystem::path& folder, std::vector<Axis>& axes) {
  const Field field = required(study, "scenes", "a scene, or a list of scenes");
  Axis axis{"scene", {}, ""};
  std::vector<std::filesystem::path> words;
  for (const json& value : list_in(field)) {
    if (!value.is_string()) refuse_value(field, "names of scenes or files");
    words.emplace_back(value.get<std::string>());
    axis.scenes.push_back(scene_argument(words.back().string(), folder));
  }
  axis.values = scene_names(words);
  assert(axis.values.size() == axis.scenes.size());
  axes.push_back(std::move(axis));
}

Scaled read_scaled(const Field& study) {
  Scaled factors;
  const auto scaled = optional_member(study, "scaled");
  if (!scaled) return factors;
  if (!scaled->value.is_object()) refuse_value(*scaled, "a map from paths to factors");
  if (!optional_member(study, "steps")) refuse(*scaled, "needs steps, which it is a factor of");
  for (const auto& [path, ignored] : scaled->value.items())
    factors.emplace_back(path, read_number(scaled->member(path)));
  return factors;
}

std::string scaled_value(const std::pair<std::string, double>& factor, double step) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", factor.second * step);
  return factor.first + "=" + text;
}

/// The directions of a grid, and what goes with the steps.
struct Grid {
  std::vector<Axis> axes;
  Scaled scaled;
};

void add_run(const Field& study, const Grid& grid, const std::vector<std::size_t>& at, StudyPlan& plan) {
  assert(at.size() == grid.axes.size());
  StudyRun run;
  for (std::size_t i = 0; i < grid.axes.size(); ++i) {
    const Axis& axis = grid.axes[i];
    run.values.push_back(axis.values[at[i]]);
    if (axis.path.empty()) run.scene = axis.scenes[at[i]];
    if (!axis.path.empty()) run.overrides.push_back(axis.path + "=" + run.values.back());
    if (axis.name != "step") continue;
    const double step = std::strtod(run.values.back().c_str(), nullptr);
    for (const auto& factor : grid.scaled) run.overrides.push_back(scaled_value(factor, step));
  }
  if (const auto x = optional_member(study, "duration"))
    run.overrides.push_back("duration=" + text_of(x->value));
  run.key = run.scene;
  for (const std::string& word : run.overrides) run.key += " " + word;
  run.id = hash_text(text_hash(run.key));  // runs keep their names when a grid grows
  plan.runs.push_back(std::move(run));
}

/// Two equal runs would write to the same files.
void check_all_differ(const Field& study, const StudyPlan& plan) {
  std::set<std::string> ids;
  for (const StudyRun& run : plan.runs) {
    if (!ids.insert(run.id).second) refuse(study, "two runs of the grid are the same: " + run.key);
  }
}

void make_runs(const Field& study, const Grid& grid, StudyPlan& plan) {
  const std::vector<Axis>& axes = grid.axes;
  std::size_t count = 1;
  for (const Axis& axis : axes) {
    count *= axis.values.size();
    if (count > kMostRuns) refuse(study, "the grid has more than " + std::to_string(kMostRuns) + " runs");
  }
  std::vector<std::size_t> at(axes.size(), 0);
  for (std::size_t n = 0; n < count; ++n) {
    if (std::count(at.begin(), at.end(), 0u) + 1 >= static_cast<std::ptrdiff_t>(at.size()))
      plan.samples.push_back(n);
    add_run(study, grid, at, plan);
    // The last axis runs fastest.
    for (std::size_t i = axes.size(); i-- > 0;) {
      if (++at[i] < axes[i].values.size()) break;
      at[i] = 0;
    }
  }
  assert(plan.runs.size() == count);
  check_all_differ(study, plan);
}

void read_measures(const Field& study, StudyPlan& plan) {
  const auto measures = optional_member(study, "measures");
  if (!measures) return;
  if (!measures->value.is_object()) refuse_value(*measures, "a map from columns to measures");
  for (const auto& [column, ignored] : measures->value.items()) {
    const Field field = measures->member(column);
    const std::string text = read_text(field, "a measure such as last(crate.x)");
    try {
      parse_measure(text);
    } catch (const BadInput& error) {
      refuse(field, error.what());
    }
    plan.measures.emplace_back(column, text);
  }
}

void read_columns(const Field& study, StudyPlan& plan) {
  plan.columns = kDefaultColumns;
  const auto columns = optional_member(study, "columns");
  if (!columns) return;
  if (!columns->value.is_array()) refuse_value(*columns, "a list of columns");
  plan.columns.clear();
  for (int i = 0; i < static_cast<int>(columns->value.size()); ++i) {
    plan.columns.push_back(kSummaryColumns[read_choice(columns->element(i), kSummaryColumns, "column")]);
  }
}

/// Every name that stands for a column of the table must be one.
void check_column(const Field& plot, const char* key, const std::vector<std::string>& names) {
  const auto field = optional_member(plot, key);
  if (field) read_choice(*field, names, "column");
}

void check_curves(const Field& plot, const StudyPlan& plan) {
  const auto curves = optional_member(plot, "curves");
  if (!curves && !(plot.value.contains("x") && plot.value.contains("y")))
    refuse(plot, "expected x and y, or curves");
  if (!curves) return;
  if (!curves->value.is_array() || curves->value.empty()) refuse_value(*curves, "a list of quantities");
  for (int i = 0; i < static_cast<int>(curves->value.size()); ++i)
    read_text(curves->element(i), "a quantity such as crate.x");
  if (!plan.keep_recordings) refuse(*curves, "needs keep_recordings: true");
}

void check_limits(const Field& plot) {
  const auto limits = optional_member(plot, "limits");
  if (!limits) return;
  if (!limits->value.is_object()) refuse_value(*limits, "a map from quantities to pairs");
  for (const auto& [quantity, ignored] : limits->value.items()) {
    const Field pair = limits->member(quantity);
    if (!pair.value.is_array() || pair.value.size() != 2) refuse_value(pair, "a lowest and a highest value");
    for (int i = 0; i < 2; ++i) read_number(pair.element(i));
  }
}

void check_plot(const Field& plot, const std::vector<std::string>& names, const StudyPlan& plan) {
  check_keys(plot, keys_of("plot", 2));
  const std::string& file = read_text(required(plot, "file", "the picture's name"), "the picture's name");
  if (file.find('/') != std::string::npos) refuse_value(plot.member("file"), "a name without folders");
  if (!file.ends_with(".png") && !file.ends_with(".pdf")) refuse_value(plot.member("file"), "a .png or .pdf");
  for (const char* key : {"x", "y", "lines", "columns", "colour"}) check_column(plot, key, names);
  if (const auto x = optional_member(plot, "title")) read_text(*x, "a title");
  if (const auto x = optional_member(plot, "log")) read_flag(*x);
  check_curves(plot, plan);
  check_limits(plot);
}

void read_plots(const Field& study, StudyPlan& plan) {
  const auto plots = optional_member(study, "plots");
  if (!plots) return;
  if (!plots->value.is_array()) refuse_value(*plots, "a list of plots");
  std::vector<std::string> names = plan.axes;
  for (const auto& [column, ignored] : plan.measures) names.push_back(column);
  names.insert(names.end(), plan.columns.begin(), plan.columns.end());
  for (int i = 0; i < static_cast<int>(plots->value.size()); ++i) {
    check_plot(plots->element(i), names, plan);
  }
  plan.plots = plots->value.dump();
}

StudyPlan read_study(const Field& study, const std::filesystem::path& file) {
  check_keys(study, keys_of("study", 2));
  const Field version = required(study, "study", "1, the version of the format");
  if (version.value != 1) refuse_value(version, "1, the version of the format");
  StudyPlan plan;
  plan.name = file.stem().string();
  Grid grid;
  std::vector<Axis>& axes = grid.axes;
  add_scenes(study, file.parent_path(), axes);
  add_simple_axis(study, "models", "model", "contact.model", axes);
  add_simple_axis(study, "steps", "step", "step", axes);
  add_seeds(study, axes);
  add_set(study, axes);
  for (const Axis& axis : axes) plan.axes.push_back(axis.name);
  if (const auto x = optional_member(study, "limit")) plan.limit = read_positive(*x, "a time");
  if (const auto x = optional_member(study, "keep_recordings")) plan.keep_recordings = read_flag(*x);
  if (const auto x = optional_member(study, "duration")) read_not_negative(*x, "a time");
  read_measures(study, plan);
  read_columns(study, plan);
  read_plots(study, plan);
  grid.scaled = read_scaled(study);
  make_runs(study, grid, plan);
  return plan;
}

}  // namespace

StudyPlan load_study(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) throw BadScene(file.string() + ": there is no such file");
  if (std::filesystem::is_directory(file, ignored))
    throw BadScene(file.string() + ": expected a study file, not a folder");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream stream;
  stream << in.rdbuf();
  const std::string text = stream.str();
  const auto at_line = [&](int line) { return file.string() + (line > 0 ? ":" + std::to_string(line) : ""); };
  try {
    const json value = parse_yaml(text);
    return read_study(Field{value, ""}, file);
  } catch (const BadYaml& error) {
    throw BadScene(at_line(error.line()) + ": " + error.what());
  } catch (const BadField& error) {
    throw BadScene(at_line(line_of_field(text, error.where())) + ": " + error.what());
  }
}

}  // namespace touchstone
