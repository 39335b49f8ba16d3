#pragma once
// Answers must not depend on memory that was never written.

#include <memory>
#include <vector>

namespace touchstone::support {

/// Blocks of many sizes are filled with a byte and given back: who takes memory next finds it there.
inline void leave_in_memory(unsigned char byte) {
  constexpr std::size_t kLargest = std::size_t{1} << 16;
  std::vector<std::vector<unsigned char>> blocks;
  for (std::size_t size = 16; size <= kLargest; size += size / 8 + 8)
    for (int copy = 0; copy < 8; ++copy) blocks.emplace_back(size, byte);
}

}  // namespace touchstone::support
