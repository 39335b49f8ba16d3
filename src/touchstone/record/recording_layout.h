#pragma once
// What the writer and the reader of recordings must agree on. Private to record/.

#include <algorithm>
#include <cassert>
#include <string>
#include <vector>

#include "touchstone/math/attitude.h"
#include "touchstone/record/recording.h"
#include "touchstone/store/array_file.h"

namespace touchstone {

inline constexpr const char* kRecordingFormat = "touchstone-recording";
/// Version 2 has the works on bodies, the openings of joints, gravity, and the errors of momentum.
inline constexpr int kRecordingVersion = 2, kFirstVersion = 1;
/// Numbers of BodyWork.
inline constexpr std::size_t kWorkSize = 6;
/// The answer of an action on the store, whose errors become BadRecording: whoever records or reads need not
/// know of the store.
template <class Action>
auto guard(const Action& action) {
  try {
    return action();
  } catch (const StoreLost& error) {
    throw RecordingLost(std::string(error.what()) + "; it holds what was recorded up to a second before");
  } catch (const StoreError& error) {
    throw BadRecording(error.what());
  }
}

/// The group whose attributes repeat the root's texts, in fields of fixed length.
inline constexpr const char* kTextsOfRecording = "texts";

/// A text of the root; those who write recordings by other means have it there alone.
inline bool has_text(const ArrayFile& file, const std::string& name) {
  return (file.has(kTextsOfRecording) && file.has_attribute(kTextsOfRecording, name)) ||
         file.has_attribute("", name);
}
inline std::string read_text(const ArrayFile& file, const std::string& name) {
  const bool repeated = file.has(kTextsOfRecording) && file.has_attribute(kTextsOfRecording, name);
  return file.attribute<std::string>(repeated ? kTextsOfRecording : "", name);
}

/// How many rows of this shape an array has; `refuse(message)` throws where it is missing or has another
/// shape.
template <class Refuse>
std::size_t count_rows(const ArrayFile& file, const std::string& name, const Extents& row,
                       const Refuse& refuse) {
  if (!file.has(name)) refuse("/" + name + " is missing");
  const Extents extents = file.extents(name);
  const bool fits =
      extents.size() == row.size() + 1 && std::equal(row.begin(), row.end(), extents.begin() + 1);
  if (!fits) refuse("/" + name + ": has an unexpected shape");
  assert(!extents.empty());  // refuse() throws
  return extents[0];
}

/// Numbers of an attitude: the angle, or the quaternion w, x, y, z.
template <int D>
inline constexpr std::size_t kAttitudeSize = D == 2 ? 1 : 4;

inline void put(std::vector<double>& row, const Attitude<2>& attitude) { row.push_back(attitude.angle); }
inline void put(std::vector<double>& row, const Attitude<3>& attitude) {
  const Eigen::Quaterniond& q = attitude.q;
  row.insert(row.end(), {q.w(), q.x(), q.y(), q.z()});
}
template <class Derived>
void put(std::vector<double>& row, const Eigen::MatrixBase<Derived>& values) {
  const auto plain = values.eval();
  for (Eigen::Index i = 0; i < plain.rows(); ++i) {
    for (Eigen::Index j = 0; j < plain.cols(); ++j) row.push_back(plain(i, j));
  }
}

inline void take(const double* from, Attitude<2>& attitude) { attitude.angle = from[0]; }
inline void take(const double* from, Attitude<3>& attitude) {
  attitude.q = Eigen::Quaterniond(from[0], from[1], from[2], from[3]).normalized();
}

/// To the last bit, for a state to go on from.
inline void take_exactly(const double* from, Attitude<2>& attitude) { attitude.angle = from[0]; }
inline void take_exactly(const double* from, Attitude<3>& attitude) {
  attitude.q = Eigen::Quaterniond(from[0], from[1], from[2], from[3]);
}

/// A list of `count` items of `size` numbers; the last axis is left out where an item is one number.
inline Extents list_of(std::size_t count, std::size_t size) {
  assert(size > 0);
  return size == 1 ? Extents{count} : Extents{count, size};
}
/// One row of such a list.
inline Extents row_of(std::size_t size) { return size == 1 ? Extents{} : Extents{size}; }

inline std::string shape_path(std::size_t i) { return "shapes/" + std::to_string(i) + "/"; }
inline std::size_t shape_count(const ArrayFile& file) {
  std::size_t count = 0;
  while (file.has(shape_path(count))) ++count;
  return count;
}

}  // namespace touchstone
