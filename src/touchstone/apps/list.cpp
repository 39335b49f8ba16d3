// touchstone list: what there is, one line each.

#include <algorithm>
#include <cstdio>
#include <memory>

#include "touchstone/apps/commands.h"
#include "touchstone/scene/json_text.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/scene.h"
#include "touchstone/scene/scene_keys.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone {
namespace {

constexpr const char* kExamples = R"(Examples:
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

/// One line of a list of names: a name, what stands behind it, and where it is at home.
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

void print_models(const ListOptions& options) { print_names("models", names_in(contact_models()), options); }

void print_formulations(const ListOptions& options) {
  print_names("formulations", names_in(formulations()), options);
}

/// The tables of docs/scene.md.
void print_keys(const ListOptions& options) {
  std::vector<ListedName> names;
  for (const SceneKey& key : scene_keys()) {
    const std::string dimension = key.dimension == 0 ? "" : " (" + std::to_string(key.dimension) + "D)";
    names.push_back(
        {std::string(key.section) + "." + std::string(key.key) + dimension,
         std::string(key.meaning) + "; " + std::string(key.type) + "; default: " + std::string(key.fallback),
         ""});
  }
  print_names("keys", names, options);
}

struct Topic {
  const char* name;
  const char* meaning;
  void (*print)(const ListOptions&);
};
constexpr Topic kTopics[] = {{"scenes", "the scenes that come with the program", print_scenes},
                             {"models", "contact models", print_models},
                             {"formulations", "the equations of a step", print_formulations},
                             {"shapes", "the shapes of bodies", print_shapes},
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
  command->footer(kExamples);
  command->callback([options, &exit_code] { exit_code = list(*options); });
}

}  // namespace touchstone
