#pragma once
// Pieces of arrays made smaller, as HDF5's own filters shuffle and deflate would. Every reader of HDF5 undoes
// it.
//
// Whoever records must not wait for a compressor: it may take a share of the program's time and no more.
// Pieces beyond that are written as they are, which HDF5 notes per piece.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace touchstone {

struct PackedChunk {
  std::span<const std::byte> bytes;   ///< valid until the next one is packed
  std::uint32_t skipped_filters = 0;  ///< HDF5's mask: bit 0 shuffle, bit 1 deflate
};

class ChunkPacker {
 public:
  ChunkPacker();
  ~ChunkPacker();

  /// `at_any_cost`: the share of time does not matter.
  PackedChunk pack(std::span<const std::byte> bytes, std::size_t element_size, bool at_any_cost);
  /// May time be spent now?
  bool has_time() const;

 private:
  double begin_ = 0;  ///< [s]
  double spent_ = 0;  ///< [s]
  std::vector<std::byte> shuffled_, packed_;
  struct Deflater;
  std::unique_ptr<Deflater> deflater_;  ///< its tables are made once
};

}  // namespace touchstone
