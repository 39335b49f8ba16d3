// touchstone query: contact data of two placed shapes.

#include "touchstone/apps/query.h"

#include <cstdio>
#include <memory>
#include <optional>

#include "touchstone/apps/commands.h"
#include "touchstone/scene/contact_query.h"
#include "touchstone/scene/json_text.h"
#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

using nlohmann::json;

constexpr const char* kQueryExamples =
    R"(A and B are mesh files (part.obj), short forms (box:2,2,2) or JSON ('{"box": [2, 2, 2]}');
'touchstone list shapes' shows them all.

Examples:
  touchstone query box:2,2,2 box:1,1,1 --position-b 0,0,1.4
  touchstone query part.stl half_space:0,0,1,0 --position-a 0,0,0.5 --quaternion-a 0.7,0.7,0,0
  touchstone query box:4,1 regular_polygon:6,1 --position-b 0,1.5 --angle-b 0.3
  touchstone query cube:1 sphere:0.5 --pose-b '{"position": [1, 0, 0]}' --json
  echo '{"a": {"box": [2, 2, 2]}, "b": "part.obj", "pose_b": {"position": [0, 0, 3]}}' | touchstone query --batch -

The batch file holds one query a line: {"a": SHAPE, "b": SHAPE, "pose_a": POSE, "pose_b": POSE}, where POSE is
{"position": [x, y, z], "quaternion": [w, x, y, z]}, in 2D {"position": [x, y], "angle": radians}; "axis_angle":
[x, y, z, radians] and "euler": [x, y, z] (R = Rz Ry Rx) will also do. Every line that is not blank is answered by
one line: {"status", "gap", "normal", "features", "manifold", "overlap", ...}, lengths in metres, the normal from B
to A, 17 significant digits. A faulty line is answered by {"error": "FILE:LINE: ..."}; the others are answered all
the same. Mesh paths are relative to the batch file.

Exit codes: 0 all was answered; 2 bad input, or a line was faulty; 3 the numbers failed.)";

/// Where a body is, as options say it.
struct PoseOptions {
  std::optional<std::string> pose, position, quaternion, axis_angle, euler, angle;
};

struct QueryOptions {
  std::string a, b, batch;
  PoseOptions pose_a, pose_b;
  std::optional<int> dimension;
  bool json = false, quiet = false;
};

/// The pose as a JSON value; null when no option speaks of it.
json pose_of(const PoseOptions& options, const std::string& body) {
  json pose;
  const auto add = [&](const char* key, const std::string& option, const std::optional<std::string>& text) {
    if (text) pose[key] = numbers_of_word(*text, "--" + option + "-" + body);
  };
  add("position", "position", options.position);
  add("quaternion", "quaternion", options.quaternion);
  add("axis_angle", "axis-angle", options.axis_angle);
  add("euler", "euler", options.euler);
  add("angle", "angle", options.angle);
  if (options.angle && pose["angle"].size() == 1) pose["angle"] = json(pose["angle"][0]);
  if (!options.pose) return pose;
  if (!pose.is_null())
    throw BadInput("--pose-" + body + ": give either this or the single options, not both");
  try {
    return parse_json(*options.pose);
  } catch (const BadInput& error) {
    throw BadInput("--pose-" + body + ": " + error.what());
  }
}

json query_of(const QueryOptions& options) {
  if (options.a.empty() || options.b.empty()) {
    throw BadInput(
        "query: expected two shapes or --batch FILE, for example: touchstone query box:2,2,2 sphere:1");
  }
  json query = {{"a", shape_of_word(options.a, "a")}, {"b", shape_of_word(options.b, "b")}};
  if (const json pose = pose_of(options.pose_a, "a"); !pose.is_null()) query["pose_a"] = pose;
  if (const json pose = pose_of(options.pose_b, "b"); !pose.is_null()) query["pose_b"] = pose;
  if (options.dimension) query["dimension"] = *options.dimension;
  return query;
}

int answer_one(const QueryOptions& options) {
  const std::string answer = ContactQueries("").answer(query_of(options));
  if (options.json) {
    std::printf("%s\n", answer.c_str());
  } else {
    print_answer(json::parse(answer), options.quiet);
  }
  return kDone;
}

void add_pose_options(CLI::App& command, PoseOptions& pose, const std::string& body) {
  const std::string group = std::string("Pose of ") + (body == "a" ? "A" : "B");
  const auto add = [&](const std::string& name, std::optional<std::string>& target, const char* meaning) {
    command.add_option("--" + name + "-" + body, target, meaning)->group(group)->option_text(" ");
  };
  add("position", pose.position, "x,y,z (2D: x,y) of the body's origin in the world [m]");
  add("quaternion", pose.quaternion, "w,x,y,z");
  add("axis-angle", pose.axis_angle, "axis x,y,z and angle [rad]");
  add("euler", pose.euler, "angles about x,y,z [rad], R = Rz Ry Rx");
  add("angle", pose.angle, "2D: angle [rad]");
  add("pose", pose.pose, "all at once, as JSON");
}

/// The file of a batch has the shapes and poses: giving them on the command line as well is a mistake.
void check_batch(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_single_name();
    const bool fits = name == "batch" || name == "json" || name == "quiet";
    if (option->count() > 0 && !fits)
      throw BadInput("query: --batch reads all from its file; got also " + in_quotes(name));
  }
}

int query(const CLI::App& command, const QueryOptions& options) {
  if (command.count("--batch") == 0) return answer_one(options);
  check_batch(command);
  return answer_batch(options.batch, options.quiet);
}

}  // namespace

void add_query(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* command =
      program.add_subcommand("query", "Contact data of two placed shapes: gap, normal, manifold, overlap");
  command
      ->add_option("--batch", options->batch,
                   "a file of queries, one JSON object a line; - for standard input")
      ->option_text("FILE");
  command->add_option("A", options->a, "a shape: mesh file, short form or JSON")->option_text(" ");
  command->add_option("B", options->b, "the other shape")->option_text(" ");
  add_pose_options(*command, options->pose_a, "a");
  add_pose_options(*command, options->pose_b, "b");
  command->add_option("--dimension", options->dimension, "2 or 3, for shapes that are at home in both")
      ->option_text(" ");
  command->add_flag("--json", options->json, "print the answer as one JSON object");
  command->add_flag("-q,--quiet", options->quiet, "print status and gap only; batch: no summary");
  command->footer(kQueryExamples);
  command->callback([options, command, &exit_code] { exit_code = query(*command, *options); });
}

}  // namespace touchstone
