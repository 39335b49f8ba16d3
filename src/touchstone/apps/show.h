#pragma once
// The data that the viewer's page asks for, and their form [docs/viewer.md].
//
// All numbers are little-endian and go in chunks of chunk_size() frames:
//
//   head        JSON: bodies, shapes, parts, joints, events, names of the series
//   series      time, one float64 a frame; then each series of kSeries, one float32 a frame
//   poses       per frame and body, float32: 3D x y z, quaternion w x y z; 2D x y, angle
//   velocities  per frame and body, float32: 3D v, w; 2D v, w
//   joints      per frame, float32: the values of all joints, then their rates
//   contacts    uint32 n, uint32 begin[n + 1], then per contact int32 body A, body B, kind and float32 gap,
//               point, normal, impulse (D each)
//
// The series of a frame are those of the step that led to it. Its contacts are those of the step that starts
// there, because their points lie at its poses; at the last frame no step starts, so it has those of the last
// step.

#include <bit>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

namespace touchstone {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

/// The plotted series; the recording has arrays of the same names in /steps.
inline constexpr const char* kSeries[] = {"contacts",  "unilateral", "inter_contact", "cross_contact",
                                          "min_gap",   "overlap",    "kinetic",       "potential",
                                          "residual",  "iterations", "energy_gained", "joint_error",
                                          "wall_time", "relaxed",    "substeps",      "h"};
inline constexpr std::size_t kSeriesCount = std::size(kSeries);

struct FrameRange {
  std::size_t first = 0, count = 0;
};

/// The state of a show that is still running.
struct ShowProgress {
  std::size_t frames = 0;
  bool running = false;  ///< more frames will come
  std::string message;   ///< why the run ended early; empty: it did not
};

/// Where the page's data comes from. Safe to ask from several threads. A range must lie within the frames.
class Show {
 public:
  virtual ~Show() = default;
  virtual ShowProgress progress() const = 0;
  virtual std::string head() const = 0;
  virtual std::string series(FrameRange range) const = 0;
  virtual std::string poses(FrameRange range) const = 0;
  virtual std::string velocities(FrameRange range) const = 0;
  virtual std::string joints(FrameRange range) const = 0;
  virtual std::string contacts(FrameRange range) const = 0;
};

/// Frames in a chunk, for a number of bodies: about a megabyte of poses.
std::size_t chunk_size(std::size_t bodies, int dimension);

template <class T>
void put_bytes(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
inline void put_float(std::string& bytes, double value) { put_bytes(bytes, static_cast<float>(value)); }

}  // namespace touchstone
