#include "touchstone/store/array_elements.h"

#include <cassert>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace touchstone {
namespace {

bool holds_numbers(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

/// A text in a field of fixed width ends at the first NUL; Fortran's is padded with blanks.
std::string text_in_field(std::string_view field, H5T_str_t padding) {
  field = field.substr(0, field.find('\0'));
  if (padding == H5T_STR_SPACEPAD) field = field.substr(0, field.find_last_not_of(' ') + 1);
  return std::string(field);
}

bool read_fixed_texts(const ElementPlace& place, hid_t type, std::vector<std::string>& values) {
  const std::size_t width = H5Tget_size(type);
  assert(width > 0);
  std::vector<char> bytes(width * values.size());
  if (!place.read(type, bytes.data())) return false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = text_in_field({bytes.data() + i * width, width}, H5Tget_strpad(type));
  }
  return true;
}

bool read_variable_texts(const ElementPlace& place, hid_t type, std::vector<std::string>& values) {
  std::vector<char*> texts(values.size(), nullptr);
  if (!place.read(type, texts.data())) return false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (texts[i]) values[i] = texts[i];
    H5free_memory(texts[i]);
  }
  return true;
}

bool write_variable_texts(const ElementPlace& place, std::span<const std::string> values) {
  std::vector<const char*> texts;
  for (const std::string& text : values) texts.push_back(text.c_str());
  return place.write(memory_type<std::string>().get(), texts.data());
}

}  // namespace

bool put_in_fields(std::span<const std::string> texts, std::size_t width, std::vector<std::byte>& fields) {
  assert(width > 0);
  fields.assign(texts.size() * width, std::byte{0});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() > width) return false;
    std::memcpy(fields.data() + i * width, texts[i].data(), texts[i].size());
  }
  return true;
}

bool ElementPlace::write(hid_t type, const void* data) const {
  assert(object >= 0 && data);
  if (attribute) return H5Awrite(object, type, data) >= 0;
  return H5Dwrite(object, type, memory_space, file_space, H5P_DEFAULT, data) >= 0;
}

bool ElementPlace::read(hid_t type, void* data) const {
  assert(object >= 0 && data);
  if (attribute) return H5Aread(object, type, data) >= 0;
  return H5Dread(object, type, memory_space, file_space, H5P_DEFAULT, data) >= 0;
}

template <class T>
bool write_elements(const ElementPlace& place, std::span<const T> values) {
  if (!holds_numbers(place.type().get())) return false;
  return values.empty() || place.write(memory_type<T>().get(), values.data());
}

template <>
bool write_elements<std::string>(const ElementPlace& place, std::span<const std::string> values) {
  const Hdf5Handle type = place.type();
  if (H5Tget_class(type.get()) != H5T_STRING) return false;
  if (values.empty()) return true;
  if (H5Tis_variable_str(type.get()) > 0) return write_variable_texts(place, values);
  std::vector<std::byte> fields;
  return put_in_fields(values, H5Tget_size(type.get()), fields) && place.write(type.get(), fields.data());
}

template <class T>
bool read_elements(const ElementPlace& place, std::vector<T>& values) {
  if (!holds_numbers(place.type().get())) return false;
  return values.empty() || place.read(memory_type<T>().get(), values.data());
}

template <>
bool read_elements<std::string>(const ElementPlace& place, std::vector<std::string>& values) {
  const Hdf5Handle type = place.type();
  if (H5Tget_class(type.get()) != H5T_STRING) return false;
  if (values.empty()) return true;
  return H5Tis_variable_str(type.get()) > 0 ? read_variable_texts(place, type.get(), values)
                                            : read_fixed_texts(place, type.get(), values);
}

template bool write_elements(const ElementPlace&, std::span<const double>);
template bool write_elements(const ElementPlace&, std::span<const std::int32_t>);
template bool write_elements(const ElementPlace&, std::span<const std::int64_t>);
template bool write_elements(const ElementPlace&, std::span<const std::uint8_t>);
template bool read_elements(const ElementPlace&, std::vector<double>&);
template bool read_elements(const ElementPlace&, std::vector<std::int32_t>&);
template bool read_elements(const ElementPlace&, std::vector<std::int64_t>&);
template bool read_elements(const ElementPlace&, std::vector<std::uint8_t>&);

}  // namespace touchstone
