#pragma once
// The inside of an ArrayFile: its handle and the rows that wait for a flush.

#include <map>

#include "touchstone/store/array_elements.h"
#include "touchstone/store/array_file.h"
#include "touchstone/store/chunk_packer.h"
#include "touchstone/store/file_lock.h"
#include "touchstone/store/write_queue.h"

namespace touchstone {

std::size_t product(const Extents& extents);
/// Paths are kept without the root's slash: "bodies/mass".
std::string trimmed(const std::string& name);
/// Makes the groups on the way to a new object.
Hdf5Handle with_parents();

/// Types of numbers in memory; `other`: texts, and numbers that must be converted.
enum class NumberType { real, int32, int64, uint8, other };

/// An array that grows. It is written in whole pieces ("chunks") as they fill up; a flush writes the last one
/// as well, filled up with zeros, and it is written anew once it is full.
struct GrowingArray {
  Hdf5Handle dataset, type;
  Extents row;
  std::size_t chunk_rows = 1;              ///< of a piece
  NumberType same_as = NumberType::other;  ///< its elements are stored just as these are in memory
  std::size_t element_size = 0;  ///< [bytes] in the file; 0: it cannot be appended to, or has no elements

  std::size_t rows = 0;               ///< rows that wait to be written included
  std::vector<std::byte> last_chunk;  ///< the rows behind the last full piece, as in the file
  bool waits = false;                 ///< some rows are not in the file

  // Touched by the queue alone, as long as it is at work:
  std::size_t rows_in_file = 0;  ///< by the extents that HDF5 knows
  int unpacked_left = 0;         ///< pieces to leave alone, for the last ones hardly became smaller

  std::size_t row_bytes() const { return product(row) * element_size; }
  std::size_t chunk_bytes() const { return chunk_rows * row_bytes(); }
};

/// HDF5's mask for a piece that passed no filter.
inline constexpr std::uint32_t kAllFilters = 3;
/// How the array is divided in the file.
void learn_chunks(GrowingArray& array);

struct ArrayFile::State {
  std::string path;
  FileLock lock;  ///< of a file that is written
  Hdf5Handle file;
  Checksums checksums = Checksums::any;
  std::unique_ptr<WriteQueue> queue;  ///< none: whoever calls writes
  std::map<std::string, GrowingArray> growing;
  ChunkPacker packer;

  [[noreturn]] void fail(const std::string& object, const std::string& what, bool ask_hdf5 = true) const;
  /// The file is open, and nobody else is at it.
  void check_open() const;
  void check_not_closed() const;
  /// Now, or when the queue comes to it.
  void do_later(std::size_t bytes, std::function<void()> job, bool urgent = false);
  void check_is_hdf5() const;
  void take_lock();
  /// Elements of this place may be read.
  void check_readable(const ElementPlace& place, const std::string& name) const;
  bool has(const std::string& name) const;
  Hdf5Handle open_object(const std::string& name) const;
  Hdf5Handle open_array(const std::string& name) const;
  Extents extents_of(const Hdf5Handle& array, const std::string& name) const;

  /// A new one; no properties: HDF5's own.
  Hdf5Handle make_array(const std::string& name, const Hdf5Handle& type, const Hdf5Handle& space,
                        const Hdf5Handle& properties);
  /// Opened at first use, then kept open.
  GrowingArray& growing_array(const std::string& name);
  /// Appends rows, given in the file's type.
  void append_bytes(const std::string& name, GrowingArray& array, std::span<const std::byte> rows);
  void set_rows(const std::string& name, GrowingArray& array, std::size_t rows);
  void write_waiting(const std::string& name, GrowingArray& array);
  /// Makes the array `rows` rows long and writes the rows behind the last full piece.
  void write_last(const std::string& name, GrowingArray& array, std::size_t rows,
                  std::span<const std::byte> held);
  PackedChunk pack(GrowingArray& array, std::span<const std::byte> bytes);
  void write_chunk(const std::string& name, GrowingArray& array, std::size_t first_row,
                   std::span<const std::byte> held);
  void read_last_chunk(const std::string& name, GrowingArray& array);
  /// Before rows that were appended are read, by us or by HDF5.
  void reopen(const std::string& name, GrowingArray& array) const;
  void flush();
};

}  // namespace touchstone
