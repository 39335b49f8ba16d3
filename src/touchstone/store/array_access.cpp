// What passes between memory and the arrays and attributes of an ArrayFile.

#include <algorithm>
#include <cassert>

#include "touchstone/store/array_file_state.h"

namespace touchstone {
namespace {

/// Rows are compressed in pieces of about this many bytes: large enough to compress well and that HDF5's own
/// work for each (some 10 us) does not count, small enough that writing the last, unfinished piece anew at
/// each flush costs little.
constexpr std::size_t kChunkBytes = 65536;
/// ... which is what matters for the many arrays with one number a row.
constexpr std::size_t kMaxChunkRows = 1024;
/// zlib's level, for whoever writes to the file after us; ours is in chunk_packer.cpp.
constexpr unsigned kDeflateLevel = 1;

Hdf5Handle space_of(const Extents& extents, bool endless = false) {
  assert(!endless || !extents.empty());
  if (extents.empty()) return Hdf5Handle(H5Screate(H5S_SCALAR));
  std::vector<hsize_t> now(extents.begin(), extents.end()), most = now;
  if (endless) most[0] = H5S_UNLIMITED;
  return Hdf5Handle(H5Screate_simple(static_cast<int>(now.size()), now.data(), most.data()));
}

Hdf5Handle compressed(const Extents& row, std::size_t element_bytes) {
  assert(element_bytes > 0);
  const std::size_t row_bytes = std::max<std::size_t>(1, product(row) * element_bytes);
  std::vector<hsize_t> chunk = {std::clamp<std::size_t>(kChunkBytes / row_bytes, 1, kMaxChunkRows)};
  for (const std::size_t extent : row) chunk.push_back(std::max<std::size_t>(1, extent));
  Hdf5Handle list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(list.get(), static_cast<int>(chunk.size()), chunk.data());
  H5Pset_shuffle(list.get());
  H5Pset_deflate(list.get(), kDeflateLevel);
  return list;
}

/// The type of a new array: texts get fields as wide as the longest.
template <class T>
Hdf5Handle type_for(std::span<const T>) {
  return file_type<T>();
}
template <>
Hdf5Handle type_for(std::span<const std::string> texts) {
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, text.size());
  return text_type(width);
}

template <class T>
constexpr std::size_t kRowElementBytes = sizeof(T);
template <>
constexpr std::size_t kRowElementBytes<std::string> = kLongestText;
template <class T>
Hdf5Handle type_of_rows() {
  return file_type<T>();
}
template <>
Hdf5Handle type_of_rows<std::string>() {
  return text_type(kLongestText);
}

template <class T>
constexpr NumberType kNumberType = NumberType::real;
template <>
constexpr NumberType kNumberType<std::int32_t> = NumberType::int32;
template <>
constexpr NumberType kNumberType<std::int64_t> = NumberType::int64;
template <>
constexpr NumberType kNumberType<std::uint8_t> = NumberType::uint8;

/// The elements in the file's type. Most numbers have it already; others are converted in `space`. Empty: no
/// conversion exists.
template <class T>
std::span<const std::byte> as_in_file(const GrowingArray& array, std::span<const T> rows,
                                      std::vector<std::byte>& space) {
  const std::span<const std::byte> bytes = std::as_bytes(rows);
  if (array.same_as == kNumberType<T>) return bytes;
  const Hdf5Handle memory = memory_type<T>();
  space.assign(bytes.begin(), bytes.end());
  space.resize(rows.size() * std::max(sizeof(T), array.element_size));
  const bool numbers = H5Tget_class(array.type.get()) != H5T_STRING;
  if (!numbers ||
      H5Tconvert(memory.get(), array.type.get(), rows.size(), space.data(), nullptr, H5P_DEFAULT) < 0)
    return {};
  space.resize(rows.size() * array.element_size);
  return space;
}
template <>
std::span<const std::byte> as_in_file(const GrowingArray& array, std::span<const std::string> rows,
                                      std::vector<std::byte>& space) {
  const bool texts = H5Tget_class(array.type.get()) == H5T_STRING;
  if (!texts || !put_in_fields(rows, array.element_size, space)) return {};
  return space;
}

}  // namespace

Hdf5Handle ArrayFile::State::make_array(const std::string& name, const Hdf5Handle& type,
                                        const Hdf5Handle& space, const Hdf5Handle& properties) {
  const hid_t list = properties ? properties.get() : H5P_DEFAULT;
  Hdf5Handle array(
      H5Dcreate2(file.get(), name.c_str(), type.get(), space.get(), with_parents().get(), list, H5P_DEFAULT));
  if (!array && has(name)) fail(name, "exists already", false);
  if (!array) fail(name, "cannot be made");
  return array;
}

