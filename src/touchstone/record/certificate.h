#pragma once
// Did bodies overlap? Recomputed from poses and shapes alone, by brute force, with nothing that a simulation
// uses: this room's certificate knows only math/ and geometry/.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"

namespace touchstone {

/// A convex part of a body.
template <int D>
struct CertifiedPart {
  const Shape<D>* shape;  ///< must outlive the certifier
  int body = 0;
  Pose<D> X_BS;
  std::uint32_t group = 1, collides = ~0u;  ///< parts touch where each collides with the other's group
};

template <int D>
struct CertifiedBodies {
  std::vector<CertifiedPart<D>> parts;
  std::vector<bool> dynamic;                    ///< per body; two that are not never touch
  std::vector<std::pair<int, int>> no_contact;  ///< pairs of bodies (i < j), sorted, that never touch
};

struct Certificate {
  long frames = 0;
  long pairs = 0;                                            ///< of bodies that may touch
  double min_gap = std::numeric_limits<double>::infinity();  ///< [m] of all pairs in all frames
  long min_frame = -1;                                       ///< where that was, ...
  int body_A = -1, body_B = -1;                              ///< ... and who
  double max_overlap = 0;   ///< [m^D] volume that bodies share, summed over the pairs of a frame
  long overlap_frame = -1;  ///< where that was
};

/// Looks at one frame after the other.
template <int D>
class Certifier {
 public:
  explicit Certifier(CertifiedBodies<D> bodies);
  ~Certifier();

  /// The poses of all body frames; bodies that are not `present` are left out (empty: all are).
  void check(std::span<const Pose<D>> X_WB, const std::vector<bool>& present = {});
  const Certificate& certificate() const { return certificate_; }

 private:
  struct State;
  std::unique_ptr<State> state_;
  Certificate certificate_;
};

}  // namespace touchstone
