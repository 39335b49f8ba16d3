// What passes between memory and the arrays and attributes of an ArrayFile.

#include <algorithm>

#include "touchstone/store/array_file_state.h"

namespace touchstone {
namespace {

/// Rows are compressed in pieces of about this many bytes: large enough to compress well, small enough that
/// writing the last, unfinished piece anew at each flush costs little.
constexpr std::size_t kChunkBytes = 16384;
constexpr std::size_t kMaxChunkRows = 2048;
/// zlib's level, for whoever writes to the file after us; ours is in chunk_packer.cpp.
constexpr unsigned kDeflateLevel = 1;
/// Rows wait in memory for a flush; beyond this many bytes they do not wait for the caller's.
constexpr std::size_t kMaxWaitingBytes = std::size_t{1} << 24;

Hdf5Handle space_of(const Extents& extents, bool endless = false) {
  if (extents.empty()) return Hdf5Handle(H5Screate(H5S_SCALAR));
  std::vector<hsize_t> now(extents.begin(), extents.end()), most = now;
  if (endless) most[0] = H5S_UNLIMITED;
  return Hdf5Handle(H5Screate_simple(static_cast<int>(now.size()), now.data(), most.data()));
}

Hdf5Handle compressed(const Extents& row, std::size_t element_bytes) {
  const std::size_t row_bytes = std::max<std::size_t>(1, product(row) * element_bytes);
  std::vector<hsize_t> chunk = {std::clamp<std::size_t>(kChunkBytes / row_bytes, 1, kMaxChunkRows)};
  for (const std::size_t extent : row) chunk.push_back(std::max<std::size_t>(1, extent));
  Hdf5Handle list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(list.get(), static_cast<int>(chunk.size()), chunk.data());
  H5Pset_shuffle(list.get());
  H5Pset_deflate(list.get(), kDeflateLevel);
  return list;
}

template <class T>
constexpr WaitingType kWaitingType = WaitingType::real;
template <>
constexpr WaitingType kWaitingType<std::int32_t> = WaitingType::int32;
template <>
constexpr WaitingType kWaitingType<std::int64_t> = WaitingType::int64;
template <>
constexpr WaitingType kWaitingType<std::uint8_t> = WaitingType::uint8;
template <>
constexpr WaitingType kWaitingType<std::string> = WaitingType::text;

template <class T>
void keep_waiting(GrowingArray& array, std::span<const T> rows) {
  const std::span<const std::byte> bytes = std::as_bytes(rows);
  array.numbers.insert(array.numbers.end(), bytes.begin(), bytes.end());
}
template <>
void keep_waiting(GrowingArray& array, std::span<const std::string> rows) {
  array.texts.insert(array.texts.end(), rows.begin(), rows.end());
}

}  // namespace

template <class T>
Hdf5Handle ArrayFile::State::make_array(const std::string& name, const Hdf5Handle& space,
                                        const Hdf5Handle& properties) {
  if (has(name)) fail(name, "exists already", false);
  const hid_t list = properties ? properties.get() : H5P_DEFAULT;
  Hdf5Handle array(H5Dcreate2(file.get(), name.c_str(), file_type<T>().get(), space.get(),
                              with_parents().get(), list, H5P_DEFAULT));
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
    array = state_->make_array<T>(path, space_of(extents), {});
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
  array.dataset = state_->make_array<T>(path, space_of(extents, true), compressed(row, sizeof(T)));
  array.row = row;
  learn_chunks(array);
  state_->growing.insert_or_assign(path, std::move(array));
}

template <class T>
void ArrayFile::append_rows(const std::string& name, std::span<const T> rows) {
  state_->check_open();
  const std::string path = trimmed(name);
  GrowingArray& array = state_->growing_array(path);
  const std::size_t size = product(array.row);
  if (size ? rows.size() % size != 0 : !rows.empty()) state_->fail(path, "expected whole rows", false);
  if (size == 0) ++array.empty_rows;
  // What waits is of one type: a change of type ends the wait.
  if (array.type != kWaitingType<T> && array.waits()) state_->write_waiting(path, array);
  array.type = kWaitingType<T>;
  keep_waiting(array, rows);
  state_->waiting_bytes += rows.size_bytes();
  if (state_->waiting_bytes > kMaxWaitingBytes) state_->flush();
}

void ArrayFile::cut_rows(const std::string& name, std::size_t rows) {
  state_->check_open();
  const std::string path = trimmed(name);
  GrowingArray& array = state_->growing_array(path);
  if (array.waits()) state_->write_waiting(path, array);
  if (rows > array.rows) state_->fail(path, "has no such rows", false);
  std::vector<hsize_t> extents(array.row.begin(), array.row.end());
  extents.insert(extents.begin(), rows);
  if (H5Dset_extent(array.dataset.get(), extents.data()) < 0) state_->fail(path, "cannot be cut");
  array.rows = rows;
  if (array.element_size > 0) state_->read_last_chunk(path, array);
}

Extents ArrayFile::extents(const std::string& name) const {
  state_->check_open();
  const std::string path = trimmed(name);
  const auto growing = state_->growing.find(path);
  if (growing != state_->growing.end() && growing->second.waits())
    state_->write_waiting(path, growing->second);
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
  std::vector<T> value(1);
  if (!read_elements(ElementPlace{.object = attribute.get(), .attribute = true}, value))
    state_->fail(object + "@" + name, "cannot be read as asked");
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
