#pragma once
// HDF5's C interface with owners for its handles and exceptions for its errors.

#include <hdf5.h>

#include <string>
#include <utility>

namespace touchstone {

/// Owns one HDF5 identifier of any class; negative: none.
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  explicit Hdf5Handle(hid_t id) : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  /// Gives the identifier up without closing it.
  hid_t release() { return std::exchange(id_, -1); }

 private:
  hid_t id_ = -1;
};

/// HDF5 prints no errors in this thread any more.
void silence_hdf5();

/// The type in memory of T, and in files the same with a fixed byte order, so that a file has the same bytes
/// on every machine.
template <class T>
Hdf5Handle memory_type();
template <class T>
Hdf5Handle file_type();
/// The type of a text of `width` bytes, at least one, padded with zeros.
Hdf5Handle text_type(std::size_t width);

}  // namespace touchstone
