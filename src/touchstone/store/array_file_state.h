#pragma once
// The inside of an ArrayFile: its handle and the rows that wait for a flush.

#include <map>

#include "touchstone/store/array_elements.h"
#include "touchstone/store/array_file.h"
#include "touchstone/store/chunk_packer.h"

namespace touchstone {

std::size_t product(const Extents& extents);
/// Paths are kept without the root's slash: "bodies/mass".
std::string trimmed(const std::string& name);
/// Makes the groups on the way to a new object.
Hdf5Handle with_parents();

/// What waits in a growing array.
enum class WaitingType { none, real, int32, int64, uint8, text };

/// An array that grows, and the rows that wait. Numbers are written in whole pieces ("chunks"), of which the
/// last is filled up with zeros and written anew as it fills.
struct GrowingArray {
  Hdf5Handle dataset;
  Extents row;
  std::size_t rows = 0;          ///< in the file
  std::size_t empty_rows = 0;    ///< waiting, when a row has no elements
  std::size_t chunk_rows = 1;    ///< of a piece
  std::size_t element_size = 0;  ///< [bytes] in the file
  WaitingType type = WaitingType::none;
  std::vector<std::byte> numbers;
  std::vector<std::string> texts;
  std::vector<std::byte> last_chunk;  ///< what the file's last piece holds if it is not full, as in the file
  bool last_is_plain = false;         ///< that piece is not compressed
  int unpacked_left = 0;              ///< pieces to leave alone, for the last ones hardly became smaller

  bool waits() const { return !numbers.empty() || !texts.empty() || empty_rows > 0; }
};

/// HDF5's mask for a piece that passed no filter.
inline constexpr std::uint32_t kAllFilters = 3;
/// How the array is divided in the file.
void learn_chunks(GrowingArray& array);

struct ArrayFile::State {
  std::string path;
  Hdf5Handle file;
  std::map<std::string, GrowingArray> growing;
  std::size_t waiting_bytes = 0;
  ChunkPacker packer;

  [[noreturn]] void fail(const std::string& object, const std::string& what, bool ask_hdf5 = true) const;
  void check_open() const;
  bool has(const std::string& name) const;
  Hdf5Handle open_object(const std::string& name) const;
  Hdf5Handle open_array(const std::string& name) const;
  Extents extents_of(const Hdf5Handle& array, const std::string& name) const;

  /// A new one; no properties: HDF5's own.
  template <class T>
  Hdf5Handle make_array(const std::string& name, const Hdf5Handle& space, const Hdf5Handle& properties);
  /// Opened at first use, then kept open.
  GrowingArray& growing_array(const std::string& name);
  void write_waiting(const std::string& name, GrowingArray& array);
  /// Rows of numbers behind those that are there.
  void write_numbers(const std::string& name, GrowingArray& array);
  void write_texts(const std::string& name, GrowingArray& array);
  PackedChunk pack(GrowingArray& array, std::span<const std::byte> bytes);
  void write_chunk(const std::string& name, GrowingArray& array, std::size_t first_row,
                   std::span<const std::byte> held, bool at_any_cost);
  void read_last_chunk(const std::string& name, GrowingArray& array) const;
  /// Compresses what could not wait for it.
  void pack_last_chunks();
  void flush();
};

}  // namespace touchstone
