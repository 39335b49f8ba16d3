#include "touchstone/store/chunk_packer.h"

#include <zlib.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <limits>

namespace touchstone {
namespace {

/// Of the time since the file was opened that goes into compression. A recording as a whole may cost a tenth,
/// of which writing the pieces takes most where steps are cheap.
constexpr double kShareOfTime = 0.01;
/// zlib's fastest: higher levels cost more time than they save space on states of bodies.
constexpr int kDeflateLevel = 1;
constexpr std::uint32_t kSkipAll = 3;

/// [s] By the wall: clocks of processor time cost a call of the system, which counts at a piece each.
double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The first bytes of all elements, then all second ones, and so on.
void shuffle(std::span<const std::byte> in, std::size_t size, std::vector<std::byte>& out) {
  assert(size > 0 && in.size() % size == 0);
  const std::size_t count = in.size() / size;
  out.resize(in.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t b = 0; b < size; ++b) out[b * count + i] = in[i * size + b];
  }
}

}  // namespace

struct ChunkPacker::Deflater {
  z_stream stream{};
  bool good = deflateInit(&stream, kDeflateLevel) == Z_OK;
  ~Deflater() { deflateEnd(&stream); }

  /// [bytes] written; 0: it does not fit.
  std::size_t pack(std::span<const std::byte> in, std::span<std::byte> out) {
    if (!good || deflateReset(&stream) != Z_OK) return 0;
    assert(in.size() <= std::numeric_limits<uInt>::max() && out.size() <= in.size());
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data()));
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    return deflate(&stream, Z_FINISH) == Z_STREAM_END ? stream.total_out : 0;
  }
};

ChunkPacker::ChunkPacker() : begin_(now()) {}
ChunkPacker::~ChunkPacker() = default;

bool ChunkPacker::has_time() const { return spent_ <= kShareOfTime * (now() - begin_); }

PackedChunk ChunkPacker::pack(std::span<const std::byte> bytes, std::size_t element_size, bool at_any_cost) {
  if (!at_any_cost && !has_time()) return {bytes, kSkipAll};
  const double begin = now();
  shuffle(bytes, element_size, shuffled_);
  packed_.resize(std::max(packed_.size(), bytes.size()));
  if (!deflater_) deflater_ = std::make_unique<Deflater>();
  const std::size_t size = deflater_->pack(shuffled_, std::span(packed_).first(bytes.size()));
  spent_ += now() - begin;
  if (size == 0 || size >= bytes.size()) return {bytes, kSkipAll};
  assert(size <= packed_.size());
  return {std::span<const std::byte>(packed_).first(size), 0};
}

}  // namespace touchstone
