#pragma once
// Elements between memory and an HDF5 dataset or attribute: numbers as they are, texts of either kind.

#include <span>
#include <vector>

#include "touchstone/store/hdf5_handle.h"

namespace touchstone {

/// A dataset with the part that is meant, or an attribute.
struct ElementPlace {
  hid_t object = -1;
  hid_t memory_space = H5S_ALL, file_space = H5S_ALL;
  bool attribute = false;

  Hdf5Handle type() const { return Hdf5Handle(attribute ? H5Aget_type(object) : H5Dget_type(object)); }
  bool is_variable_text() const { return H5Tis_variable_str(type().get()) > 0; }
  bool write(hid_t type, const void* data) const;
  bool read(hid_t type, void* data) const;
};

/// Each in its field, filled up with zeros; false: one is too long.
bool put_in_fields(std::span<const std::string> texts, std::size_t width, std::vector<std::byte>& fields);

/// False when HDF5 refuses, or when the place holds texts and T is a number or the other way round.
template <class T>
bool write_elements(const ElementPlace& place, std::span<const T> values);
/// `values` has its length already.
template <class T>
bool read_elements(const ElementPlace& place, std::vector<T>& values);

}  // namespace touchstone
