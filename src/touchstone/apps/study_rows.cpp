#include "touchstone/apps/study_rows.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "touchstone/apps/plain_text.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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

/// What a row depends on, besides the run itself.
json asked_by(const StudyPlan& plan) {
  json measures = json::object();
  for (const auto& [column, text] : plan.measures) measures[column] = text;
  return {{"measures", measures},
          {"columns", plan.columns},
          {"recording", plan.keep_recordings},
          {"limit", plan.limit ? json(*plan.limit) : json()}};
}

/// Does a row with the columns and measures of `then` have all those of `now`?
bool answers(const json& then, const json& now) {
  const auto known = [&](const char* key) { return then.is_object() ? then.value(key, json()) : json(); };
  if (now["recording"].get<bool>() && known("recording") != true) return false;
  const json measures = known("measures"), columns = known("columns");
  for (const auto& [column, text] : now["measures"].items()) {
    if (!measures.is_object() || measures.value(column, json()) != text) return false;
  }
  return std::all_of(now["columns"].begin(), now["columns"].end(), [&](const json& column) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  });
}

/// A run that took too long may do with more time.
bool is_enough_time(const json& then, const json& now) {
  const json limit = then.is_object() ? then.value("limit", json()) : json();
  return limit.is_number() && now["limit"].is_number() && now["limit"] <= limit;
}

}  // namespace

StudyRows::StudyRows(fs::path folder, const StudyPlan& plan) : folder_(std::move(folder)), plan_(plan) {
  std::error_code fault;
  fs::create_directories(folder_ / "runs", fault);
  if (fault) throw BadInput(folder_.string() + ": cannot be made (" + fault.message() + ")");
}

fs::path StudyRows::recording(const StudyRun& run) const { return output(run, ".h5"); }
fs::path StudyRows::output(const StudyRun& run, const char* ending) const {
  return folder_ / "runs" / (run.id + ending);
}

StudyRow StudyRows::read(const StudyRun& run) const {
  const json value = json::parse(text_in(output(run, ".json")), nullptr, false);
  StudyRow row;
  if (!value.is_object() || value.value("key", json()) != run.key) return row;
  const json then = value.value("asked", json());
  const json now = asked_by(plan_);
  const std::string status = value.value("status", "");
  if (status == "timeout" ? !is_enough_time(then, now) : !answers(then, now)) return row;
  row.status = status;
  row.message = value.value("message", "");
  const json values = value.value("values", json::object());
  for (const auto& [column, cell] : values.items()) {
    if (cell.is_string()) row.values[column] = cell.get<std::string>();
  }
  return row;
}

void StudyRows::write(const StudyRun& run, const StudyRow& row) const {
  const json value = {{"key", run.key},
                      {"asked", asked_by(plan_)},
                      {"status", row.status},
                      {"message", row.message},
                      {"values", row.values}};
  write_file(output(run, ".json"), value.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

void StudyRows::write_table() const {
  const StudyPlan& plan = plan_;
  std::vector<std::string> columns;
  for (const auto& [column, ignored] : plan.measures) columns.push_back(column);
  columns.insert(columns.end(), plan.columns.begin(), plan.columns.end());
  if (plan.keep_recordings) columns.emplace_back("recording");
  std::string text;
  for (const std::string& axis : plan.axes) text += csv_field(axis) + ",";
  text += "status";
  for (const std::string& column : columns) text += "," + csv_field(column);
  text += "\n";
  for (const StudyRun& run : plan.runs) {
    const StudyRow row = read(run);
    for (const std::string& value : run.values) text += csv_field(value) + ",";
    text += row.status.empty() ? "missing" : row.status;
    for (const std::string& column : columns) {
      const auto cell = row.values.find(column);
      text += "," + (cell == row.values.end() ? std::string() : csv_field(cell->second));
    }
    text += "\n";
  }
  write_file(table(), text);
}

}  // namespace touchstone
