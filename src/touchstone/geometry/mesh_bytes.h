#pragma once
// The numbers of binary mesh files, with messages that name file, byte and field. Private to geometry/.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "touchstone/geometry/mesh_text.h"

namespace touchstone {

class MeshBytes {
 public:
  MeshBytes(std::string_view bytes, const std::string& name, std::endian order)
      : bytes_(bytes), name_(name), order_(order) {}

  std::size_t remaining() const { return bytes_.size() - offset_; }
  std::size_t offset() const { return offset_; }
  void skip(std::size_t count, const MeshField& field) {
    need(count, field);
    offset_ += count;
  }

  /// The next number, of type T in the file.
  template <class T>
  T take(const MeshField& field) {
    need(sizeof(T), field);
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes_.data() + offset_, sizeof(T));
    if (order_ != std::endian::native) std::reverse(raw.begin(), raw.end());
    offset_ += sizeof(T);
    return std::bit_cast<T>(raw);
  }

  /// The next number, which must be finite.
  template <class T>
  double take_coordinate(const MeshField& field) {
    const T value = take<T>(field);
    if (!std::isfinite(value)) {
      offset_ -= sizeof(T);
      fail(field, "a finite number");
    }
    return value;
  }

  [[noreturn]] void fail(const MeshField& field, const std::string& expected) const {
    throw BadMeshFile(name_ + ":byte " + std::to_string(offset_) + ": " + field.text() + ": expected " +
                      expected);
  }

 private:
  void need(std::size_t count, const MeshField& field) const {
    if (count > remaining()) {
      fail(field,
           std::to_string(count) + " more bytes, but the file ends after " + std::to_string(remaining()));
    }
  }

  std::string_view bytes_;
  std::string name_;
  std::endian order_;
  std::size_t offset_ = 0;
};

}  // namespace touchstone
