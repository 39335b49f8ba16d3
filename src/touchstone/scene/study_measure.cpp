// last(crate.x), median(overlap): numbers that a study reads from the recordings of its runs.

#include <algorithm>
#include <cassert>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "touchstone/record/recording.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/study.h"

namespace touchstone {
namespace {

const std::vector<std::string> kFunctions = {"first", "last", "min", "max", "mean", "median"};

double median_of(std::vector<double> values) {
  assert(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

}  // namespace

SeriesMeasure parse_measure(const std::string& text) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')' || open + 2 >= text.size())
    throw BadInput("expected FUNCTION(QUANTITY), such as last(crate.x), got " + in_quotes(text));
  const SeriesMeasure measure{text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
  if (std::find(kFunctions.begin(), kFunctions.end(), measure.function) == kFunctions.end())
    throw BadInput("there is no function " + in_quotes(measure.function) +
                   name_hint(measure.function, kFunctions));
  return measure;
}

void check_quantity(const std::string& quantity, const Scene& scene) {
  const std::size_t dot = quantity.rfind('.');
  const auto expect = [](const std::string& word, const std::vector<std::string>& words,
                         const std::string& what) {
    if (std::find(words.begin(), words.end(), word) == words.end())
      throw BadInput("there is no " + what + " " + in_quotes(word) + name_hint(word, words));
  };
  if (dot == std::string::npos) return expect(quantity, step_arrays(), "quantity of a step");
  std::vector<std::string> bodies, numbers = {"x", "y", "speed", scene.dimension == 2 ? "angle" : "z"};
  std::visit(
      [&](const auto& content) {
        for (const auto& body : content.world.bodies) bodies.push_back(body.name);
      },
      scene.content);
  expect(quantity.substr(0, dot), bodies, "body");
  expect(quantity.substr(dot + 1), numbers, "number of a body in " + std::to_string(scene.dimension) + "D");
}

void check_quantities(const StudyPlan& plan, const Scene& scene) {
  const auto check = [&](const std::string& what, const std::string& quantity) {
    try {
      check_quantity(quantity, scene);
    } catch (const BadInput& error) {
      throw BadInput(plan.name + ", scene " + scene.name + ": " + what + ": " + error.what());
    }
  };
  for (const auto& [column, text] : plan.measures) check("measures." + column, parse_measure(text).quantity);
  for (const auto& plot : nlohmann::json::parse(plan.plots)) {
    for (const auto& curve : plot.value("curves", nlohmann::json::array()))
      check("curves of " + plot.value("file", ""), curve.get<std::string>());
  }
}

double evaluate(const SeriesMeasure& measure, const std::filesystem::path& recording) try {
  const std::vector<double> values = RecordingReader(recording).series(measure.quantity);
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::string& f = measure.function;
  if (f == "first") return values.front();
  if (f == "last") return values.back();
  if (f == "min") return *std::min_element(values.begin(), values.end());
  if (f == "max") return *std::max_element(values.begin(), values.end());
  if (f == "median") return median_of(values);
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
} catch (const BadRecording& error) {
  throw BadInput(error.what());
}

}  // namespace touchstone
