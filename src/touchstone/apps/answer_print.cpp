// An answer for a person, made from the same JSON that machines get.

#include <algorithm>
#include <cstdio>
#include <string>

#include "touchstone/apps/query.h"

namespace touchstone {
namespace {

using nlohmann::json;

std::string text_of(const json& number) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.10g", number.get<double>());
  return digits;
}

std::string vector_text(const json& numbers) {
  std::string text = "(";
  for (const json& x : numbers) text += (text.size() > 1 ? ", " : "") + text_of(x);
  return text + ")";
}

/// "face 3 of A", and where it is in the frame of its body.
std::string feature_name(const json& feature, const char* body) {
  const std::string index = feature.contains("index") ? std::string(" ") + feature["index"].dump() : "";
  return feature["kind"].get<std::string>() + index + " of " + body;
}

std::string feature_place(const json& feature) {
  if (feature.contains("position")) return "at " + vector_text(feature["position"]);
  if (feature.contains("ends"))
    return "from " + vector_text(feature["ends"][0]) + " to " + vector_text(feature["ends"][1]);
  if (feature.contains("normal")) return "with the normal " + vector_text(feature["normal"]);
  return "";
}

void print_features(const json& features) {
  std::printf("features   %s - %s\n", feature_name(features["a"], "A").c_str(),
              feature_name(features["b"], "B").c_str());
  for (const auto& [key, body] : {std::pair{"a", "A"}, std::pair{"b", "B"}}) {
    const std::string place = feature_place(features[key]);
    if (!place.empty()) {
      std::printf("             %s: %s in its frame\n", feature_name(features[key], body).c_str(),
                  place.c_str());
    }
  }
}

/// Bounds that are equal are so in double precision: the gap is no more certain than round-off lets it be.
void print_gap(const json& answer) {
  const double width = answer["bounds"][1].get<double>() - answer["bounds"][0].get<double>();
  const double certainty = std::max(width, answer["round_off"].get<double>());
  std::printf("gap        %s m, certain to %.1e m\n", text_of(answer["gap"]).c_str(), certainty);
}

void print_normal(const json& answer) {
  std::printf("normal     %s from B to A\n", vector_text(answer["normal"]).c_str());
  if (answer["normal_unique"].get<bool>()) return;
  std::printf("             not unique; these serve as well as each other:\n");
  for (const json& n : answer["candidates"]) std::printf("             %s\n", vector_text(n).c_str());
}

void print_manifold(const json& answer) {
  const json& points = answer["manifold"];
  const char* kind = points.size() == 1 ? "a point" : points.size() == 2 ? "a segment" : "a polygon";
  std::printf("manifold   %s\n", kind);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const json& features = answer["manifold_features"][i];
    std::printf("             %s m: %s of A, %s of B\n", vector_text(points[i]).c_str(),
                features[0].get<std::string>().c_str(), features[1].get<std::string>().c_str());
  }
}

}  // namespace

void print_answer(const json& answer, bool quiet) {
  const std::string status = answer["status"].get<std::string>();
  if (quiet) {
    std::printf("%s %.17g\n", status.c_str(), answer["gap"].get<double>());
    return;
  }
  std::printf("status     %s\n", status.c_str());
  print_gap(answer);
  print_normal(answer);
  print_features(answer["features"]);
  print_manifold(answer);
  const bool plane = answer["normal"].size() == 2;
  std::printf("overlap    %s %s\n", text_of(answer["overlap"]).c_str(), plane ? "m^2" : "m^3");
}

}  // namespace touchstone