template <class T>
void ArrayFile::write(const std::string& name, std::span<const T> values, const Extents& extents) {
  state_->check_open();
  const std::string path = trimmed(name);
  if (product(extents) != values.size())
    state_->fail(path, "as many values as extents say are needed", false);
  Hdf5Handle array;
  if (state_->has(path)) {
    array = state_->open_array(path);
    if (state_->extents_of(array, path) != extents) state_->fail(path, "exists with other extents", false);
  } else {
    array = state_->make_array(path, type_for(values), space_of(extents), {});
  }
  if (!write_elements(ElementPlace{array.get()}, values)) state_->fail(path, "cannot be written");
}

void ArrayFile::write_fixed_text(const std::string& name, const std::string& text) {
  state_->check_open();
  const std::string path = trimmed(name);
  if (state_->has(path)) state_->fail(path, "exists already", false);
  const Hdf5Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), text.size() + 1);  // with the NUL at its end
  const Hdf5Handle array(H5Dcreate2(state_->file.get(), path.c_str(), type.get(), space_of({}).get(),
                                    with_parents().get(), H5P_DEFAULT, H5P_DEFAULT));
  if (!array || !ElementPlace{array.get()}.write(type.get(), text.c_str()))
    state_->fail(path, "cannot be written");
}

template <class T>
void ArrayFile::make_rows(const std::string& name, const Extents& row) {
  state_->check_open();
  const std::string path = trimmed(name);
  Extents extents = {0};
  extents.insert(extents.end(), row.begin(), row.end());
  GrowingArray array;
  array.dataset = state_->make_array(path, type_of_rows<T>(), space_of(extents, true),
                                     compressed(row, kRowElementBytes<T>));
  array.row = row;
  learn_chunks(array);
  state_->growing.insert_or_assign(path, std::move(array));
}

template <class T>
void ArrayFile::append_rows(const std::string& name, std::span<const T> rows) {
  state_->check_not_closed();
  const std::string path = trimmed(name);
  GrowingArray& array = state_->growing_array(path);
  const std::size_t size = product(array.row);
  if (size ? rows.size() % size != 0 : !rows.empty()) state_->fail(path, "expected whole rows", false);
  if (size == 0) {
    ++array.rows;
    array.waits = true;
    return;
  }
  if (rows.empty()) return;
  std::vector<std::byte> space;
  const std::span<const std::byte> bytes = as_in_file(array, rows, space);
  if (bytes.empty() || array.element_size == 0)
    state_->fail(path, "holds elements of another kind, or a text is too long", false);
  state_->append_bytes(path, array, bytes);
}

void ArrayFile::cut_rows(const std::string& name, std::size_t rows) {
  state_->check_open();
  const std::string path = trimmed(name);
  GrowingArray& array = state_->growing_array(path);
  if (array.waits) state_->write_waiting(path, array);
  if (rows > array.rows) state_->fail(path, "has no such rows", false);
  if (rows == array.rows) return;
  state_->set_rows(path, array, rows);
  array.rows = rows;
  if (array.element_size > 0) state_->read_last_chunk(path, array);
  assert(array.rows == array.rows_in_file);
}

Extents ArrayFile::extents(const std::string& name) const {
  state_->check_open();
  const std::string path = trimmed(name);
  const auto growing = state_->growing.find(path);
  if (growing != state_->growing.end()) {
    if (growing->second.waits) state_->write_waiting(path, growing->second);
    state_->reopen(path, growing->second);
  }
  return state_->extents_of(state_->open_array(path), path);
}

ArraySize ArrayFile::size(const std::string& name) const {
  const std::size_t count = product(extents(name));
  const Hdf5Handle array = state_->open_array(name);
  return {count * H5Tget_size(ElementPlace{array.get()}.type().get()), H5Dget_storage_size(array.get())};
}

ElementKind ArrayFile::kind(const std::string& name) const {
  state_->check_open();
  const Hdf5Handle array = state_->open_array(name);
  switch (H5Tget_class(ElementPlace{array.get()}.type().get())) {
    case H5T_FLOAT:
      return ElementKind::real;
    case H5T_INTEGER:
      return ElementKind::integer;
    case H5T_STRING:
      return ElementKind::text;
    default:
      return ElementKind::other;
  }
}

template <class T>
std::vector<T> ArrayFile::read(const std::string& name) const {
  std::vector<T> values(product(extents(name)));
  const Hdf5Handle array = state_->open_array(name);
  state_->check_readable(ElementPlace{array.get()}, trimmed(name));
  if (!read_elements(ElementPlace{array.get()}, values))
    state_->fail(trimmed(name), "cannot be read as asked");
  return values;
}

