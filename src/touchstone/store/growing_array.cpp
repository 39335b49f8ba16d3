// Arrays that grow: how the rows that wait come into the file.

#include <algorithm>
#include <cassert>
#include <utility>

#include "touchstone/store/array_file_state.h"

namespace touchstone {
namespace {

/// A piece that compression leaves larger than this share is not worth its time, nor are the next ones.
constexpr double kWorthIt = 0.8;
constexpr int kPiecesLeftAlone = 15;

/// The type of numbers that is stored as it is in memory.
NumberType type_in_memory(const Hdf5Handle& type) {
  const auto is = [&](const Hdf5Handle& memory) { return H5Tequal(type.get(), memory.get()) > 0; };
  if (is(memory_type<double>())) return NumberType::real;
  if (is(memory_type<std::int32_t>())) return NumberType::int32;
  if (is(memory_type<std::int64_t>())) return NumberType::int64;
  return is(memory_type<std::uint8_t>()) ? NumberType::uint8 : NumberType::other;
}

}  // namespace

void learn_chunks(GrowingArray& array) {
  assert(array.dataset);
  const Hdf5Handle properties(H5Dget_create_plist(array.dataset.get()));
  array.type = Hdf5Handle(H5Dget_type(array.dataset.get()));
  array.same_as = type_in_memory(array.type);
  std::vector<hsize_t> chunk(array.row.size() + 1);
  H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
  array.chunk_rows = std::max<std::size_t>(1, chunk[0]);
  const bool fixed = H5Tis_variable_str(array.type.get()) <= 0;
  array.element_size = fixed && product(array.row) > 0 ? H5Tget_size(array.type.get()) : 0;
}

void ArrayFile::State::set_rows(const std::string& name, GrowingArray& array, std::size_t rows) {
  assert(array.dataset);
  if (rows < array.rows_in_file)
    reopen(name, array);  // rows that go are overwritten, which reads their piece
  std::vector<hsize_t> extents(array.row.begin(), array.row.end());
  extents.insert(extents.begin(), rows);
  if (H5Dset_extent(array.dataset.get(), extents.data()) < 0) fail(name, "cannot change its length");
  array.rows_in_file = rows;
}

void ArrayFile::State::append_bytes(const std::string& name, GrowingArray& array,
                                    std::span<const std::byte> rows) {
  const std::size_t chunk_bytes = array.chunk_bytes();
  assert(chunk_bytes > 0 && rows.size() % array.row_bytes() == 0);
  std::vector<std::byte>& last = array.last_chunk;
  array.waits = true;
  while (!rows.empty()) {
    assert(last.size() < chunk_bytes);
    const auto part = rows.first(std::min(chunk_bytes - last.size(), rows.size()));
    const std::size_t first_row = array.rows - last.size() / array.row_bytes();
    rows = rows.subspan(part.size());
    array.rows += part.size() / array.row_bytes();
    if (last.empty()) last.reserve(chunk_bytes);
    last.insert(last.end(), part.begin(), part.end());
    if (last.size() < chunk_bytes) return;
    do_later(chunk_bytes, [this, name, &array, first_row, full = std::exchange(last, {})] {
      write_chunk(name, array, first_row, full);
    });
  }
}

void ArrayFile::State::write_waiting(const std::string& name, GrowingArray& array) {
  write_last(name, array, array.rows, array.last_chunk);
  array.waits = false;
}

void ArrayFile::State::write_last(const std::string& name, GrowingArray& array, std::size_t rows,
                                  std::span<const std::byte> held) {
  assert(held.size() == rows % array.chunk_rows * array.row_bytes());
  if (rows != array.rows_in_file) set_rows(name, array, rows);
  if (!held.empty()) write_chunk(name, array, rows - rows % array.chunk_rows, held);
}

/// Compressed, if that is allowed and worth it.
PackedChunk ArrayFile::State::pack(GrowingArray& array, std::span<const std::byte> bytes) {
  assert(bytes.size() == array.chunk_bytes());
  const PackedChunk plain{bytes, kAllFilters};
  if (array.unpacked_left > 0) {
    --array.unpacked_left;
    return plain;
  }
  const PackedChunk chunk = packer.pack(bytes, array.element_size, false);
  const double share = static_cast<double>(chunk.bytes.size()) / static_cast<double>(bytes.size());
  if (share > kWorthIt && chunk.skipped_filters == 0) array.unpacked_left = kPiecesLeftAlone;
  return chunk;
}

/// One piece of the array, which holds these bytes and zeros.
void ArrayFile::State::write_chunk(const std::string& name, GrowingArray& array, std::size_t first_row,
                                   std::span<const std::byte> held) {
  const std::size_t chunk_bytes = array.chunk_bytes();
  const bool full = held.size() == chunk_bytes;
  assert(!held.empty() && held.size() <= chunk_bytes && first_row % array.chunk_rows == 0);
  if (array.rows_in_file < first_row + held.size() / array.row_bytes())
    set_rows(name, array, first_row + held.size() / array.row_bytes());
  std::vector<std::byte> filled_up;
  if (!full) {
    filled_up.assign(held.begin(), held.end());
    filled_up.resize(chunk_bytes);
    held = filled_up;
  }
  // What is not full would take the space of a full piece otherwise.
  const PackedChunk chunk = full ? pack(array, held) : packer.pack(held, array.element_size, true);
  std::vector<hsize_t> corner(array.row.size() + 1, 0);
  corner[0] = first_row;
  if (H5Dwrite_chunk(array.dataset.get(), H5P_DEFAULT, chunk.skipped_filters, corner.data(),
                     chunk.bytes.size(), chunk.bytes.data()) < 0)
    fail(name, "cannot be written");
}

void ArrayFile::State::read_last_chunk(const std::string& name, GrowingArray& array) {
  const std::size_t count = array.rows % array.chunk_rows;
  array.last_chunk.resize(count * array.row_bytes());
  if (array.last_chunk.empty()) return;
  reopen(name, array);
  std::vector<hsize_t> first(array.row.size() + 1, 0), lengths(array.row.begin(), array.row.end());
  first[0] = array.rows - count;
  lengths.insert(lengths.begin(), count);
  const Hdf5Handle in_file(H5Dget_space(array.dataset.get()));
  H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, first.data(), nullptr, lengths.data(), nullptr);
  const Hdf5Handle in_memory(H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr));
  const ElementPlace place{array.dataset.get(), in_memory.get(), in_file.get()};
  if (!place.read(array.type.get(), array.last_chunk.data())) fail(name, "cannot be read");
}

/// HDF5 1.10 does not notice how pieces were stored that it did not store itself; in an array that is opened
/// anew it looks.
void ArrayFile::State::reopen(const std::string& name, GrowingArray& array) const {
  array.dataset = Hdf5Handle();
  array.dataset = open_array(name);
}

}  // namespace touchstone
