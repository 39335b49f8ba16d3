// Arrays that grow: how the rows that wait come into the file.

#include <algorithm>

#include "touchstone/store/array_file_state.h"

namespace touchstone {
namespace {

/// A piece that compression leaves larger than this share is not worth its time, nor are the next ones.
constexpr double kWorthIt = 0.8;
constexpr int kPiecesLeftAlone = 15;

Hdf5Handle memory_type_of(WaitingType type) {
  switch (type) {
    case WaitingType::int32:
      return memory_type<std::int32_t>();
    case WaitingType::int64:
      return memory_type<std::int64_t>();
    case WaitingType::uint8:
      return memory_type<std::uint8_t>();
    default:
      return memory_type<double>();
  }
}

std::size_t size_of(WaitingType type) {
  switch (type) {
    case WaitingType::int32:
      return sizeof(std::int32_t);
    case WaitingType::uint8:
      return sizeof(std::uint8_t);
    default:
      return sizeof(double);
  }
}

/// The numbers as the file has them, which most are already; `space` holds those that had to be converted.
/// Empty: they cannot be.
std::span<const std::byte> as_in_file(const GrowingArray& array, std::vector<std::byte>& space) {
  const Hdf5Handle type(H5Dget_type(array.dataset.get())), memory = memory_type_of(array.type);
  if (H5Tequal(memory.get(), type.get()) > 0) return array.numbers;
  const std::size_t from = size_of(array.type), count = array.numbers.size() / from;
  space = array.numbers;
  space.resize(count * std::max(from, array.element_size));
  if (H5Tconvert(memory.get(), type.get(), count, space.data(), nullptr, H5P_DEFAULT) < 0) return {};
  space.resize(count * array.element_size);
  return space;
}

}  // namespace

void learn_chunks(GrowingArray& array) {
  const Hdf5Handle properties(H5Dget_create_plist(array.dataset.get())),
      type(H5Dget_type(array.dataset.get()));
  std::vector<hsize_t> chunk(array.row.size() + 1);
  H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
  array.chunk_rows = std::max<std::size_t>(1, chunk[0]);
  const bool numbers = H5Tget_class(type.get()) != H5T_STRING;
  array.element_size = numbers && product(array.row) > 0 ? H5Tget_size(type.get()) : 0;
}

void ArrayFile::State::write_waiting(const std::string& name, GrowingArray& array) {
  const std::size_t size = product(array.row);
  std::size_t more = array.empty_rows;
  if (size > 0) {
    more =
        array.texts.empty() ? array.numbers.size() / size_of(array.type) / size : array.texts.size() / size;
  }
  std::vector<hsize_t> total(array.row.begin(), array.row.end());
  total.insert(total.begin(), array.rows + more);
  if (H5Dset_extent(array.dataset.get(), total.data()) < 0) fail(name, "cannot grow");
  if (!array.texts.empty()) write_texts(name, array);
  if (!array.numbers.empty()) write_numbers(name, array);
  array.rows = total[0];
  array.empty_rows = 0;
  array.numbers.clear();
  array.texts.clear();
}

void ArrayFile::State::write_texts(const std::string& name, GrowingArray& array) {
  std::vector<hsize_t> first(array.row.size() + 1, 0), count(array.row.begin(), array.row.end());
  first[0] = array.rows;
  count.insert(count.begin(), array.texts.size() / product(array.row));
  const Hdf5Handle in_file(H5Dget_space(array.dataset.get()));
  H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr);
  const Hdf5Handle in_memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
  const ElementPlace place{array.dataset.get(), in_memory.get(), in_file.get()};
  if (!write_elements<std::string>(place, array.texts)) fail(name, "cannot be written");
}

void ArrayFile::State::write_numbers(const std::string& name, GrowingArray& array) {
  if (array.element_size == 0) fail(name, "holds texts", false);
  std::vector<std::byte> space;
  std::span<const std::byte> fresh = as_in_file(array, space);
  if (fresh.empty()) fail(name, "cannot be converted");
  const std::size_t row_bytes = product(array.row) * array.element_size;
  const std::size_t chunk_bytes = array.chunk_rows * row_bytes;
  std::vector<std::byte>& last = array.last_chunk;
  std::size_t first_row = array.rows - last.size() / row_bytes;
  while (!fresh.empty()) {
    const auto part = fresh.first(std::min(chunk_bytes - last.size(), fresh.size()));
    fresh = fresh.subspan(part.size());
    if (part.size() == chunk_bytes) {
      write_chunk(name, array, first_row, part, false);
    } else {
      last.insert(last.end(), part.begin(), part.end());
      write_chunk(name, array, first_row, last, false);
      if (last.size() < chunk_bytes) break;
      last.clear();
    }
    first_row += array.chunk_rows;
  }
}

/// Compressed, if that is allowed and worth it.
PackedChunk ArrayFile::State::pack(GrowingArray& array, std::span<const std::byte> bytes) {
  const PackedChunk plain{bytes, kAllFilters};
  // A piece that is in the file already stays at its place and keeps its size, so that a program that is
  // killed before the tables are written leaves the old rows where the old tables say.
  if (array.last_is_plain) return plain;
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
                                   std::span<const std::byte> held, bool at_any_cost) {
  const std::size_t chunk_bytes = array.chunk_rows * product(array.row) * array.element_size;
  const bool full = held.size() == chunk_bytes;
  std::vector<std::byte> filled_up;
  if (!full) {
    filled_up.assign(held.begin(), held.end());
    filled_up.resize(chunk_bytes);
    held = filled_up;
  }
  const PackedChunk chunk = at_any_cost ? packer.pack(held, array.element_size, true)
                            : full      ? pack(array, held)
                                        : PackedChunk{held, kAllFilters};
  array.last_is_plain = !full && chunk.skipped_filters != 0;
  std::vector<hsize_t> corner(array.row.size() + 1, 0);
  corner[0] = first_row;
  if (H5Dwrite_chunk(array.dataset.get(), H5P_DEFAULT, chunk.skipped_filters, corner.data(),
                     chunk.bytes.size(), chunk.bytes.data()) < 0)
    fail(name, "cannot be written");
}

void ArrayFile::State::read_last_chunk(const std::string& name, GrowingArray& array) const {
  const std::size_t count = array.rows % array.chunk_rows;
  array.last_chunk.resize(count * product(array.row) * array.element_size);
  if (array.last_chunk.empty()) return;
  std::vector<hsize_t> first(array.row.size() + 1, 0), lengths(array.row.begin(), array.row.end());
  first[0] = array.rows - count;
  lengths.insert(lengths.begin(), count);
  const Hdf5Handle in_file(H5Dget_space(array.dataset.get())), type(H5Dget_type(array.dataset.get()));
  H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, first.data(), nullptr, lengths.data(), nullptr);
  const Hdf5Handle in_memory(H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr));
  const ElementPlace place{array.dataset.get(), in_memory.get(), in_file.get()};
  if (!place.read(type.get(), array.last_chunk.data())) fail(name, "cannot be read");
}

void ArrayFile::State::pack_last_chunks() {
  for (auto& [name, array] : growing) {
    if (array.waits()) write_waiting(name, array);
    if (!array.last_is_plain || array.last_chunk.empty()) continue;
    write_chunk(name, array, array.rows - array.rows % array.chunk_rows, array.last_chunk, true);
  }
}

}  // namespace touchstone
