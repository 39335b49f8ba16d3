#pragma once
// Pairs of bodies to try a query on: five sets for comparison with other libraries, their twins in the plane,
// bodies that kiss, and bodies of extreme scale. Pair i of a set depends on the seed and i alone.
//
//   3D                2D
//   boxes             squares            at random rotations
//   boxes-yaw         squares-parallel   with parallel faces
//   boxes-grid        squares-grid       axis-aligned at grid offsets: the stacking cases, kissing among them
//   hulls50           polygons50         random bodies of 50 vertices
//   spheres200        rounds200          Fibonacci spheres, regular polygons, of 200 vertices
//
// Even pairs overlap (depth from 1e-4 up to what the shapes allow), odd ones are disjoint (gap from 1e-4 to
// 1).

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "touchstone/math/random.h"
#include "touchstone/proximity/placed.h"

namespace touchstone::support {

template <int D>
struct PosedPair {
  Placed<D> A, B;
  std::string kind;   ///< for messages and counts
  double wanted = 0;  ///< [m] the gap that was aimed at; the true one is near it but not this
};

template <int D>
class PoseSet {
 public:
  using Bodies = std::vector<Polytope<D>>;
  using Maker = std::function<PosedPair<D>(const Bodies&, Random&, int index)>;

  PoseSet(std::string name, Bodies bodies, Maker maker)
      : name_(std::move(name)),
        bodies_(std::make_shared<const Bodies>(std::move(bodies))),
        maker_(std::move(maker)) {}

  const std::string& name() const { return name_; }
  /// The pair refers to bodies of this set and must not outlive it.
  PosedPair<D> pair(int index, std::uint64_t seed = 1) const {
    Random random(seed * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(index));
    return maker_(*bodies_, random, index);
  }

 private:
  std::string name_;
  std::shared_ptr<const Bodies> bodies_;
  Maker maker_;
};

/// The five sets, in the order of the table.
template <int D>
std::vector<std::string> pose_set_names();
template <int D>
PoseSet<D> make_pose_set(const std::string& name);

/// Gap 0, +-1e-15, +-1e-12, +-1e-9, +-1e-6 sizes, for each pair of features that can meet, exactly aligned
/// and in random common poses. `kind` is e.g. "edge-face".
template <int D>
PoseSet<D> make_kissing_set();
/// The kinds that the kissing set goes through.
template <int D>
std::vector<std::string> kissing_kinds();

/// Bodies of 1e-3 m to 1e3 m: "small", "large", "mixed", and "far" (1e3 sizes from the origin of the world).
template <int D>
PoseSet<D> make_scale_set();
/// Needles and plates: aspect ratios up to 1e4.
template <int D>
PoseSet<D> make_aspect_set();

/// Places A so that it kisses B when it comes out along a random ray, then moves it on by `gap`. The bodies
/// keep their rotations; B keeps its place. A positive gap is met, a negative one is the greatest possible
/// depth.
template <int D>
void place_at_gap(PosedPair<D>& pair, Random& random, double gap);

}  // namespace touchstone::support
