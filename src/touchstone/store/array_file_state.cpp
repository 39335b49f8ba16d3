#include "touchstone/store/array_file_state.h"

#include <cassert>

#include "touchstone/store/hdf5_driver.h"

namespace touchstone {
namespace {

/// No array in a sound file is longer than this; a damaged file may claim it.
constexpr hssize_t kMaxElements = hssize_t{1} << 40;

}  // namespace

std::size_t product(const Extents& extents) {
  std::size_t count = 1;
  for (const std::size_t extent : extents) count *= extent;
  return count;
}

std::string trimmed(const std::string& name) {
  const std::size_t first = name.find_first_not_of('/');
  if (first == std::string::npos) return "";
  return name.substr(first, name.find_last_not_of('/') + 1 - first);
}

Hdf5Handle with_parents() {
  Hdf5Handle list(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(list.get(), 1);
  H5Pset_char_encoding(list.get(), H5T_CSET_UTF8);
  return list;
}

void ArrayFile::State::fail(const std::string& object, const std::string& what, bool ask_hdf5) const {
  const std::string why = file_trouble(file.get());
  if (file && !why.empty()) throw StoreLost(path + ": cannot be written any further (" + why + ")");
  std::string text = path + ": " + (object.empty() ? "" : object + ": ") + what;
  if (ask_hdf5 && !why.empty()) text += " (" + why + ")";
  throw StoreError(text);
}

void ArrayFile::State::check_not_closed() const {
  silence_hdf5();
  if (!file) fail("", "the file is closed", false);
}

void ArrayFile::State::check_open() const {
  check_not_closed();
  if (queue) queue->wait();
}

void ArrayFile::State::do_later(std::size_t bytes, std::function<void()> job, bool urgent) {
  assert(job);
  if (queue) {
    queue->add(std::move(job), bytes, urgent);
  } else {
    job();
  }
}

bool ArrayFile::State::has(const std::string& name) const {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    if (H5Lexists(file.get(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (H5Oexists_by_name(file.get(), part.c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return true;
}

Hdf5Handle ArrayFile::State::open_object(const std::string& object) const {
  const std::string name = trimmed(object);
  if (!name.empty() && !has(name)) fail(name, "there is no such object", false);
  Hdf5Handle handle(H5Oopen(file.get(), name.empty() ? "/" : name.c_str(), H5P_DEFAULT));
  if (!handle) fail(name, "cannot be opened");
  return handle;
}

Hdf5Handle ArrayFile::State::open_array(const std::string& name) const {
  Hdf5Handle handle = open_object(name);
  if (H5Iget_type(handle.get()) != H5I_DATASET) fail(trimmed(name), "expected an array", false);
  return handle;
}

void ArrayFile::State::check_readable(const ElementPlace& place, const std::string& name) const {
  if (checksums == Checksums::all && place.is_variable_text())
    fail(name, "is a text of variable length, which has no checksum; expected one of fixed length", false);
}

Extents ArrayFile::State::extents_of(const Hdf5Handle& array, const std::string& name) const {
  assert(array);
  const Hdf5Handle space(H5Dget_space(array.get()));
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0 || H5Sget_simple_extent_npoints(space.get()) > kMaxElements)
    fail(name, "has no sound extents");
  std::vector<hsize_t> lengths(rank);
  H5Sget_simple_extent_dims(space.get(), lengths.data(), nullptr);
  return {lengths.begin(), lengths.end()};
}

GrowingArray& ArrayFile::State::growing_array(const std::string& name) {
  const auto known = growing.find(name);
  if (known != growing.end()) return known->second;
  check_open();
  GrowingArray array;
  array.dataset = open_array(name);
  const Extents extents = extents_of(array.dataset, name);
  const Hdf5Handle properties(H5Dget_create_plist(array.dataset.get()));
  if (extents.empty() || H5Pget_layout(properties.get()) != H5D_CHUNKED) fail(name, "cannot grow", false);
  array.rows = array.rows_in_file = extents[0];
  array.row.assign(extents.begin() + 1, extents.end());
  learn_chunks(array);
  assert(array.chunk_rows > 0);
  if (array.element_size > 0) read_last_chunk(name, array);
  return growing.emplace(name, std::move(array)).first->second;
}

void ArrayFile::State::flush() {
  for (auto& [name, array] : growing) {
    if (!array.waits) continue;
    array.waits = false;
    do_later(array.last_chunk.size(), [this, &name = name, &array = array, rows = array.rows,
                                       held = array.last_chunk] { write_last(name, array, rows, held); });
  }
  const auto write_tables = [this] {
    if (H5Fflush(file.get(), H5F_SCOPE_GLOBAL) < 0 || !commit_file(file.get())) fail("", "cannot be written");
  };
  do_later(0, write_tables, true);
}

}  // namespace touchstone
