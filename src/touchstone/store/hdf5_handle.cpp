#include "touchstone/store/hdf5_handle.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace touchstone {
namespace {

Hdf5Handle copy_of(hid_t type) {
  Hdf5Handle copy(H5Tcopy(type));
  assert(copy);
  return copy;
}

}  // namespace

void silence_hdf5() {
  thread_local const bool silent = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(silent);
}

template <>
Hdf5Handle memory_type<double>() {
  return copy_of(H5T_NATIVE_DOUBLE);
}
template <>
Hdf5Handle memory_type<std::int32_t>() {
  return copy_of(H5T_NATIVE_INT32);
}
template <>
Hdf5Handle memory_type<std::int64_t>() {
  return copy_of(H5T_NATIVE_INT64);
}
template <>
Hdf5Handle memory_type<std::uint8_t>() {
  return copy_of(H5T_NATIVE_UINT8);
}
template <>
Hdf5Handle memory_type<std::string>() {
  Hdf5Handle type = copy_of(H5T_C_S1);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

template <>
Hdf5Handle file_type<double>() {
  return copy_of(H5T_IEEE_F64LE);
}
template <>
Hdf5Handle file_type<std::int32_t>() {
  return copy_of(H5T_STD_I32LE);
}
template <>
Hdf5Handle file_type<std::int64_t>() {
  return copy_of(H5T_STD_I64LE);
}
template <>
Hdf5Handle file_type<std::uint8_t>() {
  return copy_of(H5T_STD_U8LE);
}
template <>
Hdf5Handle file_type<std::string>() {
  return memory_type<std::string>();
}

Hdf5Handle text_type(std::size_t width) {
  Hdf5Handle type = copy_of(H5T_C_S1);
  H5Tset_size(type.get(), std::max<std::size_t>(1, width));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

}  // namespace touchstone
