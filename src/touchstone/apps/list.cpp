// touchstone list: what there is, one line each.

#include <algorithm>
#include <cstdio>
#include <memory>

#include "touchstone/apps/commands.h"
#include "touchstone/scene/json_text.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone {
namespace {

constexpr const char* kExamples = R"(Examples:
  touchstone list                  what can be listed
  touchstone list shapes           every shape, with an example that works
  touchstone list shapes --json    the same for machines)";

struct ListOptions {
  std::string topic;
  bool json = false, quiet = false;
};

const char* dimensions_of(const ShapeEntry& shape) {
  return shape.in_2d && shape.in_3d ? "2D 3D" : shape.in_2d ? "2D" : "3D";
}

std::string shape_as_json(const ShapeEntry& shape) {
  JsonWriter writer;
  writer.open('{').key("name").value(shape.name).key("example").value(shape.example);
  writer.key("short_form").value(shape.short_form).key("meaning").value(shape.meaning);
  writer.key("in_2d").value(shape.in_2d).key("in_3d").value(shape.in_3d).close('}');
  return writer.text();
}

void print_shapes(const ListOptions& options) {
  if (options.json) {
    std::string lines;
    for (const ShapeEntry& shape : shape_entries()) {
      lines += (lines.empty() ? "" : ",\n ") + shape_as_json(shape);
    }
    std::printf("{\"shapes\": [\n %s]}\n", lines.c_str());
    return;
  }
  for (const ShapeEntry& shape : shape_entries()) {
    if (options.quiet) {
      std::printf("%s\n", shape.name.c_str());
      continue;
    }
    const std::string& shown = shape.short_form.empty() ? shape.example : shape.short_form;
    std::printf("%-18s  %-5s  %-24s  %s\n", shape.name.c_str(), dimensions_of(shape), shown.c_str(),
                shape.meaning.c_str());
  }
}

struct Topic {
  const char* name;
  const char* meaning;
  void (*print)(const ListOptions&);
};
constexpr Topic kTopics[] = {{"shapes", "the shapes that queries know", print_shapes}};

void print_topics(const ListOptions& options) {
  std::string names;
  for (const Topic& topic : kTopics) {
    names += (names.empty() ? "\"" : ", \"") + std::string(topic.name) + "\"";
    if (!options.json) std::printf("%-18s  %s\n", topic.name, topic.meaning);
  }
  if (options.json) std::printf("{\"topics\": [%s]}\n", names.c_str());
}

int list(const ListOptions& options) {
  if (options.topic.empty()) {
    print_topics(options);
    return kDone;
  }
  std::vector<std::string> names;
  for (const Topic& topic : kTopics) {
    names.emplace_back(topic.name);
    if (options.topic != topic.name) continue;
    topic.print(options);
    return kDone;
  }
  throw BadInput("list: there is no topic " + in_quotes(options.topic) + name_hint(options.topic, names));
}

}  // namespace

void add_list(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = program.add_subcommand("list", "What there is, one line each");
  command->add_option("WHAT", options->topic, "what to list: shapes")->option_text(" ");
  command->add_flag("--json", options->json, "print one JSON object");
  command->add_flag("-q,--quiet", options->quiet, "names only");
  command->footer(kExamples);
  command->callback([options, &exit_code] { exit_code = list(*options); });
}

}  // namespace touchstone