template <class T>
std::vector<T> ArrayFile::read_rows(const std::string& name, std::size_t first, std::size_t count) const {
  Extents part = extents(name);
  if (part.empty() || first > part[0] || count > part[0] - first)
    state_->fail(trimmed(name), "has no such rows", false);
  part[0] = count;
  std::vector<T> values(product(part));
  if (values.empty()) return values;
  const Hdf5Handle array = state_->open_array(name);
  state_->check_readable(ElementPlace{array.get()}, trimmed(name));
  const Hdf5Handle in_file(H5Dget_space(array.get())), in_memory = space_of(part);
  std::vector<hsize_t> corner(part.size(), 0), lengths(part.begin(), part.end());
  corner[0] = first;
  H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, corner.data(), nullptr, lengths.data(), nullptr);
  if (!read_elements(ElementPlace{array.get(), in_memory.get(), in_file.get()}, values))
    state_->fail(trimmed(name), "cannot be read as asked");
  return values;
}

template <class T>
void ArrayFile::set_attribute(const std::string& object, const std::string& name, const T& value) {
  state_->check_open();
  const Hdf5Handle owner = state_->open_object(object);
  if (H5Aexists(owner.get(), name.c_str()) > 0) H5Adelete(owner.get(), name.c_str());
  const Hdf5Handle attribute(H5Acreate2(owner.get(), name.c_str(), file_type<T>().get(), space_of({}).get(),
                                        H5P_DEFAULT, H5P_DEFAULT));
  if (!attribute || !write_elements(ElementPlace{.object = attribute.get(), .attribute = true},
                                    std::span<const T>(&value, 1)))
    state_->fail(object + "@" + name, "cannot be written");
}

/// At its place where the text is as long as the last.
void ArrayFile::set_fixed_attribute(const std::string& object, const std::string& name,
                                    const std::string& text) {
  state_->check_open();
  const Hdf5Handle owner = state_->open_object(object), type = text_type(text.size());
  Hdf5Handle attribute;
  if (H5Aexists(owner.get(), name.c_str()) > 0) {
    attribute = Hdf5Handle(H5Aopen(owner.get(), name.c_str(), H5P_DEFAULT));
    const Hdf5Handle present(H5Aget_type(attribute.get()));
    if (H5Tequal(present.get(), type.get()) <= 0) attribute = {}, H5Adelete(owner.get(), name.c_str());
  }
  if (!attribute)
    attribute = Hdf5Handle(
        H5Acreate2(owner.get(), name.c_str(), type.get(), space_of({}).get(), H5P_DEFAULT, H5P_DEFAULT));
  if (!attribute || !write_elements(ElementPlace{.object = attribute.get(), .attribute = true},
                                    std::span<const std::string>(&text, 1)))
    state_->fail(object + "@" + name, "cannot be written");
}

bool ArrayFile::has_attribute(const std::string& object, const std::string& name) const {
  state_->check_open();
  return H5Aexists(state_->open_object(object).get(), name.c_str()) > 0;
}

template <class T>
T ArrayFile::attribute(const std::string& object, const std::string& name) const {
  if (!has_attribute(object, name)) state_->fail(object + "@" + name, "there is no such attribute", false);
  const Hdf5Handle attribute(H5Aopen(state_->open_object(object).get(), name.c_str(), H5P_DEFAULT));
  const Hdf5Handle space(H5Aget_space(attribute.get()));
  if (H5Sget_simple_extent_npoints(space.get()) != 1)
    state_->fail(object + "@" + name, "expected one value", false);
  const ElementPlace place{.object = attribute.get(), .attribute = true};
  state_->check_readable(place, object + "@" + name);
  std::vector<T> value(1);
  if (!read_elements(place, value)) state_->fail(object + "@" + name, "cannot be read as asked");
  return value[0];
}

#define TOUCHSTONE_STORABLE(T)                                                                      \
  template void ArrayFile::write(const std::string&, std::span<const T>, const Extents&);           \
  template void ArrayFile::make_rows<T>(const std::string&, const Extents&);                        \
  template void ArrayFile::append_rows(const std::string&, std::span<const T>);                     \
  template std::vector<T> ArrayFile::read(const std::string&) const;                                \
  template std::vector<T> ArrayFile::read_rows(const std::string&, std::size_t, std::size_t) const; \
  template void ArrayFile::set_attribute(const std::string&, const std::string&, const T&);         \
  template T ArrayFile::attribute(const std::string&, const std::string&) const;
TOUCHSTONE_STORABLE(double)
TOUCHSTONE_STORABLE(std::int32_t)
TOUCHSTONE_STORABLE(std::int64_t)
TOUCHSTONE_STORABLE(std::uint8_t)
TOUCHSTONE_STORABLE(std::string)
#undef TOUCHSTONE_STORABLE

}  // namespace touchstone
