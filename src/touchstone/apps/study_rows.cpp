#include "touchstone/apps/study_rows.h"

#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace touchstone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Quoted where a comma, a quote or a line's end stands in it [RFC 4180].
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Appears whole or not at all.
void write_file(const fs::path& path, const std::string& text) {
  const fs::path draft = path.string() + "." + std::to_string(::getpid());
  std::ofstream out(draft, std::ios::binary);
  out << text;
  out.close();
  std::error_code fault;
  if (out) fs::rename(draft, path, fault);
  if (!out || fault) throw BadInput(path.string() + ": cannot be written");
}

}  // namespace

StudyRows::StudyRows(fs::path folder) : folder_(std::move(folder)) {
  std::error_code fault;
  fs::create_directories(folder_ / "runs", fault);
  if (fault) throw BadInput(folder_.string() + ": cannot be made (" + fault.message() + ")");
}

fs::path StudyRows::recording(const StudyRun& run) const { return output(run, ".h5"); }
fs::path StudyRows::output(const StudyRun& run, const char* ending) const {
  return folder_ / "runs" / (run.id + ending);
}

StudyRow StudyRows::read(const StudyRun& run) const {
  std::ifstream in(output(run, ".json"), std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  const json value = json::parse(text.str(), nullptr, false);
  StudyRow row;
  if (!value.is_object() || value.value("key", "") != run.key) return row;
  row.status = value.value("status", "");
  const json values = value.value("values", json::object());
  for (const auto& [column, cell] : values.items()) {
    if (cell.is_string()) row.values[column] = cell.get<std::string>();
  }
  return row;
}

void StudyRows::write(const StudyRun& run, const StudyRow& row) const {
  const json value = {{"key", run.key}, {"status", row.status}, {"values", row.values}};
  write_file(output(run, ".json"), value.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

void StudyRows::write_table(const StudyPlan& plan) const {
  std::vector<std::string> columns;
  for (const auto& [column, ignored] : plan.measures) columns.push_back(column);
  columns.insert(columns.end(), plan.columns.begin(), plan.columns.end());
  if (plan.keep_recordings) columns.emplace_back("recording");
  std::string text;
  for (const std::string& axis : plan.axes) text += csv_cell(axis) + ",";
  text += "status";
  for (const std::string& column : columns) text += "," + csv_cell(column);
  text += "\n";
  for (const StudyRun& run : plan.runs) {
    const StudyRow row = read(run);
    for (const std::string& value : run.values) text += csv_cell(value) + ",";
    text += row.status.empty() ? "missing" : row.status;
    for (const std::string& column : columns) {
      const auto cell = row.values.find(column);
      text += "," + (cell == row.values.end() ? std::string() : csv_cell(cell->second));
    }
    text += "\n";
  }
  write_file(table(), text);
}

}  // namespace touchstone
