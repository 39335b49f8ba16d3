#pragma once
// What the generators share. Private to scene/.

#include <vector>

#include "touchstone/math/random.h"
#include "touchstone/scene/fields.h"

namespace touchstone {

/// What a generator is asked for, and the scene that it adds to.
struct Generation {
  const Field& field;  ///< `generate`
  int dimension;
  nlohmann::json& scene;
  Random random;

  /// Parameters of `generate`, or these defaults.
  int count(const char* key, int fallback, int least = 1) const;
  double positive(const char* key, double fallback) const;
  double not_negative(const char* key, double fallback) const;

  /// Appends to the scene's list "bodies", "joints" or "controllers".
  void add(const char* key, nlohmann::json entry) { growing_list(scene, key).push_back(std::move(entry)); }
  void add(nlohmann::json body) { add("bodies", std::move(body)); }
  void add_fixed_box(const char* name, const std::vector<double>& sides, const std::vector<double>& centre);
  /// `{"points": ...}`: random points, uniform in a cube (square) of side 2 `half` about the origin. Their
  /// hull is the shape.
  nlohmann::json cloud(int points, double half);
};

/// A hand of a palm and two fingers of two links each over a random polygon, closing by PD control.
void generate_gripper(Generation& made);

}  // namespace touchstone
