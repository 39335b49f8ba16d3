// touchstone list: names of scenes, models, solvers and so on, one line each.

#include <algorithm>
#include <cstdio>
#include <memory>

#include "touchstone/apps/commands.h"
#include "touchstone/scene/generators.h"
#include "touchstone/scene/json_text.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/scene.h"
#include "touchstone/scene/scene_keys.h"
#include "touchstone/scene/shape_reader.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

constexpr const char* kListExamples = R"(Examples:
  touchstone list                  what can be listed
  touchstone list scenes           every scene that `run` knows by name
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

/// One line of a list: a name, its summary, and the dimensions or classes it serves.
struct ListedName {
  std::string name, summary, dimensions;
};

void print_names(const char* topic, const std::vector<ListedName>& names, const ListOptions& options) {
  JsonWriter writer;
  writer.open('{').key(topic).open('[');
  std::size_t widest = 0;
  for (const ListedName& entry : names) widest = std::max(widest, entry.name.size());
  for (const ListedName& entry : names) {
    writer.open('{').key("name").value(entry.name).key("summary").value(entry.summary).close('}');
    if (options.json) continue;
    const int width = options.quiet ? 0 : static_cast<int>(widest) + 2;
    std::printf("%-*s%s%s\n", width, entry.name.c_str(), options.quiet ? "" : entry.dimensions.c_str(),
                options.quiet ? "" : entry.summary.c_str());
  }
  if (options.json) std::printf("%s\n", writer.close(']').close('}').text().c_str());
}

template <class Entries>
std::vector<ListedName> names_in(const Entries& entries) {
  std::vector<ListedName> names;
  for (const auto& entry : entries)
    names.push_back({std::string(entry.name), std::string(entry.summary), ""});
  return names;
}

void print_scenes(const ListOptions& options) {
  std::vector<ListedName> names;
  for (const NamedScene& scene : named_scenes()) {
    names.push_back({scene.name, scene.about, std::to_string(scene.dimension) + "D  "});
  }
  print_names("scenes", names, options);
}

void print_studies(const ListOptions& options) {
  std::vector<ListedName> names;
  for (const NamedScene& study : named_studies()) names.push_back({study.name, study.about, ""});
  print_names("studies", names, options);
}

void print_models(const ListOptions& options) { print_names("models", names_in(contact_models()), options); }

void print_formulations(const ListOptions& options) {
  print_names("formulations", names_in(formulations()), options);
}

void print_generators(const ListOptions& options) {
  std::vector<ListedName> names;
  for (const GeneratorEntry& entry : generators()) {
    names.push_back(
        {std::string(entry.name), std::string(entry.summary) + " {" + std::string(entry.keys) + "}", ""});
  }
  print_names("generators", names, options);
}

void print_solvers(const ListOptions& options) { print_names("solvers", names_in(solvers()), options); }

std::string key_as_json(const SceneKey& key) {
  JsonWriter writer;
  writer.open('{').key("section").value(key.section).key("key").value(key.key).key("type").value(key.type);
  writer.key("default").value(key.fallback).key("meaning").value(key.meaning);
  writer.key("dimension").value(key.dimension).close('}');
  return writer.text();
}

/// Every key of a scene file: the tables of docs/scene.md are made from this.
void print_keys(const ListOptions& options) {
  std::string lines;
  for (const SceneKey& key : scene_keys()) {
    const std::string name = std::string(key.section) + "." + std::string(key.key);
    const std::string where = key.dimension == 0 ? "" : std::to_string(key.dimension) + "D";
    lines += (lines.empty() ? "" : ",\n ") + key_as_json(key);
    if (options.json) continue;
    std::printf("%-26s%s%s%s%s\n", name.c_str(), options.quiet ? "" : where.c_str(),
                options.quiet || where.empty() ? "" : ": ",
                options.quiet ? "" : std::string(key.type).c_str(),
                options.quiet ? "" : ("; " + std::string(key.meaning)).c_str());
  }
  if (options.json) std::printf("{\"keys\": [\n %s]}\n", lines.c_str());
}

struct Topic {
  const char* name;
  const char* meaning;
  void (*print)(const ListOptions&);
};
constexpr Topic kTopics[] = {{"scenes", "the scenes that come with the program", print_scenes},
                             {"studies", "the studies that come with the program", print_studies},
                             {"models", "contact models", print_models},
                             {"formulations", "the equations of a step", print_formulations},
                             {"solvers", "solvers of complementarity and friction problems", print_solvers},
                             {"shapes", "the shapes of bodies", print_shapes},
                             {"generators", "bodies by a rule and a seed", print_generators},
                             {"keys", "every key of a scene file", print_keys}};

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
  command->add_option("WHAT", options->topic, "what to list: scenes, models, ...")->option_text(" ");
  command->add_flag("--json", options->json, "print one JSON object");
  command->add_flag("-q,--quiet", options->quiet, "names only");
  command->footer(kListExamples);
  command->callback([options, &exit_code] { exit_code = list(*options); });
}

}  // namespace touchstone
