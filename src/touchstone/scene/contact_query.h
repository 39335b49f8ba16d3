#pragma once
// Queries of contact data as text: one JSON object in, one out. What `touchstone query` does, without a
// screen. The poses are optional; so is "dimension".
//
//   in    {"a": SHAPE, "b": SHAPE, "pose_a": POSE, "pose_b": POSE}
//   out   {"status", "gap", "normal", "features", "manifold", "overlap", ...}   or   {"error": "..."}

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "touchstone/scene/shape_reader.h"

namespace touchstone {

enum class QueryOutcome { answered, bad_input, failed };

struct QueryAnswer {
  std::string text;  ///< a JSON object on one line, without the line's end
  QueryOutcome outcome = QueryOutcome::answered;
};

/// {"error": "<where>: <message>"}, for a line that cannot even be read.
QueryAnswer refused_line(const std::string& where, const std::string& message);

/// Answers queries, and remembers the shapes of earlier ones, for batches name the same few again and again.
class ContactQueries {
 public:
  /// Mesh paths are relative to `folder`.
  explicit ContactQueries(std::filesystem::path folder);
  ~ContactQueries();

  /// The answer's text. Throws BadInput; std::runtime_error when the numbers failed.
  std::string answer(const nlohmann::json& query);

  /// The answer to a line of a file. Does not throw for a faulty line, which is answered by
  /// {"error": "<where>: <message>"}; `where` is the file and the line's number.
  QueryAnswer answer_line(std::string_view line, const std::string& where);

 private:
  template <int D>
  class Shapes;
  template <int D>
  std::string answer_in(const nlohmann::json& query, Shapes<D>& shapes);

  std::unique_ptr<Shapes<2>> shapes_2d_;
  std::unique_ptr<Shapes<3>> shapes_3d_;
};

}  // namespace touchstone
