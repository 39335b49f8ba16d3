#include "touchstone/store/chunk_packer.h"

#include <zlib.h>

#include <ctime>

namespace touchstone {
namespace {

/// Of the program's processor time that goes into compression. A recording as a whole may cost a tenth.
constexpr double kShareOfTime = 0.02;
/// zlib's fastest: higher levels cost more time than they save space on states of bodies.
constexpr int kDeflateLevel = 1;
constexpr std::uint32_t kSkipAll = 3;

/// [s]
double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The first bytes of all elements, then all second ones, and so on.
void shuffle(std::span<const std::byte> in, std::size_t size, std::vector<std::byte>& out) {
  const std::size_t count = in.size() / size;
  out.resize(in.size());
  for (std::size_t b = 0; b < size; ++b) {
    for (std::size_t i = 0; i < count; ++i) out[b * count + i] = in[i * size + b];
  }
}

}  // namespace

ChunkPacker::ChunkPacker() : begin_(seconds(CLOCK_PROCESS_CPUTIME_ID)) {}

bool ChunkPacker::has_time() const {
  return spent_ <= kShareOfTime * (seconds(CLOCK_PROCESS_CPUTIME_ID) - begin_);
}

PackedChunk ChunkPacker::pack(std::span<const std::byte> bytes, std::size_t element_size, bool at_any_cost) {
  if (!at_any_cost && !has_time()) return {bytes, kSkipAll};
  const double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
  shuffle(bytes, element_size, shuffled_);
  packed_.resize(compressBound(bytes.size()));
  uLongf size = packed_.size();
  const int status = compress2(reinterpret_cast<Bytef*>(packed_.data()), &size,
                               reinterpret_cast<const Bytef*>(shuffled_.data()), bytes.size(), kDeflateLevel);
  spent_ += seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
  if (status != Z_OK || size >= bytes.size()) return {bytes, kSkipAll};
  return {std::span<const std::byte>(packed_).first(size), 0};
}

}  // namespace touchstone
